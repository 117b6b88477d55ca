// What is SQLite's own: what it is told to do, databases of others, and commits that fail.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createLeasegate } from 'leasegate';
import { sqliteStorage } from 'leasegate/storage/sqlite';
import { LIMITS, live, Twin } from './support/life.js';
import { freshFolder, skipSqlite } from './support/places.js';

const lg = await createLeasegate();
const SEED = 8;
/** @type {any} */
const Database = skipSqlite ? class {} : (await import('better-sqlite3')).default;

const freshFile = () => path.join(freshFolder(), 'pool.sqlite');
/** @param {string} file @param {object} [storage] */
const open = (file, storage) =>
  lg.openDurablePool({
    storage: sqliteStorage({ file, ...storage }),
    limits: LIMITS,
    snapshotEveryBytes: 2500,
  });

describe('A database', { skip: skipSqlite }, () => {
  it('is in write-ahead mode, synced as it was asked for, and open to one', async () => {
    for (const [synchronous, value] of /** @type {const} */ ([
      [undefined, 2n],
      ['full', 2n],
      ['normal', 1n],
    ])) {
      /** @type {any} */
      let seen = null;
      class Seen extends Database {
        /** @param {string} file @param {object} options */
        constructor(file, options) {
          super(file, options);
          seen = this;
        }
      }
      const pool = await open(freshFile(), { synchronous, Database: Seen });
      for (let turn = 0; turn < 150; turn += 1) await live(pool, SEED); // chapters too
      const pragma = (/** @type {string} */ name) => seen.pragma(name, { simple: true });
      assert.deepEqual(
        [pragma('journal_mode'), pragma('synchronous'), pragma('locking_mode')],
        ['wal', value, 'exclusive'],
      );
      await pool.close();
    }
  });

  it('holds no more than the chapters that are kept', async () => {
    const file = freshFile();
    const pool = await open(file);
    for (let turn = 0; turn < 300; turn += 1) await live(pool, SEED);
    await pool.close();
    const database = new Database(file, { readonly: true });
    const pluck = (/** @type {string} */ sql) => database.prepare(sql).pluck().get();
    assert.equal(pluck('SELECT count(*) FROM chapter'), 2);
    assert.ok(pluck('SELECT min(revision) FROM records') > pluck('SELECT min(base) FROM chapter'));
    assert.equal(pluck('SELECT max(revision) FROM records'), 300);
    database.close();
  });

  it('of something else is left alone, and so is a file that is none', async () => {
    const file = freshFile();
    for (const theirs of [
      'CREATE TABLE mine (a)',
      'PRAGMA journal_mode = WAL',
      'DROP TABLE mine; PRAGMA application_id = 7',
      'PRAGMA application_id = 0; PRAGMA user_version = 3',
      'PRAGMA application_id = 0x4c474a31; PRAGMA user_version = 2',
    ]) {
      const other = new Database(file);
      other.exec(theirs);
      other.close();
      const before = readFileSync(file);
      await assert.rejects(open(file), (/** @type {any} */ error) => {
        assert.deepEqual({ ...error }, { code: 'storage_failed', operation: 'open', systemCode: null });
        assert.match(error.message, /pool\.sqlite is of something else, or of a newer leasegate/);
        return true;
      });
      assert.ok(before.equals(readFileSync(file)), theirs);
      assert.deepEqual(readdirSync(path.dirname(file)), ['pool.sqlite']);
    }
    writeFileSync(file, 'This is a text, and long enough for SQLite to look at it. '.repeat(100));
    await assert.rejects(open(file), {
      code: 'storage_damaged',
      reason: 'database',
      part: 'pool.sqlite',
      offset: null,
    });
  });

  it('that is damaged is an error, whatever the damage', async () => {
    const file = freshFile();
    const pool = await open(file);
    for (let turn = 0; turn < 60; turn += 1) await live(pool, SEED);
    await pool.close();
    const whole = readFileSync(file);
    const digest = new Twin(lg, SEED).digestAt(60n);
    let told = 0;
    for (let at = 100; at < whole.length; at += 997) {
      const bytes = Buffer.from(whole);
      bytes[at] ^= 0xff;
      writeFileSync(file, bytes);
      const opened = await open(file).catch((error) => {
        assert.match(error.code, /^storage_(damaged|failed)$/, error.stack);
        told += 1;
        return null;
      });
      if (opened === null) continue;
      assert.equal(opened.stateDigest(), digest, `byte ${at} does not matter`); // of no record, or an older one was taken
      await opened.close();
    }
    assert.ok(told > 0);
  });

  it('that takes no commit any more ends the pool, and keeps all that was acknowledged', async () => {
    for (const code of ['SQLITE_IOERR_FSYNC', 'SQLITE_FULL']) {
      let left = 25;
      class Failing extends Database {
        /** @param {string} sql */
        prepare(sql) {
          const statement = super.prepare(sql);
          if (!sql.startsWith('INSERT INTO records')) return statement;
          return {
            run: (/** @type {unknown[]} */ ...values) => {
              left -= 1;
              if (left <= 0) throw new Database.SqliteError('injected', code);
              return statement.run(...values);
            },
          };
        }
      }
      const file = freshFile();
      const pool = await open(file, { Database: Failing });
      for (let turn = 1; turn < 25; turn += 1) await live(pool, SEED);
      const failed = { code: 'storage_failed', operation: 'append', systemCode: code };
      const answers = await Promise.allSettled(Array.from({ length: 5 }, () => live(pool, SEED)));
      for (const answer of answers) assert.equal(answer.status === 'rejected' && answer.reason, pool.failure);
      await assert.rejects(live(pool, SEED), failed);
      assert.equal(pool.durableRevision, 24n);
      await pool.close();
      const again = await open(file);
      assert.equal(again.stateDigest(), new Twin(lg, SEED).digestAt(24n));
      await again.close();
    }
  });

  it('in a directory that is not there is an error', async () => {
    const file = path.join(freshFolder(), 'missing', 'pool.sqlite');
    await assert.rejects(open(file), (/** @type {any} */ error) => {
      assert.deepEqual({ ...error }, { code: 'storage_failed', operation: 'open', systemCode: null });
      assert.match(
        error.message,
        /could not be opened \(open: pool\.sqlite\)\. Nothing that it holds was changed/,
      );
      assert.doesNotMatch(error.message, /missing/);
      assert.ok(error.cause instanceof TypeError);
      return true;
    });
  });
});

describe('The options of sqliteStorage', () => {
  it('are checked before anything is opened', () => {
    for (const options of [
      undefined,
      {},
      { file: '' },
      { file: 'f', synchronous: 'off' },
      { file: 'f', Database: {} },
      { file: 'f', fsync: 'append' },
    ])
      assert.throws(() => sqliteStorage(/** @type {any} */ (options)), TypeError);
    assert.throws(() => sqliteStorage({ file: 'f', keepChapters: 1001 }), RangeError);
  });
});
