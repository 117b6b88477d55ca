// Any revision of a journal, however one comes to it, is what its commands made.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createLeasegate } from 'leasegate';
import { joined, poolStory, resultStory } from '../journal/support/story.js';
import { dice, randomRun } from './support/run.js';

const lg = await createLeasegate();
const story = poolStory(lg);
const LAST = BigInt(story.entries.length);

/** What every revision is, found without a history. @param {Uint8Array} journal @param {bigint} last */
function truth(journal, last) {
  return Array.from({ length: Number(last) + 1 }, (_, untilRevision) => {
    const { pool } = lg.WorkerPool.replay(journal, { untilRevision });
    const state = {
      snapshot: pool.snapshot(),
      tasks: pool.taskQueue.tasks(),
      workers: pool.getWorkers(),
      next: pool.taskQueue.peekNext(),
    };
    const digest = pool.stateDigest();
    pool.dispose();
    return { state, digest };
  });
}
const STATES = truth(story.journal, LAST);

/** @param {any} history @param {bigint | number} revision @param {typeof STATES} [states] */
function check(history, revision, states = STATES) {
  const { state, digest } = states[Number(revision)];
  assert.deepEqual({ ...history.at(revision) }, state, `revision ${revision}`);
  assert.equal(history.digestAt(revision), digest, `revision ${revision}`);
}

for (const interval of [1, 2, 5, 36, 1000]) {
  test(`with a state every ${interval} commands: every revision, forth, back and at random`, () => {
    const history = new lg.History(story.journal, { interval });
    assert.deepEqual(history.revisions, { first: 0n, last: LAST });
    assert.deepEqual(
      { ...history.report },
      { applied: Number(LAST), revision: LAST, offset: story.journal.length, stopped: null },
    );
    assert.equal(history.snapshots, Math.floor(Number(LAST) / interval));
    for (let revision = 0n; revision <= LAST; revision += 1n) check(history, revision);
    for (let revision = LAST; revision >= 0n; revision -= 1n) check(history, revision);
    const roll = dice(interval);
    for (let i = 0; i < 40; i += 1) check(history, roll(Number(LAST) + 1));
    history.dispose();
  });
}

test('states are frozen, and those of the same revision equal', () => {
  const history = new lg.History(story.journal);
  const state = history.at(9);
  for (const part of [state, state.tasks, state.workers, state.snapshot, state.tasks[0]])
    assert.ok(Object.isFrozen(part));
  assert.deepEqual(history.at(9n), state);
  assert.match(inspect(history), /^History \{ revisions: 0 to 36, interval: 256, snapshots: 0 \}$/);
});

test('a bound on the states that are kept doubles the interval instead of taking more memory', () => {
  for (const maxSnapshots of [1, 2, 3, 7]) {
    const history = new lg.History(story.journal, { interval: 1, maxSnapshots });
    assert.ok(history.snapshots <= maxSnapshots);
    assert.ok(history.interval > 1);
    assert.equal(Math.log2(history.interval) % 1, 0);
    assert.equal(history.snapshots, Math.floor(Number(LAST) / history.interval));
    assert.ok((maxSnapshots + 1) * history.interval * 2 > Number(LAST), 'no more than it has to');
    for (let revision = LAST; revision >= 0n; revision -= 1n) check(history, revision);
    history.dispose();
  }
});

test('a bound on their bytes does the same, down to none at all', () => {
  const one = story.pool.exportSnapshot().length;
  for (const maxSnapshotBytes of [1, one, 3 * one]) {
    const history = new lg.History(story.journal, { interval: 2, maxSnapshotBytes });
    assert.ok(history.snapshots <= maxSnapshotBytes / 36);
    if (maxSnapshotBytes === 1) assert.equal(history.snapshots, 0);
    for (const revision of [0, 17, 5, 36, 35]) check(history, revision);
    history.dispose();
  }
});

test('a long run of chance, under tight bounds: every state', () => {
  const run = randomRun(lg, { seed: 7, commands: 4000 });
  const last = BigInt(run.entries.length);
  assert.ok(last > 800n, `${last} were accepted`);
  const states = truth(run.journal, last);
  const history = new lg.History(run.journal, { interval: 3, maxSnapshots: 20 });
  const roll = dice(3);
  for (let i = 0; i < 300; i += 1) check(history, roll(Number(last) + 1), states);
  for (let revision = last - 150n; revision <= last; revision += 1n) check(history, revision, states);
});

test('a history that begins with a snapshot begins at its revision', () => {
  const base = lg.WorkerPool.replay(story.journal, { untilRevision: 10 }).pool;
  const snapshot = base.exportSnapshot();
  const later = joined([base.journalHeader(), ...story.entries.slice(10).map(({ bytes }) => bytes)]);
  for (const [journal, passed] of /** @type {[Uint8Array, number][]} */ ([
    [later, 0],
    [story.journal, 10],
  ])) {
    const history = new lg.History(journal, { snapshot, interval: 4 });
    assert.deepEqual(history.revisions, { first: 10n, last: LAST });
    assert.equal(history.report.applied, Number(LAST) - 10);
    for (let revision = LAST; revision >= 10n; revision -= 1n) check(history, revision);
    assert.equal(history.recordAt(10), null);
    assert.equal(history.recordAt(11)?.revision, 11n);
    assert.throws(() => history.at(9), RangeError);
    const torn = new lg.History(journal.subarray(0, -1), { snapshot });
    assert.equal(torn.report.stopped?.index, Number(LAST) - 11 + passed);
  }
  assert.throws(() => new lg.History(later), { code: 'journal_snapshot_required' });
});

