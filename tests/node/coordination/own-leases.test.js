// A lease that a pool has answered is recognised by where its task is kept. Nobody can tell it from an equal one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { hostOf } from '../support/host.js';

const lg = await createLeasegate();
const TASKS = 12;

/** The same numbers for the same seed. @param {number} seed */
function dice(seed) {
  let state = seed;
  return (/** @type {number} */ sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** What a command did: its answer, or its error. @param {() => any} give */
function outcome(give) {
  try {
    return { answer: give() };
  } catch (error) {
    if (error instanceof TypeError) return { error: { code: error.message } };
    assert.ok(error instanceof lg.LeasegateError);
    return { error: error.toJSON() };
  }
}

/** A host, and the leases it was ever given, as `keep` keeps them. @param {(lease: any) => any} keep */
function player(keep) {
  const h = hostOf(lg, { maxTaskRecords: 16, maxActiveTasks: 8, maxQueuedTasks: 8, maxTerminalTasks: 16 });
  for (const name of ['a', 'b']) h.worker(name, 0, 3);
  /** @type {any[]} */
  const leases = [];
  return {
    h,
    leases,
    /** @param {any} lease */
    held: (lease) => {
      leases.push(keep(lease));
      return lease;
    },
  };
}

/** One move, the same for every player: all of it is in the numbers. @param {ReturnType<typeof player>} p @param {number[]} numbers @param {number} now */
function move({ h, leases, held }, [kind, which, task], now) {
  const lease = leases[which % Math.max(leases.length, 1)];
  const last = leases[leases.length - 1];
  switch (kind) {
    case 0:
    case 1:
      return h.enqueue(`task-${task}`, now);
    case 2:
    case 3:
    case 4:
      return held(h.assign(task % 2 ? 'a' : 'b', now, 3 + (which % 5)));
    case 5:
      return h.start(last ?? {}, now);
    case 6:
      return h.start(lease ?? {}, now);
    case 7:
      return h.complete(last ?? {}, now);
    case 8:
      return h.complete(lease ?? {}, now);
    case 9:
      return h.fail(lease ?? {}, now, which % 3);
    case 10:
      return held(h.renew(lease ?? {}, now, 4 + (which % 6)));
    case 11:
      return h.cancel(lease ?? {}, now);
    case 12:
      return h.recover(now);
    case 13:
      return h.retire(now, 1 + (which % 4), now);
    default: {
      const known = h.task(`task-${task}`)?.lease;
      return known ? held(known) : null;
    }
  }
}

test('in any sequence, own leases and copies of them do the same', () => {
  const roll = dice(7);
  const seen = new Map();
  for (let game = 0; game < 60; game += 1) {
    const own = player((lease) => lease);
    const copied = player(structuredClone);
    for (let step = 0, now = 0; step < 250; step += 1) {
      now += roll(4) === 0 ? 1 : 0;
      const numbers = [roll(15), roll(1000), roll(TASKS)];
      const [one, other] = [own, copied].map((p) => outcome(() => move(p, numbers, now)));
      assert.deepEqual(one, other, `game ${game}, step ${step}: ${numbers}`);
      const name = one.error?.code ?? (one.answer?.kind || 'accepted');
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
    assert.deepEqual(own.h.pool.stateDigest(), copied.h.pool.stateDigest());
    own.h.pool.checkInvariants();
    own.h.pool.dispose();
    copied.h.pool.dispose();
  }
  for (const name of [
    'started',
    'already_running',
    'completed',
    'already_completed',
    'requeued',
    'cancelled',
  ])
    assert.ok(seen.get(name) > 5, `${name} was reached`);
  for (const name of ['stale_ownership', 'lease_expired', 'task_not_found', 'invalid_transition'])
    assert.ok(seen.get(name) > 5, `${name} was reached`);
});

test('a lease of another pool is what its fields say', () => {
  const [one, other] = [hostOf(lg), hostOf(lg)];
  for (const h of [one, other]) {
    h.worker('w');
    h.enqueue('job');
  }
  one.enqueue('more');
  const lease = one.assign('w', 1);
  assert.throws(() => other.start(lease, 1), { code: 'stale_ownership' });
  const equal = other.assign('w', 1);
  assert.deepEqual(lease, equal);
  assert.equal(other.start(lease, 1).kind, 'started');
  one.pool.dispose();
  assert.equal(other.complete(lease, 1).kind, 'completed');
});

test('a place that another task has taken is not mistaken for the former', () => {
  const h = hostOf(lg);
  h.worker('w');
  h.enqueue('first');
  const first = h.assign('w', 1);
  h.start(first, 1);
  h.complete(first, 1);
  h.retire(2, 1);
  h.enqueue('second', 2);
  const second = h.assign('w', 2);
  assert.throws(() => h.start(first, 2), { code: 'task_not_found', taskId: 'first' });
  assert.equal(h.start(second, 2).kind, 'started');
  assert.throws(() => h.complete(first, 2), { code: 'task_not_found', taskId: 'first' });
  assert.equal(h.complete(second, 2).kind, 'completed');
});

test('nothing of it shows: not in copies, JSON, keys or equality', () => {
  const h = hostOf(lg);
  h.worker('w');
  h.enqueue('job');
  const lease = h.assign('w', 1);
  assert.deepEqual(Reflect.ownKeys(lease), Object.keys(structuredClone(lease)));
  assert.deepEqual(h.task('job').lease, lease);
  assert.ok(!('place' in JSON.parse(JSON.stringify(lease))));
});

test('a lease that is forged with the class of real ones has no place, also where options change as they are read', () => {
  const h = hostOf(lg);
  h.worker('w');
  h.enqueue('job');
  const lease = h.assign('w', 1);
  const TaskLease = /** @type {any} */ (lease.constructor);
  for (const home of [null, undefined, lease]) {
    const forged = new TaskLease('other', 'w', 1n, 0n, 1, lease.leaseId, 1n, lease.expiresAt, 0, home);
    assert.throws(() => h.start(forged, 1), { code: 'task_not_found', taskId: 'other' });
    const renewed = h.renew(h.task('job').lease, 1, 20 * Number(h.pool.revision));
    let reads = 0;
    const options = {
      ...h.at(1),
      get lease() {
        reads += 1;
        return reads === 1 ? lease : forged;
      },
    };
    assert.throws(() => h.pool.startTask(options), { code: 'task_not_found', taskId: 'other' });
    assert.deepEqual(h.task('job').lease, renewed);
  }
});

test('what looks like a lease of the pool, but is wrapped or derived, is read field by field', () => {
  const h = hostOf(lg);
  h.worker('w');
  h.enqueue('job');
  const lease = h.assign('w', 1);
  const forged = Object.create(lease, { leaseId: { value: 99n } });
  assert.throws(() => h.start(forged, 1), { code: 'stale_ownership' });
  const proxy = new Proxy(lease, { get: (target, key) => target[key] });
  assert.equal(h.start(proxy, 1).kind, 'started');
  assert.equal(h.complete({ ...lease }, 1).kind, 'completed');
});
