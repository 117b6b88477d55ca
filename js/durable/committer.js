// Group commit. What is accepted while a write is under way goes, all of it, into the next one; whoever waits is told
// when what he was told rests on something durable. One loop makes all calls of the storage, one at a time, and the
// first that fails is the last: nothing is tried again, since after a failed sync nobody knows what is on the disk.

import { disposedError } from '../errors.js';
import { backlogError, called } from '../storage/errors.js';
import { chapterOf } from './chapter.js';

/**
 * @typedef {import('../storage/types.js').StorageSession} StorageSession
 * @typedef {{ revision: bigint, settle: () => void, fail: (reason: unknown) => void }} Waiter
 * @typedef {{ checkpoint: boolean, settle: () => void, fail: (reason: unknown) => void }} Barrier
 */

export class Committer {
  /** The machine whose records are kept until they are taken. @type {any} */
  #machine;
  /** @type {StorageSession} */
  #session;
  #bounds;
  #name;
  /** @type {Waiter[]} by revision: what is asked for later waits for the same or for more */
  #waiting = [];
  /** @type {Barrier[]} */
  #barriers = [];
  /** @type {Promise<void> | null} */
  #running = null;
  /** @type {Promise<void> | null} */
  #closing = null;
  #bytesSinceSnapshot = 0;
  #snapshotBytes;
  #damaged;

  /** The last revision that is as durable as the storage was asked for. @type {bigint} */
  durableRevision;
  /** Why no command is taken any more. @type {Error | null} */
  failure = null;

  /**
   * @param {string} name what errors call the handle
   * @param {any} machine all of whose records are durable
   * @param {StorageSession} session
   * @param {{ snapshotEveryBytes: number, maxPendingCommands: number, maxPendingBytes: number }} bounds
   * @param {{ snapshotBytes: number, damaged: readonly bigint[] }} found the size of the last chapter's snapshot, which
   *   holds no records yet, and the bases of the chapters that are damaged
   */
  constructor(name, machine, session, bounds, { snapshotBytes, damaged }) {
    this.#name = name;
    this.#machine = machine;
    this.#session = session;
    this.#bounds = bounds;
    this.#snapshotBytes = snapshotBytes;
    this.#damaged = damaged;
    this.durableRevision = machine.revision;
  }

  /** Throws when no command may be applied now. */
  admit() {
    if (this.#closing !== null) throw disposedError(this.#name);
    if (this.failure !== null) throw this.failure;
    const { maxPendingCommands } = this.#bounds;
    if (this.#waiting.length + this.#barriers.length >= maxPendingCommands)
      throw backlogError(maxPendingCommands, 'commands');
  }

  /**
   * Waits until all that has been accepted so far is durable; the signal ends only the waiting.
   * @param {AbortSignal | null} signal not aborted yet
   * @returns {Promise<void> | null} null when there is nothing to wait for
   */
  settled(signal) {
    const { revision } = this.#machine;
    if (revision <= this.durableRevision) return null;
    return this.#wait(signal, (waiter) => this.#waiting.push({ ...waiter, revision }));
  }

  /** @param {boolean} checkpoint whether a chapter is to begin @param {AbortSignal | null} signal @returns {Promise<void>} */
  barrier(checkpoint, signal) {
    this.admit();
    return this.#wait(signal, (waiter) => this.#barriers.push({ ...waiter, checkpoint }));
  }

  /**
   * @param {AbortSignal | null} signal
   * @param {(waiter: { settle: () => void, fail: (reason: unknown) => void }) => void} enter
   * @returns {Promise<void>}
   */
  #wait(signal, enter) {
    this.#running ??= this.#run();
    return new Promise((resolve, reject) => {
      if (signal === null) {
        enter({ settle: resolve, fail: reject });
        return;
      }
      const leave = () => reject(signal.reason);
      const stay = () => signal.removeEventListener('abort', leave);
      signal.addEventListener('abort', leave);
      enter({
        settle: () => resolve(stay()),
        fail: (reason) => {
          stay();
          reject(reason);
        },
      });
    });
  }

  async #run() {
    await null; // what is given in the same turn goes into the same write
    try {
      while (this.failure === null && this.#hasWork()) await this.#step();
    } catch (error) {
      this.fail(error);
    }
    this.#running = null;
  }

  #hasWork() {
    return this.#machine.revision > this.durableRevision || this.#barriers.length > 0;
  }

