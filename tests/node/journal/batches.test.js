// Applying records: how far it goes, where it stops and why, wherever the bytes are cut.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate, LeasegateError } from 'leasegate';
import { joined, longStory, poolStory, receiptOf, resultStory } from './support/story.js';

const lg = await createLeasegate();
const LIMITS = { maxRetries: 1 };
const story = poolStory(lg, LIMITS);
const fresh = () => new lg.WorkerPool({ limits: LIMITS });
/** The digest after every revision, from 0. */
const digests = (() => {
  const pool = fresh();
  return [
    pool.stateDigest(),
    ...story.entries.map(({ bytes }) => pool.applyBatch(bytes) && pool.stateDigest()),
  ];
})();
/** Where each record begins, and where the last ends. */
const offsets = [...lg.readRecords(story.records)].map(({ offset }) => offset).concat(story.records.length);
const LAST = BigInt(story.entries.length);

test('a batch leads to the state that its commands led to', () => {
  const pool = fresh();
  const report = pool.applyBatch(story.records);
  assert.deepEqual(
    { ...report },
    { applied: story.entries.length, revision: LAST, offset: story.records.length, stopped: null },
  );
  assert.ok(Object.isFrozen(report));
  assert.equal(pool.stateDigest(), story.pool.stateDigest());
  assert.deepEqual(pool.taskQueue.tasks(), story.pool.taskQueue.tasks());
  pool.checkInvariants();
});

test('nothing to apply applies nothing', () => {
  const pool = fresh();
  for (const bytes of [new Uint8Array(0), new ArrayBuffer(0)])
    assert.deepEqual({ ...pool.applyBatch(bytes) }, { applied: 0, revision: 0n, offset: 0, stopped: null });
});

test('it stops where it is told to, and goes on from there', () => {
  for (let until = 0; until <= story.entries.length; until += 1) {
    const pool = fresh();
    const report = pool.applyBatch(story.records, { untilRevision: until });
    assert.deepEqual(
      { ...report },
      { applied: until, revision: BigInt(until), offset: offsets[until], stopped: null },
    );
    assert.equal(pool.stateDigest(), digests[until]);
    assert.equal(pool.applyBatch(story.records.subarray(report.offset)).revision, LAST);
    assert.equal(pool.stateDigest(), digests.at(-1));
    pool.dispose();
  }
  const past = fresh().applyBatch(story.records, { untilRevision: 2n ** 64n - 1n });
  assert.equal(past.revision, LAST, 'further than there is');
});

test('the last record torn at every byte: all before it is applied, and the report says where to cut', () => {
  const from = /** @type {number} */ (offsets.at(-2));
  for (let size = from; size < story.records.length; size += 1) {
    const pool = fresh();
    const { applied, revision, offset, stopped } = pool.applyBatch(story.records.subarray(0, size));
    assert.deepEqual([applied, revision, offset], [story.entries.length - 1, LAST - 1n, from], `${size}`);
    assert.equal(pool.stateDigest(), digests.at(-2));
    if (size === from) {
      assert.equal(stopped, null);
    } else {
      assert.ok(stopped);
      assert.deepEqual([stopped.index, stopped.offset], [story.entries.length - 1, from]);
      assert.ok(stopped.error instanceof LeasegateError);
      assert.deepEqual({ ...stopped.error }, { code: 'journal_truncated', offset: from, bytes: size - from });
    }
    pool.dispose();
  }
});

test('zeros behind the last record are a file that was made longer, not damage', () => {
  for (const zeros of [1, 7, 8, 100, 5000, 3 * 1024 * 1024]) {
    const { applied, stopped } = fresh().applyBatch(joined([story.records, new Uint8Array(zeros)]));
    assert.equal(applied, story.entries.length);
    assert.deepEqual(
      { ...stopped?.error },
      { code: 'journal_truncated', offset: story.records.length, bytes: zeros },
    );
  }
});

test('a damaged byte, wherever it is, stops there: what comes before is applied, what comes after is not', () => {
  for (let at = 0; at < story.records.length; at += 1) {
    const bytes = story.records.slice();
    bytes[at] ^= 0x10;
    const pool = fresh();
    const { applied, revision, stopped } = pool.applyBatch(bytes);
    const index = offsets.findIndex((offset) => offset > at) - 1;
    assert.deepEqual([applied, revision, stopped?.index], [index, BigInt(index), index]);
    assert.deepEqual(
      { ...stopped?.error },
      { code: 'journal_checksum_mismatch', offset: offsets[index] },
      `byte ${at}`,
    );
    assert.equal(pool.stateDigest(), digests[index]);
    pool.dispose();
  }
});

