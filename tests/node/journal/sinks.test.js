// The journal of a handle: what a sink is given and what becomes of a sink that fails; records that wait to be taken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createLeasegate, LeasegateError } from 'leasegate';
import { joined, poolStory, receiptOf, resultStory } from './support/story.js';

const lg = await createLeasegate();
const spec = (/** @type {string} */ taskId) => ({ taskId, scanId: 's', targetRef: 'secret-target' });
/** @param {any} pool @param {string} taskId */
const enqueue = (pool, taskId) =>
  pool.taskQueue.enqueue({ expectedRevision: pool.revision, now: 0, spec: spec(taskId) });

test('every accepted command leaves one record, in order, before it answers', () => {
  const { pool, entries, given } = poolStory(lg);
  assert.equal(entries.length, given.length);
  assert.deepEqual(
    entries.map(({ revision }) => revision),
    entries.map((_, i) => BigInt(i + 1)),
  );
  assert.equal(pool.revision, BigInt(entries.length));
  for (const { bytes, revision } of entries) {
    const records = [...lg.readRecords(bytes)];
    assert.equal(records.length, 1);
    assert.equal(records[0].revision, revision);
  }
});

test('the results leave their records in the same way', () => {
  const { entries, given } = resultStory(lg);
  assert.deepEqual(
    entries.map(({ revision }) => revision),
    given.map((_, i) => BigInt(i + 1)),
  );
});

test('refusals and replays leave no record, thrown or tried', () => {
  /** @type {any[]} */
  const entries = [];
  const pool = new lg.WorkerPool({ journal: (entry) => entries.push(entry) });
  pool.registerWorker({ expectedRevision: 0, now: 0, spec: { workerId: 'w', capacity: 1 } });
  enqueue(pool, 'a');
  const lease = pool.assignNext({ expectedRevision: 2, now: 0, workerId: 'w', leaseTtlSecs: 5 }).value;
  pool.startTask({ expectedRevision: 3, now: 0, lease });
  pool.completeTask({ expectedRevision: 4, now: 0, lease });
  assert.equal(entries.length, 5);
  assert.equal(
    pool.completeTask({ expectedRevision: 5, now: 0, lease }).value.kind,
    'already_completed',
    'a replay',
  );
  assert.throws(() => enqueue(pool, 'a'), { code: 'task_already_exists' });
  assert.throws(() => pool.pruneDeadWorkers({ expectedRevision: 1, now: 0 }), { code: 'revision_conflict' });
  assert.equal(pool.try.pruneDeadWorkers({ expectedRevision: 1, now: 0 }).ok, false);
  assert.throws(() => pool.pruneDeadWorkers(/** @type {any} */ ({ expectedRevision: 5 })), TypeError);
  assert.equal(entries.length, 5);
  pool.try.pruneDeadWorkers({ expectedRevision: 5, now: 0 });
  assert.equal(entries.length, 6, 'a tried command that is accepted leaves its record');
});

test('an entry is frozen, its bytes are the receiver’s own and are not shown', () => {
  /** @type {any[]} */
  const entries = [];
  const pool = new lg.WorkerPool({ journal: (entry) => entries.push(entry) });
  enqueue(pool, 'a');
  enqueue(pool, 'b');
  assert.ok(Object.isFrozen(entries[0]));
  assert.notEqual(entries[0].bytes.buffer, entries[1].bytes.buffer);
  entries[0].bytes.fill(0);
  assert.equal([...lg.readRecords(entries[1].bytes)].length, 1);
  const shown = inspect(entries[1], { depth: 5 });
  assert.match(shown, /JournalEntry/);
  assert.doesNotMatch(shown, /secret|115, 101/);
});

test('a handle without a journal keeps nothing', () => {
  for (const journal of [undefined, null]) {
    const pool = new lg.WorkerPool({ journal });
    enqueue(pool, 'a');
    assert.deepEqual(pool.takeRecords(), new Uint8Array(0));
  }
});

test('a sink sees the state after the command, and may read and command the handle', () => {
  /** @type {any[]} */
  const seen = [];
  const pool = new lg.WorkerPool({
    journal({ bytes, revision }) {
      const [record] = lg.readRecords(bytes);
      seen.push([revision, pool.revision, record.command.kind, pool.taskQueue.tasks().length]);
      pool.getWorkers();
      pool.stateDigest();
      pool.exportSnapshot();
      if (revision === 1n) enqueue(pool, 'from-within');
    },
  });
  const { value, revision } = enqueue(pool, 'first');
  assert.deepEqual([value.taskId, value.recordVersion, revision], ['first', 1n, 1n], 'its own answer');
  assert.deepEqual(seen, [
    [1n, 1n, 'enqueue', 1],
    [2n, 2n, 'enqueue', 2],
  ]);
});

