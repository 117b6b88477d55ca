// failTask with retryAfterSecs: the task counts as queued, but nobody is given it before its time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { hostOf } from '../support/host.js';

const lg = await createLeasegate();

/** A task that has failed at second 1 and waits until second 11. @param {object} [limits] */
function waiting(limits) {
  const h = hostOf(lg, limits);
  h.worker('w');
  h.enqueue('job');
  const lease = h.assign('w', 0);
  h.start(lease, 1);
  const outcome = h.fail(lease, 1, 10);
  return { h, lease, outcome };
}

test('a task that waits is queued and requeued like any other, and says until when', () => {
  const { h, outcome } = waiting();
  assert.deepEqual(
    { ...outcome },
    { kind: 'requeued', taskGeneration: 1n, retryCount: 1, recordVersion: 4n },
  );
  const task = h.task('job');
  assert.deepEqual([task.status, task.notBefore, task.startedAt], ['queued', 11n, null]);
  assert.deepEqual(h.pool.taskQueue.tasks()[0], task);
  assert.equal(h.pool.snapshot().queuedTasks, 1);
  assert.equal(JSON.parse(JSON.stringify(task)).notBefore, 11);
  h.pool.checkInvariants();
});

test('nobody is given a task before its time, and everybody from then on', () => {
  const assigns = /** @type {((h: any, now: number) => any)[]} */ ([
    (h, now) => h.assign('w', now),
    (h, now) => h.pool.assignNextAvailable({ ...h.at(now), leaseTtlSecs: 10 }).value,
    (h, now) => h.pool.assignTask({ ...h.at(now), taskId: 'job', workerId: 'w', leaseTtlSecs: 10 }).value,
  ]);
  for (const [index, assign] of assigns.entries()) {
    const { h } = waiting();
    const refused =
      index < 2 ? { code: 'no_queued_task' } : { code: 'task_not_due', taskId: 'job', notBefore: 11n };
    const { revision } = h.pool;
    assert.throws(() => assign(h, 1), refused);
    assert.throws(() => assign(h, 10), refused);
    assert.equal(h.pool.revision, revision);
    const lease = assign(h, 11);
    assert.deepEqual([lease.taskId, lease.attempt], ['job', 2]);
    assert.equal(h.task('job').notBefore, null);
    h.start(lease, 12);
    assert.equal(h.complete(lease, 12).kind, 'completed');
  }
});

test('a waiting task is peeked at only once an accepted command has brought the pool to its time', () => {
  const { h } = waiting();
  assert.equal(h.pool.taskQueue.peekNext(), null);
  h.recover(10);
  assert.equal(h.pool.taskQueue.peekNext(), null);
  assert.equal(h.task('job').notBefore, 11n);
  assert.equal(h.pool.try.recoverExpiredLeases({ expectedRevision: 0, now: 11 }).ok, false);
  assert.equal(h.pool.taskQueue.peekNext(), null, 'a refused command brings no time');
  h.recover(11);
  assert.equal(h.pool.taskQueue.peekNext().taskId, 'job');
  assert.equal(h.task('job').notBefore, null);
  h.pool.checkInvariants();
});

test('a due task joins the back of its priority: behind what was enqueued while it waited, before what comes now', () => {
  const { h } = waiting();
  h.enqueue('meanwhile', 5);
  h.enqueue('urgent', 5, { priority: 'high' });
  h.enqueue('later', 11);
  const order = [1, 2, 3, 4].map(() => h.assign('w', 11).taskId);
  assert.deepEqual(order, ['urgent', 'meanwhile', 'job', 'later']);
});

test('tasks that wait join in the order of their times, whatever the order in which they failed', () => {
  const h = hostOf(lg);
  h.worker('w');
  for (const id of ['a', 'b', 'c']) h.enqueue(id);
  const leases = ['a', 'b', 'c'].map(() => h.assign('w', 0));
  for (const [index, lease] of leases.entries()) {
    h.start(lease, 0);
    h.fail(lease, 0, 5 - index);
  }
  assert.deepEqual(
    [1, 2, 3].map(() => h.assign('w', 5).taskId),
    ['c', 'b', 'a'],
  );
});

