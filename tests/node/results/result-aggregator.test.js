// Results, as a JavaScript host meets them: bytes in and out, order of an aggregate, replays, limits of data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { receiptOf } from './support/receipt.js';

const lg = await createLeasegate();

/** @param {Record<string, number[]>} contents @param {object} [limits] */
function storeOf(contents, limits) {
  const results = new lg.ResultAggregator({ limits });
  for (const [taskId, bytes] of Object.entries(contents)) {
    results.storeResult({
      expectedRevision: results.revision,
      receipt: receiptOf(taskId),
      bytes: Uint8Array.from(bytes),
    });
  }
  return results;
}

test('an aggregate answers in exactly the order asked for', () => {
  const results = storeOf({ a: [1], b: [2, 2], c: [] });
  for (const order of [['a', 'b', 'c'], ['c', 'b', 'a'], ['b'], []]) {
    const answer = results.aggregateResults(order);
    assert.deepEqual(
      answer.map(({ taskId }) => taskId),
      order,
    );
    for (const { taskId, bytes } of answer) assert.deepEqual(bytes, results.getResult(taskId));
  }
  assert.equal(results.revision, 3n, 'reading changes nothing');
});

test('an aggregate with a missing, a repeated or an invalid id is refused whole', () => {
  const results = storeOf({ a: [1], b: [2] });
  assert.throws(() => results.aggregateResults(['a', 'x', 'b']), { code: 'missing_result', taskId: 'x' });
  assert.throws(() => results.aggregateResults(['a', 'b', 'a']), {
    code: 'duplicate_aggregate_task',
    taskId: 'a',
  });
  assert.throws(
    () => results.aggregateResults(['x', 'x', '']),
    { code: 'invalid_task' },
    'every id is validated first',
  );
});

test('aggregates of the most items and bytes are answered, one more of either is refused', () => {
  const contents = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`t${i}`, [i, i]]));
  const ids = Object.keys(contents);
  assert.equal(
    storeOf(contents, { maxAggregateItems: 5, maxAggregateBytes: 10 }).aggregateResults(ids).length,
    5,
  );
  assert.throws(() => storeOf(contents, { maxAggregateItems: 4 }).aggregateResults(ids), {
    code: 'aggregate_item_limit_exceeded',
    actual: 5,
    limit: 4,
  });
  assert.throws(() => storeOf(contents, { maxAggregateBytes: 9 }).aggregateResults(ids), {
    code: 'aggregate_bytes_exceeded',
    actual: 10,
    limit: 9,
  });
});

test('the same result again changes nothing; another for the same receipt or another receipt is refused', () => {
  const results = storeOf({ a: [1, 2] });
  const store = (receipt, bytes) =>
    results.try.storeResult({ expectedRevision: 1, receipt, bytes: Uint8Array.from(bytes) });
  const replay = store(receiptOf('a'), [1, 2]);
  assert.deepEqual([replay.revision, replay.value.kind], [1n, 'already_stored']);
  assert.deepEqual({ ...store(receiptOf('a'), [1, 3]).error }, { code: 'conflicting_result', taskId: 'a' });
  assert.deepEqual({ ...store(receiptOf('a'), []).error }, { code: 'conflicting_result', taskId: 'a' });
  assert.deepEqual(
    { ...store({ ...receiptOf('a'), leaseId: 2 }, [1, 2]).error },
    { code: 'mismatched_result_receipt', taskId: 'a' },
  );
  assert.deepEqual([results.revision, results.resultCount, results.totalBytes], [1n, 1, 2]);
  assert.deepEqual(results.getResult('a'), Uint8Array.of(1, 2));
});

test('an empty result is a result: stored, counted, and not the same as none', () => {
  const results = storeOf({ empty: [] });
  assert.deepEqual(results.getResult('empty'), new Uint8Array(0));
  assert.equal(results.getResult('none'), null);
  assert.deepEqual([results.resultCount, results.totalBytes], [1, 0]);
  assert.equal(results.aggregateResults(['empty'])[0].bytes.length, 0);
});

test('every value of a byte and every size around a page come out as they went in', () => {
  const results = new lg.ResultAggregator();
  for (const size of [1, 255, 256, 4095, 4096, 65_535, 65_536, 65_537, 1_048_576]) {
    const bytes = new Uint8Array(size).map((_, i) => (i * 7 + size) & 255);
    results.storeResult({ expectedRevision: results.revision, receipt: receiptOf(`size-${size}`), bytes });
    assert.ok(Buffer.from(results.getResult(`size-${size}`)).equals(bytes), `${size} bytes`);
  }
  const tooLarge = { expectedRevision: 9, receipt: receiptOf('larger'), bytes: new Uint8Array(1_048_577) };
  assert.throws(() => results.storeResult(tooLarge), {
    code: 'result_too_large',
    actual: 1_048_577,
    limit: 1_048_576,
  });
});

test('a refused result leaves no trace: the next one at the same revision is taken', () => {
  const results = storeOf({ a: [1] }, { maxResults: 2, maxTotalBytes: 3, maxResultBytes: 3 });
  const store = (taskId, size, expectedRevision = 1) =>
    results.storeResult({ expectedRevision, receipt: receiptOf(taskId), bytes: new Uint8Array(size) });
  assert.throws(() => store('b', 1, 0), { code: 'revision_conflict', expected: 0n, actual: 1n });
  assert.throws(() => store('b', 4), { code: 'result_too_large' });
  assert.throws(() => store('b', 3), { code: 'total_result_bytes_exceeded', actual: 4, limit: 3 });
  assert.equal(store('b', 2).revision, 2n);
  assert.throws(() => store('c', 0, 2), { code: 'result_capacity_reached', limit: 2 });
  assert.equal(results.getResult('c'), null);
});

test('the aggregator has a revision and a time of its own: a pool of the same instance does not move it', () => {
  const results = storeOf({ a: [1] });
  const pool = new lg.WorkerPool();
  pool.pruneDeadWorkers({ expectedRevision: 0, now: 5 });
  pool.pruneDeadWorkers({ expectedRevision: 1, now: 6 });
  assert.deepEqual([results.revision, pool.revision], [1n, 2n]);
});
