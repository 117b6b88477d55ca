// removeResults: results leave, all that are named or none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { receiptOf } from './support/receipt.js';

const lg = await createLeasegate();

/** Results of 1, 2, 3 ... bytes. @param {string[]} ids @param {object} [limits] */
function storeOf(ids, limits) {
  const results = new lg.ResultAggregator({ limits });
  ids.forEach((taskId, index) => {
    store(results, taskId, index + 1);
  });
  return results;
}

/** @param {any} results @param {string} taskId @param {number} size */
function store(results, taskId, size) {
  const expectedRevision = results.revision;
  return results.storeResult({ expectedRevision, receipt: receiptOf(taskId), bytes: new Uint8Array(size) });
}

/** @param {any} results @param {string[]} taskIds */
const remove = (results, taskIds) => results.removeResults({ expectedRevision: results.revision, taskIds });

const stats = ({ revision, resultCount, totalBytes }) => [revision, resultCount, totalBytes];

test('removed results are gone with their bytes, the others stay, and the answer is how many', () => {
  const results = storeOf(['a', 'b', 'c', 'd']);
  const answer = remove(results, ['d', 'b']);
  assert.deepEqual({ ...answer }, { revision: 5n, value: 2 });
  assert.deepEqual(stats(results), [5n, 2, 4]);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => results.getResult(id)?.length),
    [1, undefined, 3, undefined],
  );
  assert.throws(() => results.aggregateResults(['a', 'b']), { code: 'missing_result', taskId: 'b' });
  assert.equal(results.aggregateResults(['c', 'a']).length, 2);
});

test('one missing, repeated or invalid id, and none is removed', () => {
  for (const [taskIds, error] of /** @type {[string[], object][]} */ ([
    [['a', 'x', 'b'], { code: 'missing_result', taskId: 'x' }],
    [['a', 'b', 'a'], { code: 'duplicate_aggregate_task', taskId: 'a' }],
    [['a', 'x', 'a'], { code: 'missing_result', taskId: 'x' }],
    [['a', 'a', 'x'], { code: 'duplicate_aggregate_task', taskId: 'a' }],
    [['x', 'a b'], { code: 'invalid_task', reason: 'task_command_id_invalid' }],
  ])) {
    const results = storeOf(['a', 'b']);
    assert.throws(() => remove(results, taskIds), error);
    assert.deepEqual(stats(results), [2n, 2, 3]);
    assert.deepEqual([results.getResult('a')?.length, results.getResult('b')?.length], [1, 2]);
    assert.equal(remove(results, ['a', 'b']).value, 2);
    assert.deepEqual(stats(results), [3n, 0, 0]);
  }
});

test('ids are validated, then the revision is compared, and only then are results looked for', () => {
  const results = storeOf(['a']);
  const attempt = (expectedRevision, taskIds) => ({
    ...results.try.removeResults({ expectedRevision, taskIds }).error,
  });
  assert.deepEqual(attempt(0, ['x']), { code: 'revision_conflict', expected: 0n, actual: 1n });
  assert.equal(attempt(0, ['']).code, 'invalid_task');
  assert.equal(attempt(1, ['x']).code, 'missing_result');
  const answer = results.try.removeResults({ expectedRevision: 1, taskIds: ['a'] });
  assert.deepEqual({ ...answer }, { ok: true, revision: 2n, value: 1 });
});

test('no ids at all are a command all the same', () => {
  const results = storeOf(['a']);
  assert.deepEqual({ ...remove(results, []) }, { revision: 2n, value: 0 });
  assert.equal(results.resultCount, 1);
});

test('removal frees places and bytes', () => {
  const results = storeOf(['a', 'b'], { maxResults: 2, maxTotalBytes: 3, maxResultBytes: 3 });
  assert.throws(() => store(results, 'c', 0), { code: 'result_capacity_reached' });
  remove(results, ['a']);
  assert.throws(() => store(results, 'c', 2), { code: 'total_result_bytes_exceeded', actual: 4, limit: 3 });
  store(results, 'c', 1);
  remove(results, ['b', 'c']);
  store(results, 'd', 3);
  assert.deepEqual([results.resultCount, results.totalBytes], [1, 3]);
});

test('a removed result may be stored again, by the same receipt or another', () => {
  const results = storeOf(['a']);
  remove(results, ['a']);
  const other = { ...receiptOf('a'), leaseId: 9n };
  const stored = results.storeResult({ expectedRevision: 2, receipt: other, bytes: new Uint8Array(7) });
  assert.equal(stored.value.kind, 'stored', 'and not already_stored');
  assert.throws(() => store(results, 'a', 1), { code: 'mismatched_result_receipt' });
});

test('more may be removed at once than may be read at once', () => {
  const ids = ['a', 'b', 'c'];
  const results = storeOf(ids, { maxAggregateItems: 2, maxAggregateBytes: 2 });
  assert.throws(() => results.aggregateResults(ids), { code: 'aggregate_item_limit_exceeded' });
  assert.equal(remove(results, ids).value, 3);
});

test('results that come and go leave no memory behind', async () => {
  const small = await createLeasegate({ memory: { maximumBytes: 4 * 1024 * 1024 } });
  const results = new small.ResultAggregator({ limits: { maxResultBytes: 1024 * 1024 } });
  for (let i = 0; i < 200; i += 1) {
    const ids = [`a${i}`, `b${i}`, `c${i}`];
    for (const [index, id] of ids.entries()) store(results, id, index * 300_000);
    assert.equal(remove(results, ids).value, 3);
  }
  assert.deepEqual(stats(results), [800n, 0, 0]);
});
