// What the client gets: seen once, counted, and compared with what the server says it has sent.

import { readSeal, RunningSum, sameSum } from './events.mjs';

/** More than a server sends again after a reconnect. */
const REMEMBERED = 1_024;

export class Receiver {
  #seen;
  #sum = new RunningSum();
  #lastTaken = 0n;
  #isLive = false;
  duplicates = 0;
  gaps = 0;
  /** What should not be. @type {string[]} */
  problems = [];
  /** @type {() => void} */
  #resolveSealed = () => {};
  /** Everything has come, or so the server says. @type {Promise<void>} */
  sealed = new Promise((resolve) => {
    this.#resolveSealed = resolve;
  });

  /** @param {import('leasegate').Leasegate} leasegate */
  constructor(leasegate) {
    this.#seen = new leasegate.Deduper({ capacity: REMEMBERED });
  }

  get count() {
    return this.#sum.count;
  }

  get sum() {
    return this.#sum.sum;
  }

  /**
   * @param {import('leasegate/transports/websocket').InboundEvent} inbound
   * @param {import('leasegate').Observation} observation of its sequence
   */
  take({ sequence, event }, { gap }) {
    if (gap) this.gaps += 1;
    if (this.#seen.seenOrAdd(event.messageId)) {
      this.duplicates += 1;
      return;
    }
    if (sequence !== this.#lastTaken + 1n) this.problems.push(`${sequence} came after ${this.#lastTaken}`);
    this.#lastTaken = sequence;
    if (event.type === 'seal') {
      if (!sameSum(this.sum, readSeal(event).sent)) this.problems.push('not what the server has sent');
      this.#resolveSealed();
      return;
    }
    if (event.type === 'live') this.#isLive = true;
    else if (this.#isLive) this.problems.push(`${event.messageId} is history and came after a live event`);
    this.#sum.add(event);
  }

  dispose() {
    this.#seen.dispose();
  }
}
