// A directory whose changes last: every file that is made is synced before it has its name, and so is the directory after.

import path from 'node:path';

/** @typedef {typeof import('node:fs/promises')} FileSystem what of it is used here can be stood in for by tests */
/** @typedef {import('node:fs/promises').FileHandle} FileHandle */

export class Disk {
  #fs;
  /** @param {FileSystem} fs @param {string} directory */
  constructor(fs, directory) {
    this.#fs = fs;
    this.directory = directory;
  }

  /** @param {string} name */
  #at(name) {
    return path.join(this.directory, name);
  }

  /** Makes the directory, and those above that are missing. */
  async makeDirectory() {
    const first = await this.#fs.mkdir(this.directory, { recursive: true });
    if (first === undefined) return;
    // The entry of each new directory is in the one above it.
    for (let made = this.directory; ; made = path.dirname(made)) {
      await this.#syncDirectory(path.dirname(made));
      if (path.relative(made, first) === '') return;
    }
  }

  names() {
    return this.#fs.readdir(this.directory);
  }

  /** @param {string} name @returns {Promise<Uint8Array>} */
  async read(name) {
    const { buffer, byteOffset, length } = await this.#fs.readFile(this.#at(name));
    return new Uint8Array(buffer, byteOffset, length);
  }

  /** @param {string} name */
  remove(name) {
    return this.#fs.rm(this.#at(name), { force: true });
  }

  /** A file that is there with all of its bytes, or not at all. @param {string} name @param {string} unfinished @param {Uint8Array} bytes */
  async create(name, unfinished, bytes) {
    const handle = await this.#fs.open(this.#at(unfinished), 'w');
    try {
      await writeAll(handle, bytes, 0);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await this.#fs.rename(this.#at(unfinished), this.#at(name));
    await this.sync();
  }

  /** @param {string} name @param {number} size */
  async truncate(name, size) {
    const handle = await this.#fs.open(this.#at(name), 'r+');
    try {
      await handle.truncate(size);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** For appending. @param {string} name */
  async openEnd(name) {
    const handle = await this.#fs.open(this.#at(name), 'r+');
    try {
      return new OpenFile(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  sync() {
    return this.#syncDirectory(this.directory);
  }

  /** @param {string} directory */
  async #syncDirectory(directory) {
    if (process.platform === 'win32') return; // no directory can be synced there; the file system's own journal does it
    const handle = await this.#fs.open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** A file that grows at its end. */
export class OpenFile {
  #handle;
  #size;
  /** @param {FileHandle} handle @param {number} size */
  constructor(handle, size) {
    this.#handle = handle;
    this.#size = size;
  }

  /** @param {Uint8Array} bytes */
  async append(bytes) {
    await writeAll(this.#handle, bytes, this.#size);
    this.#size += bytes.length;
  }

  /** Its bytes and its size; times may be lost. */
  sync() {
    return this.#handle.datasync();
  }

  close() {
    return this.#handle.close();
  }
}

/** A write may take a part only, as it does before a disk is full. @param {FileHandle} handle @param {Uint8Array} bytes @param {number} from */
async function writeAll(handle, bytes, from) {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, from + written);
    if (bytesWritten === 0) throw new Error('The file takes no more bytes');
    written += bytesWritten;
  }
}
