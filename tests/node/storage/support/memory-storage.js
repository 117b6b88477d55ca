// A storage in memory that can be told to fail, to wait and to crash. What it was given and has not synced is lost in a
// crash, if so asked.

import { failedError, lockedError } from '../../../../js/storage/errors.js';
import { oldestKept } from '../../../../js/storage/options.js';

export class MemoryStorage {
  /** @type {Map<bigint, { snapshot: Uint8Array | null, parts: Uint8Array[] }>} */
  chapters = new Map();
  /** Every call, as `operation` or `operation revision`. @type {string[]} */
  calls = [];
  /** Operations that fail, with what. @type {Map<string, unknown>} */
  faults = new Map();
  /** While it is set, appends wait for it. @type {Promise<void> | null} */
  hold = null;
  /** @type {MemorySession | null} */
  session = null;
  constructor({ atomicAppends = true, keepChapters = 2 } = {}) {
    this.atomicAppends = atomicAppends;
    this.keepChapters = keepChapters;
  }

  /** @param {{ onFailure: (error: Error) => void }} options */
  async open({ onFailure }) {
    if (this.session !== null) throw lockedError();
    await this.meet('open');
    this.session = new MemorySession(this, onFailure);
    return this.session;
  }

  /** @param {string} operation @param {bigint} [revision] */
  async meet(operation, revision) {
    this.calls.push(revision === undefined ? operation : `${operation} ${revision}`);
    if (operation === 'append' && this.hold !== null) await this.hold;
    await null;
    if (this.faults.has(operation)) throw this.faults.get(operation);
  }

  /** Appends wait until the answer is called. */
  holdAppends() {
    /** @type {() => void} */
    let release = () => {};
    this.hold = new Promise((resolve) => {
      release = () => {
        this.hold = null;
        resolve();
      };
    });
    return release;
  }

  /** As if its process had ended. */
  crash() {
    this.session = null;
    this.hold = null;
    this.faults.clear();
  }
}

class MemorySession {
  /** @param {MemoryStorage} storage @param {(error: Error) => void} onFailure */
  constructor(storage, onFailure) {
    this.storage = storage;
    this.onFailure = onFailure;
    this.atomicAppends = storage.atomicAppends;
    this.look();
  }
  look() {
    const bases = [...this.storage.chapters.keys()].sort((a, b) => (a < b ? -1 : 1));
    this.chapters = bases.map((base) => ({
      base,
      snapshot: this.chapter(base).snapshot && `snapshot ${base}`,
      journal: `journal ${base}`,
    }));
  }
  /** @param {bigint} base */
  chapter(base) {
    const chapter = this.storage.chapters.get(base);
    if (chapter === undefined) throw failedError('read', new Error('no such chapter'));
    return chapter;
  }
  /** @param {bigint} base */
  async readSnapshot(base) {
    await this.storage.meet('readSnapshot', base);
    return new Uint8Array(/** @type {Uint8Array} */ (this.chapter(base).snapshot));
  }
  /** @param {bigint} base */
  async readJournal(base) {
    await this.storage.meet('readJournal', base);
    return Uint8Array.from(this.chapter(base).parts.flatMap((part) => [...part]));
  }
  /** @param {bigint} base @param {number} size */
  async truncateJournal(base, size) {
    await this.storage.meet('truncate', base);
    const whole = Uint8Array.from(this.chapter(base).parts.flatMap((part) => [...part]));
    this.chapter(base).parts = [whole.slice(0, size)];
  }
  /** @param {{ base: bigint, snapshot: Uint8Array | null, header: Uint8Array, damaged?: readonly bigint[] }} chapter */
  async beginChapter({ base, snapshot, header, damaged = [] }) {
    await this.storage.meet('begin', base);
    this.storage.chapters.set(base, { snapshot: snapshot?.slice() ?? null, parts: [header.slice()] });
    this.look();
    const bases = this.chapters.map((/** @type {{ base: bigint }} */ chapter) => chapter.base);
    const oldest = oldestKept(bases, damaged, this.storage.keepChapters);
    for (const old of bases) if (old < oldest) this.storage.chapters.delete(old);
    this.look();
  }
  /** @param {{ bytes: Uint8Array, revision: bigint }} group */
  async append({ bytes, revision }) {
    await this.storage.meet('append', revision);
    if (this.storage.session !== this) throw new Error('The process has ended');
    this.chapter(this.chapters.at(-1)?.base ?? -1n).parts.push(bytes.slice());
  }
  async sync() {
    await this.storage.meet('sync');
  }
  async close() {
    if (this.storage.session === this) this.storage.session = null;
    await this.storage.meet('close');
  }
}
