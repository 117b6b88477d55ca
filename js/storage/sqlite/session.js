// A SQLite database that is open, in write-ahead mode and for this process alone: the lock is the system's and ends with
// its process. better-sqlite3 works in the calling thread, so each call is done when it returns.

import path from 'node:path';
import { damagedError, failedError, foreignError, lockedError } from '../errors.js';
import { oldestKept } from '../options.js';

/** Of the file: 'LGJ1', and the version of the tables. */
const APPLICATION_ID = 0x4c474a31;
const VERSION = 1;

const TABLES = `
  CREATE TABLE chapter (base INTEGER PRIMARY KEY, snapshot BLOB, header BLOB NOT NULL) STRICT;
  CREATE TABLE records (revision INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};`;

/** @typedef {{ file: string, synchronous: 'full' | 'normal', keepChapters: number }} Settings */

export class SqliteSession {
  atomicAppends = true;
  /** @type {import('../types.js').Chapter[]} */
  chapters = [];
  #settings;
  #database;
  /** @type {any} */
  #insert = null;

  /** @param {Settings} settings @param {any} Database the class of package better-sqlite3 */
  constructor(settings, Database) {
    this.#settings = settings;
    this.#database = this.#do('open', () => new Database(settings.file, { timeout: 0 }));
    try {
      this.#do('open', () => this.#prepare());
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /**
   * @template T @param {string} operation @param {() => T} work
   * @returns {T}
   */
  #do(operation, work) {
    try {
      return work();
    } catch (cause) {
      const code = String(/** @type {any} */ (cause).code);
      if (/^SQLITE_(BUSY|LOCKED)/.test(code)) throw lockedError(cause);
      const part = path.basename(this.#settings.file);
      if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw damagedError('database', part, null, cause);
      throw failedError(operation, cause, operation === 'open' ? part : undefined);
    }
  }

  #prepare() {
    const database = this.#database;
    database.defaultSafeIntegers(true);
    database.pragma('locking_mode = EXCLUSIVE'); // before the first access: the lock is then kept until the end
    const empty = this.#checkOwner(); // before the mode, which is kept in the file
    database.pragma('journal_mode = WAL');
    database.pragma(`synchronous = ${this.#settings.synchronous}`);
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    if (empty) database.transaction(() => database.exec(TABLES))();
    // What the log holds may lie in the system's cache only, and may have failed to get to the disk once. It goes into
    // the database, synced, and the log begins anew.
    database.pragma('wal_checkpoint(TRUNCATE)');
    this.#insert = database.prepare('INSERT INTO records (revision, bytes) VALUES (?, ?)');
    this.#look();
  }

  /** Reads only: a database of something else stays as it is. @returns {boolean} whether it is a new one */
  #checkOwner() {
    const read = (/** @type {string} */ sql) => this.#database.prepare(sql).pluck().get();
    const version = read('PRAGMA user_version');
    const application = read('PRAGMA application_id');
    if (application === BigInt(APPLICATION_ID) && version === BigInt(VERSION)) return false;
    const blank = application === 0n && version === 0n;
    if (blank && read('SELECT count(*) FROM sqlite_schema') === 0n) return true;
    throw foreignError(path.basename(this.#settings.file));
  }

  #look() {
    const rows = this.#database
      .prepare('SELECT base, snapshot IS NOT NULL AS snapshot FROM chapter ORDER BY base')
      .all();
    this.chapters = rows.map((/** @type {{ base: bigint, snapshot: bigint }} */ { base, snapshot }) => ({
      base,
      snapshot: snapshot === 1n ? `snapshot ${base}` : null,
      journal: `journal ${base}`,
    }));
  }

  /** @param {bigint} base @returns {Promise<Uint8Array>} */
  async readSnapshot(base) {
    const read = () =>
      this.#database.prepare('SELECT snapshot FROM chapter WHERE base = ?').pluck().get(base);
    return plain(this.#do('read', read));
  }

  /** @param {bigint} base @returns {Promise<Uint8Array>} */
  async readJournal(base) {
    return this.#do('read', () => {
      const database = this.#database;
      const header = database.prepare('SELECT header FROM chapter WHERE base = ?').pluck().get(base);
      const end = database.prepare('SELECT min(base) FROM chapter WHERE base > ?').pluck().get(base);
      const [where, bounds] = end === null ? ['', [base]] : [' AND revision <= ?', [base, end]];
      const rows = database
        .prepare(`SELECT bytes FROM records WHERE revision > ?${where} ORDER BY revision`)
        .pluck()
        .all(...bounds);
      return plain(Buffer.concat([header, ...rows]));
    });
  }

  /** @param {import('../types.js').NewChapter} chapter */
  async beginChapter({ base, snapshot, header, damaged = [] }) {
    this.#do('begin', () => {
      const database = this.#database;
      const relaxed = this.#settings.synchronous !== 'full';
      if (relaxed) database.pragma('synchronous = FULL');
      database.transaction(() => {
        database
          .prepare('INSERT OR REPLACE INTO chapter (base, snapshot, header) VALUES (?, ?, ?)')
          .run(base, snapshot, header);
        const bases = database.prepare('SELECT base FROM chapter ORDER BY base').pluck().all();
        const oldest = oldestKept(bases, damaged, this.#settings.keepChapters);
        database.prepare('DELETE FROM chapter WHERE base < ?').run(oldest);
        database.prepare('DELETE FROM records WHERE revision <= ?').run(oldest);
      })();
      if (relaxed) database.pragma(`synchronous = ${this.#settings.synchronous}`);
      this.#look();
    });
  }

  /** @param {import('../types.js').RecordGroup} group */
  async append({ bytes, revision }) {
    this.#do('append', () => this.#insert.run(revision, bytes));
  }

  /** The log into the database, which SQLite does with both synced. */
  async sync() {
    if (this.#settings.synchronous === 'full') return; // every commit was
    this.#do('sync', () => {
      const [{ busy }] = this.#database.pragma('wal_checkpoint(FULL)');
      if (busy !== 0n) throw new Error('The log could not be written to the database');
    });
  }

  async close() {
    this.#do('close', () => this.#database.close());
  }
}

/** A view without the methods of Buffer. @param {Uint8Array} bytes */
function plain(bytes) {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
