// Files: what is in them, what a crash may leave of them, what damage is told and what is done about it.

import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLeasegate } from 'leasegate';
import { fileStorage } from 'leasegate/storage/file';
import { FileSession } from '../../../js/storage/file/session.js';
import { LIMITS, live, randomOf, Twin } from './support/life.js';
import { freshFolder } from './support/places.js';

const lg = await createLeasegate();
const SEED = 5;

/** @param {string} directory @param {object} [options] @param {object} [storage] */
const open = (directory, options, storage) =>
  lg.openDurablePool({ storage: fileStorage({ directory, ...storage }), limits: LIMITS, ...options });

/** A pool that has lived for so long, closed. @param {number} commands @param {object} [options] @param {object} [storage] */
async function lived(commands, options, storage) {
  const directory = path.join(freshFolder(), 'pool');
  const pool = await open(directory, options, storage);
  for (let turn = 0; turn < commands; turn += 1) await live(pool, SEED);
  await pool.close();
  return directory;
}

/** @param {string} directory */
const filesOf = (directory) =>
  new Map(
    readdirSync(directory).map((name) => [name, readFileSync(path.join(directory, name)).toString('base64')]),
  );

/** @param {string} directory @param {string} name @param {number} at */
function damage(directory, name, at) {
  const file = path.join(directory, name);
  const bytes = readFileSync(file);
  bytes[at < 0 ? bytes.length + at : at] ^= 0x10;
  writeFileSync(file, bytes);
}

describe('The files of a pool', () => {
  it('are journals and snapshots that the core reads without any storage', async () => {
    const directory = await lived(150, { snapshotEveryBytes: 2500 });
    const names = readdirSync(directory);
    assert.equal(names.length, 4);
    assert.deepEqual(
      names.map((name) => path.extname(name)),
      ['.journal', '.snapshot', '.journal', '.snapshot'],
    );
    const read = (/** @type {string} */ name) => readFileSync(path.join(directory, name));
    const twin = new Twin(lg, SEED);
    const [older, olderSnapshot, newer, newerSnapshot] = names.map(read);
    const first = lg.WorkerPool.replay(older, { snapshot: olderSnapshot });
    assert.equal(first.report.stopped, null);
    assert.equal(String(first.report.revision).padStart(20, '0'), names[2].slice(0, 20));
    assert.equal(first.pool.stateDigest(), lg.WorkerPool.fromSnapshot(newerSnapshot).stateDigest());
    const second = lg.WorkerPool.replay(newer, { snapshot: newerSnapshot });
    assert.equal(second.report.revision, 150n);
    assert.equal(second.pool.stateDigest(), twin.digestAt(150n));
  });

  it('are not made where there is something else: the error names it, and not its place', async () => {
    const directory = path.join(freshFolder(), 'taken');
    writeFileSync(directory, 'mine');
    await assert.rejects(open(directory), (/** @type {any} */ error) => {
      assert.deepEqual({ ...error }, { code: 'storage_failed', operation: 'open', systemCode: 'EEXIST' });
      assert.match(
        error.message,
        /could not be opened \(open, EEXIST: taken\)\. Nothing that it holds was changed/,
      );
      assert.ok(!error.message.includes(path.dirname(directory)));
      assert.equal(error.cause.code, 'EEXIST');
      return true;
    });
    const pool = path.join(freshFolder(), 'pool');
    await assert.rejects(open(pool, {}, { lockDirectory: directory }), {
      operation: 'lock',
      systemCode: 'EEXIST',
      message: /\(lock, EEXIST: taken\)/,
    });
  });

  it('of so many chapters are kept as was asked for', async () => {
    for (const keepChapters of [1, 3, 1000]) {
      const directory = await lived(200, { snapshotEveryBytes: 2000 }, { keepChapters });
      const journals = readdirSync(directory).filter((name) => name.endsWith('.journal'));
      if (keepChapters === 1000)
        assert.ok(journals.length > 3 && journals[0] === '00000000000000000000.journal');
      else assert.equal(journals.length, keepChapters);
    }
  });

  it('lie in a directory that is made with those above it, and beside what else is there', async () => {
    const directory = path.join(freshFolder(), 'a', 'b', 'c');
    await (await open(directory)).close();
    for (const name of ['notes.txt', '1.journal', '00000000000000000007.journal.bak'])
      writeFileSync(path.join(directory, name), 'mine');
    mkdirSync(path.join(directory, 'sub'));
    const pool = await open(directory);
    await live(pool, SEED);
    await pool.close();
    assert.deepEqual(readdirSync(directory), [
      '00000000000000000000.journal',
      '00000000000000000007.journal.bak',
      '1.journal',
      'notes.txt',
      'sub',
    ]);
  });

  it('that a crash left unfinished are taken away', async () => {
    const directory = await lived(3);
    writeFileSync(path.join(directory, '00000000000000000003.snapshot.unfinished'), 'half');
    const pool = await open(directory);
    assert.equal(pool.revision, 3n);
    await pool.close();
    assert.ok(!readdirSync(directory).some((name) => name.includes('unfinished')));
  });
});

