// renewLease: the same lease with a later end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { hostOf } from '../support/host.js';

const lg = await createLeasegate();

/** A task on lease from second 0 to second 10. @param {object} [limits] */
function leased(limits) {
  const h = hostOf(lg, limits);
  h.worker('w');
  h.enqueue('job');
  return { h, lease: h.assign('w', 0, 10) };
}

test('a renewed lease keeps its id and its attempt, and ends later', () => {
  const { h, lease } = leased();
  const before = h.task('job');
  const renewed = h.renew(lease, 4, 20);
  assert.deepEqual({ ...renewed }, { ...lease, expiresAt: 24n });
  const task = h.task('job');
  assert.deepEqual([task.status, task.lease, task.ownership], ['leased', renewed, renewed]);
  assert.deepEqual([task.attempt, task.retryCount, task.taskGeneration], [1, 0, 0n]);
  assert.equal(task.recordVersion, before.recordVersion + 1n);
  assert.equal(h.pool.getWorker('w').currentTasks, 1);
  h.pool.checkInvariants();
});

test('the old token is stale for every command, and the new one does what a lease does', () => {
  const { h, lease } = leased();
  const renewed = h.renew(lease, 1);
  const { revision } = h.pool;
  for (const act of [h.start, h.complete, h.fail, h.cancel, h.renew]) {
    assert.throws(() => act(lease, 2), { code: 'stale_ownership', taskId: 'job' });
  }
  assert.equal(h.pool.revision, revision);
  assert.equal(h.start(renewed, 2).kind, 'started');
  const again = h.renew(renewed, 8, 30);
  assert.equal(h.task('job').status, 'running', 'work that has begun goes on');
  assert.equal(h.task('job').startedAt, 2n);
  assert.throws(() => h.complete(renewed, 9), { code: 'stale_ownership' });
  assert.equal(h.complete(again, 37).receipt.leaseId, lease.leaseId);
});

test('what a renewed lease has completed is recognised under each of its tokens: completion compares no times', () => {
  const { h, lease } = leased();
  const renewed = h.renew(lease, 1);
  h.start(renewed, 1);
  const { receipt } = h.complete(renewed, 2);
  for (const token of [renewed, lease]) {
    assert.deepEqual({ ...h.complete(token, 3) }, { kind: 'already_completed', receipt });
  }
  const other = { ...renewed, leaseId: renewed.leaseId + 1n };
  assert.throws(() => h.complete(other, 3), { code: 'stale_ownership' });
});

test('a cancellation or failure for good is recognised under the token that did it, and no earlier one', () => {
  for (const act of /** @type {const} */ (['cancel', 'fail'])) {
    const { h, lease } = leased({ maxRetries: 0 });
    const renewed = h.renew(lease, 1);
    h.start(renewed, 1);
    const { recordVersion } = h[act](renewed, 2);
    assert.equal(h[act](renewed, 3).recordVersion, recordVersion);
    assert.throws(() => h[act](lease, 3), { code: 'stale_ownership' });
  }
});

test('a renewal that would end no later is refused, one that ends a second later is taken', () => {
  for (const now of [0, 4, 9]) {
    const { h, lease } = leased();
    const { revision } = h.pool;
    for (const leaseTtlSecs of [1, 10 - now]) {
      assert.throws(() => h.renew(lease, now, leaseTtlSecs), {
        code: 'invalid_limit_relationship',
        reason: 'renewal_not_later',
      });
    }
    assert.deepEqual([h.pool.revision, h.task('job').lease], [revision, lease]);
    assert.equal(h.renew(lease, now, 11 - now).expiresAt, 11n);
  }
});

test('a renewal is as long as a lease may be, and no longer', () => {
  const { h, lease } = leased({ maxLeaseTtlSecs: 60 });
  assert.throws(() => h.renew(lease, 1, 0), { code: 'invalid_limit', name: 'lease_ttl_secs' });
  assert.throws(() => h.renew(lease, 1, 61), {
    code: 'invalid_limit_relationship',
    reason: 'lease_ttl_exceeds_limit',
  });
  assert.equal(h.renew(lease, 1, 60).expiresAt, 61n);
});

test('an expired lease cannot be renewed; in its last second it can', () => {
  const { h, lease } = leased();
  assert.throws(() => h.renew(lease, 10), { code: 'lease_expired', taskId: 'job' });
  const renewed = h.renew(lease, 9);
  assert.equal(h.recover(18).tasksRequeued, 0, 'the old end means nothing any more');
  assert.throws(() => h.renew(renewed, 19), { code: 'lease_expired' });
  assert.equal(h.recover(19).tasksRequeued, 1);
  assert.throws(() => h.renew(renewed, 19), { code: 'stale_ownership' });
});

test('a renewal renews no heartbeat: a silent worker is given up with its renewed leases', () => {
  const { h, lease } = leased({ heartbeatTimeoutSecs: 5 });
  const renewed = h.renew(lease, 5, 100);
  assert.equal(h.pool.getWorker('w').lastHeartbeat, 0n);
  assert.equal(h.pool.pruneDeadWorkers(h.at(6)).value.tasksRequeued, 1);
  assert.throws(() => h.start(renewed, 6), { code: 'stale_ownership' });
});

test('trying to renew answers the lease, or the error', () => {
  const { h, lease } = leased();
  const renewed = h.pool.try.renewLease({ ...h.at(1), lease, leaseTtlSecs: 10 });
  assert.deepEqual([renewed.ok, renewed.revision, renewed.value.expiresAt], [true, 4n, 11n]);
  const late = h.pool.try.renewLease({ expectedRevision: 3, now: 1, lease, leaseTtlSecs: 10 });
  assert.deepEqual({ ...late.error }, { code: 'revision_conflict', expected: 3n, actual: 4n });
  const stale = h.pool.try.renewLease({ ...h.at(1), lease, leaseTtlSecs: 10 });
  assert.deepEqual({ ...stale.error }, { code: 'stale_ownership', taskId: 'job' });
});
