// Generated from src/schema by "npm run generate". Do not edit.
// @ts-nocheck

import { byteView, object, putLimits, setBits } from '../boundary/arguments.js';
import { getBytes, getCounter, getGivenId, getId, getOptionalCounter, getOptionalId, getSet, getText } from '../boundary/get.js';
import { NO_PLACE, putBytes, putName, putOptionalU64, putSlot, putText, putTokenU64, putU32, putU64 } from '../boundary/put.js';
import { defineRecord } from '../boundary/records.js';

/** Bytes of a task, scan or worker id. */
export const MAX_IDENTIFIER_BYTES = 256;

/** UTF-8 bytes of a target reference. */
export const MAX_TARGET_REF_BYTES = 1024;

/** Phases (bytes) of one task. */
export const MAX_TASK_PHASES = 256;

/** Distinct tags of one worker. */
export const MAX_WORKER_TAGS = 5;

/** Basis points that make 100 %. */
export const UTILIZATION_BASIS_POINTS = 10000;

/** Ceiling of max_task_records and max_terminal_tasks. */
export const MAX_TASK_RECORDS = 65536;

/** Ceiling of max_active_tasks and max_queued_tasks. */
export const MAX_ACTIVE_TASKS = 16384;

/** Ceiling of max_workers. */
export const MAX_WORKERS = 4096;

/** Slots of one worker. */
export const MAX_WORKER_CAPACITY = 4096;

/** Ceiling of max_lease_ttl_secs, in seconds. */
export const MAX_LEASE_TTL_SECS = 86400;

/** Ceiling of max_task_ttl_secs, in seconds (31 days). */
export const MAX_TASK_TTL_SECS = 2678400;

/** Ceiling of heartbeat_timeout_secs, in seconds. */
export const MAX_HEARTBEAT_TIMEOUT_SECS = 86400;

/** Ceiling of max_retries. */
export const MAX_RETRIES = 32;

export const Priority = Object.freeze(['low', 'normal', 'high', 'critical']);

export const TaskStatus = Object.freeze(['queued', 'leased', 'running', 'completed', 'failed', 'cancelled', 'expired']);

export const WorkerStatus = Object.freeze(['healthy', 'busy', 'degraded', 'offline']);

export const WorkerTag = Object.freeze(['linux', 'windows', 'gpu', 'internal', 'external']);

export const StartKind = Object.freeze(['started', 'already_running']);

export const CompletionKind = Object.freeze(['completed', 'already_completed']);

export const FailureKind = Object.freeze(['requeued', 'retry_exhausted']);

export const CancellationKind = Object.freeze(['cancelled', 'already_cancelled']);

export const OwnershipKind = Object.freeze(['none', 'fence', 'lease']);

export const Operation = Object.freeze(['complete', 'fail']);

export const LimitName = Object.freeze(['max_task_records', 'max_active_tasks', 'max_queued_tasks', 'max_terminal_tasks', 'max_workers', 'max_retries', 'max_lease_ttl_secs', 'max_task_ttl_secs', 'heartbeat_timeout_secs', 'max_results', 'max_result_bytes', 'max_total_bytes', 'max_aggregate_items', 'max_aggregate_bytes', 'lease_ttl_secs', 'task_ttl_secs', 'retire_limit']);

export const LimitRelationship = Object.freeze(['active_tasks_exceed_task_records', 'queued_tasks_exceed_active_tasks', 'terminal_tasks_exceed_task_records', 'terminal_tasks_below_active_tasks', 'lease_ttl_exceeds_limit', 'task_ttl_exceeds_limit', 'result_bytes_exceed_total_bytes', 'renewal_not_later', 'retry_delay_exceeds_limit']);

export const CounterName = Object.freeze(['revision', 'lease_id', 'attempt', 'record_version', 'task_generation', 'worker_generation', 'completed_tasks', 'enqueue_ordinal', 'lease_deadline', 'result_revision', 'not_before']);

export const InvalidTask = Object.freeze(['task_id_empty', 'task_id_too_long', 'task_id_unsafe', 'scan_id_empty', 'scan_id_too_long', 'scan_id_unsafe', 'target_ref_empty', 'target_ref_too_long', 'too_many_phases', 'task_command_id_invalid']);

export const InvalidWorker = Object.freeze(['worker_id_invalid', 'capacity_zero', 'capacity_exceeds_maximum', 'utilization_exceeds_maximum', 'too_many_tags', 'offline_requires_deregister_or_prune', 'worker_command_id_invalid']);

