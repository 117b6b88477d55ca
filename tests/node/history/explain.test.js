// What changed between two revisions, and the life of a task: told by the history, and found out by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createLeasegate } from 'leasegate';
import { joined, plain, poolStory } from '../journal/support/story.js';
import { dice, randomRun } from './support/run.js';

const lg = await createLeasegate();
const run = randomRun(lg, { seed: 11, commands: 8000 });
const history = new lg.History(run.journal, { interval: 50 });
const LAST = Number(history.revisions.last);
const states = Array.from({ length: LAST + 1 }, (_, revision) => history.at(revision));
const ids = new Set(states.flatMap(({ tasks }) => tasks.map(({ taskId }) => taskId)));

test('the run is one in which every kind of event happens', () => {
  const kinds = new Set([...ids].flatMap((id) => history.explain(id).events.map(({ kind }) => kind)));
  assert.deepEqual([...kinds].sort(), [
    'cancelled',
    'completed',
    'due',
    'enqueued',
    'expired',
    'failed',
    'leased',
    'renewed',
    'requeued',
    'retired',
    'started',
  ]);
  const reasons = new Set(
    [...ids].flatMap((id) => history.explain(id).events.map((event) => 'reason' in event && event.reason)),
  );
  assert.deepEqual([...reasons].filter(Boolean).sort(), [
    'lease_expired',
    'reported_failed',
    'worker_deregistered',
    'worker_silent',
  ]);
});

/** What happened between two states of a task, from these alone. @param {any} before @param {any} after */
function found(before, after) {
  const kinds = [];
  if (before?.notBefore != null && after?.notBefore !== before.notBefore) kinds.push('due');
  if (before === undefined && after !== undefined) kinds.push('enqueued');
  else if (before !== undefined && after === undefined) kinds.push('retired');
  else if (before?.recordVersion !== after?.recordVersion) {
    if (before.status !== after.status) kinds.push(after.status === 'queued' ? 'requeued' : after.status);
    else kinds.push('renewed');
  }
  return kinds.map((kind) => (kind === 'running' ? 'started' : kind));
}

test('every task: an event at every revision that changed it, and at no other', () => {
  const maps = states.map(({ tasks }) => new Map(tasks.map((task) => [task.taskId, task])));
  for (const id of ids) {
    const { taskId, present, events, task } = history.explain(id);
    assert.equal(taskId, id);
    assert.equal(present, null);
    assert.deepEqual(task, maps[LAST].get(id) ?? null);
    const expected = [];
    for (let revision = 1; revision <= LAST; revision += 1) {
      for (const kind of found(maps[revision - 1].get(id), maps[revision].get(id)))
        expected.push(`${revision} ${kind}`);
    }
    assert.deepEqual(
      events.map(({ kind, revision }) => `${revision} ${kind}`),
      expected,
      id,
    );
  }
});

test('every event says what its record and the states around it say', () => {
  for (const id of ids) {
    for (const event of history.explain(id).events) {
      const revision = Number(event.revision);
      const { command } = /** @type {any} */ (history.recordAt(revision));
      const before = states[revision - 1].tasks.find(({ taskId }) => taskId === id);
      const after = states[revision].tasks.find(({ taskId }) => taskId === id);
      assert.deepEqual([event.command, event.now], [command.kind, command.now]);
      assert.ok(Object.isFrozen(event));
      const lease = after?.lease ?? before?.lease;
      if ('leaseId' in event) {
        assert.deepEqual(
          [event.workerId, event.workerGeneration, event.leaseId, event.attempt],
          [lease?.workerId, lease?.workerGeneration, lease?.leaseId, lease?.attempt],
        );
      }
      switch (event.kind) {
        case 'leased':
          assert.equal(event.expiresAt, after?.lease?.expiresAt);
          break;
        case 'renewed':
          assert.equal(event.expiresAt, after?.lease?.expiresAt);
          assert.equal(event.expiredBefore, before?.lease?.expiresAt);
          break;
        case 'requeued':
          assert.deepEqual(
            [event.taskGeneration, event.retryCount, event.notBefore],
            [after?.taskGeneration, after?.retryCount, after?.notBefore],
          );
          break;
        case 'completed':
          assert.deepEqual(event.receipt, run.receipts.get(event.revision), 'the receipt that was given');
          break;
        case 'cancelled':
        case 'expired':
          assert.deepEqual([event.from, event.workerId], [before?.status, before?.assignedTo]);
          break;
        case 'retired':
          assert.equal(event.from, before?.status);
          break;
        default:
      }
    }
  }
});

test('a task that never was has no events; a malformed id is refused', () => {
  assert.deepEqual(
    { ...history.explain('nobody') },
    { taskId: 'nobody', present: null, events: [], task: null },
  );
  assert.throws(() => history.explain(''), { code: 'invalid_task' });
});

