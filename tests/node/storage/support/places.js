// Storages for tests, each in a place of its own that is gone afterwards.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

export { storageIn } from './storage-in.js';

/** Whether package better-sqlite3 is there; false with a word about it that nobody can miss. */
const sqliteIsHere = await import('better-sqlite3')
  .then(({ default: Database }) => new Database(':memory:').close() !== undefined)
  .catch((error) => {
    console.error(`skipped: better-sqlite3 is not installed (${error.message.split('\n')[0]})`);
    return false;
  });
export const skipSqlite = sqliteIsHere ? false : 'skipped: better-sqlite3 is not installed';

/** A folder that is removed when the file's tests are done. */
export function freshFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-storage-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
