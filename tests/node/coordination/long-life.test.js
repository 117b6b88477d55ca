// A host that goes on for long: more tasks and workers than a pool has records for, and more ids than texts are
// remembered of. JavaScript remembers 65,536 of them, by keys that only rise; all of this goes past the last place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { hostOf } from '../support/host.js';
import { instanceWithMemory } from '../support/watched-memory.js';

const PLACES = 65_536;
/** Tasks that stay. Theirs are the first keys, and the places of those that come 65,536 later. */
const KEPT = 256;
const BATCH = 500;

setFlagsFromString('--expose-gc');
const gc = /** @type {() => void} */ (runInNewContext('gc'));

/** What the platform has in use for JavaScript, in bytes. */
function heap() {
  gc();
  return process.memoryUsage().heapUsed;
}

/** Collects what should be equal and is not: an assertion for each of a million answers would take longer than they. */
class Comparison {
  differences = [];

  /** @param {unknown} actual @param {unknown} expected */
  equal(actual, expected) {
    if (actual !== expected) this.differences.push(`${actual}, not ${expected}`);
  }

  end() {
    assert.deepEqual(this.differences.slice(0, 5), []);
  }
}

test('100,000 tasks go through one pool that retires: all answers have their ids, and memory stays flat', async () => {
  const { lg, bytes } = await instanceWithMemory();
  const h = hostOf(lg, {
    maxTaskRecords: 1024,
    maxTerminalTasks: 1024,
    maxActiveTasks: 300,
    maxQueuedTasks: 300,
    heartbeatTimeoutSecs: 3600,
  });
  const { pool } = h;
  const { taskQueue } = pool;
  h.worker('worker');
  const kept = Array.from({ length: KEPT }, (_, i) => h.enqueue(`kept-${i}`, 0, { priority: 'low' }).taskId);
  const compare = new Comparison();
  let expectedRevision = pool.revision;
  let now = 0;
  const told = (/** @type {any} */ transition) => {
    expectedRevision = transition.revision;
    return transition.value;
  };
  const at = () => ({ expectedRevision, now });

  /** A task comes, is done, or cancelled, and is looked at. @param {number} i */
  const live = (i) => {
    const taskId = `task-${i}`;
    const { ownership } = told(taskQueue.enqueue({ ...at(), spec: { taskId, scanId: 's', targetRef: 'r' } }));
    compare.equal(ownership.taskId, taskId);
    const place = (KEPT + i) % PLACES;
    if (i % 8 > 0 && place >= KEPT) {
      told(pool.cancelTask({ ...at(), ownership }));
      return;
    }
    const lease = told(pool.assignNext({ ...at(), workerId: 'worker', leaseTtlSecs: 9 }));
    compare.equal(lease.taskId, taskId);
    compare.equal(lease.workerId, 'worker');
    told(pool.startTask({ ...at(), lease }));
    const { receipt } = told(pool.completeTask({ ...at(), lease }));
    compare.equal(receipt.taskId, taskId);
    compare.equal(receipt.workerId, 'worker');
    // The kept one whose place the task has just taken, if it is one, and the task again.
    const old = kept[place] ?? kept[i % KEPT];
    compare.equal(taskQueue.getTask(old).taskId, old);
    compare.equal(taskQueue.getTask(taskId).taskId, taskId);
  };
  /** @param {number} from @param {number} until */
  const go = (from, until) => {
    for (let i = from; i < until; i += BATCH) {
      for (let j = i; j < i + BATCH; j += 1) live(j);
      if (i % 5000 === 0) compare.equal(taskQueue.tasks().length, KEPT + BATCH);
      now += 1;
      compare.equal(told(pool.retireTasks({ ...at(), terminalBefore: now, limit: 10_000 })), BATCH);
    }
    assert.deepEqual(h.ids(), [...kept].sort());
    compare.end();
  };

  go(0, 66_000); // every place is taken now
  const before = { core: bytes(), heap: heap() };
  go(66_000, 100_000);
  assert.equal(bytes(), before.core, "the core's memory has not grown");
  const grown = heap() - before.heap;
  assert.ok(grown < 512 * 1024, `JavaScript's grew by ${grown} bytes`);
  assert.equal(pool.snapshot().taskRecords, KEPT);
  pool.checkInvariants();
  pool.dispose();
});

test('66,000 workers come, are forgotten, and are never taken for one another', async () => {
  const { lg, bytes } = await instanceWithMemory();
  const h = hostOf(lg, { maxWorkers: 3 });
  const { pool } = h;
  h.worker('first');
  h.worker('second');
  const compare = new Comparison();
  let core = 0;
  for (let i = 0; i < 66_000; i += 1) {
    const workerId = `worker-${i}`;
    compare.equal(h.worker(workerId).workerId, workerId);
    if ((i + 2) % PLACES < 2) {
      for (const old of ['first', 'second', workerId]) compare.equal(pool.getWorker(old).workerId, old);
      assert.throws(() => h.worker('one-too-many'), { code: 'worker_capacity_reached' });
    }
    h.deregister(workerId, 0);
    compare.equal(h.forget(workerId, 0), 0);
    if (i === 1000) core = bytes();
  }
  compare.end();
  assert.equal(bytes(), core, "the core's memory has not grown");
  assert.deepEqual(
    pool.getWorkers().map(({ workerId }) => workerId),
    ['first', 'second'],
  );
  pool.checkInvariants();
});
