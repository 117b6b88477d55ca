// leasegate/storage/file: a machine's journal and snapshots as files of a directory.

import * as fs from 'node:fs/promises';
import path from 'node:path';
import { lockDirectory } from './file/lock.js';
import { FileSession } from './file/session.js';
import { boundedInteger, keptChapters, readStorageOptions, requiredText } from './options.js';

const MAX_MS = 2 ** 31 - 1;

/** @param {any} fsync @returns {{ policy: 'append' | 'interval' | 'never', everyMs: number }} */
function fsyncPolicy(fsync) {
  if (fsync === undefined || fsync === null || fsync === 'append') return { policy: 'append', everyMs: 0 };
  if (fsync === 'never') return { policy: 'never', everyMs: 0 };
  if (typeof fsync !== 'object')
    throw new TypeError("options.fsync must be 'append', 'never' or { everyMs }");
  const { everyMs } = readStorageOptions(fsync, ['everyMs'], 'options.fsync');
  return { policy: 'interval', everyMs: boundedInteger(everyMs, 'options.fsync.everyMs', 1000, 1, MAX_MS) };
}

/**
 * @param {unknown} options
 * @returns {import('./types.js').Storage}
 */
export function fileStorage(options) {
  const given = readStorageOptions(options, ['directory', 'fsync', 'keepChapters', 'lockDirectory']);
  const directory = path.resolve(requiredText(given.directory, 'options.directory'));
  const lock = given.lockDirectory ?? null;
  const settings = {
    directory,
    lockDirectory: lock === null ? directory : path.resolve(requiredText(lock, 'options.lockDirectory')),
    keepChapters: keptChapters(given.keepChapters),
    fsync: fsyncPolicy(given.fsync),
  };
  return Object.freeze({
    /** @param {import('./types.js').StorageOpenOptions} opening */
    open: (opening) => FileSession.open(settings, opening, { fs, lock: lockDirectory }),
  });
}