export const Invariant = Object.freeze(['task_index', 'task_counts', 'task_lifecycle', 'queue_order', 'age_order', 'lease_token', 'lease_deadlines', 'worker_index', 'worker_tasks', 'worker_ranking', 'heartbeat_order', 'bounds', 'waiting_order', 'terminal_order', 'worker_names']);

export const OP_REGISTER_WORKER = 0;

export const OP_REACTIVATE_WORKER = 1;

export const OP_UPDATE_WORKER = 2;

export const OP_DEREGISTER_WORKER = 3;

export const OP_PRUNE_DEAD_WORKERS = 4;

export const OP_ENQUEUE = 5;

export const OP_ASSIGN_TASK = 6;

export const OP_ASSIGN_NEXT = 7;

export const OP_ASSIGN_NEXT_AVAILABLE = 8;

export const OP_START_TASK = 9;

export const OP_COMPLETE_TASK = 10;

export const OP_FAIL_TASK = 11;

export const OP_CANCEL_TASK = 12;

export const OP_RECOVER_EXPIRED_LEASES = 13;

export const OP_EXPIRE_OLD_TASKS = 14;

export const OP_RENEW_LEASE = 15;

export const OP_RETIRE_TASKS = 16;

export const OP_FORGET_WORKER = 17;

export const OP_PEEK_NEXT = 18;

export const OP_GET_TASK = 19;

export const OP_GET_WORKER = 20;

export const OP_GET_AVAILABLE_WORKER = 21;

export const OP_SNAPSHOT = 22;

export const OP_REVISION = 23;

export const OP_CHECK_INVARIANTS = 24;

export const OP_LIST_TASKS = 25;

export const OP_LIST_WORKERS = 26;

export const OP_NEXT_TASK = 27;

export const OP_NEXT_WORKER = 28;

/** Field, default and ceiling of every limit. */
export const DISTRIBUTED_LIMITS = [
  ['maxTaskRecords', 4096, MAX_TASK_RECORDS],
  ['maxActiveTasks', 1024, MAX_ACTIVE_TASKS],
  ['maxQueuedTasks', 1024, MAX_ACTIVE_TASKS],
  ['maxTerminalTasks', 4096, MAX_TASK_RECORDS],
  ['maxWorkers', 256, MAX_WORKERS],
  ['maxRetries', 3, MAX_RETRIES],
  ['maxLeaseTtlSecs', 3600, MAX_LEASE_TTL_SECS],
  ['maxTaskTtlSecs', 86400, MAX_TASK_TTL_SECS],
  ['heartbeatTimeoutSecs', 60, MAX_HEARTBEAT_TIMEOUT_SECS],
];
export function writeDistributedLimits(f, limits) {
  putLimits(f, DISTRIBUTED_LIMITS, limits);
}

export class TaskLease {
  #place;
  #home;

  constructor(taskId, workerId, workerGeneration, taskGeneration, attempt, leaseId, acquiredAt, expiresAt, place, home) {
    this.taskId = taskId;
    this.workerId = workerId;
    this.workerGeneration = workerGeneration;
    this.taskGeneration = taskGeneration;
    this.attempt = attempt;
    this.leaseId = leaseId;
    this.acquiredAt = acquiredAt;
    this.expiresAt = expiresAt;
    this.#place = place;
    this.#home = home;
    Object.freeze(this);
  }

  /** Where the core keeps what this is a token of, if it is one of `home`'s own. */
  static placeIn(token, home) {
    return #home in token && token.#home === home ? token.#place : NO_PLACE;
  }
}
defineRecord(TaskLease, []);

export function readTaskLease(f, at, ids) {
  return new TaskLease(getId(f, at, ids.tasks), getId(f, at + 1, ids.workers), getCounter(f, at + 2), getCounter(f, at + 3), f.u32[at * 2 + 8], getCounter(f, at + 5), getCounter(f, at + 6), getCounter(f, at + 7), f.u32[at * 2 + 16], ids);
}