describe('The end of a journal', () => {
  it('may be cut off at any byte of the last record: it is cut away and told, and all before it is there', async () => {
    const twin = new Twin(lg, SEED);
    const directory = await lived(9);
    const file = path.join(directory, '00000000000000000000.journal');
    const whole = readFileSync(file);
    const { size } = lg.readJournalHeader(whole);
    const last = [...lg.readRecords(whole, { offset: size })].at(-1);
    const digest = twin.digestAt(8n);
    for (let end = last.offset; end < whole.length; end += 1) {
      // As it is cut off, and with zeros behind, as when the size came to the disk before the bytes.
      for (const zeros of [0, 1, whole.length - end, 5000]) {
        rmSync(directory, { recursive: true });
        mkdirSync(directory);
        writeFileSync(file, Buffer.concat([whole.subarray(0, end), Buffer.alloc(zeros)]));
        if (zeros > 0 && readFileSync(file).subarray(0, whole.length).equals(whole)) continue; // it ended in zeros
        const what = `${end - last.offset} bytes and ${zeros} zeros`;
        // All is there but for the checksum's last bytes: so a damaged record looks that was acknowledged.
        if (zeros > 0 && zeros <= 4 && end + zeros === whole.length) {
          await assert.rejects(open(directory), { code: 'storage_damaged', offset: last.offset }, what);
          continue;
        }
        const pool = await open(directory);
        assert.deepEqual(
          { ...pool.recovery },
          {
            revision: 8n,
            snapshotRevision: null,
            applied: 8,
            cutBytes: end - last.offset + zeros,
            passedOver: [],
          },
          what,
        );
        assert.equal(pool.stateDigest(), digest, what);
        assert.equal(readFileSync(file).length, last.offset, what);
        await pool.close();
      }
    }
  });

  it('is not cut when what follows could have been acknowledged', async () => {
    const directory = await lived(30);
    const name = '00000000000000000000.journal';
    const whole = readFileSync(path.join(directory, name));
    const { size } = lg.readJournalHeader(whole);
    const records = [...lg.readRecords(whole, { offset: size })];
    for (const { index, offset } of [records[0], records[12], records[29]]) {
      damage(directory, name, offset + 13);
      const before = filesOf(directory);
      await assert.rejects(open(directory), (/** @type {any} */ error) => {
        assert.deepEqual(
          { ...error },
          { code: 'storage_damaged', reason: 'journal', part: name, offset },
          `record ${index}`,
        );
        assert.equal(error.cause.code, 'journal_checksum_mismatch');
        return true;
      });
      assert.deepEqual(filesOf(directory), before);
      damage(directory, name, offset + 13);
    }
    appendFileSync(path.join(directory, name), 'something else that is longer than a frame is');
    await assert.rejects(open(directory), { code: 'storage_damaged', offset: whole.length });
  });
});

describe('A hole in the last group', () => {
  it('is told as damage, and the journal opens when it is cut where the error says', async () => {
    const name = '00000000000000000000.journal';
    const directory = await lived(30);
    const file = path.join(directory, name);
    const bytes = readFileSync(file);
    const { size } = lg.readJournalHeader(bytes);
    const [, , { offset }, { offset: end }] = lg.readRecords(bytes, { offset: size });
    writeFileSync(file, bytes.fill(0, offset + 5, end));
    await assert.rejects(open(directory), { code: 'storage_damaged', reason: 'journal', part: name, offset });
    truncateSync(file, offset);
    const pool = await open(directory);
    assert.equal(pool.stateDigest(), new Twin(lg, SEED).digestAt(2n));
    await pool.close();
  });
});

