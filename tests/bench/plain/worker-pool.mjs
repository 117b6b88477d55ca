// The surface of the plain coordinator: that of leasegate's WorkerPool, as far as benchmarks and recordings use it.

import { Coordinator } from './coordinator.mjs';
import { PlainError } from './errors.mjs';
import { Accepted, Refused } from './records.mjs';

/** The same commands, answering what they would throw. @param {any} target @param {readonly string[]} names */
function trying(target, names) {
  const attempt = (/** @type {string} */ name) => (/** @type {unknown} */ options) => {
    try {
      return new Accepted(target[name](options));
    } catch (error) {
      if (error instanceof PlainError) return new Refused(error);
      throw error;
    }
  };
  return Object.fromEntries(names.map((name) => [name, attempt(name)]));
}

class TaskQueue {
  #coordinator;

  /** @param {Coordinator} coordinator */
  constructor(coordinator) {
    this.#coordinator = coordinator;
    this.try = trying(this, ['enqueue']);
  }

  /** @param {unknown} options */
  enqueue(options) {
    return this.#coordinator.enqueue(options);
  }
  peekNext() {
    return this.#coordinator.peekNext();
  }
  /** @param {unknown} id */
  getTask(id) {
    return this.#coordinator.getTask(id);
  }
  tasks() {
    return this.#coordinator.allTasks();
  }
  snapshot() {
    return this.#coordinator.snapshot();
  }
}

const COMMANDS = Object.freeze([
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
]);

/** The commands are the coordinator's own; the pool adds its queue and `try`. */
export class PlainWorkerPool extends Coordinator {
  /** @param {{ limits?: unknown }} [options] */
  constructor(options) {
    super(options?.limits);
    this.taskQueue = new TaskQueue(this);
    this.try = trying(this, COMMANDS);
  }

  /** The state is checked by the recordings. */
  checkInvariants() {}

  dispose() {}
}
