import { requiredBytes } from '../boundary/arguments.js';
import { makeDisposable } from '../boundary/port.js';
import * as wire from '../generated/bridge.js';
import { lengthOf, putBlob, putTextBlob } from './blob.js';
import { hostClock, limit, openPort, optional } from './machine.js';

/** The largest size that the core can be told of. */
const MAX_CARRIED_BYTES = 0xffff_ffff;

/** Control requests of a remote side, from acceptance to resolution. Types and contract: ../types/bridge.d.ts. */
export class ControlRegistry {
  #port;
  #clock;

  /** @param {import('../boundary/runtime.js').Runtime} runtime @param {unknown} options */
  constructor(runtime, options) {
    const { maxRecords, clock } = optional(options);
    this.#clock = hostClock(clock);
    const most = limit(maxRecords, wire.DEFAULT_MAX_RECORDS, 'maxRecords');
    this.#port = openPort(runtime, 'ControlRegistry', (frame) => frame.putU64(most, 'maxRecords'));
  }

  /** @param {unknown} options */
  accept(options) {
    this.#change(wire.OP_CONTROL_ACCEPT, wire.writeControlAccept, options);
  }

  /** @param {unknown} options */
  advance(options) {
    this.#change(wire.OP_CONTROL_ADVANCE, wire.writeControlAdvance, options);
  }

  /** @param {unknown} options */
  resolve(options) {
    const port = this.#port;
    port.open();
    let beside = false;
    try {
      wire.writeControlResolve(port.frame, options, this.#clock(), (/** @type {unknown} */ value) => {
        beside = putValue(port.runtime, value);
      });
      port.demand(wire.OP_CONTROL_RESOLVE);
    } finally {
      if (beside) port.runtime.releasePayload();
    }
  }

  /** @param {unknown} options */
  cancel(options) {
    this.#change(wire.OP_CONTROL_CANCEL, wire.writeControlCancel, options);
  }

  /** @param {number} op @param {(frame: any, options: any, now: number) => void} write @param {unknown} options */
  #change(op, write, options) {
    const port = this.#port;
    port.open();
    write(port.frame, options, this.#clock());
    port.demand(op);
  }

  /** @param {unknown} reason */
  cancelAll(reason) {
    const port = this.#port;
    port.open();
    wire.writeControlCancelAll(port.frame, { reason }, this.#clock());
    const count = port.demand(wire.OP_CONTROL_CANCEL_ALL).getU32();
    const records = new Array(count);
    for (let i = 0; i < count; i += 1) {
      const frame = port.demand(wire.OP_CONTROL_NEXT);
      records[i] = wire.readControlRecord(frame, frame.slot);
    }
    return records;
  }

  /** @param {unknown} key */
  get(key) {
    const frame = this.#port.open();
    wire.writeControlGet(frame, { key });
    this.#port.demand(wire.OP_CONTROL_GET);
    return frame.getBool() ? wire.readGivenControlRecord(frame, frame.slot) : null;
  }

  /** @param {unknown} key */
  forget(key) {
    wire.writeControlForget(this.#port.open(), { key });
    this.#port.demand(wire.OP_CONTROL_FORGET);
  }

  get size() {
    this.#port.open();
    return this.#port.demand(wire.OP_CONTROL_SIZE).getU32();
  }

  dispose() {
    this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('ControlRegistry', () => ({ size: this.size }));
  }
}
makeDisposable(ControlRegistry);

/**
 * The whole value, however long: whether it is JSON comes before how long it is.
 * @param {import('../boundary/runtime.js').Runtime} runtime @param {unknown} value JSON text, or its bytes
 */
function putValue(runtime, value) {
  if (value === undefined || value === null) return putTextBlob(runtime, '');
  if (typeof value === 'string') return putTextBlob(runtime, value);
  const bytes = requiredBytes(value, 'value');
  if (lengthOf.call(bytes) > MAX_CARRIED_BYTES) {
    throw new RangeError(`value must be at most ${MAX_CARRIED_BYTES} bytes long`);
  }
  return putBlob(runtime, bytes);
}
