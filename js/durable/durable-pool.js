import { DurableHandle, defineCommands, openDurable } from './durable-handle.js';
import { SMALL_RECORD_BYTES } from './options.js';

/** @typedef {import('./durable-handle.js').Durable} Durable */

const POOL_COMMANDS = Object.freeze([
  'registerWorker',
  'reactivateWorker',
  'updateWorker',
  'deregisterWorker',
  'pruneDeadWorkers',
  'assignTask',
  'assignNext',
  'assignNextAvailable',
  'startTask',
  'completeTask',
  'failTask',
  'cancelTask',
  'recoverExpiredLeases',
  'expireOldTasks',
  'renewLease',
  'retireTasks',
  'forgetWorker',
]);
const QUEUE_COMMANDS = Object.freeze(['enqueue']);

/** @param {any} machine */
const queueOf = (machine) => machine.taskQueue;

class TryDurablePool {
  #durable;
  /** @param {Durable} durable */
  constructor(durable) {
    this.#durable = durable;
  }
  static {
    defineCommands(TryDurablePool.prototype, POOL_COMMANDS, (it) => it.#durable, 'attempt');
  }
}

class TryDurableQueue {
  #durable;
  /** @param {Durable} durable */
  constructor(durable) {
    this.#durable = durable;
  }
  static {
    defineCommands(TryDurableQueue.prototype, QUEUE_COMMANDS, (it) => it.#durable, 'attempt', queueOf);
  }
}

/** The tasks' side of a durable pool. Types and contract: ../types/durable.d.ts. */
class DurableTaskQueue {
  #durable;
  /** @param {Durable} durable */
  constructor(durable) {
    this.#durable = durable;
    this.try = new TryDurableQueue(durable);
    Object.freeze(this);
  }
  static {
    defineCommands(DurableTaskQueue.prototype, QUEUE_COMMANDS, (it) => it.#durable, 'command', queueOf);
  }

  peekNext() {
    return this.#durable.machine.taskQueue.peekNext();
  }

  /** @param {unknown} taskId */
  getTask(taskId) {
    return this.#durable.machine.taskQueue.getTask(taskId);
  }

  tasks() {
    return this.#durable.machine.taskQueue.tasks();
  }

  snapshot() {
    return this.#durable.machine.taskQueue.snapshot();
  }
}

/** A pool that keeps what it has answered. Types and contract: ../types/durable.d.ts. */
class DurablePool extends DurableHandle {
  #durable;

  /** @param {Durable} durable @param {import('./recovery.js').Recovery} recovery */
  constructor(durable, recovery) {
    super(durable, recovery);
    this.#durable = durable;
    this.taskQueue = new DurableTaskQueue(durable);
    this.try = new TryDurablePool(durable);
    Object.freeze(this);
  }
  static {
    defineCommands(DurablePool.prototype, POOL_COMMANDS, (it) => it.#durable, 'command');
  }

  /** @param {unknown} now */
  getAvailableWorker(now) {
    return this.#durable.machine.getAvailableWorker(now);
  }

  /** @param {unknown} workerId */
  getWorker(workerId) {
    return this.#durable.machine.getWorker(workerId);
  }

  getWorkers() {
    return this.#durable.machine.getWorkers();
  }

  snapshot() {
    return this.#durable.machine.snapshot();
  }

  checkInvariants() {
    this.#durable.machine.checkInvariants();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#durable.describe(() => ({ ...this.snapshot(), durableRevision: this.durableRevision }));
  }
}

/** @param {any} leasegate an instance @param {unknown} options @returns {Promise<DurablePool>} */
export async function openDurablePool({ WorkerPool, readJournalHeader }, options) {
  const longestRecord = () => SMALL_RECORD_BYTES;
  /** @type {import('./recovery.js').Kind} */
  const kind = { Machine: WorkerPool, handle: 'pool', readJournalHeader, longestRecord };
  const { durable, recovery } = await openDurable(kind, 'DurablePool', options);
  return new DurablePool(durable, recovery);
}
