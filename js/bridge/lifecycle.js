import { makeDisposable } from '../boundary/port.js';
import * as wire from '../generated/bridge.js';
import { hostClock, limit, openPort, optional } from './machine.js';

/** The life of a transport. Types and contract: ../types/bridge.d.ts. */
export class Lifecycle {
  #port;
  #clock;

  /** @param {import('../boundary/runtime.js').Runtime} runtime @param {unknown} options */
  constructor(runtime, options) {
    const { maxHistory, clock } = optional(options);
    this.#clock = hostClock(clock);
    const most = limit(maxHistory, wire.DEFAULT_MAX_HISTORY, 'maxHistory');
    this.#port = openPort(runtime, 'Lifecycle', (frame) => frame.putU64(most, 'maxHistory'));
  }

  get state() {
    this.#port.open();
    return this.#port.demand(wire.OP_LIFECYCLE_STATE).getName(wire.TransportState);
  }

  /** @param {unknown} options */
  transition(options) {
    wire.writeLifecycleChange(this.#port.open(), options, this.#clock());
    this.#port.demand(wire.OP_LIFECYCLE_CHANGE);
  }

  get history() {
    return readHistory(this.#port, wire.OP_LIFECYCLE_HISTORY, wire.OP_LIFECYCLE_ENTRY);
  }

  get droppedHistory() {
    this.#port.open();
    const frame = this.#port.demand(wire.OP_LIFECYCLE_HISTORY);
    frame.getU32();
    return Number(frame.getU64());
  }

  dispose() {
    this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('Lifecycle', () => ({ state: this.state }));
  }
}
makeDisposable(Lifecycle);

/**
 * The transitions that a machine remembers, oldest first.
 * @param {import('../boundary/port.js').Port} port
 * @param {number} opCount answers how many there are @param {number} opEntry answers one by its index
 */
export function readHistory(port, opCount, opEntry) {
  port.open();
  const count = port.demand(opCount).getU32();
  const history = new Array(count);
  for (let i = 0; i < count; i += 1) {
    port.open().putSlot(i);
    const frame = port.demand(opEntry);
    history[i] = wire.readLifecycleTransition(frame, frame.slot);
  }
  return history;
}
