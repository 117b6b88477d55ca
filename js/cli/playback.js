// The state that journals lead to, whatever their number and their length.

import { LeasegateError } from '../errors.js';
import { feed, readEach, SnapshotGiven } from './feeding.js';
import { inFile, moved, UseError } from './problems.js';
import { printable } from './texts.js';

/**
 * @typedef {import('./sources.js').Chapter} Chapter
 * @typedef {import('./feeding.js').Taken} Taken
 *
 * What is asked on the way.
 * @typedef {object} Steps
 * @property {(chapter: Chapter, header: any, bytes: Uint8Array) => Promise<Uint8Array | null>} [beginWith] the snapshot to begin with; else that which was given, or lies beside the first journal
 * @property {(playback: Playback) => void} [onStart] there is a machine
 * @property {(playback: Playback, chapter: Chapter, header: any) => Promise<void>} [onChapter] a later journal begins
 * @property {(playback: Playback, records: Uint8Array) => Taken} [take] whole records, and what was left of them
 */

/** @param {any} handle @param {Uint8Array} records @param {bigint | null} [until] @returns {Taken} */
export function apply(handle, records, until = null) {
  const { offset, revision, stopped } = handle.applyBatch(records, { untilRevision: until });
  const error = stopped === null ? null : stopped.error;
  return { taken: offset, error, done: error === null && until !== null && revision >= until };
}

export class Playback {
  #lg;
  #warn;
  /** A pool or an aggregator, once there is one. @type {any} */
  handle = null;
  /** @type {'coordination' | 'results' | null} */
  contract = null;
  /** @type {any} of the first journal */
  limits = null;
  first = 0n;
  /** Why it ended early, and in which file. @type {LeasegateError | null} */
  error = null;
  /** @type {string | null} */
  file = null;
  /** The journal it ended in: how far it is whole, how long it is. */
  offset = 0;
  size = 0;
  /** Records whose effect the state held already. That it is their effect was not looked at. */
  passedOver = 0;
  /** While there may be such records in a journal: the revision that its next record has to make. @type {bigint | null} */
  #passing = null;

  /** @param {any} lg @param {(line: string) => void} warn */
  constructor(lg, warn) {
    this.#lg = lg;
    this.#warn = warn;
  }

  /** @param {Chapter[]} chapters @param {Uint8Array | null} snapshot @param {Steps} steps */
  async play(
    chapters,
    snapshot,
    {
      beginWith = async (chapter, header) => snapshot ?? (await ownSnapshot(chapter, header)),
      onStart,
      onChapter,
      take = (playback, records) => apply(playback.handle, records),
    },
  ) {
    if (chapters.length === 0) {
      this.#startFrom(snapshot ?? new Uint8Array(0));
      onStart?.(this);
      return;
    }
    for (const chapter of chapters) {
      this.file = chapter.name;
      const later = this.handle !== null;
      const begin = async (/** @type {any} */ header, /** @type {Uint8Array} */ bytes) => {
        this.#passing = header.base + 1n;
        if (this.handle === null) {
          this.#start(chapter, header, bytes, await beginWith(chapter, header, bytes));
          onStart?.(this);
          return;
        }
        this.#goOn(header, bytes);
        await onChapter?.(this, chapter, header);
      };
      try {
        const fed = await feed(this.#lg, chapter, begin, (records) => this.#takeNew(records, take));
        Object.assign(this, { offset: fed.offset, size: fed.size, error: fed.error });
        if (fed.done || (fed.error !== null && !this.#mayGoOn(fed.error, chapter, chapters))) return;
      } catch (error) {
        // A later journal that does not go on where the one before it ends; without any state there is nothing to tell.
        if (error instanceof SnapshotGiven)
          throw new UseError(`${printable(chapter.name)}: ${error.message}`, error.exitCode);
        if (!(error instanceof LeasegateError)) throw error;
        if (!later) throw inFile(chapter.name, error);
        Object.assign(this, { offset: 0, size: 0, error });
        return;
      }
    }
  }

  /**
   * What a crash has left at the end of a journal is no loss where the next one begins right before it; if that begins
   * later, it says so itself.
   * @param {LeasegateError} error @param {Chapter} chapter @param {Chapter[]} chapters
   */
  #mayGoOn(error, chapter, chapters) {
    if (error.code !== 'journal_truncated' || chapter === chapters.at(-1)) return false;
    this.#warn(`${printable(chapter.name)}: ${error.message} Another journal follows it.`);
    return true;
  }

  /** Records that were applied. */
  get applied() {
    return this.handle.revision - this.first;
  }

  /** @param {Chapter} chapter @param {any} header @param {Uint8Array} bytes @param {Uint8Array | null} snapshot */
  #start(chapter, header, bytes, snapshot) {
    this.contract = header.contract;
    this.limits = header.limits;
    if (snapshot === null && header.base > 0n)
      throw new UseError(
        `${printable(chapter.name)} begins after revision ${header.base}: give the snapshot of that revision, or of a later one, with --snapshot FILE`,
      );
    this.#startWith(begun(this.#lg, header, bytes, snapshot));
  }

  /** @param {Uint8Array} snapshot */
  #startFrom(snapshot) {
    const { handle, contract } = restored(this.#lg, snapshot);
    this.contract = contract;
    this.#startWith(handle);
  }

  /** @param {any} handle */
  #startWith(handle) {
    this.handle = handle;
    this.first = handle.revision;
  }

