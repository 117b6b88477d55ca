// The state machine: every command first checks its arguments, then the state, and only then changes anything.

import * as check from './arguments.mjs';
import { refuse } from './errors.mjs';
import { checkedLimits } from './limits.mjs';
import * as records from './records.mjs';
import { better, Queue, Task, Worker } from './state.mjs';

const MAX_U64 = 2n ** 64n - 1n;
const MAX_U32 = 2 ** 32 - 1;

/** @param {string} counter */
const exhausted = (counter) => refuse('counter_exhausted', { counter });
/** @param {{ id: string }} a @param {{ id: string }} b */
const byId = (a, b) => (a.id < b.id ? -1 : 1);

export class Coordinator {
  /** @param {unknown} limits */
  constructor(limits) {
    this.limits = checkedLimits(limits);
    this.revision = 0n;
    this.time = 0n;
    this.lastLeaseId = 0n;
    /** @type {Map<string, Task>} */
    this.tasks = new Map();
    /** @type {Map<string, Worker>} */
    this.workers = new Map();
    this.queues = check.PRIORITIES.map(() => new Queue());
    this.queued = 0;
    /** Queued, leased and running, oldest first. @type {Set<Task>} */
    this.active = new Set();
    /** Leased and running, in the order of their leases. @type {Set<Task>} */
    this.leased = new Set();
  }

  /** @param {any} options */
  preflight(options) {
    const expected = check.u64(options.expectedRevision, 'expectedRevision');
    const now = check.u64(options.now, 'now');
    if (expected !== this.revision) refuse('revision_conflict', { expected, actual: this.revision });
    if (now < this.time) refuse('logical_time_regression', { current: this.time, proposed: now });
    if (this.revision === MAX_U64) exhausted('revision');
    return now;
  }

  /** @param {bigint} now @param {unknown} value */
  commit(now, value) {
    this.time = now;
    this.revision += 1n;
    return new records.Transition(this.revision, value);
  }

  /** @param {unknown} value */
  replay(value) {
    return new records.Transition(this.revision, value);
  }

  // --- Workers

  /** @param {unknown} given */
  registerWorker(given) {
    const options = check.object(given, 'options');
    const spec = check.workerSpec(options.spec);
    const now = this.preflight(options);
    if (this.workers.has(spec.id)) refuse('worker_already_exists', { workerId: spec.id });
    const limit = this.limits.maxWorkers;
    if (this.workers.size >= limit) refuse('worker_capacity_reached', { limit });
    const worker = new Worker(spec.id);
    this.workers.set(spec.id, worker);
    return this.#present(worker, spec, now);
  }

  /** @param {unknown} given */
  reactivateWorker(given) {
    const options = check.object(given, 'options');
    const spec = check.workerSpec(options.spec);
    const expected = check.u64(options.expectedGeneration, 'expectedGeneration');
    const now = this.preflight(options);
    const worker = this.#knownWorker(spec.id);
    const actual = worker.generation;
    if (actual !== expected) refuse('worker_generation_conflict', { expected, actual });
    if (worker.status !== 'offline') refuse('worker_unavailable', { workerId: spec.id });
    if (actual === MAX_U64) exhausted('worker_generation');
    worker.generation += 1n;
    return this.#present(worker, spec, now);
  }

