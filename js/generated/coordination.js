// Generated from src/schema by "npm run generate". Do not edit.
// @ts-nocheck

import { byteView, object, putLimits, setBits } from '../boundary/arguments.js';
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
  constructor(taskId, workerId, workerGeneration, taskGeneration, attempt, leaseId, acquiredAt, expiresAt) {
    this.taskId = taskId;
    this.workerId = workerId;
    this.workerGeneration = workerGeneration;
    this.taskGeneration = taskGeneration;
    this.attempt = attempt;
    this.leaseId = leaseId;
    this.acquiredAt = acquiredAt;
    this.expiresAt = expiresAt;
    Object.freeze(this);
  }
}
defineRecord(TaskLease, []);

export function readTaskLease(f, ids) {
  return new TaskLease(f.getId(ids.tasks), f.getId(ids.workers), f.getU64(), f.getU64(), f.getU32(), f.getU64(), f.getU64(), f.getU64());
}

export function putTaskLease(f, read, path) {
  f.putText(read.taskId, `${path}.taskId`, MAX_IDENTIFIER_BYTES);
  f.putText(read.workerId, `${path}.workerId`, MAX_IDENTIFIER_BYTES);
  f.putTokenU64(read.workerGeneration, `${path}.workerGeneration`);
  f.putTokenU64(read.taskGeneration, `${path}.taskGeneration`);
  f.putU32(read.attempt, `${path}.attempt`);
  f.putTokenU64(read.leaseId, `${path}.leaseId`);
  f.putTokenU64(read.acquiredAt, `${path}.acquiredAt`);
  f.putTokenU64(read.expiresAt, `${path}.expiresAt`);
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

export function readQueuedTaskFence(f, ids) {
  return new QueuedTaskFence(f.getId(ids.tasks), f.getU64(), f.getU64());
}

export function putQueuedTaskFence(f, read, path) {
  f.putText(read.taskId, `${path}.taskId`, MAX_IDENTIFIER_BYTES);
  f.putTokenU64(read.taskGeneration, `${path}.taskGeneration`);
  f.putTokenU64(read.recordVersion, `${path}.recordVersion`);
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

export function readCompletionReceipt(f, ids) {
  return new CompletionReceipt(f.getId(ids.tasks), f.getU64(), f.getU32(), f.getU64(), f.getId(ids.workers), f.getU64(), f.getU64());
}

export function putCompletionReceipt(f, read, path) {
  f.putText(read.taskId, `${path}.taskId`, MAX_IDENTIFIER_BYTES);
  f.putTokenU64(read.taskGeneration, `${path}.taskGeneration`);
  f.putU32(read.attempt, `${path}.attempt`);
  f.putTokenU64(read.leaseId, `${path}.leaseId`);
  f.putText(read.workerId, `${path}.workerId`, MAX_IDENTIFIER_BYTES);
  f.putTokenU64(read.workerGeneration, `${path}.workerGeneration`);
  f.putTokenU64(read.recordVersion, `${path}.recordVersion`);
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

export function readScanTask(f, ids) {
  return new ScanTask(f.getId(ids.tasks), f.getText(), f.getText(), f.getBytes(), f.getName(TaskStatus), f.getName(Priority), f.getU64(), f.getOptionalU64(), f.getOptionalU64(), f.getU32(), f.getU32(), f.getU64(), f.getU64(), f.getOptionalId(ids.workers), f.getBool() ? readTaskLease(f, ids) : null, f.getOptionalU64(), f.getU32());
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

export function readWorkerNode(f, ids) {
  return new WorkerNode(f.getId(ids.workers), f.getU64(), f.getName(WorkerStatus), f.getU32(), f.getU32(), f.getU64(), f.getU64(), f.getU32(), f.getU32(), f.getU32(), f.getSet(WorkerTag), f.getU32(), f.getU32());
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

export function readStateSnapshot(f, ids) {
  return new StateSnapshot(f.getU64(), f.getU64(), f.getU32(), f.getU32(), f.getU32(), f.getU32(), f.getU32());
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

export function readRecoverySummary(f, ids) {
  return new RecoverySummary(f.getU32(), f.getU32(), f.getU32());
}

export function readGivenScanTask(f, ids) {
  return new ScanTask(f.getGivenId(ids.tasks, 0), f.getGivenText(1), f.getGivenText(2), f.getBytes(), f.getName(TaskStatus), f.getName(Priority), f.getU64(), f.getOptionalU64(), f.getOptionalU64(), f.getU32(), f.getU32(), f.getU64(), f.getU64(), f.getOptionalId(ids.workers), f.getBool() ? readTaskLease(f, ids) : null, f.getOptionalU64(), f.getU32());
}

export class Started {
  constructor(recordVersion) {
    this.kind = 'started';
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(Started, []);

export class AlreadyRunning {
  constructor(recordVersion) {
    this.kind = 'already_running';
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(AlreadyRunning, []);

export function readStartOutcome(f, ids) {
  switch (f.getU32()) {
    case 0:
      return new Started(f.getU64());
    case 1:
      return new AlreadyRunning(f.getU64());
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

export function readCompletionOutcome(f, ids) {
  switch (f.getU32()) {
    case 0:
      return new Completed(readCompletionReceipt(f, ids));
    case 1:
      return new AlreadyCompleted(readCompletionReceipt(f, ids));
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

export function readFailureOutcome(f, ids) {
  switch (f.getU32()) {
    case 0:
      return new Requeued(f.getU64(), f.getU32(), f.getU64());
    case 1:
      return new RetryExhausted(f.getU32(), f.getU64());
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

export class AlreadyCancelled {
  constructor(recordVersion) {
    this.kind = 'already_cancelled';
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}
defineRecord(AlreadyCancelled, []);

export function readCancellationOutcome(f, ids) {
  switch (f.getU32()) {
    case 0:
      return new Cancelled(f.getU64());
    case 1:
      return new AlreadyCancelled(f.getU64());
    default:
      throw new Error('unreachable: unknown CancellationOutcome');
  }
}

export function writeRegisterWorker(f, options) {
  const { expectedRevision: expectedRevision, now: now, spec: spec } = object(options, 'options');
  const { workerId: spec_workerId, capacity: spec_capacity, cpuBasisPoints: spec_cpuBasisPoints, memoryBasisPoints: spec_memoryBasisPoints, networkBasisPoints: spec_networkBasisPoints, tags: spec_tags } = object(spec, 'spec');
  const spec_tags_bits = setBits(WorkerTag, spec_tags, 'spec.tags');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(spec_workerId, 'spec.workerId', MAX_IDENTIFIER_BYTES);
  f.putU32(spec_capacity, 'spec.capacity');
  f.putU32(spec_cpuBasisPoints ?? 0, 'spec.cpuBasisPoints');
  f.putU32(spec_memoryBasisPoints ?? 0, 'spec.memoryBasisPoints');
  f.putU32(spec_networkBasisPoints ?? 0, 'spec.networkBasisPoints');
  f.putSlot(spec_tags_bits);
}

export function writeReactivateWorker(f, options) {
  const { expectedRevision: expectedRevision, now: now, expectedGeneration: expectedGeneration, spec: spec } = object(options, 'options');
  const { workerId: spec_workerId, capacity: spec_capacity, cpuBasisPoints: spec_cpuBasisPoints, memoryBasisPoints: spec_memoryBasisPoints, networkBasisPoints: spec_networkBasisPoints, tags: spec_tags } = object(spec, 'spec');
  const spec_tags_bits = setBits(WorkerTag, spec_tags, 'spec.tags');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putU64(expectedGeneration, 'expectedGeneration');
  f.putText(spec_workerId, 'spec.workerId', MAX_IDENTIFIER_BYTES);
  f.putU32(spec_capacity, 'spec.capacity');
  f.putU32(spec_cpuBasisPoints ?? 0, 'spec.cpuBasisPoints');
  f.putU32(spec_memoryBasisPoints ?? 0, 'spec.memoryBasisPoints');
  f.putU32(spec_networkBasisPoints ?? 0, 'spec.networkBasisPoints');
  f.putSlot(spec_tags_bits);
}

export function writeUpdateWorker(f, options) {
  const { expectedRevision: expectedRevision, now: now, workerId: workerId, generation: generation, observation: observation } = object(options, 'options');
  const { status: observation_status, cpuBasisPoints: observation_cpuBasisPoints, memoryBasisPoints: observation_memoryBasisPoints, networkBasisPoints: observation_networkBasisPoints } = object(observation, 'observation');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(workerId, 'workerId', MAX_IDENTIFIER_BYTES);
  f.putU64(generation, 'generation');
  f.putName(WorkerStatus, observation_status ?? 'healthy', 'observation.status');
  f.putU32(observation_cpuBasisPoints ?? 0, 'observation.cpuBasisPoints');
  f.putU32(observation_memoryBasisPoints ?? 0, 'observation.memoryBasisPoints');
  f.putU32(observation_networkBasisPoints ?? 0, 'observation.networkBasisPoints');
}

export function writeDeregisterWorker(f, options) {
  const { expectedRevision: expectedRevision, now: now, workerId: workerId, generation: generation } = object(options, 'options');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(workerId, 'workerId', MAX_IDENTIFIER_BYTES);
  f.putU64(generation, 'generation');
}

export function writePruneDeadWorkers(f, options) {
  const { expectedRevision: expectedRevision, now: now } = object(options, 'options');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
}

export function writeEnqueue(f, options) {
  const { expectedRevision: expectedRevision, now: now, spec: spec } = object(options, 'options');
  const { taskId: spec_taskId, scanId: spec_scanId, targetRef: spec_targetRef, phases: spec_phases, priority: spec_priority } = object(spec, 'spec');
  const spec_phases_bytes = byteView(spec_phases, 'spec.phases', MAX_TASK_PHASES);
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(spec_taskId, 'spec.taskId', MAX_IDENTIFIER_BYTES);
  f.putText(spec_scanId, 'spec.scanId', MAX_IDENTIFIER_BYTES);
  f.putText(spec_targetRef, 'spec.targetRef', MAX_TARGET_REF_BYTES);
  f.putBytes(spec_phases_bytes, MAX_TASK_PHASES);
  f.putName(Priority, spec_priority ?? 'normal', 'spec.priority');
  f.given = [spec_taskId, spec_scanId, spec_targetRef];
}

export function writeAssignTask(f, options) {
  const { expectedRevision: expectedRevision, now: now, taskId: taskId, workerId: workerId, leaseTtlSecs: leaseTtlSecs } = object(options, 'options');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(taskId, 'taskId', MAX_IDENTIFIER_BYTES);
  f.putText(workerId, 'workerId', MAX_IDENTIFIER_BYTES);
  f.putU64(leaseTtlSecs, 'leaseTtlSecs');
}

export function writeAssignNext(f, options) {
  const { expectedRevision: expectedRevision, now: now, workerId: workerId, leaseTtlSecs: leaseTtlSecs } = object(options, 'options');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(workerId, 'workerId', MAX_IDENTIFIER_BYTES);
  f.putU64(leaseTtlSecs, 'leaseTtlSecs');
}

export function writeAssignNextAvailable(f, options) {
  const { expectedRevision: expectedRevision, now: now, leaseTtlSecs: leaseTtlSecs } = object(options, 'options');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putU64(leaseTtlSecs, 'leaseTtlSecs');
}

export function writeStartTask(f, options) {
  const { expectedRevision: expectedRevision, now: now, lease: lease } = object(options, 'options');
  const { taskId: lease_taskId, workerId: lease_workerId, workerGeneration: lease_workerGeneration, taskGeneration: lease_taskGeneration, attempt: lease_attempt, leaseId: lease_leaseId, acquiredAt: lease_acquiredAt, expiresAt: lease_expiresAt } = object(lease, 'lease');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(lease_taskId, 'lease.taskId', MAX_IDENTIFIER_BYTES);
  f.putText(lease_workerId, 'lease.workerId', MAX_IDENTIFIER_BYTES);
  f.putTokenU64(lease_workerGeneration, 'lease.workerGeneration');
  f.putTokenU64(lease_taskGeneration, 'lease.taskGeneration');
  f.putU32(lease_attempt, 'lease.attempt');
  f.putTokenU64(lease_leaseId, 'lease.leaseId');
  f.putTokenU64(lease_acquiredAt, 'lease.acquiredAt');
  f.putTokenU64(lease_expiresAt, 'lease.expiresAt');
}

export function writeCompleteTask(f, options) {
  const { expectedRevision: expectedRevision, now: now, lease: lease } = object(options, 'options');
  const { taskId: lease_taskId, workerId: lease_workerId, workerGeneration: lease_workerGeneration, taskGeneration: lease_taskGeneration, attempt: lease_attempt, leaseId: lease_leaseId, acquiredAt: lease_acquiredAt, expiresAt: lease_expiresAt } = object(lease, 'lease');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(lease_taskId, 'lease.taskId', MAX_IDENTIFIER_BYTES);
  f.putText(lease_workerId, 'lease.workerId', MAX_IDENTIFIER_BYTES);
  f.putTokenU64(lease_workerGeneration, 'lease.workerGeneration');
  f.putTokenU64(lease_taskGeneration, 'lease.taskGeneration');
  f.putU32(lease_attempt, 'lease.attempt');
  f.putTokenU64(lease_leaseId, 'lease.leaseId');
  f.putTokenU64(lease_acquiredAt, 'lease.acquiredAt');
  f.putTokenU64(lease_expiresAt, 'lease.expiresAt');
}

export function writeFailTask(f, options) {
  const { expectedRevision: expectedRevision, now: now, lease: lease, retryAfterSecs: retryAfterSecs } = object(options, 'options');
  const { taskId: lease_taskId, workerId: lease_workerId, workerGeneration: lease_workerGeneration, taskGeneration: lease_taskGeneration, attempt: lease_attempt, leaseId: lease_leaseId, acquiredAt: lease_acquiredAt, expiresAt: lease_expiresAt } = object(lease, 'lease');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(lease_taskId, 'lease.taskId', MAX_IDENTIFIER_BYTES);
  f.putText(lease_workerId, 'lease.workerId', MAX_IDENTIFIER_BYTES);
  f.putTokenU64(lease_workerGeneration, 'lease.workerGeneration');
  f.putTokenU64(lease_taskGeneration, 'lease.taskGeneration');
  f.putU32(lease_attempt, 'lease.attempt');
  f.putTokenU64(lease_leaseId, 'lease.leaseId');
  f.putTokenU64(lease_acquiredAt, 'lease.acquiredAt');
  f.putTokenU64(lease_expiresAt, 'lease.expiresAt');
  f.putOptionalU64(retryAfterSecs, 'retryAfterSecs');
}

export function writeCancelTask(f, options) {
  const { expectedRevision: expectedRevision, now: now, ownership: ownership } = object(options, 'options');
  const ownership_read = readOwnership(ownership, 'ownership');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  putOwnership(f, ownership_read, 'ownership');
}

export function writeRecoverExpiredLeases(f, options) {
  const { expectedRevision: expectedRevision, now: now } = object(options, 'options');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
}

export function writeExpireOldTasks(f, options) {
  const { expectedRevision: expectedRevision, now: now, taskTtlSecs: taskTtlSecs } = object(options, 'options');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putU64(taskTtlSecs, 'taskTtlSecs');
}

export function writeRenewLease(f, options) {
  const { expectedRevision: expectedRevision, now: now, lease: lease, leaseTtlSecs: leaseTtlSecs } = object(options, 'options');
  const { taskId: lease_taskId, workerId: lease_workerId, workerGeneration: lease_workerGeneration, taskGeneration: lease_taskGeneration, attempt: lease_attempt, leaseId: lease_leaseId, acquiredAt: lease_acquiredAt, expiresAt: lease_expiresAt } = object(lease, 'lease');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(lease_taskId, 'lease.taskId', MAX_IDENTIFIER_BYTES);
  f.putText(lease_workerId, 'lease.workerId', MAX_IDENTIFIER_BYTES);
  f.putTokenU64(lease_workerGeneration, 'lease.workerGeneration');
  f.putTokenU64(lease_taskGeneration, 'lease.taskGeneration');
  f.putU32(lease_attempt, 'lease.attempt');
  f.putTokenU64(lease_leaseId, 'lease.leaseId');
  f.putTokenU64(lease_acquiredAt, 'lease.acquiredAt');
  f.putTokenU64(lease_expiresAt, 'lease.expiresAt');
  f.putU64(leaseTtlSecs, 'leaseTtlSecs');
}

export function writeRetireTasks(f, options) {
  const { expectedRevision: expectedRevision, now: now, terminalBefore: terminalBefore, limit: limit } = object(options, 'options');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putU64(terminalBefore, 'terminalBefore');
  f.putU64(limit, 'limit');
}

export function writeForgetWorker(f, options) {
  const { expectedRevision: expectedRevision, now: now, workerId: workerId, generation: generation } = object(options, 'options');
  f.begin();
  f.putU64(expectedRevision, 'expectedRevision');
  f.putU64(now, 'now');
  f.putText(workerId, 'workerId', MAX_IDENTIFIER_BYTES);
  f.putU64(generation, 'generation');
}

const FENCE = OwnershipKind.indexOf('fence');
const LEASE = OwnershipKind.indexOf('lease');

/** Which token the caller gave, with its fields read: only a lease has a leaseId. */
function readOwnership(value, path) {
  const { taskId, workerId, workerGeneration, taskGeneration, attempt, leaseId, acquiredAt, expiresAt, recordVersion } = object(value, path);
  const kind = leaseId === undefined || leaseId === null ? FENCE : LEASE;
  return { kind, token: { taskId, workerId, workerGeneration, taskGeneration, attempt, leaseId, acquiredAt, expiresAt, recordVersion } };
}

function putOwnership(f, { kind, token }, path) {
  f.putSlot(kind);
  if (kind === LEASE) putTaskLease(f, token, path);
  else putQueuedTaskFence(f, token, path);
}

/** The token that the core says owns the task; its fields are the task's own. */
function derivedOwnership(kind, task) {
  if (kind === FENCE) return new QueuedTaskFence(task.taskId, task.taskGeneration, task.recordVersion);
  return kind === LEASE ? task.lease : null;
}
