// The states of a journal: a pool at any revision, from the nearest snapshot and the records behind it.

import { integerError, optionsOf, requiredBytes } from '../boundary/arguments.js';
import { disposedError } from '../errors.js';
import { MAX_JOURNAL_BYTES } from '../generated/journal.js';
import { applyRecords, beginReplay, exportSnapshot, headOf, portOfSnapshot } from '../journal/journaled.js';
import { readJournalHeader, readRecords } from '../journal/reading.js';
import { BatchReport, BatchStop, JournalRecord } from '../journal/records.js';

/** @typedef {import('../boundary/runtime.js').Runtime} Runtime */
/** @typedef {import('../boundary/port.js').Port} Port */

/**
 * A pool on its way through the records.
 * @typedef {{ port: Port, revision: bigint, offset: number }} Cursor
 */

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
const OPTIONS = ['snapshot', 'interval', 'maxSnapshots', 'maxSnapshotBytes'];
const MAX_INTERVAL = 0x1000_0000;
const MAX_SNAPSHOTS = 65_536;
/** The least that is shown to the core at once. */
const MIN_PIECE_BYTES = 4096;

/** @param {unknown} value @param {number} fallback @param {string} path @param {number} maximum */
function countOption(value, fallback, path, maximum) {
  if (value === undefined || value === null) return fallback;
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > maximum)
    throw integerError(value, path, maximum, 1);
  return Number(value);
}

export class Timeline {
  #runtime;
  /** The journal; what is behind `#size` is room for more. */
  #bytes;
  #size;
  /** @type {Uint8Array | null} that the journal begins with */
  #snapshot;
  /** Records up to this revision are in it. */
  #known = 0n;
  /** Where states are kept, in order, the first of them with what the journal begins with. @type {{ revision: bigint, offset: number, snapshot: Uint8Array | null }[]} */
  #marks = [];
  #maxSnapshots;
  #maxSnapshotBytes;
  #snapshotBytes = 0;
  /** At the last revision. @type {Cursor | null} */
  #tip = null;
  /** Where it was read last. @type {Cursor | null} */
  #reader = null;
  disposed = false;
  /** Commands from one kept state to the next. */
  interval;
  last = 0n;

