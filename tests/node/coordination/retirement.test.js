// retireTasks: terminal tasks leave, the first that ended first, and what they held is free.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { hostOf } from '../support/host.js';

const lg = await createLeasegate();

/** Completes a task at a second. @param {ReturnType<typeof hostOf>} h @param {string} taskId @param {number} now */
function complete(h, taskId, now) {
  const options = { ...h.at(now), taskId, workerId: 'w', leaseTtlSecs: 10 };
  const lease = h.pool.assignTask(options).value;
  h.start(lease, now);
  return { lease, receipt: h.complete(lease, now).receipt };
}

/** Tasks e, d, c, b, a that have ended in this order, at seconds 1 to 5. @param {object} [limits] */
function ended(limits) {
  const h = hostOf(lg, limits);
  h.worker('w');
  for (const id of ['a', 'b', 'c', 'd', 'e']) h.enqueue(id);
  ['e', 'd', 'c', 'b', 'a'].forEach((id, index) => {
    complete(h, id, index + 1);
  });
  return h;
}

test('tasks leave in the order in which they ended, and those before the given second only', () => {
  const h = ended();
  const left = [];
  for (const terminalBefore of [0, 1, 2, 4, 6]) {
    h.retire(terminalBefore, 100, 6);
    left.push(h.ids().join(''));
  }
  assert.deepEqual(left, ['abcde', 'abcde', 'abcd', 'ab', '']);
  h.pool.checkInvariants();
});

test('at most as many leave as the limit says, and the answer is how many did', () => {
  const h = ended();
  assert.equal(h.retire(100, 2, 6), 2);
  assert.deepEqual(h.ids(), ['a', 'b', 'c']);
  assert.equal(h.retire(100, 2n ** 64n - 1n, 6), 3);
  assert.equal(h.retire(100, 2, 6), 0);
  assert.throws(() => h.retire(100, 0, 6), { code: 'invalid_limit', name: 'retire_limit' });
});

test('every way of ending counts, and what has not ended stays however old it is', () => {
  const h = hostOf(lg, { maxRetries: 0 });
  h.worker('w');
  h.enqueue('expired', 0);
  for (const id of ['failed', 'cancelled', 'queued', 'leased']) h.enqueue(id, 5, { priority: 'high' });
  const failed = h.assign('w', 5);
  h.start(failed, 5);
  h.fail(failed, 6);
  h.cancel(h.assign('w', 7), 7);
  h.pool.expireOldTasks({ ...h.at(8), taskTtlSecs: 8 });
  h.pool.assignTask({ ...h.at(8), taskId: 'leased', workerId: 'w', leaseTtlSecs: 100 });
  assert.deepEqual(
    [1, 1, 1].flatMap((limit) => [h.retire(99, limit, 9), h.ids().join()]),
    [1, 'cancelled,expired,leased,queued', 1, 'expired,leased,queued', 1, 'leased,queued'],
  );
  assert.equal(h.retire(99, 100, 50), 0);
  h.pool.checkInvariants();
});

test('a sweep that finds nothing is a command all the same: it makes a revision and takes the time on', () => {
  const h = hostOf(lg);
  const answer = h.pool.retireTasks({ ...h.at(7), terminalBefore: 7, limit: 1 });
  assert.deepEqual({ ...answer }, { revision: 1n, value: 0 });
  assert.equal(h.pool.snapshot().logicalTime, 7n);
  assert.deepEqual(
    { ...h.pool.try.retireTasks({ expectedRevision: 0, now: 8, terminalBefore: 8, limit: 1 }).error },
    { code: 'revision_conflict', expected: 0n, actual: 1n },
  );
  assert.deepEqual(
    { ...h.pool.try.retireTasks({ ...h.at(6), terminalBefore: 0, limit: 1 }).error },
    {
      code: 'logical_time_regression',
      current: 7n,
      proposed: 6n,
    },
  );
});

