// leasegate/storage/indexeddb: a machine's journal and snapshots in a database of the browser's.

import { concatenated } from '../boundary/bytes.js';
import { called, failedError, lockedError } from './errors.js';
import { keptChapters, oldestKept, readStorageOptions, requiredText } from './options.js';

const VERSION = 1;
const DIGITS = 20; // of 2^64 - 1: a key that sorts, since no bigint is a key

/** @param {bigint} revision */
const keyOf = (revision) => revision.toString().padStart(DIGITS, '0');
const END = keyOf(2n ** 64n - 1n);

/**
 * @param {unknown} options
 * @returns {import('./types.js').Storage}
 */
export function indexedDbStorage(options) {
  const given = readStorageOptions(options, ['name', 'durability', 'keepChapters']);
  const durability = given.durability ?? 'strict';
  if (durability !== 'strict' && durability !== 'relaxed')
    throw new TypeError("options.durability must be 'strict' or 'relaxed'");
  const settings = {
    name: requiredText(given.name, 'options.name'),
    durability,
    keepChapters: keptChapters(given.keepChapters),
  };
  return Object.freeze({
    /** @param {import('./types.js').StorageOpenOptions} opening */
    async open({ onFailure }) {
      const session = new IndexedDbSession(settings, onFailure);
      await session.open();
      return session;
    },
  });
}

/** @typedef {{ name: string, durability: 'strict' | 'relaxed', keepChapters: number }} Settings */

class IndexedDbSession {
  atomicAppends = true;
  /** @type {import('./types.js').Chapter[]} */
  chapters = [];
  #settings;
  #onFailure;
  /** @type {IDBDatabase | null} */
  #database = null;
  #unlock = () => {};
  /** Resolves when the lock has been given back. @type {Promise<unknown>} */
  #unlocked = Promise.resolve();
  #closed = false;

  /** @param {Settings} settings @param {(error: any) => void} onFailure */
  constructor(settings, onFailure) {
    this.#settings = settings;
    this.#onFailure = onFailure;
  }

  async open() {
    await called('lock', () => this.#lock());
    try {
      this.#database = await called('open', () => this.#openDatabase(), this.#settings.name);
      this.#database.onclose = () =>
        this.#lost(failedError('close', new Error('The browser has closed the database')));
      await called('open', () => this.#look());
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Held until the session is closed, or its page is gone. @returns {Promise<void>} */
  #lock() {
    const { locks } = globalThis.navigator ?? {};
    if (!locks) throw new Error('There are no Web Locks here: they need a secure context');
    return new Promise((resolve, reject) => {
      const held = locks.request(
        `leasegate-storage ${this.#settings.name}`,
        { ifAvailable: true },
        (lock) => {
          if (lock === null) {
            reject(lockedError());
            return;
          }
          resolve();
          return new Promise((release) => {
            this.#unlock = () => release(undefined);
          });
        },
      );
      this.#unlocked = held.catch((cause) => {
        reject(cause);
        this.#lost(lockedError(cause)); // somebody has stolen it
      });
    });
  }

  /** @param {Error} error */
  #lost(error) {
    if (this.#closed) return;
    this.#database?.close();
    this.#onFailure(error);
  }

  /** @returns {Promise<IDBDatabase>} */
  #openDatabase() {
    const request = indexedDB.open(this.#settings.name, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('chapters');
      request.result.createObjectStore('records');
    };
    return answered(request);
  }

  /**
   * @template T
   * @param {'readonly' | 'readwrite'} mode
   * @param {(chapters: IDBObjectStore, records: IDBObjectStore) => T} work
   * @param {'strict' | 'relaxed'} [durability]
   * @returns {Promise<T>} what the work answered, once the transaction is complete
   */
  #transaction(mode, work, durability = this.#settings.durability) {
    const database = /** @type {IDBDatabase} */ (this.#database);
    const transaction = database.transaction(['chapters', 'records'], mode, { durability });
    return new Promise((resolve, reject) => {
      const failed = () => reject(transaction.error ?? new Error('The transaction was aborted'));
      const answer = work(transaction.objectStore('chapters'), transaction.objectStore('records'));
      transaction.oncomplete = () => resolve(answer);
      transaction.onabort = failed;
      transaction.onerror = failed;
    });
  }

  async #look() {
    const { result } = await this.#transaction('readonly', (chapters) => chapters.getAllKeys());
    this.chapters = result.map((key) => {
      const base = BigInt(String(key));
      return {
        base,
        snapshot: base === 0n ? null : `snapshot ${base}`,
        journal: `journal ${base}`,
      };
    });
  }

  /** @param {bigint} base @returns {Promise<Uint8Array>} */
  async readSnapshot(base) {
    const { result } = await this.#transaction('readonly', (chapters) => chapters.get(keyOf(base)));
    return result.snapshot;
  }

  /** @param {bigint} base @returns {Promise<Uint8Array>} */
  async readJournal(base) {
    const next = this.chapters.find((chapter) => chapter.base > base);
    const range = IDBKeyRange.bound(keyOf(base), next ? keyOf(next.base) : END, true);
    const { chapter, groups } = await this.#transaction('readonly', (chapters, records) => ({
      chapter: chapters.get(keyOf(base)),
      groups: records.getAll(range),
    }));
    return concatenated([chapter.result.header, ...groups.result]);
  }

  /** @param {import('./types.js').NewChapter} chapter */
  async beginChapter({ base, snapshot, header, damaged = [] }) {
    const bases = this.chapters.map((chapter) => chapter.base).filter((other) => other !== base);
    const oldest = keyOf(oldestKept([...bases, base], damaged, this.#settings.keepChapters));
    const begin = (/** @type {IDBObjectStore} */ chapters, /** @type {IDBObjectStore} */ records) => {
      chapters.put({ snapshot, header }, keyOf(base));
      chapters.delete(IDBKeyRange.upperBound(oldest, true));
      records.delete(IDBKeyRange.upperBound(oldest));
    };
    await this.#transaction('readwrite', begin, 'strict');
    await this.#look();
  }

  /** @param {import('./types.js').RecordGroup} group */
  async append({ bytes, revision }) {
    await this.#transaction('readwrite', (_, records) => records.add(bytes, keyOf(revision)));
  }

  /** A strict transaction takes the earlier ones along. */
  async sync() {
    if (this.#settings.durability === 'strict') return;
    await this.#transaction('readwrite', (chapters) => chapters.delete('nothing'), 'strict');
  }

  async close() {
    this.#closed = true;
    this.#database?.close();
    this.#unlock();
    await this.#unlocked;
  }
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
