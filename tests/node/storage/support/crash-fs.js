// A file system in memory whose power can fail. What was not synced is then there, or not, or in part: of a file that
// grew any beginning, alone or with zeros behind it, where the size came first; of a directory each name as it was or as
// it is. Holes are not among it: bytes of a later page that are there while those of an earlier one are not. A sync that
// fails leaves what a system does that takes such pages for written: bytes that can be read until the power fails, and
// that no later sync writes.

import path from 'node:path';

const NOTHING = new Uint8Array(0);
/** Of the checksum that a record ends with. */
const CHECKSUM_BYTES = 4;

/** @param {string} code */
const errorOf = (code) => Object.assign(new Error(`${code}: injected`), { code });

class File {
  /** As it can be read. */
  bytes = NOTHING;
  /** As the disk has it. */
  disk = NOTHING;
  /** Of `bytes`, what no sync will write any more. */
  lostFrom = Number.POSITIVE_INFINITY;

  sync() {
    this.disk = this.bytes.slice();
    this.disk.fill(0, Math.min(this.lostFrom, this.disk.length));
  }
  failSync() {
    if (this.bytes.length > this.disk.length) this.lostFrom = Math.min(this.lostFrom, this.disk.length);
  }
  /** @param {(below: number) => number} random */
  crash(random) {
    const { bytes, disk } = this;
    if (bytes.length > disk.length && this.lostFrom > disk.length) {
      const written = disk.length + random(bytes.length - disk.length + 1);
      const zeros = random(2) === 0 ? 0 : random(bytes.length - written + 1);
      // As few as these at the end of a record are taken for damage, and the storage is not opened.
      this.disk = bytes.slice(0, written + (zeros > CHECKSUM_BYTES ? zeros : 0)).fill(0, written);
    }
    this.bytes = this.disk.slice();
    this.lostFrom = Number.POSITIVE_INFINITY;
  }
}

class Directory {
  /** @type {Map<string, File>} */
  names = new Map();
  /** @type {Map<string, File>} */
  disk = new Map();
  sync() {
    this.disk = new Map(this.names);
  }
  /** @param {(below: number) => number} random */
  crash(random) {
    for (const name of new Set([...this.names.keys(), ...this.disk.keys()])) {
      const kept = random(2) === 0 ? this.names.get(name) : this.disk.get(name);
      if (kept === undefined) this.disk.delete(name);
      else this.disk.set(name, kept);
    }
    this.names = new Map(this.disk);
    for (const file of new Set(this.names.values())) file.crash(random);
  }
}

export class CrashFs {
  directory = new Directory();
  /** Operations until the power fails. */
  left = Number.POSITIVE_INFINITY;
  /** What the next sync, or the next write, fails with. @type {Record<'sync' | 'write', string | null>} */
  fault = { sync: null, write: null };
  syncs = 0;
  /** @type {() => void} */
  #told = () => {};
  /** Resolves when the power has failed. @type {Promise<void>} */
  dark = Promise.resolve();
  #locked = false;

  /** @param {(below: number) => number} random */
  constructor(random) {
    this.random = random;
    this.#light();
  }

  #light() {
    this.left = Number.POSITIVE_INFINITY;
    this.fault = { sync: null, write: null };
    this.#locked = false;
    this.dark = new Promise((resolve) => {
      this.#told = resolve;
    });
  }

  /** The power comes back. */
  restart() {
    this.directory.crash(this.random);
    this.#light();
  }

  /** An operation that the power lasts for; what comes later never ends. @template T @param {() => T} work @returns {Promise<T>} */
  async #do(work) {
    const { dark } = this;
    await null;
    this.left -= 1;
    if (this.left === 0) this.#told();
    if (this.left <= 0 || dark !== this.dark) return new Promise(() => {});
    return work();
  }

  lock = async () => {
    if (this.#locked) throw errorOf('EBUSY');
    this.#locked = true;
    const { dark } = this;
    return async () => {
      if (dark === this.dark) this.#locked = false;
    };
  };

  // --- What the file storage uses of node:fs/promises

  mkdir = async () => undefined;
  readdir = () => this.#do(() => [...this.directory.names.keys()]);
  /** @param {string} name */
  readFile = (name) => this.#do(() => this.#find(name).bytes.slice());
  /** @param {string} from @param {string} to */
  rename = (from, to) =>
    this.#do(() => {
      this.directory.names.set(path.basename(to), this.#find(from));
      this.directory.names.delete(path.basename(from));
    });
  /** @param {string} name */
  rm = (name) => this.#do(() => void this.directory.names.delete(path.basename(name)));

  /** @param {string} name */
  #find(name) {
    const file = this.directory.names.get(path.basename(name));
    if (file === undefined) throw errorOf('ENOENT');
    return file;
  }

  /** @param {string} name @param {'r' | 'r+' | 'w'} flags */
  open = (name, flags) =>
    this.#do(() => {
      if (flags === 'r') return this.#handle(this.directory);
      if (flags === 'r+') return this.#handle(this.#find(name));
      const file = new File();
      this.directory.names.set(path.basename(name), file);
      return this.#handle(file);
    });

  /** @param {any} file */
  #handle(file) {
    const sync = () =>
      this.#do(() => {
        this.syncs += 1;
        const code = this.fault.sync;
        this.fault.sync = null;
        if (code === null) return file.sync();
        file.failSync?.();
        throw errorOf(code);
      });
    return {
      sync,
      datasync: sync,
      close: async () => {},
      stat: async () => ({ size: file.bytes.length }),
      truncate: (/** @type {number} */ size) =>
        this.#do(() => {
          file.bytes = file.bytes.slice(0, size);
        }),
      write: (
        /** @type {Uint8Array} */ from,
        /** @type {number} */ at,
        /** @type {number} */ size,
        /** @type {number} */ to,
      ) =>
        this.#do(() => {
          const code = this.fault.write;
          const taken = code === null ? Math.min(size, 1 + this.random(2 * size)) : 0; // a write may take a part
          this.fault.write = null;
          if (code !== null) throw errorOf(code);
          const grown = new Uint8Array(Math.max(file.bytes.length, to + taken));
          grown.set(file.bytes);
          grown.set(from.subarray(at, at + taken), to);
          file.bytes = grown;
          return { bytesWritten: taken };
        }),
    };
  }
}
