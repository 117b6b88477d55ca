// What the server gets: taken once, in order, history before live, and compared with what the client says it has sent.

import { readSeal, RunningSum, sameSum } from './events.mjs';

/** More than a client sends again after a reconnect. */
const REMEMBERED = 1_024;
/** After so many events they are safe. Those since may be asked for again, and here they never have to be. */
const CHECKPOINT = 16;

export class Journal {
  #seen;
  #log;
  #sum = new RunningSum();
  #history = 0;
  duplicates = 0;
  /** What should not be. @type {string[]} */
  problems = [];
  isSealed = false;

  /** @param {import('leasegate').Leasegate} leasegate @param {import('./log.mjs').SessionLog} log */
  constructor(leasegate, log) {
    this.#seen = new leasegate.Deduper({ capacity: REMEMBERED });
    this.#log = log;
  }

  get count() {
    return this.#sum.count;
  }

  get sum() {
    return this.#sum.sum;
  }

  /** How many of them were history. */
  get history() {
    return this.#history;
  }

  /** @param {import('leasegate').OutboundEvent} event @returns {Partial<import('leasegate').Acceptance>} */
  take(event) {
    const isSeal = event.type === 'seal';
    const isNew = !this.#seen.seenOrAdd(event.messageId);
    if (isNew) this.#add(event);
    else this.duplicates += 1;
    return {
      accepted: !isSeal || this.problems.length === 0,
      remoteAckId: `ack-${event.messageId}`,
      durabilityKnown: isSeal || (isNew && this.count % CHECKPOINT === 0),
    };
  }

  /** @param {import('leasegate').OutboundEvent} event */
  #add(event) {
    if (event.type === 'seal') {
      const { sent, received } = readSeal(event);
      if (!sameSum(this.sum, sent)) this.problems.push('not what the client has sent');
      if (!sameSum(this.#log.sum, received)) this.problems.push('the client has not got what was sent');
      this.isSealed = true;
      return;
    }
    if (event.type === 'history') {
      if (this.count > this.#history) this.problems.push(`${event.messageId} came after a live event`);
      this.#history += 1;
    }
    this.#sum.add(event);
    const number = Number(event.messageId.split('-')[1]);
    if (number !== this.count) this.problems.push(`${event.messageId} came as number ${this.count}`);
  }

  dispose() {
    this.#seen.dispose();
  }
}
