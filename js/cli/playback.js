// The state that journals lead to, whatever their number and their length.

import { LeasegateError } from '../errors.js';
import { feed, readEach } from './feeding.js';
import { inFile, moved, UseError } from './problems.js';
import { printable } from './texts.js';

/**
 * @typedef {import('./sources.js').Chapter} Chapter
 * @typedef {import('./feeding.js').Taken} Taken
 *
 * What is asked on the way.
 * @typedef {object} Steps
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

  /** @param {any} lg @param {(line: string) => void} warn */
  constructor(lg, warn) {
    this.#lg = lg;
    this.#warn = warn;
  }

  /** @param {Chapter[]} chapters @param {Uint8Array | null} snapshot @param {Steps} steps */
  async play(
    chapters,
    snapshot,
    { onStart, onChapter, take = (playback, records) => apply(playback.handle, records) },
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
        if (this.handle === null) {
          await this.#start(chapter, header, bytes, snapshot);
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

  /** @param {Chapter} chapter @param {any} header @param {Uint8Array} bytes @param {Uint8Array | null} given */
  async #start(chapter, header, bytes, given) {
    this.contract = header.contract;
    this.limits = header.limits;
    const snapshot =
      given ?? (header.base > 0n && chapter.snapshot !== null ? await chapter.snapshot() : null);
    if (snapshot === null && header.base > 0n)
      throw new UseError(
        `${printable(chapter.name)} begins after revision ${header.base}: give the snapshot of that revision, or of a later one, with --snapshot FILE`,
      );
    const Class = this.contract === 'coordination' ? this.#lg.WorkerPool : this.#lg.ResultAggregator;
    const made = Class.replay(bytes, { snapshot });
    this.#startWith(made.pool ?? made.aggregator);
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
    const Class = this.contract === 'coordination' ? this.#lg.WorkerPool : this.#lg.ResultAggregator;
    const { revision } = this.handle;
    if (header.base > revision)
      throw new LeasegateError(
        'journal_revision_gap',
        `The journal begins after revision ${header.base}, but the one before it ends with ${revision}.`,
        { expected: revision + 1n, actual: header.base + 1n },
      );
    // Refuses another contract and other limits by their names.
    const made = Class.replay(bytes, { snapshot: this.handle.exportSnapshot() });
    (made.pool ?? made.aggregator).dispose();
  }

  /** Passes over records that the state holds already. @param {Uint8Array} records @param {NonNullable<Steps['take']>} take @returns {Taken} */
  #takeNew(records, take) {
    const { revision } = this.handle;
    let known = 0;
    const { error, done } = readEach(this.#lg, records, (record) => {
      if (record.revision > revision) return true;
      known = record.offset + record.size;
    });
    if (known === 0) return take(this, records);
    if (!done) return { taken: known, error, done: false };
    const { taken, error: later, done: enough } = take(this, records.subarray(known));
    return { taken: known + taken, error: later && moved(later, known), done: enough };
  }
}

/** A machine from a snapshot, whoever's it is. @param {any} lg @param {Uint8Array} snapshot */
export function restored(lg, snapshot) {
  try {
    return { handle: lg.WorkerPool.fromSnapshot(snapshot), contract: /** @type {const} */ ('coordination') };
  } catch (error) {
    if (!(error instanceof LeasegateError) || error.code !== 'journal_wrong_contract') throw error;
    return { handle: lg.ResultAggregator.fromSnapshot(snapshot), contract: /** @type {const} */ ('results') };
  }
}
