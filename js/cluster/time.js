// The second that a command carries, and how far the clocks are apart. The server's clock is the common measure: every
// message has the time at which it was stored.

import { skewError } from './errors.js';

/** Offsets of this host that are remembered: the smallest distance to the server is the truest. */
const SAMPLES = 16;
/** Hosts whose skew is remembered. */
const MAX_HOSTS = 256;

export class HostTime {
  /** @param {{ clock: () => number | bigint, maxSkewSecs: number | null }} options */
  constructor({ clock, maxSkewSecs }) {
    this.clock = clock;
    this.maxSkewSecs = maxSkewSecs;
    /** @type {number[]} */
    this.samples = [];
    /** This host's clock against the server's, in seconds, above 0 when it is ahead; null before it was measured. @type {number | null} */
    this.skewSecs = null;
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

  /** The second for a command: never below the logical time. @param {bigint} logicalTime */
  forCommand(logicalTime) {
    const skew = this.skewSecs;
    if (this.maxSkewSecs !== null && skew !== null && Math.abs(skew) > this.maxSkewSecs)
      throw skewError(BigInt(skew), this.maxSkewSecs);
    const now = this.now();
    if (now < logicalTime) return logicalTime;
    return now;
  }

  /** @param {number} serverSecs just now, or a little while ago */
  sample(serverSecs) {
    if (!Number.isFinite(serverSecs)) return;
    try {
      this.samples.push(Number(this.now()) - Math.floor(serverSecs));
    } catch {
      return; // the clock is the caller's; the next command says what is wrong with it
    }
    if (this.samples.length > SAMPLES) this.samples.shift();
    this.skewSecs = this.samples.reduce((best, each) => (Math.abs(each) < Math.abs(best) ? each : best));
  }

  /** @param {string} host @param {bigint} now as its record says @param {number} serverSecs */
  observe(host, now, serverSecs) {
    if (!this.others.has(host) && this.others.size >= MAX_HOSTS) this.others.clear();
    this.others.set(host, Number(now) - Math.floor(serverSecs));
  }
}
