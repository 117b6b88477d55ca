// Faults that people met in systems doing the same jobs, as a JavaScript host would run into them. The rules behind
// them are tested natively; here it is what a caller sees: answers, errors by code, snapshots.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { hostOf } from '../support/host.js';

const lg = await createLeasegate();

const host = (/** @type {object} */ limits) => hostOf(lg, limits);

test('P1: a stalled job is not completed twice; the first attempt is stale and there is one result', () => {
  const h = host();
  const results = new lg.ResultAggregator();
  h.worker('w1');
  h.worker('w2');
  h.enqueue('job');
  const first = h.assign('w1', 0);
  h.start(first, 1);
  assert.deepEqual({ ...h.recover(10) }, { workersAffected: 1, tasksRequeued: 1, tasksFailed: 0 });
  const second = h.assign('w2', 11);
  h.start(second, 11);
  assert.throws(() => h.complete(first, 12), { code: 'stale_ownership', taskId: 'job' });
  const { kind, receipt } = h.complete(second, 12);
  assert.equal(kind, 'completed');
  assert.deepEqual({ ...h.complete(second, 13) }, { kind: 'already_completed', receipt });
  assert.throws(() => h.complete(first, 13), { code: 'stale_ownership' });
  const bytes = Uint8Array.of(2);
  results.storeResult({ expectedRevision: 0, receipt, bytes });
  assert.throws(
    () =>
      results.storeResult({
        expectedRevision: 1,
        receipt: { ...receipt, leaseId: first.leaseId, attempt: 1 },
        bytes,
      }),
    { code: 'mismatched_result_receipt' },
  );
  assert.equal(results.resultCount, 1);
});

test("P2: one worker's two attempts are told apart, though its name is the same", () => {
  const h = host();
  h.worker('w');
  h.enqueue('job');
  const first = h.assign('w', 0);
  h.recover(10);
  const second = h.assign('w', 10);
  for (const act of [h.start, h.complete, h.fail])
    assert.throws(() => act(first, 11), { code: 'stale_ownership' });
  assert.deepEqual(h.task('job').lease, second);
  assert.equal(h.start(second, 11).kind, 'started');
  assert.deepEqual([first.attempt, second.attempt], [1, 2]);
});

test('P3: a rescue that decided on an old revision is a conflict, and a new one touches only what is expired now', () => {
  const h = host();
  h.worker('w');
  h.enqueue('done-meanwhile');
  h.enqueue('assigned-again');
  const a = h.assign('w', 0);
  const b = h.assign('w', 0);
  h.start(a, 1);
  h.start(b, 1);
  const seen = h.pool.revision;
  h.complete(a, 9);
  h.fail(b, 9);
  const again = h.assign('w', 9);
  const rescue = h.pool.try.recoverExpiredLeases({ expectedRevision: seen, now: 10 });
  assert.deepEqual({ ...rescue.error }, { code: 'revision_conflict', expected: seen, actual: seen + 3n });
  assert.deepEqual({ ...h.recover(10) }, { workersAffected: 0, tasksRequeued: 0, tasksFailed: 0 });
  assert.equal(h.task('done-meanwhile').status, 'completed');
  assert.deepEqual(h.task('assigned-again').lease, again);
});

for (const [maxRetries, runs] of [
  [2, 3],
  [0, 1],
  [1, 2],
]) {
  test(`P4: with maxRetries ${maxRetries} a task that always fails runs ${runs} times, and each hand-out is an attempt`, () => {
    const h = host({ maxRetries });
    h.worker('w');
    h.enqueue('job');
    const kinds = [];
    for (let run = 1; run <= runs; run += 1) {
      const lease = h.assign('w', run);
      assert.equal(lease.attempt, run);
      h.start(lease, run);
      kinds.push(h.fail(lease, run).kind);
    }
    assert.deepEqual(kinds, [...new Array(runs - 1).fill('requeued'), 'retry_exhausted']);
    assert.deepEqual(
      [h.task('job').status, h.task('job').attempt, h.task('job').retryCount],
      ['failed', runs, maxRetries],
    );
    assert.throws(() => h.assign('w', 9), { code: 'no_queued_task' });
  });
}