  /** @param {Worker} worker @param {ReturnType<typeof check.workerSpec>} spec @param {bigint} now */
  #present(worker, spec, now) {
    worker.status = 'healthy';
    worker.capacity = spec.capacity;
    worker.load = spec.load;
    worker.tags = spec.tags;
    worker.observed(now);
    return this.commit(now, new records.WorkerNode(worker));
  }

  /** @param {unknown} given */
  updateWorker(given) {
    const options = check.object(given, 'options');
    const id = check.workerId(options.workerId, 'workerId');
    const generation = check.u64(options.generation, 'generation');
    const seen = check.observation(options.observation);
    const now = this.preflight(options);
    const worker = this.#presentWorker(id, generation);
    worker.status = seen.status;
    worker.load = seen.load;
    worker.observed(now);
    return this.commit(now, new records.WorkerNode(worker));
  }

  /** @param {unknown} given */
  deregisterWorker(given) {
    const options = check.object(given, 'options');
    const id = check.workerId(options.workerId, 'workerId');
    const generation = check.u64(options.generation, 'generation');
    const now = this.preflight(options);
    const worker = this.#presentWorker(id, generation);
    const tasks = [...worker.leases];
    this.#checkRecovery(tasks);
    if (worker.generation === MAX_U64) exhausted('worker_generation');
    this.#goOffline(worker);
    const { requeued, failed } = this.#recover(tasks, now);
    return this.commit(now, new records.RecoverySummary(1, requeued, failed));
  }

  /** @param {unknown} given */
  pruneDeadWorkers(given) {
    const options = check.object(given, 'options');
    const now = this.preflight(options);
    const stale = [];
    for (const worker of this.workers.values())
      if (worker.status !== 'offline' && !this.#isFresh(worker, now)) stale.push(worker);
    const tasks = stale.flatMap((worker) => [...worker.leases]);
    tasks.sort((a, b) => (a.leaseId < b.leaseId ? -1 : 1));
    this.#checkRecovery(tasks);
    if (stale.some(({ generation }) => generation === MAX_U64)) exhausted('worker_generation');
    for (const worker of stale) this.#goOffline(worker);
    const { requeued, failed } = this.#recover(tasks, now);
    return this.commit(now, new records.RecoverySummary(stale.length, requeued, failed));
  }

  /** @param {Worker} worker */
  #goOffline(worker) {
    worker.status = 'offline';
    worker.effectiveCapacity = 0;
    worker.generation += 1n;
  }

  /** @param {string} id */
  #knownWorker(id) {
    const worker = this.workers.get(id);
    return worker === undefined ? refuse('worker_not_found', { workerId: id }) : worker;
  }

  /** @param {string} id @param {bigint} expected */
  #presentWorker(id, expected) {
    const worker = this.#knownWorker(id);
    const actual = worker.generation;
    if (actual !== expected) refuse('worker_generation_conflict', { expected, actual });
    if (worker.status === 'offline') refuse('worker_unavailable', { workerId: id });
    return worker;
  }

  /** @param {Worker} worker @param {bigint} now */
  #isFresh(worker, now) {
    return now - worker.lastHeartbeat <= this.limits.heartbeatTimeoutSecs;
  }

  /** @param {bigint} now */
  #bestWorker(now) {
    let best = null;
    for (const worker of this.workers.values()) {
      if (worker.effectiveCapacity <= worker.leases.size || !this.#isFresh(worker, now)) continue;
      if (best === null || better(worker, best)) best = worker;
    }
    return best;
  }

  // --- Tasks

  /** @param {unknown} given */
  enqueue(given) {
    const options = check.object(given, 'options');
    const spec = check.taskSpec(options.spec);
    const now = this.preflight(options);
    if (this.tasks.has(spec.id)) refuse('task_already_exists', { taskId: spec.id });
    this.#checkRoom();
    const task = new Task(spec, now);
    this.tasks.set(spec.id, task);
    this.active.add(task);
    this.#pushQueue(task);
    return this.commit(now, new records.ScanTask(task));
  }

  #checkRoom() {
    const { maxTaskRecords, maxActiveTasks, maxQueuedTasks, maxTerminalTasks } = this.limits;
    if (this.tasks.size >= maxTaskRecords) refuse('task_record_capacity_reached', { limit: maxTaskRecords });
    if (this.active.size >= maxActiveTasks) refuse('active_task_capacity_reached', { limit: maxActiveTasks });
    if (this.queued >= maxQueuedTasks) refuse('queued_task_capacity_reached', { limit: maxQueuedTasks });
    // Terminal and active tasks are all there are.
    if (this.tasks.size + 1 > maxTerminalTasks)
      refuse('terminal_capacity_reserved', { limit: maxTerminalTasks });
  }

  /** @param {Task} task */
  #pushQueue(task) {
    this.queues[task.priority].append(task);
    this.queued += 1;
  }

  /** @param {Task} task */
  #leaveQueue(task) {
    this.queues[task.priority].remove(task);
    this.queued -= 1;
  }

  #nextTask() {
    for (let priority = this.queues.length - 1; priority >= 0; priority -= 1) {
      const { first } = this.queues[priority];
      if (first !== null) return first;
    }
    return refuse('no_queued_task');
  }

  /** @param {unknown} given */
  assignTask(given) {
    const options = check.object(given, 'options');
    const taskId = check.taskId(options.taskId, 'taskId');
    const workerId = check.workerId(options.workerId, 'workerId');
    const ttl = check.u64(options.leaseTtlSecs, 'leaseTtlSecs');
    const now = this.preflight(options);
    this.#checkTtl(ttl);
    const task = this.#knownTask(taskId);
    if (task.status !== 'queued') refuse('task_not_queued', { taskId, status: task.status });
    return this.#assign(task, this.#knownWorker(workerId), ttl, now);
  }

  /** @param {unknown} given */
  assignNext(given) {
    const options = check.object(given, 'options');
    const workerId = check.workerId(options.workerId, 'workerId');
    const ttl = check.u64(options.leaseTtlSecs, 'leaseTtlSecs');
    const now = this.preflight(options);
    const task = this.#nextTask();
    this.#checkTtl(ttl);
    return this.#assign(task, this.#knownWorker(workerId), ttl, now);
  }

  /** @param {unknown} given */
  assignNextAvailable(given) {
    const options = check.object(given, 'options');
    const ttl = check.u64(options.leaseTtlSecs, 'leaseTtlSecs');
    const now = this.preflight(options);
    const task = this.#nextTask();
    const worker = this.#bestWorker(now);
    if (worker === null) refuse('no_available_worker');
    this.#checkTtl(ttl);
    return this.#assign(task, worker, ttl, now);
  }

  /** @param {bigint} ttl */
  #checkTtl(ttl) {
    if (ttl === 0n) refuse('invalid_limit', { name: 'lease_ttl_secs' });
    if (ttl > this.limits.maxLeaseTtlSecs)
      refuse('invalid_limit_relationship', { reason: 'lease_ttl_exceeds_limit' });
  }

  /** @param {Task} task @param {Worker} worker @param {bigint} ttl @param {bigint} now */
  #assign(task, worker, ttl, now) {
    const workerId = worker.id;
    if (worker.status !== 'healthy' || !this.#isFresh(worker, now))
      refuse('worker_unavailable', { workerId });
    if (worker.availableSlots() === 0) refuse('worker_at_capacity', { workerId });
    if (this.lastLeaseId === MAX_U64) exhausted('lease_id');
    if (task.attempt === MAX_U32) exhausted('attempt');
    if (task.version === MAX_U64) exhausted('record_version');
    const expiresAt = now + ttl;
    if (expiresAt > MAX_U64) exhausted('lease_deadline');

    this.#leaveQueue(task);
    this.lastLeaseId += 1n;
    task.status = 'leased';
    task.version += 1n;
    task.attempt += 1;
    task.workerId = workerId;
    task.workerGeneration = worker.generation;
    task.leaseId = this.lastLeaseId;
    task.acquiredAt = now;
    task.expiresAt = expiresAt;
    worker.leases.add(task);
    this.leased.add(task);
    return this.commit(now, new records.TaskLease(task));
  }

  /** @param {string} taskId */
  #knownTask(taskId) {
    const task = this.tasks.get(taskId);
    return task === undefined ? refuse('task_not_found', { taskId }) : task;
  }

  /** Whether the task's lease, current or last, has the identity of `lease`, the times aside. @param {Task} task @param {ReturnType<typeof check.lease>} lease */
  #completedUnder(task, lease) {
    return (
      lease.leaseId === task.leaseId &&
      lease.attempt === task.attempt &&
      lease.workerId === task.workerId &&
      lease.taskGeneration === task.generation &&
      lease.workerGeneration === task.workerGeneration
    );
  }

  /** @param {Task} task @param {ReturnType<typeof check.lease>} lease */
  #holds(task, lease) {
    return (
      this.#completedUnder(task, lease) &&
      lease.acquiredAt === task.acquiredAt &&
      lease.expiresAt === task.expiresAt
    );
  }

  /** @param {Task} task @param {ReturnType<typeof check.lease>} lease @param {bigint} now */
  #checkLease(task, lease, now) {
    const current = task.status === 'leased' || task.status === 'running';
    if (!current || !this.#holds(task, lease)) refuse('stale_ownership', { taskId: task.id });
    if (now >= task.expiresAt) refuse('lease_expired', { taskId: task.id });
  }

  /** @param {unknown} given */
  startTask(given) {
    const options = check.object(given, 'options');
    const lease = check.lease(options.lease, 'lease');
    const now = this.preflight(options);
    const task = this.#knownTask(lease.taskId);
    this.#checkLease(task, lease, now);
    if (task.status === 'running')
      return this.replay(new records.VersionOutcome('already_running', task.version));
    if (task.version === MAX_U64) exhausted('record_version');
    task.status = 'running';
    task.startedAt = now;
    task.version += 1n;
    return this.commit(now, new records.VersionOutcome('started', task.version));
  }

  /** @param {unknown} given */
  completeTask(given) {
    const options = check.object(given, 'options');
    const lease = check.lease(options.lease, 'lease');
    const now = this.preflight(options);
    const task = this.#knownTask(lease.taskId);
    const taskId = task.id;
    if (task.status === 'completed') {
      if (!this.#completedUnder(task, lease)) refuse('stale_ownership', { taskId });
      return this.replay(
        new records.CompletionOutcome('already_completed', new records.CompletionReceipt(task)),
      );
    }
    this.#checkLease(task, lease, now);
    if (task.status !== 'running')
      refuse('invalid_transition', { taskId, status: task.status, operation: 'complete' });
    const worker = this.#workerOf(task);
    if (task.version === MAX_U64) exhausted('record_version');
    if (worker.completedTasks === MAX_U64) exhausted('completed_tasks');
    this.#end(task, 'completed', 'completion', now);
    worker.completedTasks += 1n;
    return this.commit(now, new records.CompletionOutcome('completed', new records.CompletionReceipt(task)));
  }

  /** @param {unknown} given */
  failTask(given) {
    const options = check.object(given, 'options');
    const lease = check.lease(options.lease, 'lease');
    const now = this.preflight(options);
    const task = this.#knownTask(lease.taskId);
    const taskId = task.id;
    if (task.status === 'failed') {
      if (task.proof !== 'failure' || !this.#holds(task, lease)) refuse('stale_ownership', { taskId });
      return this.replay(new records.RetryExhausted(task));
    }
    this.#checkLease(task, lease, now);
    if (task.status !== 'running')
      refuse('invalid_transition', { taskId, status: task.status, operation: 'fail' });
    const again = task.retryCount < this.limits.maxRetries;
    const limit = this.limits.maxQueuedTasks;
    if (again && this.queued >= limit) refuse('queued_task_capacity_reached', { limit });
    if (task.version === MAX_U64) exhausted('record_version');
    if (again && task.generation === MAX_U64) exhausted('task_generation');
    if (!again) {
      this.#end(task, 'failed', 'failure', now);
      return this.commit(now, new records.RetryExhausted(task));
    }
    this.#requeue(task);
    return this.commit(now, new records.Requeued(task));
  }

  /** @param {unknown} given */
  cancelTask(given) {
    const options = check.object(given, 'options');
    const ownership = check.object(options.ownership, 'ownership');
    const byLease = ownership.leaseId !== undefined && ownership.leaseId !== null;
    const lease = byLease ? check.lease(ownership, 'ownership') : null;
    const fence = byLease ? null : check.fence(ownership);
    const now = this.preflight(options);
    const task = this.#knownTask(ownership.taskId);
    const taskId = task.id;
    const proof = byLease ? 'cancelled_lease' : 'cancelled_fence';
    const named = (/** @type {bigint} */ version) =>
      fence !== null && fence.taskGeneration === task.generation && fence.recordVersion === version;
    if (task.status === 'cancelled') {
      const same = lease !== null ? this.#holds(task, lease) : named(task.version - 1n);
      if (task.proof !== proof || !same) refuse('stale_ownership', { taskId });
      return this.replay(new records.VersionOutcome('already_cancelled', task.version));
    }
    if (lease !== null) this.#checkLease(task, lease, now);
    else if (task.status !== 'queued' || !named(task.version)) refuse('stale_ownership', { taskId });
    if (task.version === MAX_U64) exhausted('record_version');
    this.#end(task, 'cancelled', proof, now);
    return this.commit(now, new records.VersionOutcome('cancelled', task.version));
  }

  /** @param {unknown} given */
  expireOldTasks(given) {
    const options = check.object(given, 'options');
    const ttl = check.u64(options.taskTtlSecs, 'taskTtlSecs');
    if (ttl === 0n) refuse('invalid_limit', { name: 'task_ttl_secs' });
    const now = this.preflight(options);
    if (ttl > this.limits.maxTaskTtlSecs)
      refuse('invalid_limit_relationship', { reason: 'task_ttl_exceeds_limit' });
    const old = [];
    for (const task of this.active) {
      if (now - task.createdAt < ttl) break;
      if (task.version === MAX_U64) exhausted('record_version');
      old.push(task);
    }
    for (const task of old) this.#end(task, 'expired', 'none', now);
    return this.commit(now, old.length);
  }

  /** @param {unknown} given */
  recoverExpiredLeases(given) {
    const options = check.object(given, 'options');
    const now = this.preflight(options);
    const expired = [];
    for (const task of this.leased) if (now >= task.expiresAt) expired.push(task);
    this.#checkRecovery(expired);
    const workers = new Set(expired.map(({ workerId }) => workerId));
    const { requeued, failed } = this.#recover(expired, now);
    return this.commit(now, new records.RecoverySummary(workers.size, requeued, failed));
  }

  /** @param {readonly Task[]} tasks */
  #checkRecovery(tasks) {
    const { maxRetries, maxQueuedTasks } = this.limits;
    let requeues = 0;
    for (const task of tasks) if (task.retryCount < maxRetries) requeues += 1;
    if (requeues > 0 && this.queued + requeues > maxQueuedTasks)
      refuse('queued_task_capacity_reached', { limit: maxQueuedTasks });
    for (const task of tasks) {
      if (task.version === MAX_U64) exhausted('record_version');
      if (task.retryCount < maxRetries && task.generation === MAX_U64) exhausted('task_generation');
    }
  }

  /** @param {readonly Task[]} tasks in lease order @param {bigint} now */
  #recover(tasks, now) {
    let requeued = 0;
    for (const task of tasks) {
      if (task.retryCount < this.limits.maxRetries) {
        this.#requeue(task);
        requeued += 1;
      } else {
        this.#end(task, 'failed', 'none', now);
      }
    }
    return { requeued, failed: tasks.length - requeued };
  }

  /** @param {Task} task */
  #workerOf(task) {
    return /** @type {Worker} */ (this.workers.get(task.workerId));
  }

  /** @param {Task} task */
  #release(task) {
    this.#workerOf(task).leases.delete(task);
    this.leased.delete(task);
  }

  /** @param {Task} task */
  #requeue(task) {
    this.#release(task);
    task.status = 'queued';
    task.retryCount += 1;
    task.generation += 1n;
    task.version += 1n;
    task.startedAt = null;
    this.#pushQueue(task);
  }

  /** @param {Task} task @param {string} status @param {string} proof @param {bigint} now */
  #end(task, status, proof, now) {
    if (task.status === 'queued') this.#leaveQueue(task);
    else this.#release(task);
    this.active.delete(task);
    task.status = status;
    task.proof = proof;
    task.completedAt = now;
    task.version += 1n;
  }

  // --- Reads

  /** @param {unknown} given */
  getAvailableWorker(given) {
    const now = check.u64(given, 'now');
    if (now < this.time) refuse('logical_time_regression', { current: this.time, proposed: now });
    const worker = this.#bestWorker(now);
    return worker === null ? null : new records.WorkerNode(worker);
  }

  /** @param {unknown} id */
  getWorker(id) {
    const worker = this.workers.get(check.workerId(id, 'workerId'));
    return worker === undefined ? null : new records.WorkerNode(worker);
  }

  getWorkers() {
    return [...this.workers.values()].sort(byId).map((worker) => new records.WorkerNode(worker));
  }

  /** @param {unknown} id */
  getTask(id) {
    const task = this.tasks.get(check.taskId(id, 'taskId'));
    return task === undefined ? null : new records.ScanTask(task);
  }

  peekNext() {
    return this.queued === 0 ? null : new records.ScanTask(this.#nextTask());
  }

  allTasks() {
    return [...this.tasks.values()].sort(byId).map((task) => new records.ScanTask(task));
  }

  snapshot() {
    return Object.freeze({
      revision: this.revision,
      logicalTime: this.time,
      taskRecords: this.tasks.size,
      activeTasks: this.active.size,
      queuedTasks: this.queued,
      terminalTasks: this.tasks.size - this.active.size,
      workers: this.workers.size,
    });
  }
}
