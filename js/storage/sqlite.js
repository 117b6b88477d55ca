// leasegate/storage/sqlite: a machine's journal and snapshots in a SQLite database, by package better-sqlite3.

import path from 'node:path';
import { called } from './errors.js';
import { keptChapters, readStorageOptions, requiredText } from './options.js';
import { SqliteSession } from './sqlite/session.js';

/** The class that was given, or the one of package better-sqlite3 if it is installed. @param {any} given */
async function findDatabase(given) {
  if (given !== undefined && given !== null) return given;
  const name = 'better-sqlite3'; // Not a literal: it is optional, and bundlers must not look for it.
  try {
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)).default;
  } catch (cause) {
    if (/** @type {any} */ (cause).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const message =
      'leasegate/storage/sqlite needs package better-sqlite3 beside leasegate: npm install better-sqlite3';
    throw Object.assign(new Error(message, { cause }), { code: 'ERR_MODULE_NOT_FOUND' });
  }
}

/**
 * @param {unknown} options
 * @returns {import('./types.js').Storage}
 */
export function sqliteStorage(options) {
  const given = readStorageOptions(options, ['file', 'synchronous', 'keepChapters', 'Database']);
  const { Database } = given;
  const synchronous = given.synchronous ?? 'full';
  if (synchronous !== 'full' && synchronous !== 'normal')
    throw new TypeError("options.synchronous must be 'full' or 'normal'");
  if (Database !== undefined && Database !== null && typeof Database !== 'function')
    throw new TypeError('options.Database must be the class of package better-sqlite3');
  const settings = {
    file: path.resolve(requiredText(given.file, 'options.file')),
    synchronous,
    keepChapters: keptChapters(given.keepChapters),
  };
  return Object.freeze({
    async open() {
      return new SqliteSession(settings, await called('open', () => findDatabase(Database)));
    },
  });
}
