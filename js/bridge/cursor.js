import { makeDisposable } from '../boundary/port.js';
import { OP_CURSOR_OBSERVE, OP_CURSOR_SEQUENCE, readObservation } from '../generated/bridge.js';
import { openPort } from './machine.js';

/** The highest sequence that was seen. Types and contract: ../types/bridge.d.ts. */
export class Cursor {
  #port;

  /** @param {import('../boundary/runtime.js').Runtime} runtime @param {unknown} sequence */
  constructor(runtime, sequence) {
    this.#port = openPort(runtime, 'Cursor', (frame) => frame.putU64(sequence ?? 0, 'sequence'));
  }

  get sequence() {
    this.#port.open();
    return this.#port.demand(OP_CURSOR_SEQUENCE).getU64();
  }

  /** @param {unknown} sequence */
  observe(sequence) {
    this.#port.open().putU64(sequence, 'sequence');
    const frame = this.#port.demand(OP_CURSOR_OBSERVE);
    return readObservation(frame, frame.slot);
  }

  dispose() {
    this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('Cursor', () => ({ sequence: this.sequence }));
  }
}
makeDisposable(Cursor);
