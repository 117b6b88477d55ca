// The life of one task, followed through the records. Sweeps and assignments by rank do not name the task that they
// take: then the task as it was before says whether it may be touched, and its state afterwards says what happened.

import { CompletionReceipt } from '../generated/coordination.js';
import { TaskEvent } from './records.js';

/** @typedef {import('../journal/records.js').JournalRecord} JournalRecord */

const OVER = new Set(['completed', 'failed', 'cancelled', 'expired']);
/** Why a lease ended without its worker's success. @type {Record<string, string>} */
const REASONS = {
  fail_task: 'reported_failed',
  recover_expired_leases: 'lease_expired',
  deregister_worker: 'worker_deregistered',
  prune_dead_workers: 'worker_silent',
};

/** Whether a command can change this task. @param {any} command @param {any} task @param {string} taskId */
function mayTouch(command, task, taskId) {
  if (task === null) return command.kind === 'enqueue' && command.spec.taskId === taskId;
  if (task.notBefore !== null && command.now >= task.notBefore) return true;
  switch (command.kind) {
    case 'assign_task':
      return command.taskId === taskId;
    case 'assign_next':
    case 'assign_next_available':
      return task.status === 'queued';
    case 'start_task':
    case 'complete_task':
    case 'fail_task':
    case 'renew_lease':
      return command.lease.taskId === taskId;
    case 'cancel_task':
      return command.ownership.taskId === taskId;
    case 'deregister_worker':
      return task.assignedTo === command.workerId;
    case 'prune_dead_workers':
      return task.lease !== null;
    case 'recover_expired_leases':
      return task.lease !== null && command.now >= task.lease.expiresAt;
    case 'expire_old_tasks':
      return !OVER.has(task.status);
    case 'retire_tasks':
      return OVER.has(task.status);
    default:
      return false;
  }
}

/** @param {any} lease */
const holder = ({ workerId, workerGeneration, leaseId, attempt }) => ({
  workerId,
  workerGeneration,
  leaseId,
  attempt,
});

/** @param {any} lease @param {any} after */
function receiptOf({ taskId, taskGeneration, attempt, leaseId, workerId, workerGeneration }, after) {
  const { recordVersion } = after;
  return new CompletionReceipt(
    taskId,
    taskGeneration,
    attempt,
    leaseId,
    workerId,
    workerGeneration,
    recordVersion,
  );
}

/** What is told of each kind of event. @type {Record<string, (before: any, after: any, command: any) => object>} */
const FIELDS = {
  enqueued: (_, { scanId, priority }) => ({ scanId, priority }),
  due: ({ notBefore }) => ({ notBefore }),
  leased: (_, { lease }) => ({ ...holder(lease), expiresAt: lease.expiresAt }),
  started: (_, { lease }) => holder(lease),
  renewed: (before, { lease }) => ({
    ...holder(lease),
    expiresAt: lease.expiresAt,
    expiredBefore: before.lease.expiresAt,
  }),
  requeued: ({ lease }, { taskGeneration, retryCount, notBefore }, { kind }) => ({
    ...holder(lease),
    reason: REASONS[kind],
    taskGeneration,
    retryCount,
    notBefore,
  }),
  completed: ({ lease }, after) => ({ ...holder(lease), receipt: receiptOf(lease, after) }),
  failed: ({ lease }, { retryCount }, { kind }) => ({ ...holder(lease), reason: REASONS[kind], retryCount }),
  cancelled: ({ status, lease }) => ({ from: status, workerId: lease === null ? null : lease.workerId }),
  expired: ({ status, lease, createdAt }, _, { now }) => ({
    from: status,
    workerId: lease === null ? null : lease.workerId,
    ageSecs: now - createdAt,
  }),
  retired: ({ status }) => ({ from: status }),
};

/** @param {any} before @param {any} after */
function kindOf(before, after) {
  if (before === null) return 'enqueued';
  if (after === null) return 'retired';
  if (after.status === before.status)
    return after.lease?.expiresAt === before.lease?.expiresAt ? null : 'renewed';
  if (after.status === 'queued') return 'requeued';
  return after.status === 'running' ? 'started' : after.status; // leased, and the four ends
}

export class TaskLife {
  /** @type {TaskEvent[]} */
  events = [];
  #taskId;
  /** The task as it is now. @type {any} */
  task;

  /** @param {string} taskId @param {any} present the task where the history begins, or null */
  constructor(taskId, present) {
    this.#taskId = taskId;
    this.task = present;
  }

  /**
   * The next record. `read` answers the task as it is after it, and is asked only when it may have changed.
   * @param {JournalRecord} record @param {() => any} read
   */
  follow(record, read) {
    const { command } = /** @type {{ command: any }} */ (record);
    const before = this.task;
    if (!mayTouch(command, before, this.#taskId)) return;
    const after = read();
    this.task = after;
    if (before !== null && before.notBefore !== null && command.now >= before.notBefore)
      this.#tell('due', record, before, after);
    const kind = kindOf(before, after);
    if (kind !== null && !(before === null && after === null)) this.#tell(kind, record, before, after);
  }

  /** @param {string} kind @param {any} record @param {any} before @param {any} after */
  #tell(kind, record, before, after) {
    this.events.push(new TaskEvent(kind, record, FIELDS[kind](before, after, record.command)));
  }
}
