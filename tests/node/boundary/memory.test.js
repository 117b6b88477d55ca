// Memory that grows in the middle of calls, memory that cannot grow any more, and a core that has stopped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createLeasegate } from 'leasegate';
import { COMMANDS, ownerOf, prepare, visible } from '../support/prepared.js';
import { camel } from '../support/words.js';

const MEGABYTE = 1024 * 1024;
const LARGE = {
  maxTaskRecords: 65_536,
  maxActiveTasks: 16_384,
  maxQueuedTasks: 16_384,
  maxTerminalTasks: 65_536,
  maxWorkers: 4096,
};
const RESULTS = { maxResults: 65_536, maxResultBytes: 16 * MEGABYTE, maxTotalBytes: 256 * MEGABYTE };
const receipt = (taskId) => ({
  taskId,
  taskGeneration: 0,
  attempt: 1,
  leaseId: 1,
  workerId: 'w',
  workerGeneration: 1,
  recordVersion: 1,
});
const smallest = () => createLeasegate({ memory: { maximumBytes: MEGABYTE } });

test('memory grows in the middle of calls: what is written before and read after stays right', async () => {
  const lg = await createLeasegate();
  const pool = new lg.WorkerPool({ limits: LARGE });
  const results = new lg.ResultAggregator({ limits: RESULTS });
  pool.registerWorker({ expectedRevision: 0, now: 0, spec: { workerId: 'w', capacity: 4096 } });
  const targetRef = '√'.repeat(300);
  for (let i = 0; i < 3000; i += 1) {
    const spec = {
      taskId: `task-${i}`,
      scanId: `scan-${i}`,
      targetRef: `${i}${targetRef}`,
      phases: [i & 255, i >> 8],
    };
    const { value, revision } = pool.taskQueue.enqueue({ expectedRevision: pool.revision, now: i, spec });
    assert.deepEqual(
      [value.taskId, value.scanId, value.targetRef, [...value.phases], revision],
      [spec.taskId, spec.scanId, spec.targetRef, spec.phases, BigInt(i + 2)],
    );
    if (i % 100 === 0) {
      const bytes = new Uint8Array(50_000 + i).fill(i / 100);
      results.storeResult({ expectedRevision: results.revision, receipt: receipt(spec.taskId), bytes });
    }
    if (i % 500 === 0) new lg.WorkerPool({ limits: LARGE });
  }
  const tasks = pool.taskQueue.tasks();
  assert.equal(tasks.length, 3000);
  for (const task of tasks) {
    const i = Number(task.createdAt);
    assert.deepEqual(
      [task.taskId, task.scanId, task.targetRef, [...task.phases]],
      [`task-${i}`, `scan-${i}`, `${i}${targetRef}`, [i & 255, i >> 8]],
    );
  }
  const all = results.aggregateResults(Array.from({ length: 30 }, (_, i) => `task-${i * 100}`));
  for (const [i, { bytes }] of all.entries()) {
    assert.deepEqual(bytes, new Uint8Array(50_000 + i * 100).fill(i));
  }
  pool.checkInvariants();
});

test('one result of 16 MiB goes in and out whole, in an instance that began with one', async () => {
  const lg = await createLeasegate();
  const results = new lg.ResultAggregator({ limits: RESULTS });
  const bytes = new Uint8Array(16 * MEGABYTE).map((_, i) => i * 31);
  results.storeResult({ expectedRevision: 0, receipt: receipt('a'), bytes });
  assert.ok(Buffer.from(results.getResult('a')).equals(bytes));
  const more = { expectedRevision: 1, receipt: receipt('b'), bytes: new Uint8Array(16 * MEGABYTE + 1) };
  assert.throws(() => results.storeResult(more), {
    code: 'result_too_large',
    actual: 16 * MEGABYTE + 1,
    limit: 16 * MEGABYTE,
  });
});

/** Fills until it is refused. @param {(i: number) => any} attempt */
function fillUp(attempt) {
  for (let i = 0; i < 100_000; i += 1) {
    const answer = attempt(i);
    if (!answer.ok) return { filled: i, error: answer.error };
  }
  throw new Error('it was never refused');
}