function putTaskLease(f, at, text, { taskId, workerId, workerGeneration, taskGeneration, attempt, leaseId, acquiredAt, expiresAt }, path) {
  const { u64 } = f;
  let end = text;
  end = putText(f, at, end, taskId, `${path}.taskId`, MAX_IDENTIFIER_BYTES);
  end = putText(f, at + 1, end, workerId, `${path}.workerId`, MAX_IDENTIFIER_BYTES);
  if (typeof workerGeneration === 'bigint' && BigInt.asUintN(64, workerGeneration) === workerGeneration) u64[at + 2] = workerGeneration;
  else putTokenU64(f, at + 2, workerGeneration, `${path}.workerGeneration`);
  if (typeof taskGeneration === 'bigint' && BigInt.asUintN(64, taskGeneration) === taskGeneration) u64[at + 3] = taskGeneration;
  else putTokenU64(f, at + 3, taskGeneration, `${path}.taskGeneration`);
  putU32(f, at + 4, attempt, `${path}.attempt`);
  if (typeof leaseId === 'bigint' && BigInt.asUintN(64, leaseId) === leaseId) u64[at + 5] = leaseId;
  else putTokenU64(f, at + 5, leaseId, `${path}.leaseId`);
  if (typeof acquiredAt === 'bigint' && BigInt.asUintN(64, acquiredAt) === acquiredAt) u64[at + 6] = acquiredAt;
  else putTokenU64(f, at + 6, acquiredAt, `${path}.acquiredAt`);
  if (typeof expiresAt === 'bigint' && BigInt.asUintN(64, expiresAt) === expiresAt) u64[at + 7] = expiresAt;
  else putTokenU64(f, at + 7, expiresAt, `${path}.expiresAt`);
  putSlot(f, at + 8, NO_PLACE);
  return end;
}

function putPlacedTaskLease(f, at, token, place) {
  putSlot(f, at, 0);
  putSlot(f, at + 1, 0);
  f.u64[at + 5] = token.leaseId;
  f.u64[at + 7] = token.expiresAt;
  putSlot(f, at + 8, place);
}

function fieldsOfTaskLease(token) {
  const { taskId, workerId, workerGeneration, taskGeneration, attempt, leaseId, acquiredAt, expiresAt } = token;
  return { taskId, workerId, workerGeneration, taskGeneration, attempt, leaseId, acquiredAt, expiresAt };
}

