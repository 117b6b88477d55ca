// A file storage that is open. Its files are what docs/journal-format.md describes, so that other tools can read them.

import path from 'node:path';
import { called, damagedError, failedError } from '../errors.js';
import { oldestKept } from '../options.js';
import { Disk } from './disk.js';
import { chaptersOf, nameOf, UNFINISHED } from './names.js';

/**
 * @typedef {object} Settings
 * @property {string} directory
 * @property {string} lockDirectory
 * @property {number} keepChapters
 * @property {{ policy: 'append' | 'interval' | 'never', everyMs: number }} fsync
 *
 * @typedef {object} Platform what tests replace
 * @property {import('./disk.js').FileSystem} fs
 * @property {(directory: string) => Promise<() => Promise<void>>} lock
 */

export class FileSession {
  atomicAppends = false;
  /** @type {import('../types.js').Chapter[]} */
  chapters = [];
  #disk;
  #settings;
  #onFailure;
  #unlock;
  /** The journal of the last chapter. @type {import('./disk.js').OpenFile | null} */
  #journal = null;
  /** Whether something was appended since the last sync. */
  #unsynced = false;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  /** The sync in the background. @type {Promise<void> | null} */
  #syncing = null;
  /** @type {unknown} */
  #failure = null;

  /** @param {Settings} settings @param {import('../types.js').StorageOpenOptions} options @param {Platform} platform */
  static async open(settings, { onFailure }, { fs, lock }) {
    const disk = new Disk(fs, settings.directory);
    const { directory, lockDirectory } = settings;
    const part = path.basename(directory);
    await called('open', () => disk.makeDirectory(), part);
    const locking = async () => {
      if (lockDirectory !== directory) await fs.mkdir(lockDirectory, { recursive: true });
      return lock(lockDirectory);
    };
    const unlock = await called('lock', locking, path.basename(lockDirectory));
    const session = new FileSession(settings, onFailure, disk, unlock);
    try {
      await called('open', () => session.#look(), part);
      return session;
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** @param {Settings} settings @param {(error: any) => void} onFailure @param {Disk} disk @param {() => Promise<void>} unlock */
  constructor(settings, onFailure, disk, unlock) {
    this.#settings = settings;
    this.#onFailure = onFailure;
    this.#disk = disk;
    this.#unlock = unlock;
  }

  async #look() {
    const names = await this.#disk.names();
    for (const name of names.filter((each) => each.endsWith(UNFINISHED))) await this.#disk.remove(name);
    this.chapters = chaptersOf(names);
  }

  /** @param {bigint} base */
  readSnapshot(base) {
    return this.#read(nameOf(base, 'snapshot'), 'snapshot');
  }

  /** @param {bigint} base */
  readJournal(base) {
    return this.#read(nameOf(base, 'journal'), 'journal');
  }

  /** @param {string} name @param {'snapshot' | 'journal'} kind */
  async #read(name, kind) {
    try {
      return await this.#disk.read(name);
    } catch (error) {
      // The disk says that it cannot read what it has written.
      if (/** @type {any} */ (error).code === 'EIO') throw damagedError(kind, name, null, error);
      throw failedError('read', error);
    }
  }

  /** @param {bigint} base @param {number} size */
  async truncateJournal(base, size) {
    await this.#disk.truncate(nameOf(base, 'journal'), size);
  }

  /** @param {import('../types.js').NewChapter} chapter */
  async beginChapter({ base, snapshot, header, damaged = [] }) {
    await this.sync();
    const journal = nameOf(base, 'journal');
    const snapshotName = snapshot === null ? null : nameOf(base, 'snapshot');
    // The journal comes last: a chapter is there when it has one.
    if (snapshot !== null && snapshotName !== null)
      await this.#disk.create(snapshotName, snapshotName + UNFINISHED, snapshot);
    await this.#disk.create(journal, journal + UNFINISHED, header);
    await this.#journal?.close();
    this.#journal = await this.#disk.openEnd(journal);
    const others = this.chapters.filter((chapter) => chapter.base !== base);
    this.chapters = [...others, { base, snapshot: snapshotName, journal }];
    await this.#forget(damaged);
  }

  /**
   * The oldest first, and of one the journal last: whatever a crash leaves, what is left can be replayed.
   * @param {readonly bigint[]} damaged
   */
  async #forget(damaged) {
    const bases = this.chapters.map(({ base }) => base);
    const excess = bases.indexOf(oldestKept(bases, damaged, this.#settings.keepChapters));
    for (const { snapshot, journal } of this.chapters.splice(0, excess)) {
      if (snapshot !== null) await this.#disk.remove(snapshot);
      if (journal !== null) await this.#disk.remove(journal);
    }
  }

  /** @param {import('../types.js').RecordGroup} group */
  async append({ bytes }) {
    if (this.#failure !== null) throw this.#failure;
    this.#journal ??= await this.#disk.openEnd(nameOf(this.chapters.at(-1)?.base ?? 0n, 'journal'));
    await this.#journal.append(bytes);
    this.#unsynced = true;
    const { policy, everyMs } = this.#settings.fsync;
    if (policy === 'append') await this.sync();
    else if (policy === 'interval' && this.#timer === null) {
      this.#timer = setTimeout(() => this.#syncInBackground(), everyMs);
      this.#timer.unref(); // a process that ends by itself leaves its writes to the system, which lives on
    }
  }

  async sync() {
    await this.#syncing;
    if (this.#failure !== null) throw this.#failure;
    if (!this.#unsynced) return;
    this.#unsynced = false;
    await called('sync', async () => this.#journal?.sync());
  }

  #syncInBackground() {
    this.#timer = null;
    this.#syncing = this.sync()
      .catch((error) => {
        this.#failure = error;
        this.#onFailure(error);
      })
      .finally(() => {
        this.#syncing = null;
      });
  }

  async close() {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#syncing;
    const journal = this.#journal;
    this.#journal = null;
    const unlock = this.#unlock;
    this.#unlock = async () => {};
    try {
      await journal?.close();
    } finally {
      await unlock();
    }
  }
}