test('a journal that is torn or damaged: the history ends before, and the report says why', () => {
  const torn = new lg.History(story.journal.subarray(0, -3), { interval: 4 });
  assert.equal(torn.revisions.last, LAST - 1n);
  assert.equal(torn.report.stopped?.error.code, 'journal_truncated');
  assert.equal(torn.report.stopped?.index, Number(LAST) - 1);
  check(torn, LAST - 1n);
  const again = torn.append(story.entries.at(-1)?.bytes ?? new Uint8Array(0));
  assert.deepEqual([again.applied, again.stopped], [1, null], 'what was lost can be appended');
  check(torn, LAST);

  const bytes = story.journal.slice();
  const { offset } = /** @type {any} */ (new lg.History(story.journal).recordAt(20));
  bytes[offset + 9] ^= 1;
  const damaged = new lg.History(bytes, { interval: 4 });
  assert.equal(damaged.revisions.last, 19n);
  assert.deepEqual(
    { ...damaged.report.stopped?.error },
    { code: 'journal_checksum_mismatch', offset },
    'the offset is that in the journal',
  );
  assert.deepEqual([damaged.report.stopped?.index, damaged.report.offset], [19, offset]);
  check(damaged, 19);
});

test('a header alone is a history of one revision', () => {
  const history = new lg.History(story.header);
  assert.deepEqual(history.revisions, { first: 0n, last: 0n });
  check(history, 0);
  assert.equal(history.recordAt(0), null);
  assert.deepEqual([...history.records()], []);
  assert.deepEqual(history.explain('done').events, []);
});

test('a history can follow a pool as it lives', () => {
  const pool = new lg.WorkerPool({
    limits: { maxRetries: 1 },
    journal: ({ bytes }) => assert.equal(history.append(bytes).stopped, null),
  });
  const history = new lg.History(pool.journalHeader(), { interval: 5, maxSnapshots: 4 });
  for (const { bytes } of story.entries) {
    pool.applyBatch(bytes);
    assert.equal(history.revisions.last, pool.revision);
    check(history, pool.revision);
    check(history, pool.revision / 2n);
  }
  for (let revision = LAST; revision >= 0n; revision -= 1n) check(history, revision);
});

test('what does not apply is not appended, and the report counts from what was given', () => {
  const history = new lg.History(story.header, { interval: 4 });
  const rest = (/** @type {number} */ from) => joined(story.entries.slice(from).map(({ bytes }) => bytes));
  assert.equal(history.append(rest(1)).stopped?.error.code, 'journal_revision_gap');
  assert.deepEqual(history.revisions, { first: 0n, last: 0n });
  const half = story.records.subarray(0, 500);
  const first = history.append(half);
  assert.equal(first.stopped?.error.code, 'journal_truncated');
  assert.equal(first.stopped?.index, first.applied);
  const second = history.append(story.records.subarray(first.offset));
  assert.equal(second.stopped, null);
  assert.equal(second.offset, story.records.length - first.offset);
  assert.equal(history.revisions.last, LAST);
  assert.deepEqual(
    { ...history.append(new Uint8Array(0)) },
    { applied: 0, revision: LAST, offset: 0, stopped: null },
  );
  for (let revision = 0n; revision <= LAST; revision += 1n) check(history, revision);
});

test('a pool at a revision is a pool of its own: what would have been changes nothing that was', () => {
  const history = new lg.History(story.journal, { interval: 4 });
  const pool = history.poolAt(14);
  assert.equal(pool.stateDigest(), STATES[14].digest);
  pool.pruneDeadWorkers({ expectedRevision: 14, now: 1_000_000 });
  pool.checkInvariants();
  check(history, 14);
  check(history, 15);
  history.dispose();
  assert.equal(pool.revision, 15n, 'and lives on by itself');
  pool.dispose();
});

test('records by revision are those of the journal', () => {
  const history = new lg.History(story.journal, { interval: 4 });
  const all = [...lg.readRecords(story.journal, { offset: story.header.length })];
  assert.deepEqual([...history.records()], all);
  assert.deepEqual([...history.records(null)], all);
  for (const { revision } of all) assert.deepEqual(history.recordAt(revision), all[Number(revision) - 1]);
  assert.equal(history.recordAt(0), null);
  assert.deepEqual([...history.records({ from: 7, to: 9n })], all.slice(6, 9));
  assert.deepEqual([...history.records({ from: 30 })], all.slice(29));
  assert.deepEqual([...history.records({ to: 3 })], all.slice(0, 3));
  assert.deepEqual([...history.records({ from: 9, to: 7 })], []);
});

