import { attempt, execute, makeDisposable, readCount } from '../boundary/port.js';
import * as wire from '../generated/coordination.js';
import { takeRecords } from '../journal/attach.js';
import * as journaled from '../journal/journaled.js';

/** @typedef {import('../boundary/port.js').Port} Port */

/** The commands of a pool that answer `{ ok: false, error }` where the pool's own would throw. */
class TryWorkerPool {
  #port;

  /** @param {Port} port */
  constructor(port) {
    this.#port = port;
  }

  /** @param {unknown} o */
  registerWorker(o) {
    return attempt(this.#port, wire.OP_REGISTER_WORKER, wire.writeRegisterWorker, wire.readWorkerNode, o);
  }
  /** @param {unknown} o */
  reactivateWorker(o) {
    return attempt(this.#port, wire.OP_REACTIVATE_WORKER, wire.writeReactivateWorker, wire.readWorkerNode, o);
  }
  /** @param {unknown} o */
  updateWorker(o) {
    return attempt(this.#port, wire.OP_UPDATE_WORKER, wire.writeUpdateWorker, wire.readWorkerNode, o);
  }
  /** @param {unknown} o */
  deregisterWorker(o) {
    return attempt(
      this.#port,
      wire.OP_DEREGISTER_WORKER,
      wire.writeDeregisterWorker,
      wire.readRecoverySummary,
      o,
    );
  }
  /** @param {unknown} o */
  pruneDeadWorkers(o) {
    return attempt(
      this.#port,
      wire.OP_PRUNE_DEAD_WORKERS,
      wire.writePruneDeadWorkers,
      wire.readRecoverySummary,
      o,
    );
  }
  /** @param {unknown} o */
  assignTask(o) {
    return attempt(this.#port, wire.OP_ASSIGN_TASK, wire.writeAssignTask, wire.readTaskLease, o);
  }
  /** @param {unknown} o */
  assignNext(o) {
    return attempt(this.#port, wire.OP_ASSIGN_NEXT, wire.writeAssignNext, wire.readTaskLease, o);
  }
  /** @param {unknown} o */
  assignNextAvailable(o) {
    return attempt(
      this.#port,
      wire.OP_ASSIGN_NEXT_AVAILABLE,
      wire.writeAssignNextAvailable,
      wire.readTaskLease,
      o,
    );
  }
  /** @param {unknown} o */
  startTask(o) {
    return attempt(this.#port, wire.OP_START_TASK, wire.writeStartTask, wire.readStartOutcome, o);
  }
  /** @param {unknown} o */
  completeTask(o) {
    return attempt(this.#port, wire.OP_COMPLETE_TASK, wire.writeCompleteTask, wire.readCompletionOutcome, o);
  }
  /** @param {unknown} o */
  failTask(o) {
    return attempt(this.#port, wire.OP_FAIL_TASK, wire.writeFailTask, wire.readFailureOutcome, o);
  }
  /** @param {unknown} o */
  cancelTask(o) {
    return attempt(this.#port, wire.OP_CANCEL_TASK, wire.writeCancelTask, wire.readCancellationOutcome, o);
  }
  /** @param {unknown} o */
  recoverExpiredLeases(o) {
    return attempt(
      this.#port,
      wire.OP_RECOVER_EXPIRED_LEASES,
      wire.writeRecoverExpiredLeases,
      wire.readRecoverySummary,
      o,
    );
  }
  /** @param {unknown} o */
  expireOldTasks(o) {
    return attempt(this.#port, wire.OP_EXPIRE_OLD_TASKS, wire.writeExpireOldTasks, readCount, o);
  }
  /** @param {unknown} o */
  renewLease(o) {
    return attempt(this.#port, wire.OP_RENEW_LEASE, wire.writeRenewLease, wire.readTaskLease, o);
  }
  /** @param {unknown} o */
  retireTasks(o) {
    return attempt(this.#port, wire.OP_RETIRE_TASKS, wire.writeRetireTasks, readCount, o);
  }
  /** @param {unknown} o */
  forgetWorker(o) {
    return attempt(this.#port, wire.OP_FORGET_WORKER, wire.writeForgetWorker, readCount, o);
  }
}

/** Workers, tasks and leases as one revisioned state machine. Types and contract: ../index.d.ts. */
export class WorkerPool {
  #port;
  #taskQueue;
  #try;

  /** @param {Port} port @param {new (port: Port) => import('./task-queue.js').TaskQueue} Queue */
  constructor(port, Queue) {
    this.#port = port;
    this.#taskQueue = new Queue(port);
    this.#try = Object.freeze(new TryWorkerPool(port));
  }

  get taskQueue() {
    return this.#taskQueue;
  }

  get try() {
    return this.#try;
  }

  /** @param {unknown} o */
  registerWorker(o) {
    return execute(this.#port, wire.OP_REGISTER_WORKER, wire.writeRegisterWorker, wire.readWorkerNode, o);
  }
  /** @param {unknown} o */
  reactivateWorker(o) {
    return execute(this.#port, wire.OP_REACTIVATE_WORKER, wire.writeReactivateWorker, wire.readWorkerNode, o);
  }
  /** @param {unknown} o */
  updateWorker(o) {
    return execute(this.#port, wire.OP_UPDATE_WORKER, wire.writeUpdateWorker, wire.readWorkerNode, o);
  }
  /** @param {unknown} o */
  deregisterWorker(o) {
    return execute(
      this.#port,
      wire.OP_DEREGISTER_WORKER,
      wire.writeDeregisterWorker,
      wire.readRecoverySummary,
      o,
    );
  }
  /** @param {unknown} o */
  pruneDeadWorkers(o) {
    return execute(
      this.#port,
      wire.OP_PRUNE_DEAD_WORKERS,
      wire.writePruneDeadWorkers,
      wire.readRecoverySummary,
      o,
    );
  }
  /** @param {unknown} o */
  assignTask(o) {
    return execute(this.#port, wire.OP_ASSIGN_TASK, wire.writeAssignTask, wire.readTaskLease, o);
  }
  /** @param {unknown} o */
  assignNext(o) {
    return execute(this.#port, wire.OP_ASSIGN_NEXT, wire.writeAssignNext, wire.readTaskLease, o);
  }
  /** @param {unknown} o */
  assignNextAvailable(o) {
    return execute(
      this.#port,
      wire.OP_ASSIGN_NEXT_AVAILABLE,
      wire.writeAssignNextAvailable,
      wire.readTaskLease,
      o,
    );
  }
  /** @param {unknown} o */
  startTask(o) {
    return execute(this.#port, wire.OP_START_TASK, wire.writeStartTask, wire.readStartOutcome, o);
  }
  /** @param {unknown} o */
  completeTask(o) {
    return execute(this.#port, wire.OP_COMPLETE_TASK, wire.writeCompleteTask, wire.readCompletionOutcome, o);
  }
  /** @param {unknown} o */
  failTask(o) {
    return execute(this.#port, wire.OP_FAIL_TASK, wire.writeFailTask, wire.readFailureOutcome, o);
  }
  /** @param {unknown} o */
  cancelTask(o) {
    return execute(this.#port, wire.OP_CANCEL_TASK, wire.writeCancelTask, wire.readCancellationOutcome, o);
  }
  /** @param {unknown} o */
  recoverExpiredLeases(o) {
    return execute(
      this.#port,
      wire.OP_RECOVER_EXPIRED_LEASES,
      wire.writeRecoverExpiredLeases,
      wire.readRecoverySummary,
      o,
    );
  }
  /** @param {unknown} o */
  expireOldTasks(o) {
    return execute(this.#port, wire.OP_EXPIRE_OLD_TASKS, wire.writeExpireOldTasks, readCount, o);
  }
  /** @param {unknown} o */
  renewLease(o) {
    return execute(this.#port, wire.OP_RENEW_LEASE, wire.writeRenewLease, wire.readTaskLease, o);
  }
  /** @param {unknown} o */
  retireTasks(o) {
    return execute(this.#port, wire.OP_RETIRE_TASKS, wire.writeRetireTasks, readCount, o);
  }
  /** @param {unknown} o */
  forgetWorker(o) {
    return execute(this.#port, wire.OP_FORGET_WORKER, wire.writeForgetWorker, readCount, o);
  }

  /** @param {unknown} now */
  getAvailableWorker(now) {
    this.#port.open().putU64(now, 'now');
    const frame = this.#port.demand(wire.OP_GET_AVAILABLE_WORKER);
    return frame.getBool() ? wire.readWorkerNode(frame, frame.slot, this.#port.ids) : null;
  }

  /** @param {unknown} workerId */
  getWorker(workerId) {
    this.#port.open().putText(workerId, 'workerId', wire.MAX_IDENTIFIER_BYTES);
    const frame = this.#port.demand(wire.OP_GET_WORKER);
    return frame.getBool() ? wire.readWorkerNode(frame, frame.slot, this.#port.ids) : null;
  }

  getWorkers() {
    const port = this.#port;
    port.open();
    const count = port.demand(wire.OP_LIST_WORKERS).getU32();
    const workers = new Array(count);
    for (let i = 0; i < count; i += 1) {
      const frame = port.demand(wire.OP_NEXT_WORKER);
      workers[i] = wire.readWorkerNode(frame, frame.slot, port.ids);
    }
    return workers;
  }

  snapshot() {
    return this.#taskQueue.snapshot();
  }

  get revision() {
    this.#port.open();
    return this.#port.demand(wire.OP_REVISION).getU64();
  }

  checkInvariants() {
    this.#port.open();
    this.#port.demand(wire.OP_CHECK_INVARIANTS);
  }

  /** @param {unknown} records @param {unknown} [options] */
  applyBatch(records, options) {
    return journaled.applyBatch(this.#port, records, options);
  }

  takeRecords() {
    return takeRecords(this.#port);
  }

  journalHeader() {
    return journaled.journalHeader(this.#port);
  }

  stateDigest() {
    return journaled.stateDigest(this.#port);
  }

  exportSnapshot() {
    return journaled.exportSnapshot(this.#port);
  }

  dispose() {
    this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('WorkerPool', () => this.snapshot());
  }
}
makeDisposable(WorkerPool);
