// Generated from src/schema by "npm run generate". Do not edit.
// @ts-nocheck

import { object, putLimits } from '../boundary/arguments.js';
import { putSlot, putText, putTokenU64, putU32, putU64 } from '../boundary/put.js';
import { defineRecord } from '../boundary/records.js';
import { MAX_IDENTIFIER_BYTES } from './coordination.js';

/** Ceiling of max_results. */
export const MAX_RESULTS = 65536;

/** Ceiling of max_result_bytes, in bytes (16 MiB). */
export const MAX_RESULT_BYTES = 16777216;

/** Ceiling of max_total_bytes and max_aggregate_bytes, in bytes (256 MiB). */
export const MAX_TOTAL_RESULT_BYTES = 268435456;

/** Ceiling of max_aggregate_items. */
export const MAX_AGGREGATE_ITEMS = 65536;

export const StoreKind = Object.freeze(['stored', 'already_stored']);

export const OP_STORE_RESULT = 0;

export const OP_AGGREGATE_BEGIN = 1;

export const OP_AGGREGATE_NEXT = 2;

export const OP_GET_RESULT = 3;

export const OP_RESULT_STATS = 4;

export const OP_REMOVE_RESULTS = 5;

/** Field, default and ceiling of every limit. */
export const RESULT_LIMITS = [
  ['maxResults', 1024, MAX_RESULTS],
  ['maxResultBytes', 1048576, MAX_RESULT_BYTES],
  ['maxTotalBytes', 16777216, MAX_TOTAL_RESULT_BYTES],
  ['maxAggregateItems', 1024, MAX_AGGREGATE_ITEMS],
  ['maxAggregateBytes', 16777216, MAX_TOTAL_RESULT_BYTES],
];
export function writeResultLimits(f, limits) {
  putLimits(f, RESULT_LIMITS, limits);
}

export class Stored {
  constructor() {
    this.kind = 'stored';
    Object.freeze(this);
  }
}
defineRecord(Stored, []);

export class AlreadyStored {
  constructor() {
    this.kind = 'already_stored';
    Object.freeze(this);
  }
}
defineRecord(AlreadyStored, []);

export function readStoreOutcome(f, at, ids) {
  switch (f.u32[at * 2]) {
    case 0:
      return new Stored();
    case 1:
      return new AlreadyStored();
    default:
      throw new Error('unreachable: unknown StoreOutcome');
  }
}

export function writeStoreResult(f, options, carry) {
  const { expectedRevision: expectedRevision, receipt: receipt, bytes: bytes } = object(options, 'options');
  const { taskId: receipt_taskId, taskGeneration: receipt_taskGeneration, attempt: receipt_attempt, leaseId: receipt_leaseId, workerId: receipt_workerId, workerGeneration: receipt_workerGeneration, recordVersion: receipt_recordVersion } = object(receipt, 'receipt');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  const text1 = putText(f, at + 1, f.textAt, receipt_taskId, 'receipt.taskId', MAX_IDENTIFIER_BYTES);
  if (typeof receipt_taskGeneration === 'bigint' && BigInt.asUintN(64, receipt_taskGeneration) === receipt_taskGeneration) u64[at + 2] = receipt_taskGeneration;
  else putTokenU64(f, at + 2, receipt_taskGeneration, 'receipt.taskGeneration');
  putU32(f, at + 3, receipt_attempt, 'receipt.attempt');
  if (typeof receipt_leaseId === 'bigint' && BigInt.asUintN(64, receipt_leaseId) === receipt_leaseId) u64[at + 4] = receipt_leaseId;
  else putTokenU64(f, at + 4, receipt_leaseId, 'receipt.leaseId');
  putText(f, at + 5, text1, receipt_workerId, 'receipt.workerId', MAX_IDENTIFIER_BYTES);
  if (typeof receipt_workerGeneration === 'bigint' && BigInt.asUintN(64, receipt_workerGeneration) === receipt_workerGeneration) u64[at + 6] = receipt_workerGeneration;
  else putTokenU64(f, at + 6, receipt_workerGeneration, 'receipt.workerGeneration');
  if (typeof receipt_recordVersion === 'bigint' && BigInt.asUintN(64, receipt_recordVersion) === receipt_recordVersion) u64[at + 7] = receipt_recordVersion;
  else putTokenU64(f, at + 7, receipt_recordVersion, 'receipt.recordVersion');
  putSlot(f, at + 8, carry(bytes));
}
