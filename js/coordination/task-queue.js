import { attempt, execute, makeDisposable } from '../boundary/port.js';
import {
  MAX_IDENTIFIER_BYTES,
  OP_ENQUEUE,
  OP_GET_TASK,
  OP_LIST_TASKS,
  OP_NEXT_TASK,
  OP_PEEK_NEXT,
  OP_SNAPSHOT,
  readGivenScanTask,
  readScanTask,
  readStateSnapshot,
  writeEnqueue,
} from '../generated/coordination.js';

/** The tasks' side of a coordinator. Types and contract: ../index.d.ts. */
export class TaskQueue {
  #port;
  #ownsPort;
  #try;

  /** @param {import('../boundary/port.js').Port} port @param {boolean} ownsPort */
  constructor(port, ownsPort) {
    this.#port = port;
    this.#ownsPort = ownsPort;
    this.#try = Object.freeze({
      /** @param {unknown} options */
      enqueue: (options) => attempt(port, OP_ENQUEUE, writeEnqueue, readGivenScanTask, options),
    });
  }

  get try() {
    return this.#try;
  }

  /** @param {unknown} options */
  enqueue(options) {
    return execute(this.#port, OP_ENQUEUE, writeEnqueue, readGivenScanTask, options);
  }

  peekNext() {
    this.#port.open();
    const frame = this.#port.demand(OP_PEEK_NEXT);
    return frame.getBool() ? readScanTask(frame, frame.slot, this.#port.ids) : null;
  }

  /** @param {unknown} taskId */
  getTask(taskId) {
    this.#port.open().putText(taskId, 'taskId', MAX_IDENTIFIER_BYTES);
    const frame = this.#port.demand(OP_GET_TASK);
    return frame.getBool() ? readScanTask(frame, frame.slot, this.#port.ids) : null;
  }

  tasks() {
    const port = this.#port;
    port.open();
    const count = port.demand(OP_LIST_TASKS).getU32();
    const tasks = new Array(count);
    for (let i = 0; i < count; i += 1) {
      const frame = port.demand(OP_NEXT_TASK);
      tasks[i] = readScanTask(frame, frame.slot, port.ids);
    }
    return tasks;
  }

  snapshot() {
    this.#port.open();
    const frame = this.#port.demand(OP_SNAPSHOT);
    return readStateSnapshot(frame, frame.slot);
  }

  /** A pool's queue lives and dies with its pool. */
  dispose() {
    if (this.#ownsPort) this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('TaskQueue', () => this.snapshot());
  }
}
makeDisposable(TaskQueue);