test('a history that begins later tells what was there and what came after', () => {
  const middle = Math.floor(LAST / 2);
  const pool = history.poolAt(middle);
  const later = joined([pool.journalHeader(), ...run.entries.slice(middle).map(({ bytes }) => bytes)]);
  const half = new lg.History(later, { snapshot: pool.exportSnapshot() });
  for (const id of ids) {
    const whole = history.explain(id);
    const rest = half.explain(id);
    assert.deepEqual(rest.present, pool.taskQueue.getTask(id));
    assert.deepEqual(rest.task, whole.task);
    assert.deepEqual(
      rest.events,
      whole.events.filter(({ revision }) => revision > BigInt(middle)),
    );
  }
});

test('a life is told in the order in which it was lived', () => {
  const { events } = new lg.History(poolStory(lg).journal).explain('failed');
  assert.deepEqual(
    events.map(({ kind, revision }) => `${revision} ${kind}`),
    [
      '5 enqueued',
      '15 leased',
      '16 started',
      '17 requeued',
      '18 due',
      '18 leased',
      '19 started',
      '20 failed',
    ],
  );
  assert.doesNotMatch(inspect(events, { depth: 9 }), /example\.test/);
});

/** A state made of an earlier one and a diff. @param {any} state @param {any} diff */
function applied(state, diff) {
  const patch = (/** @type {any[]} */ records, /** @type {any} */ change, /** @type {string} */ id) => {
    const map = new Map(records.map((record) => [record[id], plain(record)]));
    for (const record of change.removed) assert.ok(map.delete(record[id]));
    for (const record of change.added) {
      assert.ok(!map.has(record[id]));
      map.set(record[id], plain(record));
    }
    for (const { before, after, fields } of change.changed) {
      const record = map.get(before[id]);
      assert.ok(fields.length > 0);
      for (const field of fields) {
        assert.notDeepEqual(before[field], after[field]);
        record[field] = plain(after[field]);
      }
    }
    return [...map.values()].sort((a, b) => (a[id] < b[id] ? -1 : 1)).map(({ ownership, ...rest }) => rest);
  };
  const snapshot = plain(state.snapshot);
  for (const { field, before, after } of diff.counters) {
    assert.equal(snapshot[field], before);
    snapshot[field] = after;
  }
  return {
    snapshot,
    tasks: patch(state.tasks, diff.tasks, 'taskId'),
    workers: patch(state.workers, diff.workers, 'workerId'),
  };
}

test('a diff makes the one state of the other, forward and back', () => {
  const roll = dice(5);
  for (let i = 0; i < 250; i += 1) {
    const a = roll(LAST + 1);
    const b = i % 3 === 0 ? Math.min(LAST, a + 1) : roll(LAST + 1);
    const diff = history.diff(a, b);
    assert.deepEqual([diff.from, diff.to], [BigInt(a), BigInt(b)]);
    const { snapshot, tasks, workers } = states[b];
    assert.deepEqual(applied(states[a], diff), {
      snapshot: plain(snapshot),
      tasks: tasks.map(({ ownership, ...rest }) => plain(rest)),
      workers: workers.map((worker) => plain(worker)),
    });
  }
});

test('a revision differs from itself in nothing', () => {
  const { counters, tasks, workers } = history.diff(100, 100n);
  assert.deepEqual(
    [counters, tasks.added, tasks.removed, tasks.changed, workers.added, workers.removed, workers.changed],
    [[], [], [], [], [], [], []],
  );
});

test('a task that was retired and enqueued again under its id is told as changed', () => {
  const pool = new lg.WorkerPool({ journal: {} });
  const header = pool.journalHeader();
  const enqueue = (/** @type {string} */ scanId, now = 1) =>
    pool.taskQueue.enqueue({
      expectedRevision: pool.revision,
      now,
      spec: { taskId: 'again', scanId, targetRef: 'r' },
    }).value;
  const { ownership } = enqueue('first');
  pool.cancelTask({ expectedRevision: 1, now: 1, ownership });
  pool.retireTasks({ expectedRevision: 2, now: 2, terminalBefore: 2, limit: 1 });
  enqueue('second', 2);
  const other = new lg.History(joined([header, pool.takeRecords()]));
  assert.deepEqual(
    other.explain('again').events.map(({ kind }) => kind),
    ['enqueued', 'cancelled', 'retired', 'enqueued'],
  );
  const { changed, added, removed } = other.diff(1, 4).tasks;
  assert.deepEqual([added, removed], [[], []]);
  assert.deepEqual(changed[0].fields, ['scanId', 'createdAt']);
});