test('a retired task is forgotten: its tokens find nothing, neither as replay nor as fence', () => {
  const h = hostOf(lg);
  h.worker('w');
  h.enqueue('job');
  const { lease } = complete(h, 'job', 1);
  assert.equal(h.complete(lease, 2).kind, 'already_completed');
  const fence = h.enqueue('queued', 2).ownership;
  h.cancel(fence, 3);
  h.retire(4, 2);
  const gone = { code: 'task_not_found', taskId: 'job' };
  for (const act of [h.start, h.complete, h.fail, h.renew, h.cancel])
    assert.throws(() => act(lease, 4), gone);
  assert.throws(() => h.cancel(fence, 4), { code: 'task_not_found', taskId: 'queued' });
  assert.deepEqual([h.task('job'), h.ids()], [null, []]);
});

test('the id of a retired task is usable again, for a task that begins anew', () => {
  const h = hostOf(lg);
  h.worker('w');
  h.enqueue('job', 0, { targetRef: 'first' });
  const first = complete(h, 'job', 1);
  assert.throws(() => h.enqueue('job', 2), { code: 'task_already_exists', taskId: 'job' });
  h.retire(2, 1);
  const task = h.enqueue('job', 3, { targetRef: 'second' });
  assert.deepEqual(
    [task.status, task.createdAt, task.attempt, task.taskGeneration, task.recordVersion],
    ['queued', 3n, 0, 0n, 1n],
  );
  const second = complete(h, 'job', 4);
  assert.ok(second.lease.leaseId > first.lease.leaseId, 'lease ids go on');
  assert.throws(() => h.complete(first.lease, 4), { code: 'stale_ownership', taskId: 'job' });
  assert.equal(h.complete(second.lease, 4).kind, 'already_completed');
  assert.equal(h.task('job').targetRef, 'second');
});

test('a fence of the former task of an id can equal one of the next: whoever uses ids again keeps no fences', () => {
  const h = hostOf(lg);
  const { ownership } = h.enqueue('job');
  h.cancel(ownership, 1);
  h.retire(2, 1);
  h.enqueue('job', 3);
  assert.equal(h.cancel(ownership, 4).kind, 'cancelled');
});

test('results stay when their tasks are retired, and tell the receipts of two tasks of one id apart', () => {
  const h = hostOf(lg);
  const results = new lg.ResultAggregator();
  h.worker('w');
  h.enqueue('job');
  const first = complete(h, 'job', 1);
  const store = (receipt) =>
    results.try.storeResult({ expectedRevision: results.revision, receipt, bytes: Uint8Array.of(1) });
  assert.ok(store(first.receipt).ok);
  h.retire(2, 1);
  assert.deepEqual(results.getResult('job'), Uint8Array.of(1));
  h.enqueue('job', 3);
  const second = complete(h, 'job', 4);
  assert.equal(store(second.receipt).error.code, 'mismatched_result_receipt');
  results.removeResults({ expectedRevision: results.revision, taskIds: ['job'] });
  assert.equal(store(second.receipt).value.kind, 'stored');
});

test('retirement frees the room of records and of terminal tasks', () => {
  const room = { maxTaskRecords: 2, maxActiveTasks: 2, maxQueuedTasks: 2, maxTerminalTasks: 2 };
  for (const [limits, code] of /** @type {[object, string][]} */ ([
    [room, 'task_record_capacity_reached'],
    [{ ...room, maxTaskRecords: 4 }, 'terminal_capacity_reserved'],
  ])) {
    const h = hostOf(lg, limits);
    h.worker('w');
    h.enqueue('a');
    h.enqueue('b');
    complete(h, 'a', 1);
    complete(h, 'b', 2);
    assert.throws(() => h.enqueue('c', 3), { code, limit: 2 });
    assert.equal(h.retire(2, 5, 3), 1);
    h.enqueue('c', 3);
    assert.throws(() => h.enqueue('d', 3), { code, limit: 2 });
    assert.deepEqual([h.ids(), h.pool.snapshot().terminalTasks], [['b', 'c'], 1]);
  }
});

test('what a worker has completed goes on being counted', () => {
  const h = ended();
  h.retire(100, 100, 6);
  assert.equal(h.pool.getWorker('w').completedTasks, 5n);
  h.pool.checkInvariants();
});
