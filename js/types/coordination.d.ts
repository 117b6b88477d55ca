import type { Absent, Attempt, Disposable, Secs, Transition, U64 } from './common.js';
import type { Journaled } from './journal.js';

export type Priority = 'low' | 'normal' | 'high' | 'critical';
/** Active: queued, leased, running. Terminal: completed, failed, cancelled, expired. */
export type TaskStatus = 'queued' | 'leased' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';
export type WorkerStatus = 'healthy' | 'busy' | 'degraded' | 'offline';
export type WorkerTag = 'linux' | 'windows' | 'gpu' | 'internal' | 'external';

/** Bounds of one pool; they cover what it retains. Reaching one is an error, never growth. */
export interface DistributedLimits {
  /** Task records of any status, until they are retired: 1 to MAX_TASK_RECORDS. Default 4,096. */
  maxTaskRecords: U64;
  /** Queued, leased and running tasks: 1 to MAX_ACTIVE_TASKS, at most maxTaskRecords. Default 1,024. */
  maxActiveTasks: U64;
  /** Queued tasks: 1 to MAX_ACTIVE_TASKS, at most maxActiveTasks. Default 1,024. */
  maxQueuedTasks: U64;
  /** Terminal tasks: from maxActiveTasks to maxTaskRecords. Default 4,096. */
  maxTerminalTasks: U64;
  /** Worker records, offline ones included until they are forgotten: 1 to MAX_WORKERS. Default 256. */
  maxWorkers: U64;
  /** Requeues of one task: 0 to MAX_RETRIES. With 0 a task runs once. Default 3. */
  maxRetries: U64;
  /** The longest lease, in seconds: 1 to MAX_LEASE_TTL_SECS. Default 3,600. */
  maxLeaseTtlSecs: Secs;
  /**
   * The longest age that expireOldTasks and the longest delay that retryAfterSecs may name, in seconds:
   * 1 to MAX_TASK_TTL_SECS. Default 86,400.
   */
  maxTaskTtlSecs: Secs;
  /** A heartbeat is fresh up to this age, in seconds: 1 to MAX_HEARTBEAT_TIMEOUT_SECS. Default 60. */
  heartbeatTimeoutSecs: Secs;
}

export interface PoolOptions {
  limits?: Partial<DistributedLimits> | Absent;
}

// --- Going in

export interface TaskSpec {
  /** 1 to 256 bytes of `A-Z a-z 0-9 . _ : -`. Free again only when its task was retired. */
  taskId: string;
  /** The same alphabet. */
  scanId: string;
  /** 1 to 1,024 bytes of UTF-8, opaque: never opened, parsed, or shown by `inspect`. */
  targetRef: string;
  /** At most 256 bytes, whose meaning is the host's. Default none. */
  phases?: Uint8Array | ArrayBuffer | readonly number[] | Absent;
  /** Default `normal`. */
  priority?: Priority | Absent;
}

export interface WorkerSpec {
  /** 1 to 256 bytes of `A-Z a-z 0-9 . _ : -`. */
  workerId: string;
  /** Slots: 1 to MAX_WORKER_CAPACITY. */
  capacity: number;
  /** 0 to 10,000 basis points (100 %). Default 0. */
  cpuBasisPoints?: number | Absent;
  memoryBasisPoints?: number | Absent;
  networkBasisPoints?: number | Absent;
  /** Metadata only: choosing a worker never reads them. Default none. */
  tags?: Iterable<WorkerTag> | Absent;
}

export interface WorkerObservation {
  /** Default `healthy`. `offline` is refused: deregister or prune. */
  status?: WorkerStatus | Absent;
  /** 0 to 10,000 basis points (100 %). Default 0. */
  cpuBasisPoints?: number | Absent;
  memoryBasisPoints?: number | Absent;
  networkBasisPoints?: number | Absent;
}

