// The records that the plain coordinator answers with: frozen plain data of the same fields.

import { PRIORITIES } from './arguments.mjs';

export class Transition {
  /** @param {bigint} revision @param {unknown} value */
  constructor(revision, value) {
    this.revision = revision;
    this.value = value;
  }
}

export class Accepted {
  /** @param {Transition} transition */
  constructor({ revision, value }) {
    this.ok = true;
    this.revision = revision;
    this.value = value;
  }
}

export class Refused {
  /** @param {unknown} error */
  constructor(error) {
    this.ok = false;
    this.error = error;
  }
}

export class TaskLease {
  /** @param {import('./state.mjs').Task} task */
  constructor(task) {
    this.taskId = task.id;
    this.workerId = task.workerId;
    this.workerGeneration = task.workerGeneration;
    this.taskGeneration = task.generation;
    this.attempt = task.attempt;
    this.leaseId = task.leaseId;
    this.acquiredAt = task.acquiredAt;
    this.expiresAt = task.expiresAt;
    Object.freeze(this);
  }
}

class QueuedTaskFence {
  /** @param {import('./state.mjs').Task} task */
  constructor(task) {
    this.taskId = task.id;
    this.taskGeneration = task.generation;
    this.recordVersion = task.version;
    Object.freeze(this);
  }
}

export class CompletionReceipt {
  /** @param {import('./state.mjs').Task} task */
  constructor(task) {
    this.taskId = task.id;
    this.taskGeneration = task.generation;
    this.attempt = task.attempt;
    this.leaseId = task.leaseId;
    this.workerId = task.workerId;
    this.workerGeneration = task.workerGeneration;
    this.recordVersion = task.version;
    Object.freeze(this);
  }
}

export class ScanTask {
  /** @param {import('./state.mjs').Task} task */
  constructor(task) {
    const leased = task.status === 'leased' || task.status === 'running';
    this.taskId = task.id;
    this.scanId = task.scanId;
    this.targetRef = task.targetRef;
    this.phases = task.phases.slice();
    this.status = task.status;
    this.priority = PRIORITIES[task.priority];
    this.createdAt = task.createdAt;
    this.startedAt = task.startedAt;
    this.completedAt = task.completedAt;
    this.retryCount = task.retryCount;
    this.attempt = task.attempt;
    this.taskGeneration = task.generation;
    this.recordVersion = task.version;
    this.assignedTo = leased ? task.workerId : null;
    this.lease = leased ? new TaskLease(task) : null;
    this.notBefore = null;
    this.ownership = task.status === 'queued' ? new QueuedTaskFence(task) : this.lease;
    Object.freeze(this);
  }
}

export class WorkerNode {
  /** @param {import('./state.mjs').Worker} worker */
  constructor(worker) {
    this.workerId = worker.id;
    this.generation = worker.generation;
    this.status = worker.status;
    this.capacity = worker.capacity;
    this.currentTasks = worker.leases.size;
    this.completedTasks = worker.completedTasks;
    this.lastHeartbeat = worker.lastHeartbeat;
    this.cpuBasisPoints = worker.load.cpu;
    this.memoryBasisPoints = worker.load.memory;
    this.networkBasisPoints = worker.load.network;
    this.tags = worker.tags;
    this.effectiveCapacity = worker.effectiveCapacity;
    this.availableSlots = worker.availableSlots();
    Object.freeze(this);
  }
}

/** What start_task and cancel_task answer. */
export class VersionOutcome {
  /** @param {string} kind @param {bigint} recordVersion */
  constructor(kind, recordVersion) {
    this.kind = kind;
    this.recordVersion = recordVersion;
    Object.freeze(this);
  }
}

export class CompletionOutcome {
  /** @param {string} kind @param {CompletionReceipt} receipt */
  constructor(kind, receipt) {
    this.kind = kind;
    this.receipt = receipt;
    Object.freeze(this);
  }
}

export class Requeued {
  /** @param {import('./state.mjs').Task} task */
  constructor(task) {
    this.kind = 'requeued';
    this.taskGeneration = task.generation;
    this.retryCount = task.retryCount;
    this.recordVersion = task.version;
    Object.freeze(this);
  }
}

export class RetryExhausted {
  /** @param {import('./state.mjs').Task} task */
  constructor(task) {
    this.kind = 'retry_exhausted';
    this.retryCount = task.retryCount;
    this.recordVersion = task.version;
    Object.freeze(this);
  }
}

export class RecoverySummary {
  /** @param {number} workersAffected @param {number} tasksRequeued @param {number} tasksFailed */
  constructor(workersAffected, tasksRequeued, tasksFailed) {
    this.workersAffected = workersAffected;
    this.tasksRequeued = tasksRequeued;
    this.tasksFailed = tasksFailed;
    Object.freeze(this);
  }
}
