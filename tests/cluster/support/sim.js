// A log and several hosts without a network, in seeded disorder: messages and answers are late, lost or sent twice, hosts
// sleep, and what a client library has queued goes out long after it was given up.

import { Replica } from '../../../js/cluster/replica.js';

/** Small and good enough: mulberry32. @param {number} seed */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @typedef {{ sequence: number, kind: 'root' | 'chained' | 'void', author: string, bytes: Uint8Array, id: string }} Stored */

/** What a stream promises: one order, and nothing taken whose expectation does not hold. */
export class SimLog {
  constructor() {
    /** @type {Stored[]} */
    this.messages = [{ sequence: 1, kind: 'void', author: '', bytes: new Uint8Array(0), id: 'genesis' }];
    /** @type {Map<string, number>} */
    this.ids = new Map();
  }

  get last() {
    return this.messages.length;
  }

  /** @param {{ place: number, kind: 'root' | 'chained', author: string, bytes: Uint8Array, id: string }} message @param {boolean} dedupes */
  publish({ place, kind, author, bytes, id }, dedupes) {
    const known = dedupes ? this.ids.get(id) : undefined;
    if (known !== undefined) return known;
    if (place !== this.last + 1) return null;
    this.messages.push({ sequence: place, kind, author, bytes, id });
    this.ids.set(id, place);
    return place;
  }
}

/** One host on the simulated log. */
export class SimHost {
  /**
   * @param {object} options
   * @param {string} options.name @param {SimLog} options.log @param {() => number} options.random
   * @param {any} options.leasegate @param {object} options.limits @param {number} options.maxInFlight
   */
  constructor({ name, log, random, leasegate, limits, maxInFlight }) {
    this.name = name;
    this.log = log;
    this.random = random;
    this.seen = 1;
    this.asleep = 0;
    /** On their way to the log, in order. @type {any[]} */
    this.outbox = [];
    /** On their way back. @type {{ entry: any, id: string, place: number }[]} */
    this.answers = [];
    /** @type {any[]} */
    this.strays = [];
    /** @type {(() => void)[]} */
    this.timers = [];
    this.counter = 0;
    /** Digests by revision. @type {Map<bigint, string>} */
    this.digests = new Map();
    let run = 0;
    const { WorkerPool } = leasegate;
    this.replica = new Replica({
      settled: new WorkerPool({ limits }),
      sequence: 1,
      copy: (snapshot, sink) => WorkerPool.fromSnapshot(snapshot, { journal: sink }),
      log: {
        send: (entry) => {
          this.counter += 1;
          entry.id = `${name}-${this.counter}`;
          this.post(entry);
        },
        // By chance, but the same for the same record: its checksum's last byte.
        refuses: (record) => ((record.at(-1) ?? 0) < 8 ? new Error('too large') : null),
        conflicted: () => {},
      },
      nextAuthor: () => {
        run += 1;
        return `${name}-${run}`;
      },
      maxInFlight,
      maxPending: 1_000,
      backoffMs: () => 0,
      later: (callback) => this.timers.push(callback),
    });
    this.replica.release();
  }

  /** @param {any} entry */
  post(entry) {
    const { place, kind, author, bytes, id } = entry;
    this.outbox.push({ message: { place, kind, author, bytes, id }, entry });
  }

  /** The connection carries one of the messages that wait, or loses it, or carries it twice. */
  carry() {
    const next = this.outbox.shift();
    if (next === undefined) return;
    const { message, entry } = next;
    const luck = this.random();
    if (luck < 0.05) return; // lost on the way
    if (luck < 0.3) this.strays.push(message); // in the buffers of a connection that is given up
    if (luck < 0.2) return;
    const dedupes = this.random() < 0.7; // else the window has passed
    const place = this.log.publish(message, dedupes);
    if (luck > 0.95) this.log.publish(message, this.random() < 0.5);
    if (place !== null && this.random() > 0.1) this.answers.push({ entry, id: message.id, place });
  }

  /** What an old connection still held comes to the log after all. */
  stray() {
    // Only what fits by its number can do harm: that first.
    const fits = this.strays.findIndex(({ place }) => place === this.log.last + 1);
    const [message] = this.strays.splice(Math.max(0, fits), 1);
    if (message !== undefined) this.log.publish(message, this.random() < 0.5);
  }

  hear() {
    const answer = this.answers.shift();
    if (answer === undefined || answer.entry.id !== answer.id) return;
    if (answer.place === answer.entry.place) this.replica.acknowledged(answer.entry);
  }

  /** Some of what the log holds comes in. @param {number} most */
  read(most) {
    const messages = this.log.messages.slice(this.seen, this.seen + most);
    if (messages.length === 0) return;
    this.seen += messages.length;
    this.replica.receive(messages);
  }

  tick() {
    const timers = this.timers;
    this.timers = [];
    for (const timer of timers) timer();
  }

  /** What is still in flight goes out again, in order. */
  again() {
    for (const entry of this.replica.flight) if (entry.state === 'sent') this.post(entry);
  }

  /** All at rest: everything lands and comes back. */
  settle() {
    for (let i = 0; i < 200 && this.replica.pending > 0; i += 1) {
      this.again();
      while (this.outbox.length > 0) this.carry();
      while (this.answers.length > 0) this.hear();
      this.read(10_000);
      this.tick();
    }
    this.read(10_000);
  }
}
