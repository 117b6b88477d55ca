import { makeDisposable } from '../boundary/port.js';
import * as wire from '../generated/bridge.js';
import { hostClock, limit, openPort, optional } from './machine.js';

/** What became of each delivery. Types and contract: ../types/bridge.d.ts. */
export class DeliveryTracker {
  #port;
  #clock;

  /** @param {import('../boundary/runtime.js').Runtime} runtime @param {unknown} options */
  constructor(runtime, options) {
    const { maxRecords, clock } = optional(options);
    this.#clock = hostClock(clock);
    const most = limit(maxRecords, wire.DEFAULT_MAX_RECORDS, 'maxRecords');
    this.#port = openPort(runtime, 'DeliveryTracker', (frame) => frame.putU64(most, 'maxRecords'));
  }

  /** @param {unknown} options */
  observe(options) {
    this.#change(wire.OP_DELIVERY_OBSERVE, wire.writeDeliveryObserve, options);
  }

  /** @param {unknown} options */
  transition(options) {
    this.#change(wire.OP_DELIVERY_TRANSITION, wire.writeDeliveryTransition, options);
  }

  /** @param {unknown} options */
  acknowledge(options) {
    this.#change(wire.OP_DELIVERY_ACKNOWLEDGE, wire.writeDeliveryAcknowledge, options);
  }

  /** @param {number} op @param {(frame: any, options: any, now: number) => void} write @param {unknown} options */
  #change(op, write, options) {
    const port = this.#port;
    port.open();
    write(port.frame, options, this.#clock());
    port.demand(op);
  }

  /** @param {unknown} id */
  get(id) {
    const frame = this.#port.open();
    frame.putUtf8(id, 'id', wire.MAX_OPAQUE_ID_BYTES);
    this.#port.demand(wire.OP_DELIVERY_GET);
    if (!frame.getBool()) return null;
    frame.given[0] = /** @type {string} */ (id);
    return wire.readGivenDeliveryRecord(frame, frame.slot);
  }

  /** @param {unknown} id */
  forget(id) {
    this.#port.open().putUtf8(id, 'id', wire.MAX_OPAQUE_ID_BYTES);
    this.#port.demand(wire.OP_DELIVERY_FORGET);
  }

  get size() {
    this.#port.open();
    return this.#port.demand(wire.OP_DELIVERY_SIZE).getU32();
  }

  dispose() {
    this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('DeliveryTracker', () => ({ size: this.size }));
  }
}
makeDisposable(DeliveryTracker);