describe('A bit that flips in the last record', () => {
  it('is told, though the record ends in a zero', async () => {
    const name = '00000000000000000000.journal';
    const directory = path.join(freshFolder(), 'pool');
    const file = path.join(directory, name);
    const pool = await open(directory);
    do await live(pool, SEED);
    while (readFileSync(file).at(-1) !== 0);
    const { revision } = pool;
    await pool.close();
    const whole = readFileSync(file);
    const { size } = lg.readJournalHeader(whole);
    const { offset } = [...lg.readRecords(whole, { offset: size })].at(-1);
    for (let at = offset; at < whole.length; at += 1) {
      damage(directory, name, at);
      const before = readFileSync(file);
      await assert.rejects(open(directory), { code: 'storage_damaged', reason: 'journal', offset });
      assert.ok(before.equals(readFileSync(file)));
      damage(directory, name, at);
    }
    const again = await open(directory);
    assert.equal(again.revision, revision);
    await again.close();
  });

  it('is told where it makes the checksum end in a zero', async () => {
    const name = '00000000000000000000.journal';
    const directory = path.join(freshFolder(), 'pool');
    const file = path.join(directory, name);
    const pool = await open(directory);
    const isPower = (/** @type {number} */ byte) => byte !== 0 && (byte & (byte - 1)) === 0;
    do await live(pool, SEED);
    while (!isPower(readFileSync(file).at(-1) ?? 0));
    await pool.close();
    const bytes = readFileSync(file);
    bytes[bytes.length - 1] = 0;
    writeFileSync(file, bytes);
    await assert.rejects(open(directory), { code: 'storage_damaged', reason: 'journal' });
  });
});

