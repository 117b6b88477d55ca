// Every 64-bit field at the two edges that JavaScript is known to lose: 2^53 and 2^64 - 1.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate, taskAgeSecs } from 'leasegate';
import { prepare } from '../support/prepared.js';

const lg = await createLeasegate();
const END = 2n ** 64n - 1n;
const EDGES = [
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n,
  END - 1n,
  END,
];

/** @param {() => unknown} call */
function errorOf(call) {
  try {
    call();
  } catch (error) {
    return /** @type {any} */ (error);
  }
  throw new Error('nothing was refused');
}

for (const edge of EDGES) {
  test(`${edge} comes back digit for digit from each field of an error`, () => {
    const { pool, results, receipt } = prepare(lg);
    const { revision } = pool;
    const now = pool.snapshot().logicalTime;
    const numbers = edge <= Number.MAX_SAFE_INTEGER ? [edge, Number(edge)] : [edge];
    for (const number of numbers) {
      const conflict = errorOf(() => pool.pruneDeadWorkers({ expectedRevision: number, now }));
      assert.deepEqual({ ...conflict }, { code: 'revision_conflict', expected: edge, actual: revision });
      const generation = errorOf(() =>
        pool.deregisterWorker({ expectedRevision: revision, now, workerId: 'w1', generation: number }),
      );
      assert.deepEqual({ ...generation }, { code: 'worker_generation_conflict', expected: edge, actual: 1n });
      const limit = errorOf(() => new lg.WorkerPool({ limits: { maxTaskTtlSecs: number } }));
      assert.deepEqual(
        { ...limit },
        { code: 'time_limit_exceeds_maximum', name: 'max_task_ttl_secs', actual: edge, maximum: 2_678_400n },
      );
      const store = errorOf(() =>
        results.storeResult({ expectedRevision: number, receipt, bytes: new Uint8Array(0) }),
      );
      assert.deepEqual({ ...store }, { code: 'revision_conflict', expected: edge, actual: 0n });
    }
    pool.recoverExpiredLeases({ expectedRevision: revision, now: edge });
    const before = errorOf(() => pool.getAvailableWorker(edge - 1n));
    assert.deepEqual({ ...before }, { code: 'logical_time_regression', current: edge, proposed: edge - 1n });
  });

  test(`${edge} survives as logical time in every record`, () => {
    const pool = new lg.WorkerPool();
    const now = edge - 10n;
    const at = () => ({ expectedRevision: pool.revision, now });
    assert.equal(
      pool.registerWorker({ ...at(), spec: { workerId: 'w', capacity: 2 } }).value.lastHeartbeat,
      now,
    );
    const spec = { taskId: 't', scanId: 's', targetRef: 'r' };
    assert.equal(pool.taskQueue.enqueue({ ...at(), spec }).value.createdAt, now);
    const { value: lease } = pool.assignNextAvailable({ ...at(), leaseTtlSecs: 10 });
    assert.deepEqual([lease.acquiredAt, lease.expiresAt], [now, edge]);
    pool.startTask({ expectedRevision: pool.revision, now: edge - 1n, lease });
    const running = pool.taskQueue.getTask('t');
    assert.deepEqual([running.startedAt, running.lease], [edge - 1n, lease]);
    assert.equal(taskAgeSecs(running, END), END - now);
    pool.completeTask({ expectedRevision: pool.revision, now: edge - 1n, lease });
    assert.equal(pool.taskQueue.getTask('t').completedAt, edge - 1n);
    pool.updateWorker({
      expectedRevision: pool.revision,
      now: edge,
      workerId: 'w',
      generation: 1,
      observation: {},
    });
    assert.equal(pool.getWorkers()[0].lastHeartbeat, edge);
    assert.equal(pool.getAvailableWorker(edge).lastHeartbeat, edge);
    assert.equal(pool.snapshot().logicalTime, edge);
    pool.checkInvariants();
    pool.dispose();
  });
}

test('a lease that would end after the end of time is refused, one that ends with it is given', () => {
  const pool = new lg.WorkerPool();
  const at = () => ({ expectedRevision: pool.revision, now: END - 5n });
  pool.registerWorker({ ...at(), spec: { workerId: 'w', capacity: 2 } });
  pool.taskQueue.enqueue({ ...at(), spec: { taskId: 't', scanId: 's', targetRef: 'r' } });
  const past = errorOf(() => pool.assignNext({ ...at(), workerId: 'w', leaseTtlSecs: 6 }));
  assert.deepEqual({ ...past }, { code: 'counter_exhausted', counter: 'lease_deadline' });
  assert.equal(pool.assignNext({ ...at(), workerId: 'w', leaseTtlSecs: 5 }).value.expiresAt, END);
});