  /** The next journal has to be of the same machine, and to leave nothing out. @param {any} header @param {Uint8Array} bytes */
  #goOn(header, bytes) {
    const { revision } = this.handle;
    if (header.base > revision)
      throw new LeasegateError(
        'journal_revision_gap',
        `The journal begins after revision ${header.base}, but the one before it ends with ${revision}.`,
        { expected: revision + 1n, actual: header.base + 1n },
      );
    // Refuses another contract and other limits by their names.
    begun(this.#lg, { contract: this.contract }, bytes, this.handle.exportSnapshot()).dispose();
  }

  /** Passes over records that the state holds already, if none of them is missing. @param {Uint8Array} records @param {NonNullable<Steps['take']>} take @returns {Taken} */
  #takeNew(records, take) {
    if (this.#passing === null) return take(this, records);
    const { revision } = this.handle;
    let expected = this.#passing;
    let known = 0;
    /** @type {LeasegateError | null} */
    let gap = null;
    const { error, done } = readEach(this.#lg, records, (record) => {
      if (expected > revision) return true;
      if (record.revision !== expected) {
        gap = gapError(expected, record.revision);
        return true;
      }
      expected += 1n;
      this.passedOver += 1;
      known = record.offset + record.size;
    });
    this.#passing = done ? null : expected;
    if (gap !== null) return { taken: known, error: gap, done: false };
    if (known === 0 && done) return take(this, records);
    if (!done) return { taken: known, error, done: false };
    const { taken, error: later, done: enough } = take(this, records.subarray(known));
    return { taken: known + taken, error: later && moved(later, known), done: enough };
  }
}

/** The snapshot that lies beside a journal and says what it begins with. @param {Chapter} chapter @param {any} header */
export const ownSnapshot = async ({ snapshot }, { base }) =>
  base > 0n && snapshot !== null ? await snapshot() : null;

/**
 * The machine that a journal begins with. Refuses a snapshot of another contract, and of other limits by their names.
 * @param {any} lg @param {{ contract: string | null }} header @param {Uint8Array} bytes the header's @param {Uint8Array | null} snapshot
 */
export function begun(lg, { contract }, bytes, snapshot) {
  const Class = contract === 'coordination' ? lg.WorkerPool : lg.ResultAggregator;
  const made = Class.replay(bytes, { snapshot });
  return made.pool ?? made.aggregator;
}

/** @param {bigint} expected @param {bigint} actual */
export const gapError = (expected, actual) =>
  new LeasegateError(
    'journal_revision_gap',
    `The next record has to make revision ${expected}, but makes ${actual}.`,
    { expected, actual },
  );

/** A machine from a snapshot, whoever's it is. @param {any} lg @param {Uint8Array} snapshot */
export function restored(lg, snapshot) {
  try {
    return { handle: lg.WorkerPool.fromSnapshot(snapshot), contract: /** @type {const} */ ('coordination') };
  } catch (error) {
    if (!(error instanceof LeasegateError) || error.code !== 'journal_wrong_contract') throw error;
    return { handle: lg.ResultAggregator.fromSnapshot(snapshot), contract: /** @type {const} */ ('results') };
  }
}