export class QueuedTaskFence {
  constructor(taskId, taskGeneration, recordVersion) {
    this.taskId = taskId;
    this.taskGeneration = taskGeneration;
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(QueuedTaskFence, []);

export function readQueuedTaskFence(f, at, ids) {
  return new QueuedTaskFence(getId(f, at, ids.tasks), getCounter(f, at + 1), getCounter(f, at + 2));
}

function putQueuedTaskFence(f, at, text, { taskId, taskGeneration, recordVersion }, path) {
  const { u64 } = f;
  let end = text;
  end = putText(f, at, end, taskId, `${path}.taskId`, MAX_IDENTIFIER_BYTES);
  if (typeof taskGeneration === 'bigint' && BigInt.asUintN(64, taskGeneration) === taskGeneration) u64[at + 1] = taskGeneration;
  else putTokenU64(f, at + 1, taskGeneration, `${path}.taskGeneration`);
  if (typeof recordVersion === 'bigint' && BigInt.asUintN(64, recordVersion) === recordVersion) u64[at + 2] = recordVersion;
  else putTokenU64(f, at + 2, recordVersion, `${path}.recordVersion`);
  return end;
}

export class CompletionReceipt {
  constructor(taskId, taskGeneration, attempt, leaseId, workerId, workerGeneration, recordVersion) {
    this.taskId = taskId;
    this.taskGeneration = taskGeneration;
    this.attempt = attempt;
    this.leaseId = leaseId;
    this.workerId = workerId;
    this.workerGeneration = workerGeneration;
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(CompletionReceipt, []);

export function readCompletionReceipt(f, at, ids) {
  return new CompletionReceipt(getId(f, at, ids.tasks), getCounter(f, at + 1), f.u32[at * 2 + 4], getCounter(f, at + 3), getId(f, at + 4, ids.workers), getCounter(f, at + 5), getCounter(f, at + 6));
}

function putCompletionReceipt(f, at, text, { taskId, taskGeneration, attempt, leaseId, workerId, workerGeneration, recordVersion }, path) {
  const { u64 } = f;
  let end = text;
  end = putText(f, at, end, taskId, `${path}.taskId`, MAX_IDENTIFIER_BYTES);
  if (typeof taskGeneration === 'bigint' && BigInt.asUintN(64, taskGeneration) === taskGeneration) u64[at + 1] = taskGeneration;
  else putTokenU64(f, at + 1, taskGeneration, `${path}.taskGeneration`);
  putU32(f, at + 2, attempt, `${path}.attempt`);
  if (typeof leaseId === 'bigint' && BigInt.asUintN(64, leaseId) === leaseId) u64[at + 3] = leaseId;
  else putTokenU64(f, at + 3, leaseId, `${path}.leaseId`);
  end = putText(f, at + 4, end, workerId, `${path}.workerId`, MAX_IDENTIFIER_BYTES);
  if (typeof workerGeneration === 'bigint' && BigInt.asUintN(64, workerGeneration) === workerGeneration) u64[at + 5] = workerGeneration;
  else putTokenU64(f, at + 5, workerGeneration, `${path}.workerGeneration`);
  if (typeof recordVersion === 'bigint' && BigInt.asUintN(64, recordVersion) === recordVersion) u64[at + 6] = recordVersion;
  else putTokenU64(f, at + 6, recordVersion, `${path}.recordVersion`);
  return end;
}

export class ScanTask {
  constructor(taskId, scanId, targetRef, phases, status, priority, createdAt, startedAt, completedAt, retryCount, attempt, taskGeneration, recordVersion, assignedTo, lease, notBefore, ownership) {
    this.taskId = taskId;
    this.scanId = scanId;
    this.targetRef = targetRef;
    this.phases = phases;
    this.status = status;
    this.priority = priority;
    this.createdAt = createdAt;
    this.startedAt = startedAt;
    this.completedAt = completedAt;
    this.retryCount = retryCount;
    this.attempt = attempt;
    this.taskGeneration = taskGeneration;
    this.recordVersion = recordVersion;
    this.assignedTo = assignedTo;
    this.lease = lease;
    this.notBefore = notBefore;
    this.ownership = derivedOwnership(ownership, this);
    Object.freeze(this);
  }
}
defineRecord(ScanTask, ['targetRef']);

export function readScanTask(f, at, ids) {
  return new ScanTask(getId(f, at, ids.tasks), getText(f, at + 1), getText(f, at + 2), getBytes(f, at + 3), TaskStatus[f.u32[at * 2 + 8]], Priority[f.u32[at * 2 + 10]], getCounter(f, at + 6), getOptionalCounter(f, at + 7), getOptionalCounter(f, at + 9), f.u32[at * 2 + 22], f.u32[at * 2 + 24], getCounter(f, at + 13), getCounter(f, at + 14), getOptionalId(f, at + 15, ids.workers), f.u32[at * 2 + 34] === 0 ? null : readTaskLease(f, at + 18, ids), getOptionalCounter(f, at + 27), f.u32[at * 2 + 58]);
}

export class WorkerNode {
  constructor(workerId, generation, status, capacity, currentTasks, completedTasks, lastHeartbeat, cpuBasisPoints, memoryBasisPoints, networkBasisPoints, tags, effectiveCapacity, availableSlots) {
    this.workerId = workerId;
    this.generation = generation;
    this.status = status;
    this.capacity = capacity;
    this.currentTasks = currentTasks;
    this.completedTasks = completedTasks;
    this.lastHeartbeat = lastHeartbeat;
    this.cpuBasisPoints = cpuBasisPoints;
    this.memoryBasisPoints = memoryBasisPoints;
    this.networkBasisPoints = networkBasisPoints;
    this.tags = tags;
    this.effectiveCapacity = effectiveCapacity;
    this.availableSlots = availableSlots;
    Object.freeze(this);
  }
}
defineRecord(WorkerNode, []);

export function readWorkerNode(f, at, ids) {
  return new WorkerNode(getId(f, at, ids.workers), getCounter(f, at + 1), WorkerStatus[f.u32[at * 2 + 4]], f.u32[at * 2 + 6], f.u32[at * 2 + 8], getCounter(f, at + 5), getCounter(f, at + 6), f.u32[at * 2 + 14], f.u32[at * 2 + 16], f.u32[at * 2 + 18], getSet(f, at + 10, WorkerTag), f.u32[at * 2 + 22], f.u32[at * 2 + 24]);
}

export class StateSnapshot {
  constructor(revision, logicalTime, taskRecords, activeTasks, queuedTasks, terminalTasks, workers) {
    this.revision = revision;
    this.logicalTime = logicalTime;
    this.taskRecords = taskRecords;
    this.activeTasks = activeTasks;
    this.queuedTasks = queuedTasks;
    this.terminalTasks = terminalTasks;
    this.workers = workers;
    Object.freeze(this);
  }
}
defineRecord(StateSnapshot, []);

export function readStateSnapshot(f, at, ids) {
  return new StateSnapshot(f.u64[at], getCounter(f, at + 1), f.u32[at * 2 + 4], f.u32[at * 2 + 6], f.u32[at * 2 + 8], f.u32[at * 2 + 10], f.u32[at * 2 + 12]);
}

export class RecoverySummary {
  constructor(workersAffected, tasksRequeued, tasksFailed) {
    this.workersAffected = workersAffected;
    this.tasksRequeued = tasksRequeued;
    this.tasksFailed = tasksFailed;
    Object.freeze(this);
  }
}
defineRecord(RecoverySummary, []);

export function readRecoverySummary(f, at, ids) {
  return new RecoverySummary(f.u32[at * 2], f.u32[at * 2 + 2], f.u32[at * 2 + 4]);
}

export function readGivenScanTask(f, at, ids) {
  return new ScanTask(getGivenId(f, at, ids.tasks, f.given[0]), f.given[1], f.given[2], getBytes(f, at + 3), TaskStatus[f.u32[at * 2 + 8]], Priority[f.u32[at * 2 + 10]], getCounter(f, at + 6), getOptionalCounter(f, at + 7), getOptionalCounter(f, at + 9), f.u32[at * 2 + 22], f.u32[at * 2 + 24], getCounter(f, at + 13), getCounter(f, at + 14), getOptionalId(f, at + 15, ids.workers), f.u32[at * 2 + 34] === 0 ? null : readTaskLease(f, at + 18, ids), getOptionalCounter(f, at + 27), f.u32[at * 2 + 58]);
}

export class Started {
  constructor(recordVersion) {
    this.kind = 'started';
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(Started, []);

let lastStarted = new Started(0n);
function theStarted(recordVersion) {
  if (lastStarted.recordVersion !== recordVersion) lastStarted = new Started(recordVersion);
  return lastStarted;
}

export class AlreadyRunning {
  constructor(recordVersion) {
    this.kind = 'already_running';
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(AlreadyRunning, []);

let lastAlreadyRunning = new AlreadyRunning(0n);
function theAlreadyRunning(recordVersion) {
  if (lastAlreadyRunning.recordVersion !== recordVersion) lastAlreadyRunning = new AlreadyRunning(recordVersion);
  return lastAlreadyRunning;
}

export function readStartOutcome(f, at, ids) {
  switch (f.u32[at * 2]) {
    case 0:
      return theStarted(getCounter(f, at + 1));
    case 1:
      return theAlreadyRunning(getCounter(f, at + 1));
    default:
      throw new Error('unreachable: unknown StartOutcome');
  }
}

export class Completed {
  constructor(receipt) {
    this.kind = 'completed';
    this.receipt = receipt;
    Object.freeze(this);
  }
}
defineRecord(Completed, []);

export class AlreadyCompleted {
  constructor(receipt) {
    this.kind = 'already_completed';
    this.receipt = receipt;
    Object.freeze(this);
  }
}
defineRecord(AlreadyCompleted, []);

export function readCompletionOutcome(f, at, ids) {
  switch (f.u32[at * 2]) {
    case 0:
      return new Completed(readCompletionReceipt(f, at + 1, ids));
    case 1:
      return new AlreadyCompleted(readCompletionReceipt(f, at + 1, ids));
    default:
      throw new Error('unreachable: unknown CompletionOutcome');
  }
}

export class Requeued {
  constructor(taskGeneration, retryCount, recordVersion) {
    this.kind = 'requeued';
    this.taskGeneration = taskGeneration;
    this.retryCount = retryCount;
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(Requeued, []);

export class RetryExhausted {
  constructor(retryCount, recordVersion) {
    this.kind = 'retry_exhausted';
    this.retryCount = retryCount;
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(RetryExhausted, []);

export function readFailureOutcome(f, at, ids) {
  switch (f.u32[at * 2]) {
    case 0:
      return new Requeued(getCounter(f, at + 1), f.u32[at * 2 + 4], getCounter(f, at + 3));
    case 1:
      return new RetryExhausted(f.u32[at * 2 + 2], getCounter(f, at + 2));
    default:
      throw new Error('unreachable: unknown FailureOutcome');
  }
}

export class Cancelled {
  constructor(recordVersion) {
    this.kind = 'cancelled';
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(Cancelled, []);

let lastCancelled = new Cancelled(0n);
function theCancelled(recordVersion) {
  if (lastCancelled.recordVersion !== recordVersion) lastCancelled = new Cancelled(recordVersion);
  return lastCancelled;
}

export class AlreadyCancelled {
  constructor(recordVersion) {
    this.kind = 'already_cancelled';
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(AlreadyCancelled, []);

let lastAlreadyCancelled = new AlreadyCancelled(0n);
function theAlreadyCancelled(recordVersion) {
  if (lastAlreadyCancelled.recordVersion !== recordVersion) lastAlreadyCancelled = new AlreadyCancelled(recordVersion);
  return lastAlreadyCancelled;
}

export function readCancellationOutcome(f, at, ids) {
  switch (f.u32[at * 2]) {
    case 0:
      return theCancelled(getCounter(f, at + 1));
    case 1:
      return theAlreadyCancelled(getCounter(f, at + 1));
    default:
      throw new Error('unreachable: unknown CancellationOutcome');
  }
}

export function writeRegisterWorker(f, options) {
  const { expectedRevision: expectedRevision, now: now, spec: spec } = object(options, 'options');
  const { workerId: spec_workerId, capacity: spec_capacity, cpuBasisPoints: spec_cpuBasisPoints, memoryBasisPoints: spec_memoryBasisPoints, networkBasisPoints: spec_networkBasisPoints, tags: spec_tags } = object(spec, 'spec');
  const spec_tags_bits = setBits(WorkerTag, spec_tags, 'spec.tags');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  putText(f, at + 2, f.textAt, spec_workerId, 'spec.workerId', MAX_IDENTIFIER_BYTES);
  putU32(f, at + 3, spec_capacity, 'spec.capacity');
  putU32(f, at + 4, spec_cpuBasisPoints ?? 0, 'spec.cpuBasisPoints');
  putU32(f, at + 5, spec_memoryBasisPoints ?? 0, 'spec.memoryBasisPoints');
  putU32(f, at + 6, spec_networkBasisPoints ?? 0, 'spec.networkBasisPoints');
  putSlot(f, at + 7, spec_tags_bits);
}

export function writeReactivateWorker(f, options) {
  const { expectedRevision: expectedRevision, now: now, expectedGeneration: expectedGeneration, spec: spec } = object(options, 'options');
  const { workerId: spec_workerId, capacity: spec_capacity, cpuBasisPoints: spec_cpuBasisPoints, memoryBasisPoints: spec_memoryBasisPoints, networkBasisPoints: spec_networkBasisPoints, tags: spec_tags } = object(spec, 'spec');
  const spec_tags_bits = setBits(WorkerTag, spec_tags, 'spec.tags');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  if (typeof expectedGeneration === 'bigint' && BigInt.asUintN(64, expectedGeneration) === expectedGeneration) u64[at + 2] = expectedGeneration;
  else putU64(f, at + 2, expectedGeneration, 'expectedGeneration');
  putText(f, at + 3, f.textAt, spec_workerId, 'spec.workerId', MAX_IDENTIFIER_BYTES);
  putU32(f, at + 4, spec_capacity, 'spec.capacity');
  putU32(f, at + 5, spec_cpuBasisPoints ?? 0, 'spec.cpuBasisPoints');
  putU32(f, at + 6, spec_memoryBasisPoints ?? 0, 'spec.memoryBasisPoints');
  putU32(f, at + 7, spec_networkBasisPoints ?? 0, 'spec.networkBasisPoints');
  putSlot(f, at + 8, spec_tags_bits);
}

export function writeUpdateWorker(f, options) {
  const { expectedRevision: expectedRevision, now: now, workerId: workerId, generation: generation, observation: observation } = object(options, 'options');
  const { status: observation_status, cpuBasisPoints: observation_cpuBasisPoints, memoryBasisPoints: observation_memoryBasisPoints, networkBasisPoints: observation_networkBasisPoints } = object(observation, 'observation');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  putText(f, at + 2, f.textAt, workerId, 'workerId', MAX_IDENTIFIER_BYTES);
  if (typeof generation === 'bigint' && BigInt.asUintN(64, generation) === generation) u64[at + 3] = generation;
  else putU64(f, at + 3, generation, 'generation');
  if (observation_status === undefined || observation_status === null) putSlot(f, at + 4, 0);
  else putName(f, at + 4, WorkerStatus, observation_status, 'observation.status');
  putU32(f, at + 5, observation_cpuBasisPoints ?? 0, 'observation.cpuBasisPoints');
  putU32(f, at + 6, observation_memoryBasisPoints ?? 0, 'observation.memoryBasisPoints');
  putU32(f, at + 7, observation_networkBasisPoints ?? 0, 'observation.networkBasisPoints');
}

export function writeDeregisterWorker(f, options) {
  const { expectedRevision: expectedRevision, now: now, workerId: workerId, generation: generation } = object(options, 'options');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  putText(f, at + 2, f.textAt, workerId, 'workerId', MAX_IDENTIFIER_BYTES);
  if (typeof generation === 'bigint' && BigInt.asUintN(64, generation) === generation) u64[at + 3] = generation;
  else putU64(f, at + 3, generation, 'generation');
}

export function writePruneDeadWorkers(f, options) {
  const { expectedRevision: expectedRevision, now: now } = object(options, 'options');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
}

export function writeEnqueue(f, options) {
  const { expectedRevision: expectedRevision, now: now, spec: spec } = object(options, 'options');
  const { taskId: spec_taskId, scanId: spec_scanId, targetRef: spec_targetRef, phases: spec_phases, priority: spec_priority } = object(spec, 'spec');
  const spec_phases_bytes = byteView(spec_phases, 'spec.phases', MAX_TASK_PHASES);
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  const text1 = putText(f, at + 2, f.textAt, spec_taskId, 'spec.taskId', MAX_IDENTIFIER_BYTES);
  const text2 = putText(f, at + 3, text1, spec_scanId, 'spec.scanId', MAX_IDENTIFIER_BYTES);
  const text3 = putText(f, at + 4, text2, spec_targetRef, 'spec.targetRef', MAX_TARGET_REF_BYTES);
  putBytes(f, at + 5, text3, spec_phases_bytes, MAX_TASK_PHASES);
  if (spec_priority === undefined || spec_priority === null) putSlot(f, at + 6, 1);
  else putName(f, at + 6, Priority, spec_priority, 'spec.priority');
  const { given } = f;
  given[0] = spec_taskId;
  given[1] = spec_scanId;
  given[2] = spec_targetRef;
}

export function writeAssignTask(f, options) {
  const { expectedRevision: expectedRevision, now: now, taskId: taskId, workerId: workerId, leaseTtlSecs: leaseTtlSecs } = object(options, 'options');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  const text1 = putText(f, at + 2, f.textAt, taskId, 'taskId', MAX_IDENTIFIER_BYTES);
  putText(f, at + 3, text1, workerId, 'workerId', MAX_IDENTIFIER_BYTES);
  if (typeof leaseTtlSecs === 'bigint' && BigInt.asUintN(64, leaseTtlSecs) === leaseTtlSecs) u64[at + 4] = leaseTtlSecs;
  else putU64(f, at + 4, leaseTtlSecs, 'leaseTtlSecs');
}

export function writeAssignNext(f, options) {
  const { expectedRevision: expectedRevision, now: now, workerId: workerId, leaseTtlSecs: leaseTtlSecs } = object(options, 'options');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  putText(f, at + 2, f.textAt, workerId, 'workerId', MAX_IDENTIFIER_BYTES);
  if (typeof leaseTtlSecs === 'bigint' && BigInt.asUintN(64, leaseTtlSecs) === leaseTtlSecs) u64[at + 3] = leaseTtlSecs;
  else putU64(f, at + 3, leaseTtlSecs, 'leaseTtlSecs');
}

export function writeAssignNextAvailable(f, options) {
  const { expectedRevision: expectedRevision, now: now, leaseTtlSecs: leaseTtlSecs } = object(options, 'options');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  if (typeof leaseTtlSecs === 'bigint' && BigInt.asUintN(64, leaseTtlSecs) === leaseTtlSecs) u64[at + 2] = leaseTtlSecs;
  else putU64(f, at + 2, leaseTtlSecs, 'leaseTtlSecs');
}

export function writeStartTask(f, options, ids) {
  const { expectedRevision: expectedRevision, now: now, lease: lease } = object(options, 'options');
  const lease_place = TaskLease.placeIn(object(lease, 'lease'), ids);
  const lease_read = lease_place === NO_PLACE ? fieldsOfTaskLease(lease) : lease;
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  if (lease_place !== NO_PLACE) putPlacedTaskLease(f, at + 2, lease, lease_place);
  else putTaskLease(f, at + 2, f.textAt, lease_read, 'lease');
}

export function writeCompleteTask(f, options, ids) {
  const { expectedRevision: expectedRevision, now: now, lease: lease } = object(options, 'options');
  const lease_place = TaskLease.placeIn(object(lease, 'lease'), ids);
  const lease_read = lease_place === NO_PLACE ? fieldsOfTaskLease(lease) : lease;
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  if (lease_place !== NO_PLACE) putPlacedTaskLease(f, at + 2, lease, lease_place);
  else putTaskLease(f, at + 2, f.textAt, lease_read, 'lease');
}

export function writeFailTask(f, options, ids) {
  const { expectedRevision: expectedRevision, now: now, lease: lease, retryAfterSecs: retryAfterSecs } = object(options, 'options');
  const lease_place = TaskLease.placeIn(object(lease, 'lease'), ids);
  const lease_read = lease_place === NO_PLACE ? fieldsOfTaskLease(lease) : lease;
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  if (lease_place !== NO_PLACE) putPlacedTaskLease(f, at + 2, lease, lease_place);
  else putTaskLease(f, at + 2, f.textAt, lease_read, 'lease');
  putOptionalU64(f, at + 11, retryAfterSecs, 'retryAfterSecs');
}

export function writeCancelTask(f, options) {
  const { expectedRevision: expectedRevision, now: now, ownership: ownership } = object(options, 'options');
  const ownership_read = readOwnership(ownership, 'ownership');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  putOwnership(f, at + 2, f.textAt, ownership_read, 'ownership');
}

export function writeRecoverExpiredLeases(f, options) {
  const { expectedRevision: expectedRevision, now: now } = object(options, 'options');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
}

export function writeExpireOldTasks(f, options) {
  const { expectedRevision: expectedRevision, now: now, taskTtlSecs: taskTtlSecs } = object(options, 'options');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  if (typeof taskTtlSecs === 'bigint' && BigInt.asUintN(64, taskTtlSecs) === taskTtlSecs) u64[at + 2] = taskTtlSecs;
  else putU64(f, at + 2, taskTtlSecs, 'taskTtlSecs');
}

export function writeRenewLease(f, options, ids) {
  const { expectedRevision: expectedRevision, now: now, lease: lease, leaseTtlSecs: leaseTtlSecs } = object(options, 'options');
  const lease_place = TaskLease.placeIn(object(lease, 'lease'), ids);
  const lease_read = lease_place === NO_PLACE ? fieldsOfTaskLease(lease) : lease;
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  if (lease_place !== NO_PLACE) putPlacedTaskLease(f, at + 2, lease, lease_place);
  else putTaskLease(f, at + 2, f.textAt, lease_read, 'lease');
  if (typeof leaseTtlSecs === 'bigint' && BigInt.asUintN(64, leaseTtlSecs) === leaseTtlSecs) u64[at + 11] = leaseTtlSecs;
  else putU64(f, at + 11, leaseTtlSecs, 'leaseTtlSecs');
}

export function writeRetireTasks(f, options) {
  const { expectedRevision: expectedRevision, now: now, terminalBefore: terminalBefore, limit: limit } = object(options, 'options');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  if (typeof terminalBefore === 'bigint' && BigInt.asUintN(64, terminalBefore) === terminalBefore) u64[at + 2] = terminalBefore;
  else putU64(f, at + 2, terminalBefore, 'terminalBefore');
  if (typeof limit === 'bigint' && BigInt.asUintN(64, limit) === limit) u64[at + 3] = limit;
  else putU64(f, at + 3, limit, 'limit');
}

export function writeForgetWorker(f, options) {
  const { expectedRevision: expectedRevision, now: now, workerId: workerId, generation: generation } = object(options, 'options');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof expectedRevision === 'bigint' && BigInt.asUintN(64, expectedRevision) === expectedRevision) u64[at] = expectedRevision;
  else putU64(f, at, expectedRevision, 'expectedRevision');
  if (typeof now === 'bigint' && BigInt.asUintN(64, now) === now) u64[at + 1] = now;
  else putU64(f, at + 1, now, 'now');
  putText(f, at + 2, f.textAt, workerId, 'workerId', MAX_IDENTIFIER_BYTES);
  if (typeof generation === 'bigint' && BigInt.asUintN(64, generation) === generation) u64[at + 3] = generation;
  else putU64(f, at + 3, generation, 'generation');
}

const FENCE = OwnershipKind.indexOf('fence');
const LEASE = OwnershipKind.indexOf('lease');

/** Which token the caller gave, with its fields read: only a lease has a leaseId. */
function readOwnership(value, path) {
  const { taskId, workerId, workerGeneration, taskGeneration, attempt, leaseId, acquiredAt, expiresAt, recordVersion } = object(value, path);
  const kind = leaseId === undefined || leaseId === null ? FENCE : LEASE;
  return { kind, token: { taskId, workerId, workerGeneration, taskGeneration, attempt, leaseId, acquiredAt, expiresAt, recordVersion } };
}

function putOwnership(f, at, text, { kind, token }, path) {
  putSlot(f, at, kind);
  return kind === LEASE
    ? putTaskLease(f, at + 1, text, token, path)
    : putQueuedTaskFence(f, at + 1, text, token, path);
}

/** The token that the core says owns the task; its fields are the task's own. */
function derivedOwnership(kind, task) {
  if (kind === FENCE) return new QueuedTaskFence(task.taskId, task.taskGeneration, task.recordVersion);
  return kind === LEASE ? task.lease : null;
}
