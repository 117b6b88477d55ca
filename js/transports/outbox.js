// Sends that have no answer yet: bounded, in order, and counted to the last one.

import { capacityError, closedError } from './errors.js';

/**
 * @typedef {object} Entry
 * @property {bigint} id what the answer will name; 0 until it is on its way
 * @property {string} record the event as JSON; '' once it is on its way
 * @property {number} bytes
 * @property {number} sentAt
 * @property {((acceptance: import('./frames.js').Acceptance) => void) | null} resolve null once its caller has left
 * @property {(error: unknown) => void} reject
 * @property {() => void} unlisten
 */

export class Outbox {
  #kind;
  #limits;
  #bytes = 0;
  #lastId = 0n;
  #accepted = 0;
  #durable = true;
  #dropped = 0;
  /** In the order of the calls. @type {Set<Entry>} */
  #waiting = new Set();
  /** In the order of the wire. @type {Map<bigint, Entry>} */
  #flying = new Map();

  /** @param {string} kind @param {{ maxPendingEvents: number, maxPendingBytes: number }} limits */
  constructor(kind, limits) {
    this.#kind = kind;
    this.#limits = limits;
  }

  /** Sends without an answer, those included whose caller has left after they were on their way. */
  get size() {
    return this.#waiting.size + this.#flying.size;
  }

  get hasWaiting() {
    return this.#waiting.size > 0;
  }

  /** When the oldest send on its way left; null without one. */
  get oldestSentAt() {
    for (const entry of this.#flying.values()) return entry.sentAt;
    return null;
  }

  /**
   * @param {string} record @param {number} bytes @param {AbortSignal | null | undefined} signal not aborted yet
   * @returns {Promise<import('./frames.js').Acceptance>}
   */
  add(record, bytes, signal) {
    const { maxPendingEvents, maxPendingBytes } = this.#limits;
    if (this.size >= maxPendingEvents) throw capacityError(this.#kind, maxPendingEvents, 'events');
    if (this.#bytes + bytes > maxPendingBytes) throw capacityError(this.#kind, maxPendingBytes, 'bytes');
    return new Promise((resolve, reject) => {
      /** @type {Entry} */
      const entry = { id: 0n, record, bytes, sentAt: 0, resolve, reject, unlisten: () => {} };
      if (signal) {
        const leave = () => this.#leave(entry, signal.reason);
        signal.addEventListener('abort', leave);
        entry.unlisten = () => signal.removeEventListener('abort', leave);
      }
      this.#waiting.add(entry);
      this.#bytes += bytes;
    });
  }

  /** @param {Entry} entry @param {unknown} reason */
  #leave(entry, reason) {
    entry.unlisten();
    entry.resolve = null;
    // On its way, its answer is still due: it keeps its place.
    if (this.#waiting.delete(entry)) this.#bytes -= entry.bytes;
    entry.reject(reason);
  }

  /** The next to send, now on its way: its number and its record. @param {number} now */
  launch(now) {
    for (const entry of this.#waiting) {
      this.#waiting.delete(entry);
      this.#lastId += 1n;
      const { record } = entry;
      Object.assign(entry, { id: this.#lastId, record: '', sentAt: now });
      this.#flying.set(entry.id, entry);
      return { id: entry.id, record };
    }
    return null;
  }

  /** @param {bigint} id @param {import('./frames.js').Acceptance} acceptance @returns {boolean} whether it was due */
  answer(id, acceptance) {
    const entry = this.#flying.get(id);
    if (entry === undefined) return false;
    this.#flying.delete(id);
    this.#bytes -= entry.bytes;
    entry.unlisten();
    if (acceptance.accepted) {
      this.#accepted += 1;
      this.#durable &&= acceptance.durabilityKnown;
    }
    entry.resolve?.(acceptance);
    return true;
  }

  /** Nothing will be answered any more. @param {import('./errors.js').Ending} ending */
  end(ending) {
    const left = [...this.#flying.values(), ...this.#waiting];
    this.#dropped += left.length;
    this.#flying.clear();
    this.#waiting.clear();
    this.#bytes = 0;
    for (const entry of left) {
      entry.unlisten();
      entry.record = '';
      if (entry.resolve) entry.reject(closedError(this.#kind, ending));
    }
  }

  /** What was seen, and not more: durable only if every accepted event is, and none is without an answer. */
  evidence() {
    const remoteDurabilityKnown = this.#dropped === 0 && this.#accepted > 0 && this.#durable;
    return Object.freeze({ dropped: this.#dropped, remoteDurabilityKnown });
  }
}
