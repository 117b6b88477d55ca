import type { Absent, Attempt, Disposable, Transition, U64 } from './common.js';
import type { CompletionReceiptLike } from './coordination.js';
import type { Journaled } from './journal.js';

/** Bounds of one aggregator. Reaching one is an error, never growth. */
export interface ResultLimits {
  /** Stored results: 1 to MAX_RESULTS. Default 1,024. */
  maxResults: U64;
  /** Bytes of one result: 1 to MAX_RESULT_BYTES, at most maxTotalBytes. Default 1 MiB. */
  maxResultBytes: U64;
  /** Bytes of all stored results: 1 to MAX_TOTAL_RESULT_BYTES. Default 16 MiB. */
  maxTotalBytes: U64;
  /** Results of one aggregate: 1 to MAX_AGGREGATE_ITEMS. Default 1,024. */
  maxAggregateItems: U64;
  /** Bytes of one aggregate: 1 to MAX_TOTAL_RESULT_BYTES. Default 16 MiB. */
  maxAggregateBytes: U64;
}

export interface AggregatorOptions {
  limits?: Partial<ResultLimits> | Absent;
}

export interface StoreResultOptions {
  /** The aggregator's own revision, which has nothing to do with a pool's. */
  expectedRevision: U64;
  receipt: CompletionReceiptLike;
  /** Copied in. */
  bytes: Uint8Array | ArrayBuffer;
}

export interface RemoveResultsOptions {
  expectedRevision: U64;
  /** At most MAX_AGGREGATE_ITEMS, none of them twice. */
  taskIds: readonly string[];
}

export interface StoreOutcome {
  /** `already_stored`: the same receipt with the same bytes; nothing changed. */
  readonly kind: 'stored' | 'already_stored';
}

export interface TaskResult {
  readonly taskId: string;
  /** A copy of its own. */
  readonly bytes: Uint8Array;
}

/** Results by task, taken only against completion receipts. Receipts of any pool are taken: they are structural. */
export interface ResultAggregator extends Disposable, Journaled {
  /** The same commands for hosts that expect refusals: an error of the contract is returned, not thrown. */
  readonly try: {
    storeResult(options: StoreResultOptions): Attempt<StoreOutcome>;
    removeResults(options: RemoveResultsOptions): Attempt<number>;
  };

  /**
   * Errors: invalid_task, invalid_worker, revision_conflict, conflicting_result, mismatched_result_receipt,
   * result_too_large, result_capacity_reached, total_result_bytes_exceeded, counter_exhausted, out_of_memory.
   */
  storeResult(options: StoreResultOptions): Transition<StoreOutcome>;
  /**
   * Removes the results of these tasks, all or none; answers how many. Errors: aggregate_item_limit_exceeded,
   * invalid_task, revision_conflict, duplicate_aggregate_task, missing_result, counter_exhausted, out_of_memory.
   */
  removeResults(options: RemoveResultsOptions): Transition<number>;
  /**
   * All of these results, in exactly this order, or an error. Errors: aggregate_item_limit_exceeded, invalid_task,
   * duplicate_aggregate_task, missing_result, aggregate_bytes_exceeded, out_of_memory.
   */
  aggregateResults(taskIds: readonly string[]): TaskResult[];
  /** A copy of the stored bytes. Errors: invalid_task. */
  getResult(taskId: string): Uint8Array | null;
  readonly revision: bigint;
  readonly resultCount: number;
  readonly totalBytes: number;
}