/** A lease as it may be handed in: a TaskLease, its structured clone, its JSON, or an object of the same fields. */
export interface TaskLeaseLike {
  taskId: string;
  workerId: string;
  workerGeneration: U64;
  taskGeneration: U64;
  attempt: number;
  leaseId: U64;
  acquiredAt: U64;
  expiresAt: U64;
}

export interface QueuedTaskFenceLike {
  taskId: string;
  taskGeneration: U64;
  recordVersion: U64;
}

export interface CompletionReceiptLike {
  taskId: string;
  taskGeneration: U64;
  attempt: number;
  leaseId: U64;
  workerId: string;
  workerGeneration: U64;
  recordVersion: U64;
}

/** What every state-changing command names. */
export interface CommandOptions {
  /** The revision that the caller decided on. Another current one is refused as `revision_conflict`. */
  expectedRevision: U64;
  /** The caller's logical second. Lower than the pool's is refused as `logical_time_regression`. */
  now: Secs;
}

// --- Coming out: frozen data

/**
 * The right to work on one task while `now < expiresAt`. A structural token: equal fields are the same lease.
 * Not a secret.
 */
export interface TaskLease {
  readonly taskId: string;
  readonly workerId: string;
  readonly workerGeneration: bigint;
  readonly taskGeneration: bigint;
  /** Counts every hand-out of the task, from 1. */
  readonly attempt: number;
  readonly leaseId: bigint;
  readonly acquiredAt: bigint;
  /** Exclusive. */
  readonly expiresAt: bigint;
}

/** Names one queued state of one task, to cancel exactly that. */
export interface QueuedTaskFence {
  readonly taskId: string;
  readonly taskGeneration: bigint;
  readonly recordVersion: bigint;
}

/** Proof of one completion; a result is stored against it. */
export interface CompletionReceipt {
  readonly taskId: string;
  readonly taskGeneration: bigint;
  readonly attempt: number;
  readonly leaseId: bigint;
  readonly workerId: string;
  readonly workerGeneration: bigint;
  readonly recordVersion: bigint;
}

interface ScanTaskFields {
  readonly taskId: string;
  readonly scanId: string;
  readonly targetRef: string;
  /** A copy of its own; empty ones are one array for all tasks, which can be copied but not transferred. */
  readonly phases: Uint8Array;
  readonly priority: Priority;
  readonly createdAt: bigint;
  /** Of the current or last attempt; null after a requeue. */
  readonly startedAt: bigint | null;
  /** When the task became terminal, in whatever way. */
  readonly completedAt: bigint | null;
  readonly retryCount: number;
  readonly attempt: number;
  readonly taskGeneration: bigint;
  /** Changes with every change of the record. */
  readonly recordVersion: bigint;
}

export interface QueuedTask extends ScanTaskFields {
  readonly status: 'queued';
  readonly assignedTo: null;
  readonly lease: null;
  /** While it waits for its retry: the second from which on it can be assigned. */
  readonly notBefore: bigint | null;
  /** What cancels it now. */
  readonly ownership: QueuedTaskFence;
}

export interface OwnedTask extends ScanTaskFields {
  readonly status: 'leased' | 'running';
  /** The worker's id. */
  readonly assignedTo: string;
  readonly lease: TaskLease;
  readonly notBefore: null;
  /** What cancels it now: the lease. */
  readonly ownership: TaskLease;
}

export interface TerminalTask extends ScanTaskFields {
  readonly status: 'completed' | 'failed' | 'cancelled' | 'expired';
  readonly completedAt: bigint;
  readonly assignedTo: null;
  readonly lease: null;
  readonly notBefore: null;
  readonly ownership: null;
}

/** One task as it was when it was read; never a live view. Narrow by `status`. */
export type ScanTask = QueuedTask | OwnedTask | TerminalTask;