describe('Damage', () => {
  it('of the last snapshot costs time, not data, while an older chapter is there', async () => {
    const directory = await lived(150, { snapshotEveryBytes: 2500 });
    const [, , , newest] = readdirSync(directory);
    damage(directory, newest, 100);
    const pool = await open(directory);
    assert.deepEqual(pool.recovery.passedOver, [newest]);
    assert.equal(pool.recovery.revision, 150n);
    assert.equal(pool.stateDigest(), new Twin(lg, SEED).digestAt(150n));
    await pool.close();
    const again = await open(directory);
    assert.deepEqual(again.recovery.passedOver, []);
    await again.close();
  });

  it('of the only snapshot is an error that names it', async () => {
    const directory = await lived(150, { snapshotEveryBytes: 2500 }, { keepChapters: 1 });
    const [journal, snapshot] = readdirSync(directory);
    const error = { code: 'storage_damaged', reason: 'snapshot', part: snapshot, offset: null };
    damage(directory, snapshot, 100);
    const before = filesOf(directory);
    await assert.rejects(open(directory, {}, { keepChapters: 1 }), error);
    assert.deepEqual(filesOf(directory), before);
    rmSync(path.join(directory, snapshot));
    await assert.rejects(open(directory), { ...error, part: journal });
  });

  it('of an older journal does not matter until it is needed', async () => {
    const directory = await lived(150, { snapshotEveryBytes: 2500 });
    const [older, , , newest] = readdirSync(directory);
    damage(directory, older, 400);
    const pool = await open(directory);
    assert.equal(pool.revision, 150n);
    await pool.close();
    const other = await lived(150, { snapshotEveryBytes: 2500 });
    damage(other, older, 400);
    damage(other, newest, 100);
    await assert.rejects(
      open(other),
      (/** @type {any} */ error) =>
        error.code === 'storage_damaged' && error.part === older && error.offset > 35,
    );
  });

  it('of a journal’s header is an error, and a chapter that is missing in between is one', async () => {
    const directory = await lived(4);
    damage(directory, '00000000000000000000.journal', 20);
    await assert.rejects(open(directory), { code: 'storage_damaged', reason: 'journal', offset: 0 });
    truncateSync(path.join(directory, '00000000000000000000.journal'), 10);
    await assert.rejects(open(directory), { code: 'storage_damaged', reason: 'journal', offset: 0 });

    const other = await lived(200, { snapshotEveryBytes: 2000 }, { keepChapters: 4 });
    const names = readdirSync(other);
    damage(other, names.at(-1), 100); // the last snapshot, and the one before it
    damage(other, names.at(-3), 100);
    rmSync(path.join(other, names.at(-4))); // and its journal is gone
    await assert.rejects(open(other, {}, { keepChapters: 4 }), { code: 'storage_damaged' });
  });

  it('of any kind, anywhere, is told, or does not matter: what is opened is a state that was', async (t) => {
    const seed = Math.floor(Math.random() * 1e9);
    const random = randomOf(seed);
    const whole = await lived(150, { snapshotEveryBytes: 2500 });
    const names = readdirSync(whole);
    const lastJournal = names.filter((name) => name.endsWith('.journal')).at(-1);
    const digests = new Map();
    const twin = new Twin(lg, SEED);
    for (let revision = 0n; revision <= 150n; revision += 1n) digests.set(revision, twin.digestAt(revision));
    const directory = path.join(freshFolder(), 'pool');
    const found = { seed, told: 0, harmless: 0, shorter: 0 };
    for (let turn = 0; turn < 150; turn += 1) {
      rmSync(directory, { recursive: true, force: true });
      cpSync(whole, directory, { recursive: true });
      const name = names[random(names.length)];
      const file = path.join(directory, name);
      const bytes = readFileSync(file);
      const kind = ['flip', 'cut', 'zeros', 'gone', 'more'][random(5)];
      if (kind === 'flip') bytes[random(bytes.length)] ^= 1 << random(8);
      if (kind === 'zeros') bytes.fill(0, random(bytes.length));
      if (kind === 'gone') rmSync(file);
      else if (kind === 'cut') writeFileSync(file, bytes.subarray(0, random(bytes.length)));
      else
        writeFileSync(
          file,
          kind === 'more' ? Buffer.concat([bytes, bytes.subarray(random(bytes.length))]) : bytes,
        );
      const what = `seed ${seed}, turn ${turn}: ${kind} ${name}`;
      const pool = await open(directory).catch((error) => {
        assert.match(error.code, /^(storage_damaged|journal_unknown_version|journal_wrong_contract)$/, what);
        return null;
      });
      if (pool === null) {
        found.told += 1;
        continue;
      }
      assert.equal(pool.stateDigest(), digests.get(pool.revision), what);
      // Only the end of the last journal can be missed by nobody.
      if (pool.revision < 150n)
        assert.ok(name === lastJournal && ['cut', 'zeros', 'gone'].includes(kind), what);
      found[pool.revision < 150n ? 'shorter' : 'harmless'] += 1;
      await pool.close();
    }
    t.diagnostic(JSON.stringify(found));
    assert.ok(found.told > 1 && found.harmless > 10, JSON.stringify(found));
  });

  it('is not what a storage of something else is', async () => {
    const directory = path.join(freshFolder(), 'pool');
    await (await lg.openDurableAggregator({ storage: fileStorage({ directory }) })).close();
    await assert.rejects(open(directory), { code: 'journal_wrong_contract' });
    const file = path.join(directory, '00000000000000000000.journal');
    const bytes = readFileSync(file);
    bytes[4] = 2;
    writeFileSync(file, bytes);
    await assert.rejects(lg.openDurableAggregator({ storage: fileStorage({ directory }) }), {
      code: 'journal_unknown_version',
    });
  });
});

