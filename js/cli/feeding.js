// A journal of any length through memory of a fixed size: its bytes come in pieces, and whoever takes them leaves what
// is not whole yet.

import { concatenated } from '../boundary/bytes.js';
import { LeasegateError } from '../errors.js';
import { MAX_HEADER_BYTES } from '../generated/journal.js';
import { moved, UseError } from './problems.js';

/**
 * What was done with some bytes of records: how many of them, why not more, and whether that is enough.
 * @typedef {{ taken: number, error: LeasegateError | null, done: boolean }} Taken
 *
 * @typedef {object} Fed
 * @property {any} header
 * @property {number} size bytes that were read
 * @property {number} offset up to where everything is whole
 * @property {LeasegateError | null} error why not further
 * @property {boolean} done whether that was enough before the end
 */

/** A snapshot where a journal was expected. */
export class SnapshotGiven extends UseError {
  constructor() {
    super('this is a snapshot, and no journal: give it as --snapshot FILE');
  }
}

/**
 * Whether these are the first bytes of a snapshot: the core refuses all others for how they begin.
 * @param {any} lg @param {Uint8Array} bytes
 */
function isSnapshot(lg, bytes) {
  try {
    lg.WorkerPool.fromSnapshot(bytes).dispose();
    return true;
  } catch (/** @type {any} */ error) {
    return error.code !== 'journal_bad_magic';
  }
}

/** Without a copy where one of them is all there is. @param {Uint8Array[]} parts @returns {Uint8Array} */
function joined(parts) {
  const full = parts.filter(({ length }) => length > 0);
  return full.length === 1 ? full[0] : concatenated(full);
}

/**
 * @param {any} lg @param {import('./sources.js').Chapter} chapter
 * @param {(header: any, bytes: Uint8Array) => Promise<void>} begin is given the header, and its bytes
 * @param {(records: Uint8Array) => Taken} take
 * @returns {Promise<Fed>}
 */
export async function feed(lg, chapter, begin, take) {
  const feeding = new Feeding(lg, begin, take);
  for await (const piece of chapter.read()) if (await feeding.more(piece)) break;
  return feeding.end();
}

class Feeding {
  #lg;
  #begin;
  #take;
  /** What is left of the bytes that were looked at, and those that came since. */
  #rest = /** @type {Uint8Array} */ (new Uint8Array(0));
  /** @type {Uint8Array[]} */
  #came = [];
  #size = 0;
  /** Where the rest begins in the file. */
  #base = 0;
  /** Bytes of the rest that are known to be zeros and are not kept. */
  #dropped = 0;
  /** So many bytes have to be there before it makes sense to look again at a record that is not whole. */
  #worthwhile = 0;
  /** @type {any} */
  #header = null;
  #done = false;
  /** @type {LeasegateError | null} */
  #error = null;

  /** @param {any} lg @param {(header: any, bytes: Uint8Array) => Promise<void>} begin @param {(records: Uint8Array) => Taken} take */
  constructor(lg, begin, take) {
    this.#lg = lg;
    this.#begin = begin;
    this.#take = take;
  }

  /** True when no more is wanted. @param {Uint8Array} piece */
  async more(piece) {
    this.#came.push(piece);
    this.#size += piece.length;
    if (this.#size < (this.#header === null ? MAX_HEADER_BYTES : this.#worthwhile)) return false;
    this.#gather();
    if (this.#header === null) await this.#open();
    this.#feed();
    return this.#done || (this.#error !== null && this.#error.code !== 'journal_truncated');
  }

  /** @returns {Promise<Fed>} */
  async end() {
    this.#gather();
    if (this.#header === null) await this.#open();
    if (!this.#done && (this.#error === null || this.#error.code === 'journal_truncated')) this.#feed();
    const size = this.#base + this.#rest.length;
    const offset = this.#base - this.#dropped;
    return { header: this.#header, size, offset, error: this.#error, done: this.#done };
  }

  #gather() {
    this.#rest = joined([this.#rest, ...this.#came]);
    this.#came = [];
  }

  /** @param {number} count bytes from the front that are done with */
  #drop(count) {
    this.#base += count;
    this.#rest = this.#rest.subarray(count);
    this.#size = this.#rest.length;
  }

  async #open() {
    try {
      this.#header = this.#lg.readJournalHeader(this.#rest);
    } catch (/** @type {any} */ error) {
      if (error.code === 'journal_bad_magic' && isSnapshot(this.#lg, this.#rest)) throw new SnapshotGiven();
      throw error;
    }
    const { size } = this.#header;
    await this.#begin(this.#header, this.#rest.subarray(0, size));
    this.#drop(size);
  }

  #feed() {
    const { taken, error, done } = this.#take(this.#rest);
    this.#error = error === null ? null : moved(error, this.#base, this.#dropped);
    this.#done = done;
    this.#drop(taken);
    const cut = error?.code === 'journal_truncated';
    this.#worthwhile = cut && taken === 0 ? 2 * this.#rest.length : 0;
    if (done || !cut) return;
    // Longer than any record and still not whole: zeros, of a file that was made longer before it was written to.
    if (this.#rest.length < this.#lg.MAX_RECORD_BYTES + MAX_HEADER_BYTES) return;
    const spare = this.#rest.length - MAX_HEADER_BYTES;
    this.#worthwhile = 0;
    this.#dropped += spare;
    this.#drop(spare);
  }
}

/**
 * Reads records instead of applying them.
 * @param {any} lg @param {Uint8Array} bytes @param {(record: any) => boolean | void} visit true when that was enough
 * @returns {Taken}
 */
export function readEach(lg, bytes, visit) {
  let taken = 0;
  try {
    for (const record of lg.readRecords(bytes)) {
      if (visit(record) === true) return { taken, error: null, done: true };
      taken = record.offset + record.size;
    }
    return { taken, error: null, done: false };
  } catch (error) {
    if (!(error instanceof LeasegateError)) throw error;
    return { taken, error, done: false };
  }
}