test('a sink that throws: the command is applied and says so, and nothing follows until its record is taken', () => {
  const cause = new Error('disk full');
  /** @type {any[]} */
  const entries = [];
  let works = true;
  const pool = new lg.WorkerPool({
    journal(entry) {
      if (!works) throw cause;
      entries.push(entry);
    },
  });
  enqueue(pool, 'a');
  works = false;
  assert.throws(
    () => enqueue(pool, 'b'),
    (error) => {
      assert.ok(error instanceof LeasegateError);
      assert.equal(error.code, 'journal_sink_failed');
      assert.deepEqual([error.revision, error.cause], [2n, cause]);
      assert.deepEqual({ ...error }, { code: 'journal_sink_failed', revision: 2n });
      return true;
    },
  );
  assert.equal(pool.taskQueue.getTask('b')?.status, 'queued', 'it was applied');
  works = true;
  const before = pool.stateDigest();
  for (let i = 0; i < 2; i += 1) {
    assert.throws(() => enqueue(pool, 'c'), { code: 'journal_blocked', revision: 2n });
  }
  const tried = pool.try.pruneDeadWorkers({ expectedRevision: 2, now: 0 });
  assert.deepEqual(tried.ok === false && { ...tried.error }, { code: 'journal_blocked', revision: 2n });
  const batch = pool.applyBatch(entries[0].bytes);
  assert.equal(batch.applied, 0);
  assert.equal(pool.stateDigest(), before, 'and changed nothing');

  const kept = pool.takeRecords();
  assert.deepEqual(
    [...lg.readRecords(kept)].map(({ revision }) => revision),
    [2n],
  );
  assert.deepEqual(pool.takeRecords(), new Uint8Array(0), 'once');
  enqueue(pool, 'c');
  const records = joined([entries[0].bytes, kept, entries[1].bytes]);
  const { pool: replayed, report } = lg.WorkerPool.replay(
    joined([new lg.WorkerPool().journalHeader(), records]),
  );
  assert.equal(report.stopped, null);
  assert.equal(replayed.stateDigest(), pool.stateDigest());
});

test('a tried command whose sink throws throws too: its answer would say that nothing has changed', () => {
  const pool = new lg.WorkerPool({
    journal() {
      throw new Error('no');
    },
  });
  assert.throws(() => pool.taskQueue.try.enqueue({ expectedRevision: 0, now: 0, spec: spec('a') }), {
    code: 'journal_sink_failed',
    revision: 1n,
  });
});