test('the caller’s bytes are copied', () => {
  const journal = story.journal.slice();
  const history = new lg.History(journal, { interval: 4 });
  journal.fill(0);
  for (const revision of [36, 3, 20]) check(history, revision);
});

test('bytes that are no journal of a pool are refused by name', () => {
  assert.throws(() => new lg.History(resultStory(lg).journal), { code: 'journal_wrong_contract' });
  assert.throws(() => new lg.History(new Uint8Array(99)), { code: 'journal_bad_magic' });
  assert.throws(() => new lg.History(story.journal.subarray(0, 9)), { code: 'journal_truncated' });
  const other = new lg.WorkerPool({ limits: { maxRetries: 2 } }).exportSnapshot();
  assert.throws(() => new lg.History(story.journal, { snapshot: other }), { code: 'journal_limits_differ' });
});

test('wrong arguments are refused by name', () => {
  const history = new lg.History(story.journal);
  const wrong = /** @type {any} */ (history);
  const reads = ['at', 'digestAt', 'poolAt', 'recordAt'];
  for (const read of reads) {
    for (const revision of [-1, 37, 1.5, Number.NaN, 2n ** 64n])
      assert.throws(() => wrong[read](revision), {
        name: 'RangeError',
        message: 'revision must be a revision of this history, from 0 to 36',
      });
    for (const revision of [undefined, null, '5', {}])
      assert.throws(() => wrong[read](revision), { name: 'TypeError', message: /^revision must be/ });
  }
  assert.throws(() => wrong.diff(1, 99), { name: 'RangeError', message: /^b must be/ });
  assert.throws(() => wrong.diff(undefined, 1), { name: 'TypeError', message: /^a must be/ });
  assert.throws(() => wrong.records({ from: 99 }), { name: 'RangeError', message: /^from must be/ });
  assert.throws(() => wrong.records(5), { name: 'TypeError', message: 'options must be an object' });
  assert.throws(() => wrong.explain(5), { name: 'TypeError', message: /^taskId must be/ });
  assert.throws(() => wrong.explain('no spaces'), { code: 'invalid_task' });
  assert.throws(() => wrong.append([1]), { name: 'TypeError', message: /^records must be/ });
  for (const name of ['interval', 'maxSnapshots', 'maxSnapshotBytes']) {
    for (const value of [0, -1, 0.5, 2 ** 40, Number.NaN])
      assert.throws(() => new lg.History(story.journal, /** @type {any} */ ({ [name]: value })), {
        name: 'RangeError',
        message: new RegExp(`^${name} must be an integer from 1 to \\d+$`),
      });
    assert.throws(() => new lg.History(story.journal, /** @type {any} */ ({ [name]: '5' })), {
      name: 'TypeError',
    });
  }
  for (const journal of [undefined, null, 'x', [1]])
    assert.throws(() => new lg.History(/** @type {any} */ (journal)), {
      name: 'TypeError',
      message: /^journal must be/,
    });
});

test('a history that is disposed of says so', () => {
  const history = new lg.History(story.journal);
  history.dispose();
  history.dispose();
  for (const call of [
    () => history.at(1),
    () => history.digestAt(1),
    () => history.poolAt(1),
    () => history.recordAt(1),
    () => history.records(),
    () => history.diff(1, 2),
    () => history.explain('done'),
    () => history.append(new Uint8Array(0)),
    () => history.revisions,
  ])
    assert.throws(call, { name: 'LeasegateError', code: 'disposed', message: /History/ });
  assert.equal(inspect(history), 'History { disposed }');
});

test('memory that runs out in the middle leaves a history as it was', async () => {
  const MEGABYTE = 1024 * 1024;
  const limits = {
    maxTaskRecords: 65_536,
    maxActiveTasks: 16_384,
    maxQueuedTasks: 16_384,
    maxTerminalTasks: 65_536,
  };
  const source = new lg.WorkerPool({ limits, journal: { maxBytes: 64 * MEGABYTE } });
  const header = source.journalHeader();
  for (let i = 0; i < 9000; i += 1)
    source.taskQueue.enqueue({
      expectedRevision: i,
      now: 0,
      spec: { taskId: `t${i}`, scanId: 's', targetRef: 'x'.repeat(1000) },
    });
  const records = source.takeRecords();
  const small = await createLeasegate({ memory: { maximumBytes: 8 * MEGABYTE } });
  assert.throws(() => new small.History(joined([header, records])), { code: 'out_of_memory' });
  const history = new small.History(header, { interval: 64 });
  const part = [...lg.readRecords(records)][200].offset;
  history.append(records.subarray(0, part));
  const digest = history.digestAt(200);
  let failed = 0;
  for (let i = 0; i < 3; i += 1) {
    const stop = (() => {
      try {
        return history.append(records.subarray(part)).stopped?.error;
      } catch (error) {
        return /** @type {any} */ (error);
      }
    })();
    assert.equal(stop?.code, 'out_of_memory');
    failed += 1;
    if (history.revisions.last !== 200n) break;
  }
  assert.ok(failed > 0);
  assert.equal(history.digestAt(200), digest);
  assert.equal(history.digestAt(100), new lg.History(joined([header, records])).digestAt(100));
});