test('tasks that fill the memory are refused with out_of_memory, the state stays, and the instance goes on working', async () => {
  const lg = await smallest();
  const pool = new lg.WorkerPool({ limits: LARGE });
  pool.registerWorker({ expectedRevision: 0, now: 0, spec: { workerId: 'w', capacity: 10 } });
  const enqueue = (i) =>
    pool.taskQueue.try.enqueue({
      expectedRevision: pool.revision,
      now: 1,
      spec: { taskId: `t${i}`, scanId: 's', targetRef: 'x'.repeat(1000) },
    });
  const { filled, error } = fillUp(enqueue);
  assert.deepEqual({ ...error }, { code: 'out_of_memory' });
  assert.ok(filled > 100, `${filled} tasks had room`);
  const before = [
    pool.snapshot(),
    pool.getWorkers(),
    pool.taskQueue.getTask(`t${filled}`),
    pool.taskQueue.peekNext(),
  ];
  for (let i = 0; i < 3; i += 1) assert.deepEqual({ ...enqueue(filled).error }, { code: 'out_of_memory' });
  assert.throws(
    () =>
      pool.taskQueue.enqueue({
        expectedRevision: pool.revision,
        now: 1,
        spec: { taskId: 'last', scanId: 's', targetRef: 'x'.repeat(1000) },
      }),
    { name: 'LeasegateError', code: 'out_of_memory' },
  );
  assert.deepEqual(
    [pool.snapshot(), pool.getWorkers(), pool.taskQueue.getTask(`t${filled}`), pool.taskQueue.peekNext()],
    before,
  );
  assert.equal(before[2], null, 'the refused task is not there');
  const lease = pool.assignNextAvailable({ expectedRevision: pool.revision, now: 1, leaseTtlSecs: 5 }).value;
  pool.startTask({ expectedRevision: pool.revision, now: 1, lease });
  assert.equal(pool.completeTask({ expectedRevision: pool.revision, now: 1, lease }).value.kind, 'completed');
  pool.checkInvariants();
  pool.dispose();
  const { pool: next } = prepare(lg);
  assert.equal(next.snapshot().taskRecords, 4, 'there is room again');
});

test('workers that fill the memory are refused with out_of_memory and the state stays', async () => {
  const lg = await smallest();
  const pools = [];
  const { error } = fillUp((i) => {
    if (i % 1000 === 0) {
      try {
        pools.push(new lg.WorkerPool({ limits: LARGE }));
      } catch (caught) {
        return { ok: false, error: caught };
      }
    }
    const pool = pools.at(-1);
    return pool.try.registerWorker({
      expectedRevision: pool.revision,
      now: 1,
      spec: { workerId: `w${i}`.padEnd(250, 'x'), capacity: 1 },
    });
  });
  assert.deepEqual({ ...error }, { code: 'out_of_memory' });
  for (const pool of pools) pool.checkInvariants();
});

test('handles that fill the memory are refused with out_of_memory, and those that there are go on', async () => {
  const lg = await smallest();
  const prepared = prepare(lg);
  const before = visible(prepared);
  for (const Class of ['WorkerPool', 'TaskQueue', 'ResultAggregator']) {
    const held = [];
    assert.throws(
      () => {
        for (let i = 0; i < 100_000; i += 1) held.push(new lg[Class]());
      },
      { code: 'out_of_memory' },
    );
    for (const handle of held) handle.dispose();
  }
  assert.deepEqual(visible(prepared), before);
  prepared.pool.startTask(prepared.options.startTask);
  prepared.pool.checkInvariants();
});

test('results that fill the memory are refused with out_of_memory, small and large, throwing or trying', async () => {
  const lg = await smallest();
  const results = new lg.ResultAggregator({ limits: RESULTS });
  const store = (i, size) =>
    results.try.storeResult({
      expectedRevision: results.revision,
      receipt: receipt(`r${i}`),
      bytes: new Uint8Array(size).fill(i),
    });
  const { filled, error } = fillUp((i) => store(i, 20_000));
  assert.deepEqual({ ...error }, { code: 'out_of_memory' });
  assert.ok(filled > 5);
  const { revision, resultCount, totalBytes } = results;
  assert.deepEqual([revision, resultCount, totalBytes], [BigInt(filled), filled, filled * 20_000]);
  for (const size of [20_000, 2 * MEGABYTE, 16 * MEGABYTE]) {
    assert.deepEqual({ ...store(filled, size).error }, { code: 'out_of_memory' }, `${size} bytes`);
    const given = { expectedRevision: revision, receipt: receipt('x'), bytes: new Uint8Array(size) };
    assert.throws(() => results.storeResult(given), { name: 'LeasegateError', code: 'out_of_memory' });
  }
  assert.deepEqual(
    [results.revision, results.resultCount, results.totalBytes],
    [revision, resultCount, totalBytes],
  );
  for (let i = 0; i < filled; i += 1)
    assert.deepEqual(results.getResult(`r${i}`), new Uint8Array(20_000).fill(i));
});

test('a removal whose list finds no memory is refused with out_of_memory, throwing or trying; a shorter one makes room', async () => {
  const lg = await smallest();
  const results = new lg.ResultAggregator({ limits: RESULTS });
  const store = (i) =>
    results.try.storeResult({
      expectedRevision: results.revision,
      receipt: receipt(`r${i}`),
      bytes: new Uint8Array(20_000),
    });
  const { filled } = fillUp(store);
  const { revision } = results;
  const long = { expectedRevision: revision, taskIds: new Array(65_536).fill('x'.repeat(200)) };
  assert.deepEqual({ ...results.try.removeResults(long).error }, { code: 'out_of_memory' });
  assert.throws(() => results.removeResults(long), { name: 'LeasegateError', code: 'out_of_memory' });
  assert.deepEqual([results.revision, results.resultCount], [revision, filled]);
  assert.equal(results.removeResults({ expectedRevision: revision, taskIds: ['r0', 'r1'] }).value, 2);
  assert.equal(store('next').value?.kind, 'stored');
});