test('a sink that answers a promise has failed, whatever becomes of it: its record is kept', async () => {
  /** @type {unknown[]} */
  const unhandled = [];
  const listen = (/** @type {unknown} */ reason) => unhandled.push(reason);
  process.on('unhandledRejection', listen);
  // biome-ignore lint/suspicious/noThenProperty: that is what it is about
  const thenable = { then: (/** @type {() => void} */ done) => done() };
  const broken = {
    // biome-ignore lint/suspicious/noThenProperty: that is what it is about
    then() {
      throw new Error('no');
    },
  };
  for (const answer of [
    () => Promise.reject(new Error('disk full')),
    async () => {},
    () => thenable,
    () => broken,
  ]) {
    const pool = new lg.WorkerPool({ journal: /** @type {any} */ (answer) });
    assert.throws(
      () => enqueue(pool, 'a'),
      (/** @type {any} */ { code, revision, cause }) => {
        assert.deepEqual([code, revision], ['journal_sink_failed', 1n]);
        assert.ok(cause instanceof TypeError);
        assert.match(cause.message, /^a sink must be synchronous/);
        return true;
      },
    );
    assert.throws(() => enqueue(pool, 'b'), { code: 'journal_blocked' });
    assert.equal([...lg.readRecords(pool.takeRecords())].length, 1);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', listen);
  assert.deepEqual(unhandled, []);
});

test('a sink that commands its handle is given those records while it runs: it writes its own first', () => {
  /** @type {bigint[]} */
  const written = [];
  const pool = new lg.WorkerPool({
    journal({ revision }) {
      written.push(revision);
      if (revision < 3n) enqueue(pool, `from-${revision}`);
    },
  });
  enqueue(pool, 'first');
  assert.deepEqual(written, [1n, 2n, 3n]);
});

test('a sink that fails within a command of its own: the records are kept in their order', () => {
  const pool = new lg.WorkerPool({
    journal({ revision }) {
      if (revision === 1n) enqueue(pool, 'from-within');
      else throw new Error('disk full');
    },
  });
  const header = pool.journalHeader();
  assert.throws(
    () => enqueue(pool, 'first'),
    (/** @type {any} */ error) => error.revision === 1n && error.cause.revision === 2n,
  );
  const kept = pool.takeRecords();
  assert.deepEqual(
    [...lg.readRecords(kept)].map(({ revision }) => revision),
    [1n, 2n],
  );
  const { pool: replayed } = lg.WorkerPool.replay(joined([header, kept]));
  assert.equal(replayed.stateDigest(), pool.stateDigest());
});

test('a sink may dispose of its handle, and throw thereafter', () => {
  const calm = new lg.WorkerPool({ journal: () => calm.dispose() });
  assert.equal(enqueue(calm, 'a').revision, 1n);
  assert.throws(() => calm.revision, { code: 'disposed' });
  const cause = new Error('and more');
  const loud = new lg.WorkerPool({
    journal() {
      loud.dispose();
      throw cause;
    },
  });
  assert.throws(() => enqueue(loud, 'a'), { code: 'journal_sink_failed', cause });
});

test('records that are not pushed wait to be taken', () => {
  const pool = new lg.WorkerPool({ journal: {} });
  const header = pool.journalHeader();
  assert.deepEqual(pool.takeRecords(), new Uint8Array(0));
  for (const id of ['a', 'b', 'c']) enqueue(pool, id);
  const first = pool.takeRecords();
  enqueue(pool, 'd');
  const second = pool.takeRecords();
  assert.deepEqual(pool.takeRecords(), new Uint8Array(0));
  assert.deepEqual(
    [first, second].map((bytes) => [...lg.readRecords(bytes)].map(({ revision }) => revision)),
    [[1n, 2n, 3n], [4n]],
  );
  const { pool: replayed } = lg.WorkerPool.replay(joined([header, first, second]));
  assert.equal(replayed.stateDigest(), pool.stateDigest());
});

test('records that would not fit refuse their command, which changes nothing; taking makes room', () => {
  const size = (() => {
    const pool = new lg.WorkerPool({ journal: {} });
    enqueue(pool, 'a');
    return pool.takeRecords().length;
  })();
  const pool = new lg.WorkerPool({ journal: { maxBytes: 2 * size } });
  enqueue(pool, 'a');
  enqueue(pool, 'b');
  const before = pool.stateDigest();
  assert.throws(() => enqueue(pool, 'c'), { code: 'journal_full', limit: 2 * size });
  const refused = pool.taskQueue.try.enqueue({ expectedRevision: 2, now: 0, spec: spec('c') });
  assert.equal(refused.ok === false && refused.error.code, 'journal_full');
  assert.equal(pool.stateDigest(), before);
  assert.equal(pool.takeRecords().length, 2 * size);
  enqueue(pool, 'c');
  assert.equal(pool.takeRecords().length, size);
});

test('the results of an aggregator are kept and refused in the same way', () => {
  const results = new lg.ResultAggregator({ journal: { maxBytes: 2000 } });
  const store = (/** @type {string} */ id, /** @type {number} */ size) =>
    results.storeResult({
      expectedRevision: results.revision,
      receipt: receiptOf(id),
      bytes: new Uint8Array(size),
    });
  store('a', 1000);
  assert.throws(() => store('b', 1000), { code: 'journal_full', limit: 2000 });
  assert.equal(results.resultCount, 1);
  assert.equal([...lg.readRecords(results.takeRecords())].length, 1);
  store('b', 1000);
});

test('a journal that is none is a TypeError or RangeError by its name, and makes nothing', () => {
  for (const Class of /** @type {any[]} */ ([lg.WorkerPool, lg.ResultAggregator])) {
    for (const journal of [5, 'journal', true, 1n, Symbol('x')])
      assert.throws(() => new Class({ journal }), {
        name: 'TypeError',
        message: 'journal must be a function or an object',
      });
    for (const maxBytes of [0, -1, 1.5, Number.NaN, lg.MAX_JOURNAL_BYTES + 1, 5n])
      assert.throws(() => new Class({ journal: { maxBytes } }), {
        name: 'RangeError',
        message: `journal.maxBytes must be an integer from 1 to ${lg.MAX_JOURNAL_BYTES}`,
      });
    for (const maxBytes of ['5', null, {}])
      assert.throws(() => new Class({ journal: { maxBytes } }), { name: 'TypeError', message: /maxBytes/ });
    new Class({ journal: { maxBytes: 1 } }).dispose();
    new Class({ journal: { maxBytes: lg.MAX_JOURNAL_BYTES } }).dispose();
    new Class({ journal: { maxBytes: undefined } }).dispose();
  }
});

test('the header of a journal names the limits and where it begins', () => {
  const limits = { maxRetries: 7, maxWorkers: 11 };
  const pool = new lg.WorkerPool({ limits });
  enqueue(pool, 'a');
  const header = lg.readJournalHeader(pool.journalHeader());
  assert.equal(header.contract, 'coordination');
  assert.equal(header.base, 1n);
  assert.equal(header.size, pool.journalHeader().length);
  assert.equal(header.limits.maxRetries, 7);
  assert.equal(header.limits.maxWorkers, 11);
  assert.equal(header.limits.maxTaskRecords, 4096);
  assert.ok(Object.isFrozen(header) && Object.isFrozen(header.limits));
  const results = lg.readJournalHeader(
    new lg.ResultAggregator({ limits: { maxResults: 9 } }).journalHeader(),
  );
  assert.deepEqual([results.contract, results.base, results.limits.maxResults], ['results', 0n, 9]);
});