/** One worker as it was when it was read. */
export interface WorkerNode {
  readonly workerId: string;
  readonly generation: bigint;
  readonly status: WorkerStatus;
  readonly capacity: number;
  readonly currentTasks: number;
  readonly completedTasks: bigint;
  readonly lastHeartbeat: bigint;
  readonly cpuBasisPoints: number;
  readonly memoryBasisPoints: number;
  readonly networkBasisPoints: number;
  readonly tags: readonly WorkerTag[];
  /** Slots left by the worst utilization, rounded up; 0 unless healthy. */
  readonly effectiveCapacity: number;
  /** effectiveCapacity - currentTasks, never below 0. */
  readonly availableSlots: number;
}

export interface StateSnapshot {
  readonly revision: bigint;
  readonly logicalTime: bigint;
  readonly taskRecords: number;
  readonly activeTasks: number;
  readonly queuedTasks: number;
  readonly terminalTasks: number;
  readonly workers: number;
}

/** What a sweep did. */
export interface RecoverySummary {
  /** Deregister: 1. Prune: the workers taken offline. Recovery: the distinct workers that held a recovered lease. */
  readonly workersAffected: number;
  readonly tasksRequeued: number;
  readonly tasksFailed: number;
}

export interface StartOutcome {
  /** `already_running`: the same lease had started it; nothing changed. */
  readonly kind: 'started' | 'already_running';
  readonly recordVersion: bigint;
}

export interface CompletionOutcome {
  /** `already_completed`: the same lease had completed it; nothing changed and the receipt is the same. */
  readonly kind: 'completed' | 'already_completed';
  readonly receipt: CompletionReceipt;
}

export type FailureOutcome =
  | {
      readonly kind: 'requeued';
      readonly taskGeneration: bigint;
      readonly retryCount: number;
      readonly recordVersion: bigint;
    }
  | { readonly kind: 'retry_exhausted'; readonly retryCount: number; readonly recordVersion: bigint };

export interface CancellationOutcome {
  /** `already_cancelled`: the same token had cancelled it; nothing changed. */
  readonly kind: 'cancelled' | 'already_cancelled';
  readonly recordVersion: bigint;
}

// --- Commands

export interface RegisterWorkerOptions extends CommandOptions {
  spec: WorkerSpec;
}
export interface ReactivateWorkerOptions extends CommandOptions {
  expectedGeneration: U64;
  spec: WorkerSpec;
}
export interface UpdateWorkerOptions extends CommandOptions {
  workerId: string;
  generation: U64;
  observation: WorkerObservation;
}
export interface DeregisterWorkerOptions extends CommandOptions {
  workerId: string;
  generation: U64;
}
export interface EnqueueOptions extends CommandOptions {
  spec: TaskSpec;
}
export interface AssignTaskOptions extends CommandOptions {
  taskId: string;
  workerId: string;
  /** 1 to maxLeaseTtlSecs. */
  leaseTtlSecs: Secs;
}
export interface AssignNextOptions extends CommandOptions {
  workerId: string;
  /** 1 to maxLeaseTtlSecs. */
  leaseTtlSecs: Secs;
}
export interface AssignNextAvailableOptions extends CommandOptions {
  /** 1 to maxLeaseTtlSecs. */
  leaseTtlSecs: Secs;
}
export interface LeaseOptions extends CommandOptions {
  lease: TaskLeaseLike;
}
export interface FailTaskOptions extends LeaseOptions {
  /** How long the task waits, up to maxTaskTtlSecs, before it can be assigned again. Absent and 0: not at all. */
  retryAfterSecs?: Secs | Absent;
}
export interface CancelTaskOptions extends CommandOptions {
  /** A lease if it has a `leaseId`, else a fence. */
  ownership: TaskLeaseLike | QueuedTaskFenceLike;
}
export interface ExpireOldTasksOptions extends CommandOptions {
  /** 1 to maxTaskTtlSecs. */
  taskTtlSecs: Secs;
}
export interface RenewLeaseOptions extends LeaseOptions {
  /** The lease then runs until `now` and so many seconds, 1 to maxLeaseTtlSecs; that has to be later than before. */
  leaseTtlSecs: Secs;
}
export interface RetireTasksOptions extends CommandOptions {
  /** Only tasks that became terminal before this second. */
  terminalBefore: Secs;
  /** Tasks to retire at most; not 0. */
  limit: U64;
}
export interface ForgetWorkerOptions extends CommandOptions {
  workerId: string;
  generation: U64;
}