test('a record that is missing, repeated or out of order is a gap', () => {
  const [a, b, c] = story.entries.map(({ bytes }) => bytes);
  for (const [parts, expected, actual] of /** @type {[Uint8Array[], bigint, bigint][]} */ ([
    [[a, c], 2n, 3n],
    [[a, a], 2n, 1n],
    [[b, a], 1n, 2n],
  ])) {
    const { applied, stopped } = fresh().applyBatch(joined(parts));
    assert.equal(applied, Number(expected) - 1);
    assert.equal(stopped?.index, applied);
    assert.deepEqual({ ...stopped?.error }, { code: 'journal_revision_gap', expected, actual });
  }
});

test('a command that is refused stops the batch by its own code', () => {
  const pool = new lg.WorkerPool({ limits: { ...LIMITS, maxWorkers: 2 } });
  const { applied, stopped } = pool.applyBatch(story.records);
  assert.equal(applied, 2);
  assert.deepEqual({ ...stopped?.error }, { code: 'worker_capacity_reached', limit: 2 });
  assert.deepEqual([stopped?.index, stopped?.offset], [2, offsets[2]]);
  assert.equal(
    pool.stateDigest(),
    (() => {
      const other = new lg.WorkerPool({ limits: { ...LIMITS, maxWorkers: 2 } });
      other.applyBatch(story.records, { untilRevision: 2 });
      return other.stateDigest();
    })(),
  );
});

test('records of the other contract are of no kind that is known here', () => {
  const results = resultStory(lg);
  const { applied, stopped } = fresh().applyBatch(results.records);
  assert.equal(applied, 0);
  assert.equal(stopped?.error.code, 'journal_unknown_kind');
  const other = new lg.ResultAggregator().applyBatch(story.records);
  assert.equal(other.stopped?.error.code, 'journal_unknown_kind');
});

test('a sink is given what a batch has applied, also when it stops early', () => {
  /** @type {any[]} */
  const entries = [];
  const pool = new lg.WorkerPool({ limits: LIMITS, journal: (entry) => entries.push(entry) });
  const torn = story.records.subarray(0, story.records.length - 1);
  pool.applyBatch(torn);
  assert.equal(entries.length, 1);
  assert.equal(entries[0].revision, LAST - 1n);
  assert.deepEqual(entries[0].bytes, story.records.slice(0, offsets.at(-2)), 'the same bytes');
});

test('a sink that fails in the middle of a batch: what was applied stays, and can be taken', () => {
  const pool = new lg.WorkerPool({
    limits: LIMITS,
    journal() {
      throw new Error('no');
    },
  });
  assert.throws(() => pool.applyBatch(story.records), { code: 'journal_sink_failed', revision: LAST });
  assert.equal(pool.revision, LAST);
  assert.deepEqual(pool.takeRecords(), story.records);
});

test('a batch that the kept records have no room for stops with journal_full, and goes on when they are taken', () => {
  const pool = new lg.WorkerPool({ limits: LIMITS, journal: { maxBytes: 1000 } });
  const parts = [];
  let from = 0;
  for (let round = 0; from < story.records.length; round += 1) {
    assert.ok(round < 100);
    const report = pool.applyBatch(story.records.subarray(from));
    from += report.offset;
    if (report.stopped !== null)
      assert.deepEqual({ ...report.stopped.error }, { code: 'journal_full', limit: 1000 });
    parts.push(pool.takeRecords());
    assert.ok(parts.at(-1).length <= 1000);
  }
  assert.deepEqual(joined(parts), story.records);
  assert.equal(pool.stateDigest(), digests.at(-1));
});