  /** One write: all that has been accepted, and the snapshot of exactly that if one is due. */
  async #step() {
    const machine = this.#machine;
    const barriers = this.#barriers;
    this.#barriers = [];
    try {
      const { revision } = machine;
      const bytes = machine.takeRecords();
      this.#bytesSinceSnapshot += bytes.length;
      const chapter = this.#nextChapter(barriers);
      if (bytes.length > 0) {
        await called('append', () => this.#session.append({ bytes, revision }));
        this.#settle(revision);
      }
      if (chapter !== null) await this.#begin(chapter);
      else if (barriers.length > 0) await called('sync', () => this.#session.sync());
      if (this.failure !== null) throw this.failure;
      for (const { settle } of barriers) settle();
    } catch (error) {
      const reason = this.fail(error);
      for (const { fail } of barriers) fail(reason);
    }
  }

  /**
   * A snapshot when the journal has grown by as much as it was asked for, and by as much as the last snapshot: so
   * snapshots are at most half of what is written, and replaying takes no longer than the state is large.
   * @param {Barrier[]} barriers
   */
  #nextChapter(barriers) {
    const due = this.#bytesSinceSnapshot >= Math.max(this.#bounds.snapshotEveryBytes, this.#snapshotBytes);
    if (!due && !barriers.some(({ checkpoint }) => checkpoint)) return null;
    if (this.#bytesSinceSnapshot === 0) return null; // the last one says it already
    try {
      return chapterOf(this.#machine, this.#damaged);
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'out_of_memory') throw error;
      // The journal goes on as it is: nothing is lost, and replaying takes longer.
      this.#snapshotBytes = 2 * this.#bytesSinceSnapshot;
      const others = barriers.filter(({ checkpoint }) => !checkpoint);
      for (const { checkpoint, fail } of barriers.splice(0, barriers.length, ...others))
        if (checkpoint) fail(error);
      return null;
    }
  }

  /** @param {import('../storage/types.js').NewChapter} chapter */
  async #begin(chapter) {
    await called('begin', () => this.#session.beginChapter(chapter));
    this.#bytesSinceSnapshot = 0;
    this.#snapshotBytes = chapter.snapshot?.length ?? 0;
  }

  /** @param {bigint} revision */
  #settle(revision) {
    if (this.failure !== null) return; // a failure in the background came first
    this.durableRevision = revision;
    const next = this.#waiting.findIndex((waiter) => waiter.revision > revision);
    for (const { settle } of this.#waiting.splice(0, next < 0 ? this.#waiting.length : next)) settle();
  }

  /**
   * The end of writing. Whoever waits learns why; so does every later command.
   * @param {unknown} reason
   */
  fail(reason) {
    this.failure ??= /** @type {Error} */ (reason);
    const left = [...this.#waiting, ...this.#barriers];
    this.#waiting = [];
    this.#barriers = [];
    for (const { fail } of left) fail(this.failure);
    return this.failure;
  }

  get closed() {
    return this.#closing !== null;
  }

  /** Writes what is left, makes it durable, lets go. Rejects when that failed; when writing had failed before, it has been told. */
  close() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close() {
    const told = this.failure;
    if (told === null) {
      await this.#wait(null, (waiter) => this.#barriers.push({ ...waiter, checkpoint: false })).catch(
        () => {},
      );
    }
    await this.#running;
    try {
      await called('close', () => this.#session.close());
    } catch (error) {
      this.fail(error);
    }
    this.#machine.dispose();
    if (this.failure !== told) throw this.failure;
  }
}