/**
 * Workers, tasks and leases as one bounded, revisioned state machine. It has no clock and no timer: time and sweeps
 * are the host's. Every command either makes exactly one new revision or throws a LeasegateError and changes
 * nothing. Besides the errors listed with a command, each can throw `revision_conflict`,
 * `logical_time_regression`, `counter_exhausted` and `out_of_memory`.
 */
export interface WorkerPool extends Disposable, Journaled {
  /** The tasks' side of this pool: the same state, and the same lifetime. */
  readonly taskQueue: TaskQueue;
  /** The same commands for hosts that expect refusals: an error of the contract is returned, not thrown. */
  readonly try: WorkerPoolAttempts;

  /** A new, healthy worker of generation 1. Errors: invalid_worker, worker_already_exists, worker_capacity_reached. */
  registerWorker(options: RegisterWorkerOptions): Transition<WorkerNode>;
  /**
   * An offline worker comes back, generation + 1.
   * Errors: invalid_worker, worker_not_found, worker_generation_conflict, worker_unavailable.
   */
  reactivateWorker(options: ReactivateWorkerOptions): Transition<WorkerNode>;
  /**
   * A heartbeat with what the worker saw of itself. It renews no lease.
   * Errors: invalid_worker, worker_not_found, worker_generation_conflict, worker_unavailable.
   */
  updateWorker(options: UpdateWorkerOptions): Transition<WorkerNode>;
  /**
   * Takes the worker offline, generation + 1, and recovers its leases. Errors: invalid_worker, worker_not_found,
   * worker_generation_conflict, worker_unavailable, queued_task_capacity_reached.
   */
  deregisterWorker(options: DeregisterWorkerOptions): Transition<RecoverySummary>;
  /** The same for every worker whose heartbeat is stale, in one step. Errors: queued_task_capacity_reached. */
  pruneDeadWorkers(options: CommandOptions): Transition<RecoverySummary>;
  /**
   * A lease on this task for this worker. Errors: invalid_task, invalid_worker, invalid_limit,
   * invalid_limit_relationship, task_not_found, task_not_queued, task_not_due, worker_not_found, worker_unavailable,
   * worker_at_capacity.
   */
  assignTask(options: AssignTaskOptions): Transition<TaskLease>;
  /** The next queued task for this worker. Errors: as assignTask, and no_queued_task. */
  assignNext(options: AssignNextOptions): Transition<TaskLease>;
  /** The next queued task for the best worker. Errors: as assignNext, and no_available_worker. */
  assignNextAvailable(options: AssignNextAvailableOptions): Transition<TaskLease>;
  /** Errors: invalid_task, invalid_worker, task_not_found, stale_ownership, lease_expired. */
  startTask(options: LeaseOptions): Transition<StartOutcome>;
  /** Errors: as startTask, and invalid_transition. */
  completeTask(options: LeaseOptions): Transition<CompletionOutcome>;
  /**
   * Requeues while retries are left, else fails for good. Errors: as completeTask, and invalid_limit_relationship,
   * queued_task_capacity_reached.
   */
  failTask(options: FailTaskOptions): Transition<FailureOutcome>;
  /** Errors: invalid_task, invalid_worker, task_not_found, stale_ownership, lease_expired. */
  cancelTask(options: CancelTaskOptions): Transition<CancellationOutcome>;
  /** Requeues or fails every task whose lease has run out. Errors: queued_task_capacity_reached. */
  recoverExpiredLeases(options: CommandOptions): Transition<RecoverySummary>;
  /** Expires every active task of that age; answers how many. Errors: invalid_limit, invalid_limit_relationship. */
  expireOldTasks(options: ExpireOldTasksOptions): Transition<number>;
  /**
   * The same lease (its id, its attempt) with a later end; the token given is stale from then on.
   * Errors: invalid_task, invalid_worker, invalid_limit, invalid_limit_relationship, task_not_found, stale_ownership,
   * lease_expired.
   */
  renewLease(options: RenewLeaseOptions): Transition<TaskLease>;
  /**
   * Forgets the tasks that became terminal first; answers how many. What they held is free, their ids are new again,
   * and a replay of what completed them is task_not_found. Errors: invalid_limit.
   */
  retireTasks(options: RetireTasksOptions): Transition<number>;
  /**
   * Forgets an offline worker; answers how many terminal tasks still name it. Their proofs go on being recognised.
   * Errors: invalid_worker, worker_not_found, worker_generation_conflict, worker_unavailable.
   */
  forgetWorker(options: ForgetWorkerOptions): Transition<number>;