test('a batch of several MiB crosses in pieces: records that lie across them, stops and tears behind them', () => {
  const { pool, limits, records } = longStory(lg, 8000);
  assert.ok(records.length > 3 * 1024 * 1024, `${records.length} bytes`);
  const starts = [...lg.readRecords(records)].map(({ offset }) => offset);
  const across = starts.findIndex((offset) => offset > 1024 * 1024) - 1;
  assert.notEqual(starts[across + 1], 1024 * 1024);
  /** @type {any[]} */
  const entries = [];
  const whole = new lg.WorkerPool({ limits, journal: (entry) => entries.push(entry) });
  assert.deepEqual(
    { ...whole.applyBatch(records) },
    { applied: 8000, revision: 8000n, offset: records.length, stopped: null },
  );
  assert.equal(whole.stateDigest(), pool.stateDigest());
  assert.ok(entries.length > 3, 'its sink is given the pieces');
  assert.deepEqual(joined(entries.map(({ bytes }) => bytes)), records);
  for (const index of [across, across + 1, 7999]) {
    const until = new lg.WorkerPool({ limits });
    assert.deepEqual(
      { ...until.applyBatch(records, { untilRevision: index }) },
      { applied: index, revision: BigInt(index), offset: starts[index], stopped: null },
    );
    const torn = new lg.WorkerPool({ limits }).applyBatch(records.subarray(0, starts[index] + 20));
    assert.deepEqual(
      [torn.applied, torn.stopped?.index, torn.stopped?.offset, torn.stopped?.error.code],
      [index, index, starts[index], 'journal_truncated'],
    );
    const bytes = records.slice();
    bytes[starts[index] + 30] ^= 1;
    const damaged = new lg.WorkerPool({ limits }).applyBatch(bytes);
    assert.deepEqual(
      [damaged.applied, damaged.stopped?.offset, damaged.stopped?.error.code],
      [index, starts[index], 'journal_checksum_mismatch'],
    );
    until.dispose();
  }
});

test('a record that is longer than a piece is applied whole, or torn', () => {
  const limits = { maxResultBytes: 16 * 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 };
  const results = new lg.ResultAggregator({ limits, journal: { maxBytes: 64 * 1024 * 1024 } });
  const store = (/** @type {string} */ id, /** @type {number} */ size) =>
    results.storeResult({
      expectedRevision: results.revision,
      receipt: receiptOf(id),
      bytes: new Uint8Array(size).fill(7),
    });
  store('small', 10);
  store('large', 5_000_000);
  store('after', 10);
  const records = results.takeRecords();
  const other = new lg.ResultAggregator({ limits });
  assert.equal(other.applyBatch(records).applied, 3);
  assert.equal(other.stateDigest(), results.stateDigest());
  const { applied, stopped } = new lg.ResultAggregator({ limits }).applyBatch(records.subarray(0, 4_000_000));
  assert.deepEqual([applied, stopped?.index, stopped?.error.code], [1, 1, 'journal_truncated']);
  const sizes = [...lg.readRecords(records)].map(
    ({ command }) => command.kind === 'store_result' && command.bytes.length,
  );
  assert.deepEqual(sizes, [10, 5_000_000, 10]);
});

test('records may lie anywhere in a buffer', () => {
  const padded = joined([Uint8Array.of(9, 9, 9), story.records, Uint8Array.of(9, 9)]);
  const view = padded.subarray(3, 3 + story.records.length);
  assert.equal(fresh().applyBatch(view).applied, story.entries.length);
  assert.equal(fresh().applyBatch(story.records.slice().buffer).applied, story.entries.length);
});

test('records in an array are applied one by one', () => {
  const pool = fresh();
  const pieces = story.entries.map(({ bytes }) => bytes);
  const report = pool.applyBatch(pieces);
  assert.deepEqual(
    { ...report },
    { applied: pieces.length, revision: LAST, offset: story.records.length, stopped: null },
  );
  assert.equal(pool.stateDigest(), story.pool.stateDigest());
  assert.deepEqual({ ...pool.applyBatch([]) }, { applied: 0, revision: LAST, offset: 0, stopped: null });
  const some = fresh();
  assert.equal(some.applyBatch(pieces, { untilRevision: 3 }).applied, 3);
  assert.equal(some.applyBatch(pieces.slice(3).map((bytes) => bytes.slice().buffer)).revision, LAST);
  assert.throws(() => fresh().applyBatch(/** @type {any} */ ([[1, 2]])), TypeError);
});

test('every element of an array is exactly one record, wherever the bytes would be cut', () => {
  const [first, second] = story.entries.map(({ bytes }) => bytes);
  const both = joined([first, second]);
  /** @type {readonly (readonly [string, Uint8Array[], number])[]} */
  const wrong = [
    ['two in one', [both], 1],
    [
      'one and a half, and the other half',
      [both.subarray(0, first.length + 4), both.subarray(first.length + 4)],
      1,
    ],
    ['half and half', [first.subarray(0, 9), first.subarray(9)], 0],
    ['none', [new Uint8Array(0), first], 0],
    ['the second first', [second, first], 0],
  ];
  for (const [what, pieces, applied] of wrong) {
    const pool = fresh();
    const report = pool.applyBatch(pieces);
    assert.equal(report.applied, applied, what);
    assert.equal(report.stopped?.index, 0, what);
    assert.ok(report.stopped?.error instanceof LeasegateError, what);
    assert.equal(pool.stateDigest(), digests[applied], what);
  }
});
