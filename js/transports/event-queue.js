// A server's events on their way to one client: bounded, in order, and never more unacknowledged than the client allows.

import { capacityError, closedError, tooLargeError } from './errors.js';
import { eventRecord, inboundFrame } from './frames.js';
import { readU64, utf8Length } from './texts.js';

/** @typedef {{ sequence: bigint, record: string, bytes: number, payloadBytes: number, resolve: () => void, reject: (error: unknown) => void }} Queued */

export class EventQueue {
  #kind;
  #limits;
  /** @type {Queued[]} */
  #waiting = [];
  #waitingBytes = 0;
  /** @type {{ sequence: bigint, payloadBytes: number }[]} */
  #unacked = [];
  #unackedBytes = 0;
  #window;
  #lastSequence = 0n;
  #lastSent = 0n;
  /** The highest sequence that the client has handled. */
  acked = 0n;

  /**
   * @param {string} kind
   * @param {{ maxPendingEvents: number, maxPendingBytes: number, maxFrameBytes: number }} limits
   * @param {{ events: number, bytes: number } | null} window null: the connection itself holds the server back
   */
  constructor(kind, limits, window) {
    this.#kind = kind;
    this.#limits = limits;
    this.#window = window && { ...window, events: Math.min(window.events, limits.maxPendingEvents) };
  }

  get size() {
    return this.#waiting.length;
  }

  /** @param {{ sequence: bigint | number, event: unknown }} inbound @returns {Promise<void>} once it is in the connection */
  add({ sequence, event }) {
    const number = readU64(sequence, 'sequence', 1n);
    if (number <= this.#lastSequence) throw new RangeError('sequence must be above the one before');
    const record = eventRecord(event);
    const bytes = utf8Length(record) + 64;
    const { maxPendingEvents, maxPendingBytes, maxFrameBytes } = this.#limits;
    if (bytes > maxFrameBytes) throw tooLargeError(this.#kind, bytes, maxFrameBytes);
    if (this.#waiting.length >= maxPendingEvents) throw capacityError(this.#kind, maxPendingEvents, 'events');
    if (this.#waitingBytes + bytes > maxPendingBytes)
      throw capacityError(this.#kind, maxPendingBytes, 'bytes');
    this.#lastSequence = number;
    this.#waitingBytes += bytes;
    const payloadBytes = /** @type {any} */ (event).payload.length;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sequence: number, record, bytes, payloadBytes, resolve, reject });
    });
  }

  /** Whether something waits that the client has room for. */
  get hasNext() {
    if (this.#waiting.length === 0) return false;
    if (this.#window === null || this.#unacked.length === 0) return true;
    const { events, bytes } = this.#window;
    return this.#unacked.length < events && this.#unackedBytes + this.#waiting[0].payloadBytes <= bytes;
  }

  /** Its frame and its sequence; it counts as sent. */
  next() {
    const { sequence, record, bytes, payloadBytes, resolve } = /** @type {Queued} */ (this.#waiting.shift());
    this.#waitingBytes -= bytes;
    this.#lastSent = sequence;
    if (this.#window !== null) {
      this.#unacked.push({ sequence, payloadBytes });
      this.#unackedBytes += payloadBytes;
    }
    resolve();
    return { sequence, frame: inboundFrame(sequence, record) };
  }

  /** @param {bigint} sequence @returns {boolean} whether it was sent */
  acknowledge(sequence) {
    if (sequence > this.#lastSent) return false;
    while (this.#unacked.length > 0 && this.#unacked[0].sequence <= sequence) {
      this.#unackedBytes -= this.#unacked[0].payloadBytes;
      this.#unacked.shift();
    }
    if (sequence > this.acked) this.acked = sequence;
    return true;
  }

  /** @param {import('./errors.js').Ending} ending */
  end(ending) {
    const left = this.#waiting;
    this.#waiting = [];
    for (const { reject } of left) reject(closedError(this.#kind, ending));
  }
}