  /** The worker that assignNextAvailable would take at `now`. Errors: logical_time_regression. */
  getAvailableWorker(now: Secs): WorkerNode | null;
  /** Errors: invalid_worker. */
  getWorker(workerId: string): WorkerNode | null;
  /** By id, bytewise. */
  getWorkers(): WorkerNode[];
  snapshot(): StateSnapshot;
  readonly revision: bigint;
  /** Recomputes every counter and cross-reference; throws `state_invariant` if one is wrong. Walks all records. */
  checkInvariants(): void;
}

/** Wrong shapes of arguments, a disposed handle and a failed instance still throw. */
export interface WorkerPoolAttempts {
  registerWorker(options: RegisterWorkerOptions): Attempt<WorkerNode>;
  reactivateWorker(options: ReactivateWorkerOptions): Attempt<WorkerNode>;
  updateWorker(options: UpdateWorkerOptions): Attempt<WorkerNode>;
  deregisterWorker(options: DeregisterWorkerOptions): Attempt<RecoverySummary>;
  pruneDeadWorkers(options: CommandOptions): Attempt<RecoverySummary>;
  assignTask(options: AssignTaskOptions): Attempt<TaskLease>;
  assignNext(options: AssignNextOptions): Attempt<TaskLease>;
  assignNextAvailable(options: AssignNextAvailableOptions): Attempt<TaskLease>;
  startTask(options: LeaseOptions): Attempt<StartOutcome>;
  completeTask(options: LeaseOptions): Attempt<CompletionOutcome>;
  failTask(options: FailTaskOptions): Attempt<FailureOutcome>;
  cancelTask(options: CancelTaskOptions): Attempt<CancellationOutcome>;
  recoverExpiredLeases(options: CommandOptions): Attempt<RecoverySummary>;
  expireOldTasks(options: ExpireOldTasksOptions): Attempt<number>;
  renewLease(options: RenewLeaseOptions): Attempt<TaskLease>;
  retireTasks(options: RetireTasksOptions): Attempt<number>;
  forgetWorker(options: ForgetWorkerOptions): Attempt<number>;
}

/** The tasks' side of a coordinator: a pool's, or one by itself without workers. */
export interface TaskQueue extends Disposable {
  readonly try: { enqueue(options: EnqueueOptions): Attempt<QueuedTask> };

  /**
   * A new task at the back of its priority. Errors: invalid_task, task_already_exists,
   * task_record_capacity_reached, active_task_capacity_reached, queued_task_capacity_reached,
   * terminal_capacity_reserved.
   */
  enqueue(options: EnqueueOptions): Transition<QueuedTask>;
  /** The task to be assigned next, at the pool's time: highest priority, then first in. */
  peekNext(): QueuedTask | null;
  /** Errors: invalid_task. */
  getTask(taskId: string): ScanTask | null;
  /** Every task that was not retired, by id, bytewise. */
  tasks(): ScanTask[];
  snapshot(): StateSnapshot;
  /** Does nothing for the queue of a pool, which lives and dies with its pool. */
  dispose(): void;
}

/** The age of a task in logical seconds; never below 0. */
export declare function taskAgeSecs(task: Pick<ScanTask, 'createdAt'>, now: Secs): bigint;
