// forgetWorker: an offline worker's record leaves; what it did is still recognised.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { hostOf } from '../support/host.js';

const lg = await createLeasegate();

/** A worker that completed, failed and cancelled one task each, and went offline as generation 2. */
function offline(limits = {}) {
  const h = hostOf(lg, { maxRetries: 0, ...limits });
  h.worker('w');
  for (const id of ['completed', 'failed', 'cancelled']) h.enqueue(id);
  const [completed, failed, cancelled] = [1, 2, 3].map(() => h.assign('w', 0));
  for (const lease of [completed, failed]) h.start(lease, 1);
  const { receipt } = h.complete(completed, 1);
  h.fail(failed, 2);
  h.cancel(cancelled, 3);
  h.deregister('w', 4);
  return { h, completed, failed, cancelled, receipt };
}

test('a forgotten worker is gone, and the answer is how many ended tasks still name it', () => {
  const { h } = offline();
  assert.equal(h.forget('w', 5), 3);
  assert.deepEqual([h.pool.getWorker('w'), h.pool.getWorkers(), h.pool.snapshot().workers], [null, [], 0]);
  assert.throws(() => h.forget('w', 5), { code: 'worker_not_found', workerId: 'w' });
  const options = { ...h.at(5), expectedGeneration: 2, spec: { workerId: 'w', capacity: 1 } };
  assert.throws(() => h.pool.reactivateWorker(options), { code: 'worker_not_found' });
  h.pool.checkInvariants();
});

test('only an offline worker is forgotten, whether it holds leases or not', () => {
  const h = hostOf(lg);
  h.worker('idle');
  h.worker('busy');
  h.enqueue('job');
  h.assign('busy', 0);
  for (const workerId of ['idle', 'busy']) {
    assert.throws(() => h.forget(workerId, 1, 1), { code: 'worker_unavailable', workerId });
    h.deregister(workerId, 1);
    assert.equal(h.forget(workerId, 1), 0);
  }
  assert.equal(h.task('job').status, 'queued');
});

test('a worker is forgotten in the generation that was decided on, and in no other', () => {
  const { h } = offline();
  for (const generation of [1, 3, 2n ** 64n - 1n]) {
    assert.throws(() => h.forget('w', 5, generation), {
      code: 'worker_generation_conflict',
      expected: BigInt(generation),
      actual: 2n,
    });
  }
  h.pool.reactivateWorker({ ...h.at(5), expectedGeneration: 2, spec: { workerId: 'w', capacity: 1 } });
  assert.throws(
    () => h.forget('w', 5, 2),
    { code: 'worker_generation_conflict' },
    'it has come back meanwhile',
  );
  h.deregister('w', 6, 3);
  assert.equal(h.forget('w', 6, 4), 3);
});

test('what a forgotten worker sends again is recognised, and what it never did is not', () => {
  const { h, completed, failed, cancelled, receipt } = offline();
  h.forget('w', 5);
  assert.deepEqual({ ...h.complete(completed, 6) }, { kind: 'already_completed', receipt });
  assert.equal(h.fail(failed, 6).kind, 'retry_exhausted');
  assert.equal(h.cancel(cancelled, 6).kind, 'already_cancelled');
  assert.equal(receipt.workerId, 'w');
  for (const [act, lease] of /** @type {[any, any][]} */ ([
    [h.complete, completed],
    [h.fail, failed],
    [h.cancel, cancelled],
  ])) {
    assert.throws(() => act({ ...lease, workerId: 'v' }, 6), { code: 'stale_ownership' });
  }
});

test('a result is stored against the receipt of a forgotten worker', () => {
  const { h, receipt } = offline();
  h.forget('w', 5);
  const results = new lg.ResultAggregator();
  const stored = results.storeResult({ expectedRevision: 0, receipt, bytes: Uint8Array.of(1) });
  assert.equal(stored.value.kind, 'stored');
});

test('a forgotten worker makes room for another', () => {
  const { h } = offline({ maxWorkers: 1 });
  assert.throws(() => h.worker('v', 5), { code: 'worker_capacity_reached', limit: 1 });
  h.forget('w', 5);
  h.worker('v', 5);
  assert.throws(() => h.worker('u', 5), { code: 'worker_capacity_reached' });
});

test('a worker of a forgotten name is a new one: generation 1, nothing completed', () => {
  const { h, completed } = offline();
  h.forget('w', 5);
  const worker = h.worker('w', 6, 2);
  assert.deepEqual([worker.generation, worker.completedTasks, worker.capacity], [1n, 0n, 2]);
  assert.equal(h.complete(completed, 6).kind, 'already_completed', 'the old proof is still one');
  h.enqueue('next', 6);
  const lease = h.assign('w', 6);
  assert.ok(lease.leaseId > completed.leaseId);
  h.pool.checkInvariants();
});

test('the tasks that named a forgotten worker can be retired before or after it', () => {
  for (const first of ['forget', 'retire']) {
    const { h } = offline();
    if (first === 'forget') {
      assert.equal(h.forget('w', 5), 3);
      assert.equal(h.retire(5, 9), 3);
    } else {
      assert.equal(h.retire(3, 9, 5), 2);
      assert.equal(h.forget('w', 5), 1, 'only the cancelled task is left');
      assert.equal(h.retire(5, 9), 1);
    }
    h.pool.checkInvariants();
    assert.equal(h.worker('w', 6).generation, 1n);
  }
});
