import { makeDisposable } from '../boundary/port.js';
import { OP_FENCE_ADVANCE, OP_FENCE_CHECK, OP_FENCE_CURRENT } from '../generated/bridge.js';
import { openPort } from './machine.js';

/** Lets through only what carries the current epoch. Types and contract: ../types/bridge.d.ts. */
export class EpochFence {
  #port;

  /** @param {import('../boundary/runtime.js').Runtime} runtime @param {unknown} initial */
  constructor(runtime, initial) {
    this.#port = openPort(runtime, 'EpochFence', (frame) => frame.putU64(initial, 'initial'));
  }

  get current() {
    this.#port.open();
    return this.#port.demand(OP_FENCE_CURRENT).getU64();
  }

  /** @param {unknown} epoch */
  check(epoch) {
    this.#port.open().putU64(epoch, 'epoch');
    this.#port.demand(OP_FENCE_CHECK);
  }

  /** @param {unknown} epoch */
  advance(epoch) {
    this.#port.open().putU64(epoch, 'epoch');
    this.#port.demand(OP_FENCE_ADVANCE);
  }

  dispose() {
    this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('EpochFence', () => ({ current: this.current }));
  }
}
makeDisposable(EpochFence);