describe('Syncing', () => {
  /** A file system that counts what is synced, and fails when it is told to. @param {string} directory @param {any} fsync */
  function counted(directory, fsync) {
    const counts = {
      datasync: 0,
      sync: 0,
      fault: /** @type {Error | null} */ (null),
      hold: Promise.resolve(),
    };
    const open = async (/** @type {string} */ name, /** @type {string} */ flags) => {
      const handle = await fs.open(name, flags);
      for (const call of /** @type {const} */ (['datasync', 'sync'])) {
        const real = handle[call].bind(handle);
        handle[call] = async () => {
          counts[call] += 1;
          if (counts.fault !== null) throw counts.fault;
          await counts.hold;
          return real();
        };
      }
      return handle;
    };
    const settings = { directory, lockDirectory: directory, keepChapters: 2, fsync };
    const platform = { fs: /** @type {any} */ ({ ...fs, open }), lock: async () => async () => {} };
    return {
      counts,
      storage: { open: (/** @type {any} */ options) => FileSession.open(settings, options, platform) },
    };
  }
  const broken = Object.assign(new Error('broken'), { code: 'EIO' });
  const failed = { code: 'storage_failed', operation: 'sync', systemCode: 'EIO' };

  it('happens for every group, once for all in it', async () => {
    const { counts, storage } = counted(freshFolder(), { policy: 'append', everyMs: 0 });
    const pool = await lg.openDurablePool({ storage, limits: LIMITS });
    const before = counts.datasync;
    for (let turn = 0; turn < 5; turn += 1)
      await Promise.all(Array.from({ length: 7 }, () => live(pool, SEED)));
    assert.equal(counts.datasync - before, 5);
    await pool.flush(); // nothing is left to sync
    assert.equal(counts.datasync - before, 5);
    counts.fault = broken;
    await assert.rejects(live(pool, SEED), failed);
    const tried = counts.datasync;
    counts.fault = null;
    await assert.rejects(live(pool, SEED), failed);
    await pool.close();
    assert.equal(counts.datasync, tried, 'a sync that has failed is not tried again');
  });

  it('happens so much later, in the background, and ends the pool when it fails', async () => {
    const { counts, storage } = counted(freshFolder(), { policy: 'interval', everyMs: 20 });
    const pool = await lg.openDurablePool({ storage, limits: LIMITS });
    const before = counts.datasync;
    for (let turn = 0; turn < 5; turn += 1) await live(pool, SEED);
    const during = counts.datasync - before;
    while (counts.datasync === before + during) await sleep(5);
    assert.ok(during <= 3, `${during} syncs`);
    counts.fault = broken;
    await live(pool, SEED); // settles with the write
    while (pool.failure === null) await sleep(5);
    await assert.rejects(live(pool, SEED), failed);
    await pool.close();
  });

  it('that is under way in the background is waited for by the close', async () => {
    const { counts, storage } = counted(freshFolder(), { policy: 'interval', everyMs: 1 });
    const session = await storage.open({ onFailure: assert.fail });
    await session.beginChapter({ base: 0n, snapshot: null, header: Uint8Array.of(1), damaged: [] });
    const before = counts.datasync;
    let release = () => {};
    counts.hold = new Promise((resolve) => {
      release = resolve;
    });
    await session.append({ bytes: Uint8Array.of(2), revision: 1n });
    while (counts.datasync === before) await sleep(1);
    let closed = false;
    const closing = session.close().then(() => {
      closed = true;
    });
    await sleep(20);
    assert.equal(closed, false);
    release();
    await closing;
  });

  it('happens when it is asked for, and at the close, whatever the policy', async () => {
    const { counts, storage } = counted(freshFolder(), { policy: 'never', everyMs: 0 });
    const pool = await lg.openDurablePool({ storage, limits: LIMITS });
    const before = counts.datasync;
    await live(pool, SEED);
    assert.equal(counts.datasync - before, 0);
    await pool.flush();
    assert.equal(counts.datasync - before, 1);
    await live(pool, SEED);
    await pool.close();
    assert.equal(counts.datasync - before, 2);
  });
});

describe('A place that cannot be written to', () => {
  it('is an error that says what the system said', async () => {
    const folder = freshFolder();
    writeFileSync(path.join(folder, 'file'), '');
    await assert.rejects(open(path.join(folder, 'file', 'pool')), {
      code: 'storage_failed',
      operation: 'open',
      systemCode: 'ENOTDIR',
    });
    const readOnly = process.getuid?.() === 0 ? '/proc/self' : path.join(folder, 'read-only');
    if (readOnly.startsWith(folder)) {
      mkdirSync(readOnly);
      chmodSync(readOnly, 0o555);
    }
    await assert.rejects(open(readOnly), (/** @type {any} */ error) => {
      assert.equal(error.code, 'storage_failed');
      assert.ok(typeof error.systemCode === 'string');
      assert.ok(!error.message.includes(readOnly));
      return true;
    });
  });

  it('is not what wrong options are', async () => {
    for (const options of [
      undefined,
      null,
      {},
      { directory: '' },
      { directory: 'd', fsync: 'sometimes' },
      { directory: 'd', keep: 1 },
      { directory: 'd', fsync: { everySecs: 1 } },
      { directory: 'd', lockDirectory: 7 },
    ])
      assert.throws(() => fileStorage(/** @type {any} */ (options)), TypeError);
    assert.throws(() => fileStorage(/** @type {any} */ ({ directory: 'd', fsync: { everySecs: 1 } })), {
      message: 'options.fsync.everySecs is not an option',
    });
    for (const options of [
      { directory: 'd', fsync: { everyMs: 0 } },
      { directory: 'd', keepChapters: 0 },
    ])
      assert.throws(() => fileStorage(options), RangeError);
  });
});
