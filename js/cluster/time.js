// The second that a command carries, and how far the clocks are apart. The server's clock is the common measure: every
// message has the time at which it was stored. Between messages the steady clock of this machine carries it on, so that
// a clock that is set is noticed with the next command, before that one's second gets into the log for ever.

import { skewError } from './errors.js';

/** Looks at the server's clock that are remembered. What comes late says too early a time, so the latest is the truest. */
const SAMPLES = 16;
/** How often a clock that seems wrong makes a host look at the server's again. */
const DOUBT_MS = 1_000;
/** Hosts whose skew is remembered. */
const MAX_HOSTS = 256;

const steadySecs = () => performance.now() / 1000;

export class HostTime {
  /** @param {{ clock: () => number | bigint, maxSkewSecs: number | null }} options */
  constructor({ clock, maxSkewSecs }) {
    this.clock = clock;
    this.maxSkewSecs = maxSkewSecs;
    /** The server's seconds at the beginning of this machine's steady clock, as often as they were seen. @type {number[]} */
    this.samples = [];
    this.base = 0;
    /** Looks at the server's clock anew: the steady clock does not count while a machine sleeps. */
    this.doubt = () => {};
    this.doubtedAt = Number.NEGATIVE_INFINITY;
    /** Records' seconds against the server's, by host. @type {Map<string, number>} */
    this.others = new Map();
  }

  /** This host's second. */
  now() {
    const given = this.clock();
    const now = typeof given === 'number' ? Math.floor(given) : given;
    const fits =
      typeof now === 'bigint' ? BigInt.asUintN(64, now) === now : Number.isSafeInteger(now) && now >= 0;
    if (!fits) throw new TypeError('clock must answer seconds from 0 on, as a number or a bigint');
    return BigInt(now);
  }

  /** This host's clock against the server's, in seconds, above 0 when it is ahead; null when it cannot be told. */
  get skewSecs() {
    try {
      return this.#skewOf(this.now());
    } catch {
      return null; // the clock is the caller's; the next command says what is wrong with it
    }
  }

  /** @param {bigint} now */
  #skewOf(now) {
    if (this.samples.length === 0) return null;
    return Number(now) - Math.floor(this.base + steadySecs());
  }

  /** The second for a command: never below the logical time. @param {bigint} logicalTime */
  forCommand(logicalTime) {
    const now = this.now();
    const skew = this.maxSkewSecs === null ? null : this.#skewOf(now);
    if (skew !== null && Math.abs(skew) > Number(this.maxSkewSecs)) {
      this.#lookAgain();
      throw skewError(BigInt(skew), Number(this.maxSkewSecs));
    }
    if (now < logicalTime) return logicalTime;
    return now;
  }

  #lookAgain() {
    const at = performance.now();
    if (at - this.doubtedAt < DOUBT_MS) return;
    this.doubtedAt = at;
    this.doubt();
  }

  /** @param {number} serverSecs just now, or a little while ago */
  sample(serverSecs) {
    if (!Number.isFinite(serverSecs)) return;
    this.samples.push(serverSecs - steadySecs());
    if (this.samples.length > SAMPLES) this.samples.shift();
    this.base = Math.max(...this.samples);
  }

  /** @param {string} host @param {bigint} now as its record says @param {number} serverSecs */
  observe(host, now, serverSecs) {
    if (!this.others.has(host) && this.others.size >= MAX_HOSTS) this.others.clear();
    this.others.set(host, Number(now) - Math.floor(serverSecs));
  }
}
