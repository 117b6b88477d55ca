import { makeDisposable } from '../boundary/port.js';
import { MAX_OPAQUE_ID_BYTES, OP_WORK_STATE, OP_WORK_TRANSITION, WorkState } from '../generated/bridge.js';
import { openPort } from './machine.js';

/** The life of one piece of work. Types and contract: ../types/bridge.d.ts. */
export class WorkLifecycle {
  #port;

  /** @param {import('../boundary/runtime.js').Runtime} runtime @param {unknown} id */
  constructor(runtime, id) {
    this.#port = openPort(runtime, 'WorkLifecycle', (frame) => frame.putUtf8(id, 'id', MAX_OPAQUE_ID_BYTES));
    this.id = /** @type {string} */ (id);
    Object.defineProperty(this, 'id', { writable: false, configurable: false });
  }

  get state() {
    return this.#read().state;
  }

  get owned() {
    return this.#read().owned;
  }

  #read() {
    this.#port.open();
    const frame = this.#port.demand(OP_WORK_STATE);
    return { state: frame.getName(WorkState), owned: frame.getBool() };
  }

  /** @param {unknown} to */
  transition(to) {
    this.#port.open().putName(WorkState, to, 'to');
    this.#port.demand(OP_WORK_TRANSITION);
  }

  dispose() {
    this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('WorkLifecycle', () => ({ id: this.id, ...this.#read() }));
  }
}
makeDisposable(WorkLifecycle);