const ODD = /** @type {[string, string][]} */ ([
  ['a newline', 'a\ndata:x'],
  ['a carriage return', 'a\r'],
  ['a NUL', 'a\0b'],
  ['an emoji', '😀'],
  ['a combining letter', 'e\u0301'],
  ['a blank', 'a b'],
  ['a slash', 'a/b'],
  ['a byte order mark', '\ufeffa'],
]);
for (const [what, id] of ODD) {
  test(`P5: an id with ${what} is refused by the name of the rule, wherever it comes in`, () => {
    const h = host();
    h.worker('w');
    h.enqueue('job');
    const results = new lg.ResultAggregator();
    const receipt = {
      taskId: id,
      taskGeneration: 0,
      attempt: 1,
      leaseId: 1,
      workerId: 'w',
      workerGeneration: 1,
      recordVersion: 1,
    };
    const lease = { ...h.assign('w', 0), taskId: id };
    assert.throws(() => h.enqueue(id), { code: 'invalid_task', reason: 'task_id_unsafe' });
    assert.throws(() => h.enqueue('x', 0, { scanId: id }), {
      code: 'invalid_task',
      reason: 'scan_id_unsafe',
    });
    assert.throws(() => h.worker(id), { code: 'invalid_worker', reason: 'worker_id_invalid' });
    assert.throws(() => h.assign(id, 0), { code: 'invalid_worker', reason: 'worker_command_id_invalid' });
    for (const call of [
      () => h.task(id),
      () => h.start(lease, 1),
      () => results.getResult(id),
      () => results.aggregateResults([id]),
    ]) {
      assert.throws(call, { code: 'invalid_task', reason: 'task_command_id_invalid' });
    }
    assert.throws(() => results.storeResult({ expectedRevision: 0, receipt, bytes: new Uint8Array(1) }), {
      code: 'invalid_task',
    });
    assert.deepEqual(
      h.pool.taskQueue.tasks().map((task) => task.taskId),
      ['job'],
    );
    assert.equal(
      h.enqueue(`t-${what.length}`, 0, { targetRef: id }).targetRef,
      id,
      'a target reference is carried as it is',
    );
  });
}

test("P5: an id with a lone surrogate could not even be told to the core: a TypeError, and not the text's", () => {
  const h = host();
  for (const id of ['a\ud800', '\udc00a', '\ud800', 'a\ud83dz']) {
    assert.throws(() => h.enqueue(id), {
      name: 'TypeError',
      message: 'spec.taskId must be a string without lone surrogates',
    });
    assert.throws(() => h.enqueue('a', 0, { targetRef: id }), {
      name: 'TypeError',
      message: /^spec\.targetRef must be/,
    });
    assert.throws(() => h.task(id), { name: 'TypeError', message: /^taskId must be/ });
  }
  assert.equal(h.pool.revision, 0n);
});

test("P5: ids with ':' and '.' are carried byte for byte, and are never joined into one key", () => {
  const h = host();
  const ids = [
    'n:1',
    'n',
    '1',
    ':',
    '::',
    'n:',
    ':1',
    '.',
    '..',
    '__proto__',
    'constructor',
    'toString',
    '-',
    '-0',
    '0',
    'A',
    'a',
  ];
  for (const id of ids) h.enqueue(id, 0, { scanId: id });
  for (const id of ids) h.worker(id, 0, 1);
  for (const id of ids) {
    assert.equal(h.task(id).taskId, id);
    assert.equal(h.task(id).scanId, id);
    assert.equal(h.pool.getWorker(id).workerId, id);
  }
  const bytewise = [...ids].sort();
  assert.deepEqual(
    h.pool.taskQueue.tasks().map((task) => task.taskId),
    bytewise,
  );
  assert.deepEqual(
    h.pool.getWorkers().map((worker) => worker.workerId),
    bytewise,
  );
  assert.equal(h.task('n:2'), null);
  const lease = h.pool.assignTask({ ...h.at(0), taskId: 'n:', workerId: '1', leaseTtlSecs: 5 }).value;
  const shifted = { ...lease, taskId: 'n', workerId: ':1' };
  assert.throws(() => h.start(shifted, 0), { code: 'stale_ownership', taskId: 'n' });
});

test('P6: a requeued task goes to the back of its priority, a recovered high one is still next', () => {
  const h = host();
  h.worker('w');
  for (const id of ['1', '2', '3', '4']) h.enqueue(id);
  const lease = h.assign('w', 0);
  h.start(lease, 0);
  h.fail(lease, 0);
  const order = [1, 2, 3, 4].map(() => h.assign('w', 0).taskId);
  assert.deepEqual(order, ['2', '3', '4', '1']);

  const other = host();
  other.worker('w');
  other.enqueue('high', 0, { priority: 'high' });
  other.assign('w', 0);
  for (let i = 0; i < 50; i += 1) other.enqueue(`low-${i}`, 1, { priority: 'low' });
  assert.equal(other.pool.taskQueue.peekNext().taskId, 'low-0');
  other.recover(10);
  assert.equal(other.pool.taskQueue.peekNext().taskId, 'high');
});