  /** @param {Runtime} runtime @param {unknown} journal @param {unknown} options */
  constructor(runtime, journal, options) {
    const { snapshot, interval, maxSnapshots, maxSnapshotBytes } = optionsOf(options, 'options', OPTIONS);
    this.#runtime = runtime;
    this.interval = countOption(interval, 256, 'interval', MAX_INTERVAL);
    this.#maxSnapshots = countOption(maxSnapshots, 64, 'maxSnapshots', MAX_SNAPSHOTS);
    const atMost = MAX_JOURNAL_BYTES;
    this.#maxSnapshotBytes = countOption(maxSnapshotBytes, atMost / 4, 'maxSnapshotBytes', atMost);
    const absent = snapshot === undefined || snapshot === null;
    this.#snapshot = absent ? null : requiredBytes(snapshot, 'snapshot').slice();
    this.#bytes = requiredBytes(journal, 'journal').slice();
    this.#size = this.#bytes.length;
    if (this.#size > MAX_JOURNAL_BYTES) throw tooLong();
    const tip = this.#begun();
    this.last = tip.revision;
    this.#tip = tip;
    this.#marks.push({ revision: tip.revision, offset: tip.offset, snapshot: null });
    try {
      const { base } = readJournalHeader(runtime, this.#bytes);
      this.report = this.#advance(0, tip.revision - base);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  get first() {
    return this.#marks[0].revision;
  }

  get snapshots() {
    return this.#marks.length - 1;
  }

  /** The journal up to where it can be applied. */
  get bytes() {
    return this.#bytes.subarray(0, this.#size);
  }

  /** @param {unknown} records @returns {BatchReport} */
  append(records) {
    const more = requiredBytes(records, 'records');
    this.check();
    const size = this.#size;
    if (size + more.length > MAX_JOURNAL_BYTES) throw tooLong();
    this.#makeRoom(size + more.length);
    this.#bytes.set(more, size);
    this.#size = size + more.length;
    try {
      return this.#advance(size, 0n);
    } catch (error) {
      this.#size = size;
      throw error;
    }
  }

  /** A revision of this history. @param {unknown} value @param {string} path */
  revision(value, path) {
    this.check();
    const fits = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    if (!fits && typeof value !== 'number') throw new TypeError(`${path} must be a bigint or a safe integer`);
    const revision = fits ? BigInt(value) : -1n;
    if (revision < this.first || revision > this.last)
      throw new RangeError(`${path} must be a revision of this history, from ${this.first} to ${this.last}`);
    return revision;
  }

  check() {
    if (this.disposed) throw disposedError('History');
  }

  /**
   * A pool at that revision, only to be read and only until the next call.
   * @param {bigint} revision
   */
  readAt(revision) {
    if (revision === this.last) {
      this.#tip ??= this.#restored(revision);
      return this.#tip.port;
    }
    const reader = this.#reader;
    this.#reader = null; // until it is where it should be
    const near = this.#markBefore(revision);
    if (reader !== null && reader.revision <= revision && reader.revision >= near.revision) {
      this.move(reader, revision);
      this.#reader = reader;
    } else {
      if (reader !== null) reader.port.dispose();
      this.#reader = this.#restored(revision);
    }
    return this.#reader.port;
  }

  /** A pool of its own at that revision. @param {bigint} revision */
  portAt(revision) {
    return this.#restored(revision).port;
  }

  /** At the first revision, for somebody to move it through the records; the caller's to dispose of. */
  cursor() {
    return this.#restored(this.first);
  }

  /** Forward. @param {Cursor} cursor @param {bigint} revision @param {number} [end] where its record ends, if that is known */
  move(cursor, revision, end = this.#offsetBehind(revision)) {
    if (cursor.revision === revision) return;
    const report = applyRecords(cursor.port, this.#bytes.subarray(0, end), {
      from: cursor.offset,
      until: revision,
      known: this.#known,
    });
    if (report.stopped !== null) throw report.stopped.error; // they have been applied before
    cursor.revision = report.revision;
    cursor.offset = report.offset;
  }

  /** The records that made the revisions from `from` on. @param {bigint} from */
  *recordsFrom(from) {
    const { offset } = this.#markBefore(from > this.first ? from - 1n : from);
    for (const { offset: at, size, revision, command } of readRecords(this.#runtime, this.bytes, { offset }))
      if (revision >= from && revision > this.first)
        yield new JournalRecord(Number(revision - this.first) - 1, at, size, revision, command);
  }

  dispose() {
    this.disposed = true;
    this.#tip?.port.dispose();
    this.#reader?.port.dispose();
    this.#tip = null;
    this.#reader = null;
    this.#bytes = new Uint8Array(0);
    this.#size = 0;
    for (const mark of this.#marks) mark.snapshot = null;
  }

  /** What the journal begins with. @returns {Cursor} */
  #begun() {
    const { port, from, known } = beginReplay(
      this.#runtime,
      'WorkerPool',
      headOf(this.#bytes),
      this.#snapshot,
      MAX_U64,
    );
    this.#known = known;
    return { port, revision: known, offset: from };
  }

  /** @param {bigint} revision */
  #restored(revision) {
    const { revision: at, offset, snapshot } = this.#markBefore(revision);
    const cursor =
      snapshot === null
        ? this.#begun()
        : { port: portOfSnapshot(this.#runtime, 'WorkerPool', snapshot), revision: at, offset };
    try {
      this.move(cursor, revision);
    } catch (error) {
      cursor.port.dispose();
      throw error;
    }
    return cursor;
  }

  /** The nearest kept state that is not later. @param {bigint} revision */
  #markBefore(revision) {
    const index = Number((revision - this.first) / BigInt(this.interval));
    return this.#marks[Math.min(index, this.#marks.length - 1)];
  }

  /** Where bytes end that surely hold everything up to a revision. @param {bigint} revision */
  #offsetBehind(revision) {
    const index = Number((revision - this.first + BigInt(this.interval) - 1n) / BigInt(this.interval));
    return index < this.#marks.length ? this.#marks[index].offset : this.#size;
  }

  /**
   * Applies what is new, keeping states on the way. What does not apply is no part of the history.
   * @param {number} origin where the bytes begin that the report speaks of
   * @param {bigint} passed how many records of them are known already
   */
  #advance(origin, passed) {
    const tip = this.#tip ?? this.#restored(this.last);
    this.#tip = null; // should this throw in the middle, it is made anew
    const bytes = this.#bytes.subarray(origin, this.#size);
    let pieceBytes = MIN_PIECE_BYTES;
    try {
      for (;;) {
        const next = this.#nextMark(tip.revision);
        const from = tip.offset - origin;
        const report = applyRecords(tip.port, bytes, { from, until: next, known: this.#known, pieceBytes });
        tip.revision = report.revision;
        tip.offset = origin + report.offset;
        pieceBytes = Math.max(MIN_PIECE_BYTES, report.offset - from);
        if (report.stopped !== null || report.revision < next) return this.#arrived(tip, report, passed);
        this.#mark(tip);
      }
    } catch (error) {
      tip.port.dispose();
      this.#keepMarks(({ revision }) => revision <= this.last);
      throw error;
    }
  }

  /** @param {Cursor} tip @param {BatchReport} report of the last records @param {bigint} passed */
  #arrived(tip, { offset, stopped }, passed) {
    const applied = tip.revision - this.last;
    this.#tip = tip;
    this.#size = tip.offset;
    this.last = tip.revision;
    const stop = stopped && new BatchStop(Number(passed + applied), stopped.offset, stopped.error);
    return new BatchReport(Number(applied), tip.revision, offset, stop);
  }

  /** @param {bigint} revision */
  #nextMark(revision) {
    const interval = BigInt(this.interval);
    return this.first + ((revision - this.first) / interval + 1n) * interval;
  }

  /** @param {Cursor} cursor */
  #mark({ port, revision, offset }) {
    const snapshot = exportSnapshot(port);
    this.#marks.push({ revision, offset, snapshot });
    this.#snapshotBytes += snapshot.length;
    while (
      this.snapshots > this.#maxSnapshots ||
      (this.#snapshotBytes > this.#maxSnapshotBytes && this.snapshots > 0)
    )
      this.#thinOut();
  }

  /** Every second state is given up, so that a longer history needs no more memory but more commands. */
  #thinOut() {
    this.interval *= 2;
    this.#keepMarks(({ revision }) => (revision - this.first) % BigInt(this.interval) === 0n);
  }

  /** @param {(mark: { revision: bigint }) => boolean} keep */
  #keepMarks(keep) {
    this.#marks = this.#marks.filter(keep);
    this.#snapshotBytes = this.#marks.reduce((sum, { snapshot }) => sum + (snapshot?.length ?? 0), 0);
  }

  /** @param {number} size */
  #makeRoom(size) {
    if (size <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.min(MAX_JOURNAL_BYTES, Math.max(size, this.#bytes.length * 2)));
    bytes.set(this.bytes);
    this.#bytes = bytes;
  }
}

function tooLong() {
  return new RangeError(`A history holds at most ${MAX_JOURNAL_BYTES} bytes of a journal`);
}
