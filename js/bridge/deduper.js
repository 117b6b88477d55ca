import { integerError, object } from '../boundary/arguments.js';
import { makeDisposable } from '../boundary/port.js';
import { MAX_OPAQUE_ID_BYTES, OP_DEDUPER_SEEN_OR_ADD, OP_DEDUPER_SIZE } from '../generated/bridge.js';
import { limit, openPort } from './machine.js';

/** Recognises the latest messages by their ids. Types and contract: ../types/bridge.d.ts. */
export class Deduper {
  #port;

  /** @param {import('../boundary/runtime.js').Runtime} runtime @param {any} options */
  constructor(runtime, options) {
    const { capacity } = object(options, 'options');
    if (capacity === undefined || capacity === null)
      throw integerError(undefined, 'capacity', 2n ** 64n - 1n);
    this.#port = openPort(runtime, 'Deduper', (frame) =>
      frame.putU64(limit(capacity, 0, 'capacity'), 'capacity'),
    );
  }

  /** @param {unknown} id */
  seenOrAdd(id) {
    this.#port.open().putUtf8(id, 'id', MAX_OPAQUE_ID_BYTES);
    return this.#port.demand(OP_DEDUPER_SEEN_OR_ADD).getBool();
  }

  get size() {
    this.#port.open();
    return this.#port.demand(OP_DEDUPER_SIZE).getU32();
  }

  dispose() {
    this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('Deduper', () => ({ size: this.size }));
  }
}
makeDisposable(Deduper);