test('P7: a lease lives only while now < expiresAt: never both, never neither', () => {
  const outcomes = [99, 100].map((now) => {
    const h = host({ heartbeatTimeoutSecs: 1000 });
    h.worker('w');
    h.enqueue('job');
    const lease = h.assign('w', 0, 100);
    h.start(lease, 0);
    const completed = h.pool.try.completeTask({ ...h.at(now), lease });
    const recovered = h.recover(now);
    return [completed.ok ? 'completed' : completed.error.code, recovered.tasksRequeued];
  });
  assert.deepEqual(outcomes, [
    ['completed', 0],
    ['lease_expired', 1],
  ]);
});

test('P8: when a worker is gone its job is released, and a worker of the same name is another generation', () => {
  const h = host();
  h.worker('w');
  h.enqueue('job');
  const old = h.assign('w', 0);
  h.start(old, 0);
  const gone = h.pool.deregisterWorker({ ...h.at(1), workerId: 'w', generation: 1 }).value;
  assert.deepEqual({ ...gone }, { workersAffected: 1, tasksRequeued: 1, tasksFailed: 0 });
  const spec = { workerId: 'w', capacity: 1 };
  const back = h.pool.reactivateWorker({ ...h.at(2), expectedGeneration: 2, spec }).value;
  assert.deepEqual([back.generation, back.currentTasks, back.status], [3n, 0, 'healthy']);
  assert.throws(() => h.complete(old, 3), { code: 'stale_ownership' });
  const again = h.assign('w', 3);
  assert.deepEqual([again.attempt, again.workerGeneration], [2, 3n]);
  assert.throws(() => h.complete(old, 3), { code: 'stale_ownership' });
  h.start(again, 3);
  assert.equal(h.complete(again, 3).kind, 'completed');
});

test('P9: a duplicate is said to be one each time, before and after completion, and the first data stay', () => {
  const h = host();
  h.worker('w');
  h.enqueue('job', 0, { targetRef: 'first', phases: [1] });
  const duplicate = () => h.enqueue('job', 0, { targetRef: 'second', phases: [2] });
  assert.throws(duplicate, { code: 'task_already_exists', taskId: 'job' });
  const lease = h.assign('w', 0);
  assert.throws(duplicate, { code: 'task_already_exists' });
  h.start(lease, 0);
  h.complete(lease, 0);
  const revision = h.pool.revision;
  assert.throws(duplicate, { code: 'task_already_exists' });
  assert.deepEqual(
    [h.task('job').targetRef, [...h.task('job').phases], h.pool.revision],
    ['first', [1], revision],
  );
});

test('P10: after 60,000 finished jobs counters and lists agree with the records', () => {
  const h = host({
    maxTaskRecords: 65_536,
    maxTerminalTasks: 65_536,
    maxActiveTasks: 16,
    maxQueuedTasks: 16,
  });
  const { pool } = h;
  h.worker('w', 0, 1);
  let expectedRevision = pool.revision;
  for (let i = 0; i < 60_000; i += 1) {
    pool.taskQueue.enqueue({
      expectedRevision,
      now: 0,
      spec: { taskId: `t${i}`, scanId: 's', targetRef: 'r' },
    });
    const lease = pool.assignNext({
      expectedRevision: expectedRevision + 1n,
      now: 0,
      workerId: 'w',
      leaseTtlSecs: 9,
    }).value;
    pool.startTask({ expectedRevision: expectedRevision + 2n, now: 0, lease });
    expectedRevision = pool.completeTask({ expectedRevision: expectedRevision + 3n, now: 0, lease }).revision;
  }
  assert.deepEqual(
    { ...pool.snapshot() },
    {
      revision: 240_001n,
      logicalTime: 0n,
      taskRecords: 60_000,
      activeTasks: 0,
      queuedTasks: 0,
      terminalTasks: 60_000,
      workers: 1,
    },
  );
  assert.deepEqual([pool.getWorker('w').completedTasks, pool.getWorker('w').currentTasks], [60_000n, 0]);
  assert.equal(pool.taskQueue.peekNext(), null);
  const tasks = pool.taskQueue.tasks();
  assert.equal(new Set(tasks.map((task) => task.taskId)).size, 60_000);
  assert.ok(
    tasks.every((task) => task.status === 'completed' && task.lease === null && task.ownership === null),
  );
  pool.checkInvariants();
  pool.dispose();
});