/** A lease, a fence and a receipt as somebody might type them, with every 64-bit field at its end. */
const lease = {
  taskId: 'a',
  workerId: 'w',
  workerGeneration: END,
  taskGeneration: END,
  attempt: 2 ** 32 - 1,
  leaseId: END,
  acquiredAt: END,
  expiresAt: END,
};
const fence = { taskId: 'queued', taskGeneration: END, recordVersion: END };
const receipt = {
  taskId: 'a',
  taskGeneration: END,
  attempt: 2 ** 32 - 1,
  leaseId: END,
  workerId: 'w',
  workerGeneration: END,
  recordVersion: END,
};

test('the core receives every digit of a receipt: one less in any field is another receipt', () => {
  const results = new lg.ResultAggregator();
  const bytes = Uint8Array.of(1);
  assert.equal(results.storeResult({ expectedRevision: 0, receipt, bytes }).value.kind, 'stored');
  const again = (given) => results.try.storeResult({ expectedRevision: 1, receipt: given, bytes });
  assert.equal(again(receipt).value.kind, 'already_stored');
  for (const [field, value] of Object.entries(receipt)) {
    if (typeof value === 'string') continue;
    const less = { ...receipt, [field]: typeof value === 'bigint' ? value - 1n : value - 1 };
    assert.deepEqual({ ...again(less).error }, { code: 'mismatched_result_receipt', taskId: 'a' }, field);
  }
});

test('the core receives every digit of a lease or fence: one more in any field makes it stale', () => {
  const prepared = prepare(lg);
  const { pool, options, running, queued } = prepared;
  const call = (given) => pool.try.cancelTask({ ...options.cancelTask, ownership: given });
  for (const [current, kind] of [
    [running, 'lease'],
    [queued.ownership, 'fence'],
  ]) {
    for (const [field, value] of Object.entries(current)) {
      if (typeof value === 'string') continue;
      for (const by of [1n, 2n ** 32n, 2n ** 53n, END - 1000n]) {
        if (typeof value === 'number' && by > 1n) continue;
        const other = { ...current, [field]: typeof value === 'bigint' ? value + by : value + 1 };
        assert.deepEqual(
          { ...call(other).error },
          { code: 'stale_ownership', taskId: current.taskId },
          `${kind}.${field} + ${by}`,
        );
      }
    }
  }
  assert.equal(call({ ...lease, taskId: 'running', workerId: 'w1' }).error.code, 'stale_ownership');
  assert.equal(call(fence).error.code, 'stale_ownership');
  assert.equal(call(queued.ownership).value.kind, 'cancelled');
});

test('a safe integer and the bigint of it are the same argument', () => {
  const one = prepare(lg);
  const other = prepare(lg);
  const numbers = Object.fromEntries(
    Object.entries(one.leased).map(([key, value]) => [
      key,
      typeof value === 'bigint' ? Number(value) : value,
    ]),
  );
  const bigints = Object.fromEntries(
    Object.entries(other.leased).map(([key, value]) => [
      key,
      typeof value === 'number' ? BigInt(value) : value,
    ]),
  );
  const asNumbers = one.pool.startTask({
    expectedRevision: Number(one.pool.revision),
    now: 105,
    lease: numbers,
  });
  const asBigInts = other.pool.startTask({
    expectedRevision: other.pool.revision,
    now: 105n,
    lease: bigints,
  });
  assert.deepEqual(asNumbers, asBigInts);
});

test('times that no number tells apart come out as they went in', () => {
  const pool = new lg.WorkerPool();
  const first = 2n ** 63n + 500n;
  // Among these are two that round to one number, and whose last ten bits are the same.
  for (const [index, now] of [first, first + 1n, first + 1024n, first + 2048n, first + 3072n].entries()) {
    const spec = { taskId: `t${index}`, scanId: 's', targetRef: 't' };
    const { value } = pool.taskQueue.enqueue({ expectedRevision: pool.revision, now, spec });
    assert.equal(value.createdAt, now);
    assert.equal(pool.snapshot().logicalTime, now);
  }
  assert.equal(pool.taskQueue.getTask('t0').createdAt, first);
});