test('bytes beside the frame that find no memory are out_of_memory, and nothing else takes their place', async () => {
  const lg = await smallest();
  const [gate, room] = [new lg.FlushGate(), new lg.FlushGate()];
  const registry = new lg.ControlRegistry();
  const key = { request: 'r', session: 's', generation: 1, epoch: 1 };
  registry.accept({ key, subtype: 'ask' });
  await Promise.all([gate.beginHistory(), room.beginHistory()]);
  const event = (size) => ({ messageId: 'm', type: 't', payload: new Uint8Array(size).fill(7) });
  const submit = (to, size) =>
    to
      .submit(event(size), () => null)
      .then(
        () => 'queued',
        ({ code }) => code,
      );
  for (let i = 0; i < 4; i += 1) assert.equal(await submit(room, 8000), 'queued');
  for (const size of [8000, 500]) while ((await submit(gate, size)) === 'queued');
  await room.drop({ close: false }); // there is room for a long payload now, but not for the buffer that carries it
  const before = [gate.pendingCount, gate.pendingBytes];
  assert.equal(await submit(gate, 9000), 'out_of_memory');
  assert.equal(await submit(room, 9000), 'out_of_memory');
  assert.throws(() => gate.installHistory([event(9000)]), { code: 'out_of_memory' });
  const value = JSON.stringify('v'.repeat(9000));
  assert.throws(() => registry.resolve({ key, state: 'succeeded', value }), { code: 'out_of_memory' });
  assert.equal(registry.get(key).state, 'received');
  assert.deepEqual([gate.pendingCount, gate.pendingBytes], before);
  assert.ok(gate.pending.every(({ payload }) => payload.every((byte) => byte === 7)));
  await gate.drop();
  registry.resolve({ key, state: 'succeeded', value });
  assert.equal(registry.get(key).value, value);
});

/**
 * Calls with less and less room on the stack until the core itself has run out of it. Frames of many sizes, so that
 * one of them ends just where the core begins.
 * @param {() => void} call
 */
function exhaustStack(call) {
  let stopped = null;
  /** @param {number[]} padding */
  const dive = (...padding) => {
    try {
      dive(...padding);
    } catch {
      // The way back up: every frame leaves a little more room than the one before.
    }
    if (stopped) return;
    try {
      call();
    } catch (error) {
      if (error.code === 'instance_unusable') stopped = error;
    }
  };
  for (let size = 0; size < 60 && stopped === null; size += 1) dive(...new Array(size).fill(0));
  return stopped;
}

const commands = Object.keys(COMMANDS).map(camel);

test('a core that was stopped in the middle refuses every further call, and shows it', async () => {
  const lg = await createLeasegate();
  const prepared = prepare(lg);
  const { pool, queue, results } = prepared;
  const stopped = exhaustStack(() => [pool.snapshot(), pool.revision, queue.peekNext(), results.revision]);
  assert.equal(stopped?.code, 'instance_unusable');
  assert.ok(stopped.cause instanceof RangeError, 'the cause is told');
  const unusable = { name: 'LeasegateError', code: 'instance_unusable' };
  for (const name of commands) {
    const owner = ownerOf(prepared, name);
    assert.throws(() => owner[name](prepared.options[name]), unusable, name);
    assert.throws(() => owner.try[name](prepared.options[name]), unusable, `try.${name}`);
  }
  const reads = [
    () => pool.revision,
    () => pool.snapshot(),
    () => pool.getWorkers(),
    () => pool.getWorker('w1'),
    () => pool.getAvailableWorker(200),
    () => pool.checkInvariants(),
    () => queue.tasks(),
    () => queue.getTask('queued'),
    () => queue.peekNext(),
    () => results.revision,
    () => results.getResult('done'),
    () => results.aggregateResults([]),
    () => new lg.WorkerPool(),
    () => new lg.TaskQueue(),
    () => new lg.ResultAggregator(),
  ];
  for (const read of reads) assert.throws(read, unusable, String(read));
  assert.equal(inspect(pool), 'WorkerPool { failed }');
  pool.dispose();
  results.dispose();
  assert.throws(() => pool.snapshot(), { code: 'disposed' });
  const { pool: other } = prepare(await createLeasegate());
  other.checkInvariants();
});

test('a stack that overflows before the core is entered leaves the instance as it was', async () => {
  const prepared = prepare(await createLeasegate());
  const before = visible(prepared);
  const overflow = () => overflow() + 1;
  const options = {
    ...prepared.options.startTask,
    get lease() {
      return overflow();
    },
  };
  assert.throws(() => prepared.pool.startTask(options), RangeError);
  assert.deepEqual(visible(prepared), before);
});
