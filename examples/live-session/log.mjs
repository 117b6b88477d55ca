// The server's log of a session: its history is there from the start, live events are added at the end.

import { EventEmitter, once } from 'node:events';
import { eventsOf, RunningSum, seal } from './events.mjs';
import { produceLive } from './live.mjs';

/** The log is read a page at a time, so that who comes back gets the page again in which its cursor lies. */
const PAGE = 16n;

export class SessionLog {
  #options;
  #eventAt;
  #length = 0;
  #sum = new RunningSum();
  #isSealed = false;
  #grown = new EventEmitter();

  /** @param {import('./options.mjs').Options} options */
  constructor(options) {
    this.#options = options;
    this.#eventAt = eventsOf('server', options);
    while (this.#length < options.history) this.#append();
  }

  /** The sequence of the last event, the seal included. */
  get last() {
    return BigInt(this.#length) + (this.#isSealed ? 1n : 0n);
  }

  get sum() {
    return this.#sum.sum;
  }

  /** @param {bigint} sequence */
  event(sequence) {
    const number = Number(sequence);
    return number > this.#length ? seal('server', { sent: this.sum }) : this.#eventAt(number);
  }

  /** Where to begin for one who has seen as far as the cursor. @param {bigint} cursor */
  pageStart(cursor) {
    return cursor - (cursor % PAGE) + 1n;
  }

  /** Until the log is so long. @param {bigint} sequence @param {AbortSignal} signal */
  async reached(sequence, signal) {
    while (this.last < sequence) await once(this.#grown, 'grown', { signal });
  }

  /** @param {AbortSignal} signal */
  async live(signal) {
    const { history, events } = this.#options;
    await produceLive(history + 1, events, () => this.#append(), { signal });
    this.#isSealed = true;
    this.#grown.emit('grown');
  }

  #append() {
    this.#length += 1;
    this.#sum.add(this.#eventAt(this.#length));
    this.#grown.emit('grown');
  }
}
