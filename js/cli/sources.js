// Where journals come from: files, standard input, and directories as leasegate/storage/file keeps them.

import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { UseError } from './problems.js';
import { printable } from './texts.js';

/**
 * One journal, and the snapshot that lies beside it.
 * @typedef {object} Chapter
 * @property {string} name
 * @property {number | null} size in bytes, where that is known
 * @property {() => AsyncIterable<Uint8Array>} read
 * @property {(() => Promise<Uint8Array>) | null} snapshot
 * @property {() => void} [keepNothing] what was read need not be there for another reading
 */

const PIECE_BYTES = 1024 * 1024;
/** The revision after which it begins, in digits that sort. */
const IN_DIRECTORY = /^(\d{20})\.(journal|snapshot)$/;

/** @param {string} name @param {any} error */
function unreadable(name, error) {
  const why = /** @type {Record<string, string>} */ ({
    ENOENT: 'there is no such file',
    EACCES: 'it may not be read',
  })[error?.code];
  return new UseError(`${printable(name)}: ${why ?? printable(error?.message ?? String(error))}`);
}

/** @param {string} name @returns {Promise<Uint8Array>} */
export async function readWhole(name) {
  try {
    if (name !== '-') return await readFile(name);
    const parts = [];
    for await (const part of process.stdin) parts.push(part);
    return Buffer.concat(parts);
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** @param {string} name @returns {AsyncIterable<Uint8Array>} */
async function* streamed(name) {
  try {
    yield* name === '-' ? process.stdin : createReadStream(name, { highWaterMark: PIECE_BYTES });
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** @param {string} name @param {number | null} size @param {string | null} snapshot @returns {Chapter} */
const chapterOf = (name, size, snapshot) => ({
  name,
  size,
  read: () => streamed(name),
  snapshot: snapshot === null ? null : () => readWhole(snapshot),
});

/**
 * A chapter that comes only once: what was read of it is kept until it is clear what it is.
 * @param {Chapter} chapter
 */
export function rewound(chapter) {
  const pieces = chapter.read()[Symbol.asyncIterator]();
  /** @type {Uint8Array[] | null} */
  let kept = [];
  /** Who stops reading it leaves the rest. @returns {AsyncGenerator<Uint8Array>} */
  async function* read() {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return;
      kept?.push(value);
      yield value;
    }
  }
  return {
    ...chapter,
    read,
    keepNothing() {
      kept = null;
    },
    /** From the beginning, as long as it was kept. @returns {Promise<Uint8Array>} */
    async whole() {
      for await (const _ of read());
      return Buffer.concat(kept ?? []);
    },
    close: () => pieces.return?.(),
  };
}

/** @param {string} directory @returns {Promise<Chapter[]>} */
async function chaptersIn(directory) {
  /** @type {Map<string, { journal?: string, snapshot?: string }>} */
  const found = new Map();
  for (const name of (await readdir(directory)).sort()) {
    const [, base, kind] = IN_DIRECTORY.exec(name) ?? [];
    if (base !== undefined) found.set(base, { ...found.get(base), [kind]: path.join(directory, name) });
  }
  const chapters = [];
  for (const { journal, snapshot = null } of found.values())
    if (journal !== undefined) chapters.push(chapterOf(journal, (await stat(journal)).size, snapshot));
  if (chapters.length === 0) throw new UseError(`${printable(directory)}: there is no journal in it`);
  return chapters;
}

/** The journals that these names are of, in order. @param {string[]} names @returns {Promise<Chapter[]>} */
export async function chaptersOf(names) {
  const chapters = [];
  for (const name of names) {
    if (name === '-') {
      chapters.push(chapterOf(name, null, null));
      continue;
    }
    const found = await stat(name).catch((error) => {
      throw unreadable(name, error);
    });
    chapters.push(...(found.isDirectory() ? await chaptersIn(name) : [chapterOf(name, found.size, null)]));
  }
  return chapters;
}
