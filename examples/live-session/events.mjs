// What is sent: events that can be made again from their number, and the seal that closes a sequence of them.

import { createHash } from 'node:crypto';
import { seededRandom } from './random.mjs';

/**
 * @typedef {import('leasegate').OutboundEvent} OutboundEvent
 * @typedef {{ events: number, sha256: string }} Sum of a sequence
 */

/**
 * One side's events, by number from 1: first its history, then what happens live.
 * @param {string} author @param {import('./options.mjs').Options} options
 * @returns {(number: number) => OutboundEvent}
 */
export function eventsOf(author, { seed, payload, history }) {
  return (number) => {
    const random = seededRandom(seed + number * 7919 + author.length);
    return {
      messageId: `${author}-${number}`,
      type: number <= history ? 'history' : 'live',
      payload: Uint8Array.from({ length: payload }, () => random(256)),
    };
  };
}

/** The last event of a sequence: what the other side must have had before it. @param {string} author @param {object} content */
export function seal(author, content) {
  const payload = new TextEncoder().encode(JSON.stringify(content));
  return { messageId: `${author}-seal`, type: 'seal', payload };
}

/** @param {OutboundEvent} event @returns {any} */
export function readSeal({ payload }) {
  return JSON.parse(new TextDecoder().decode(payload));
}

/** A digest over a sequence: of every event and of their order. */
export class RunningSum {
  #hash = createHash('sha256');
  count = 0;

  /** @param {OutboundEvent} event */
  add({ messageId, type, payload }) {
    this.count += 1;
    this.#hash.update(`${JSON.stringify([messageId, type, payload.length])}\n`).update(payload);
  }

  /** @returns {Sum} */
  get sum() {
    return { events: this.count, sha256: this.#hash.copy().digest('hex') };
  }
}

/** @param {Sum} one @param {Sum | undefined} other */
export const sameSum = (one, other) => one.events === other?.events && one.sha256 === other.sha256;