test('a waiting task is cancelled by its fence, and by no other', () => {
  const { h, lease } = waiting();
  const { ownership } = h.task('job');
  assert.throws(() => h.cancel(lease, 2), { code: 'stale_ownership' });
  assert.throws(() => h.cancel({ ...ownership, taskGeneration: 0n }, 2), { code: 'stale_ownership' });
  assert.equal(h.cancel(ownership, 2).kind, 'cancelled');
  const task = h.task('job');
  assert.deepEqual([task.status, task.notBefore, task.completedAt], ['cancelled', null, 2n]);
  assert.equal(h.cancel(ownership, 3).kind, 'already_cancelled');
  h.recover(11);
  assert.equal(h.pool.taskQueue.peekNext(), null);
  h.pool.checkInvariants();
});

test('a fence taken while the task waits is good when it is due, and stale when it is handed out', () => {
  for (const handedOut of [false, true]) {
    const { h } = waiting();
    const { ownership } = h.task('job');
    h.recover(11);
    if (handedOut) h.assign('w', 11);
    const answer = h.pool.try.cancelTask({ ...h.at(11), ownership });
    assert.equal(
      answer.ok ? answer.value.kind : answer.error.code,
      handedOut ? 'stale_ownership' : 'cancelled',
    );
  }
});

test('a waiting task takes a place in the queue, and grows old like any other', () => {
  const { h } = waiting({ maxQueuedTasks: 1 });
  assert.throws(() => h.enqueue('other', 2), { code: 'queued_task_capacity_reached', limit: 1 });
  assert.equal(h.pool.expireOldTasks({ ...h.at(9), taskTtlSecs: 10 }).value, 0);
  assert.equal(h.pool.expireOldTasks({ ...h.at(10), taskTtlSecs: 10 }).value, 1);
  assert.deepEqual([h.task('job').status, h.task('job').notBefore], ['expired', null]);
  h.enqueue('other', 10);
});

test('a retry waits as long as a task may be named old, and no longer', () => {
  const h = hostOf(lg, { maxTaskTtlSecs: 100 });
  h.worker('w');
  h.enqueue('job');
  const lease = h.assign('w', 0);
  h.start(lease, 1);
  assert.throws(() => h.fail(lease, 1, 101), {
    code: 'invalid_limit_relationship',
    reason: 'retry_delay_exceeds_limit',
  });
  assert.deepEqual([h.task('job').status, h.task('job').lease], ['running', lease]);
  h.fail(lease, 1, 100);
  assert.equal(h.task('job').notBefore, 101n);
});

test('a time to retry is exact beyond 2^53, and never lies past the end of time', () => {
  const END = 2n ** 64n - 1n;
  for (const now of [2n ** 53n, END - 5n]) {
    const h = hostOf(lg);
    h.worker('w', now);
    h.enqueue('job', now);
    const lease = h.assign('w', now, 5);
    h.start(lease, now);
    if (now === END - 5n) {
      assert.throws(() => h.fail(lease, now, 6), { code: 'counter_exhausted', counter: 'not_before' });
    }
    h.fail(lease, now, 5);
    assert.equal(h.task('job').notBefore, now + 5n);
    const options = { ...h.at(now), taskId: 'job', workerId: 'w', leaseTtlSecs: 1 };
    assert.throws(() => h.pool.assignTask(options), { code: 'task_not_due', notBefore: now + 5n });
  }
});

test('a task without a retry left fails for good, whatever delay is asked for', () => {
  const h = hostOf(lg, { maxRetries: 0 });
  h.worker('w');
  h.enqueue('job');
  const lease = h.assign('w', 0);
  h.start(lease, 1);
  assert.equal(h.fail(lease, 1, 10).kind, 'retry_exhausted');
  assert.deepEqual([h.task('job').status, h.task('job').notBefore], ['failed', null]);
  assert.equal(h.fail(lease, 2).kind, 'retry_exhausted', 'a replay need not repeat the delay');
});
