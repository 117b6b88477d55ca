// What comes out: frozen data that survives structured clone, JSON and messages, and shows no secret to a log.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { format, inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createLeasegate, taskAgeSecs } from 'leasegate';
import { prepare } from '../support/prepared.js';

const lg = await createLeasegate();
const END = 2n ** 64n - 1n;

/** One record of every class that comes out. */
function everyRecord() {
  const { pool, queue, results, options, leased, receipt, queued } = prepare(lg);
  const at = () => ({ expectedRevision: pool.revision, now: 110 });
  const started = pool.startTask({ ...at(), lease: leased });
  const records = {
    ScanTask: queue.getTask('running'),
    WorkerNode: pool.getWorker('w1'),
    StateSnapshot: pool.snapshot(),
    TaskLease: leased,
    QueuedTaskFence: queued.ownership,
    CompletionReceipt: receipt,
    Transition: started,
    Started: started.value,
    AlreadyRunning: pool.startTask({ ...at(), lease: leased }).value,
    Completed: pool.completeTask({ ...at(), lease: leased }).value,
    AlreadyCompleted: pool.completeTask({ ...at(), lease: leased }).value,
    Cancelled: pool.cancelTask({ ...at(), ownership: queued.ownership }).value,
    AlreadyCancelled: pool.cancelTask({ ...at(), ownership: queued.ownership }).value,
    Requeued: pool.failTask({ ...at(), lease: options.failTask.lease }).value,
    RecoverySummary: pool.recoverExpiredLeases(at()).value,
    Stored: results.storeResult(options.storeResult).value,
    AlreadyStored: results.storeResult({ ...options.storeResult, expectedRevision: 1 }).value,
    TaskResult: results.aggregateResults(['done'])[0],
    Accepted: pool.try.pruneDeadWorkers(at()),
    Refused: pool.try.pruneDeadWorkers({ ...at(), expectedRevision: 0 }),
    RetryExhausted: exhausted(),
  };
  return Object.entries(records);
}

function exhausted() {
  const { pool, options } = prepare(lg, { maxRetries: 0 });
  return pool.failTask(options.failTask).value;
}

/** What carries records to the caller, whose own it is. */
const ANSWERS = ['Transition', 'Accepted', 'Refused'];

for (const [name, record] of everyRecord()) {
  const frozen = !ANSWERS.includes(name);
  test(`${name} is ${frozen ? 'frozen ' : ''}data of its own class, and so is what it holds`, () => {
    assert.equal(record.constructor.name, name);
    assert.equal(Object.isFrozen(record), frozen);
    for (const key of Object.keys(record)) {
      const value = record[key];
      const change = () => {
        record[key] = 1;
      };
      if (frozen) assert.throws(change, TypeError, key);
      const isData = !(value instanceof Uint8Array) && !(value instanceof Error);
      if (typeof value === 'object' && value !== null && isData)
        assert.ok(Object.isFrozen(value), `${key} is frozen too`);
    }
  });

  test(`${name} goes through structured clone field by field`, () => {
    const clone = structuredClone(record);
    assert.deepEqual(Object.keys(clone), Object.keys(record));
    for (const [key, value] of Object.entries(record)) {
      if (value instanceof Error)
        assert.equal(clone[key].message, value.message); // no platform clones its fields
      else assert.deepEqual(plain(clone[key]), plain(value), key);
    }
  });

  test(`${name} becomes JSON without loss`, () => {
    const text = JSON.stringify({ record });
    const { record: read } = JSON.parse(text);
    assert.deepEqual(Object.keys(read), name === 'Refused' ? ['ok', 'error'] : Object.keys(record));
    if (name !== 'Refused') assert.deepEqual(read, jsonOf(record));
  });
}

/** Without its prototype. @param {any} value */
function plain(value) {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** What JSON should hold, said independently. @param {any} value */
function jsonOf(value) {
  if (typeof value === 'bigint') return value > Number.MAX_SAFE_INTEGER ? `${value}` : Number(value);
  if (value instanceof Uint8Array) return [...value];
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(jsonOf);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, jsonOf(inner)]));
}

test('JSON holds safe integers as numbers and larger ones as digits, to the last one', () => {
  for (const [time, written] of [
    [2n ** 53n - 1n, '9007199254740991'],
    [2n ** 53n, '"9007199254740992"'],
    [END, '"18446744073709551615"'],
  ]) {
    const pool = new lg.WorkerPool();
    pool.pruneDeadWorkers({ expectedRevision: 0, now: time });
    assert.equal(
      JSON.stringify(pool.snapshot()),
      `{"revision":1,"logicalTime":${written},"taskRecords":0,"activeTasks":0,"queuedTasks":0,"terminalTasks":0,"workers":0}`,
    );
    assert.equal(
      JSON.stringify(pool.try.pruneDeadWorkers({ expectedRevision: time, now: 0 }).error),
      `{"name":"LeasegateError","message":"The command expected revision ${time}, but the current one is 1. Read the state again and decide anew.","code":"revision_conflict","expected":${written},"actual":1}`,
    );
    pool.dispose();
  }
});

test('phases and result bytes come out as fresh copies, which the caller may change', () => {
  const { queue, results, options } = prepare(lg);
  const first = queue.getTask('queued').phases;
  first.fill(0);
  assert.deepEqual(queue.getTask('queued').phases, Uint8Array.of(1, 2, 3));
  assert.deepEqual(queue.peekNext().phases, Uint8Array.of(1, 2, 3));
  assert.equal(first.buffer.byteLength, 3, 'not a view into anything larger');
  results.storeResult(options.storeResult);
  const bytes = results.getResult('done');
  bytes.fill(0);
  results.aggregateResults(['done'])[0].bytes.fill(0);
  assert.deepEqual(results.getResult('done'), Uint8Array.of(1, 2, 3));
  assert.equal(bytes.buffer.byteLength, 3);
});

test('empty phases are one array for all tasks, which nobody can spoil for the others', () => {
  const { queue } = prepare(lg);
  const { phases } = queue.getTask('leased');
  assert.deepEqual(phases, new Uint8Array(0));
  assert.throws(() => Object.assign(phases, { mine: 1 }), TypeError);
  try {
    structuredClone(phases, { transfer: [phases.buffer] }); // refused in some engines, without effect in others
  } catch (error) {
    assert.equal(/** @type {Error} */ (error).name, 'DataCloneError');
  }
  assert.deepEqual(structuredClone(queue.getTask('leased')).phases, new Uint8Array(0));
  assert.deepEqual(structuredClone(phases), new Uint8Array(0));
});

/** Ways for a token to leave this program and come back. @type {Record<string, (token: any) => any>} */
const WAYS = {
  'structured clone': structuredClone,
  'JSON text': (token) => JSON.parse(JSON.stringify(token)),
  'a copy': (token) => ({ ...token }),
  'fields typed in another order': (token) => Object.fromEntries(Object.entries(token).reverse()),
  'an object that inherits them': (token) => Object.create(token),
};

/** @param {any} pool @param {bigint} now */
function lateTokens(pool, now) {
  const at = () => ({ expectedRevision: pool.revision, now });
  pool.registerWorker({ ...at(), spec: { workerId: 'w', capacity: 9 } });
  for (const taskId of ['a', 'b', 'c'])
    pool.taskQueue.enqueue({ ...at(), spec: { taskId, scanId: 's', targetRef: 'r' } });
  const lease = pool.assignTask({ ...at(), taskId: 'a', workerId: 'w', leaseTtlSecs: 50 }).value;
  return { at, lease, fence: pool.taskQueue.getTask('b').ownership };
}

for (const [way, send] of Object.entries(WAYS)) {
  test(`a lease, fence or receipt that came back as ${way} is the same token`, () => {
    const pool = new lg.WorkerPool();
    const results = new lg.ResultAggregator();
    const { at, lease, fence } = lateTokens(pool, END - 60n);
    assert.equal(pool.startTask({ ...at(), lease: send(lease) }).value.kind, 'started');
    const { value } = pool.completeTask({ ...at(), lease: send(lease) });
    assert.equal(value.kind, 'completed');
    assert.equal(pool.cancelTask({ ...at(), ownership: send(fence) }).value.kind, 'cancelled');
    const bytes = Uint8Array.of(1);
    assert.equal(
      results.storeResult({ expectedRevision: 0, receipt: value.receipt, bytes }).value.kind,
      'stored',
    );
    const again = { expectedRevision: 1, receipt: send(value.receipt), bytes };
    assert.equal(results.storeResult(again).value.kind, 'already_stored');
    const last = pool.assignNext({ ...at(), workerId: 'w', leaseTtlSecs: 5 }).value;
    const other = Object.setPrototypeOf({ ...last, leaseId: last.leaseId + 1n }, Object.getPrototypeOf(last));
    const stale = { ...at(), lease: send(other) };
    assert.throws(() => pool.startTask(stale), { code: 'stale_ownership' }, 'and a changed one is not');
    assert.equal(pool.cancelTask({ ...at(), ownership: send(last) }).value.kind, 'cancelled');
  });
}

test('a lease that was posted to another thread and back is the same token', async () => {
  const pool = new lg.WorkerPool();
  const { at, lease } = lateTokens(pool, END - 60n);
  const echo = new Worker(
    `const { parentPort } = require('node:worker_threads'); parentPort.once('message', (m) => parentPort.postMessage(m));`,
    { eval: true },
  );
  const task = pool.taskQueue.getTask('a');
  echo.postMessage({ lease, task });
  const [back] = await once(echo, 'message');
  assert.deepEqual(back.task, plain(task));
  assert.equal(pool.startTask({ ...at(), lease: back.lease }).value.kind, 'started');
  assert.equal(pool.cancelTask({ ...at(), ownership: back.lease }).value.kind, 'cancelled');
});

test('the age of a task is the same after JSON and structured clone', () => {
  const pool = new lg.WorkerPool();
  for (const now of [5n, 2n ** 53n + 1n]) {
    const spec = { taskId: `t${now}`, scanId: 's', targetRef: 'r' };
    const task = pool.taskQueue.enqueue({ expectedRevision: pool.revision, now, spec }).value;
    for (const send of Object.values(WAYS)) {
      assert.equal(taskAgeSecs(send(task), now + 7n), 7n);
      assert.equal(taskAgeSecs(send(task), 0), 0n, 'never below 0');
    }
  }
});

test('readable: a record is printed with its name and fields, a handle with its sizes', () => {
  const { pool, queue, results, leased } = prepare(lg);
  assert.match(inspect(leased), /^TaskLease \{\s+taskId: 'leased',\s+workerId: 'w1',/);
  assert.match(inspect(pool), /^WorkerPool \{ revision: 13, logicalTime: 100, taskRecords: 4, /);
  assert.match(inspect(queue), /^TaskQueue \{ revision: 13, /);
  assert.equal(inspect(results), 'ResultAggregator { revision: 0, resultCount: 0, totalBytes: 0 }');
  assert.match(inspect(queue.getTask('queued')), /targetRef: \[6 characters\]/);
});

test('no way of printing shows a target reference or result bytes, only their sizes', () => {
  const secret = 'sesame-target';
  const secretBytes = Buffer.from('sesame-bytes');
  const { pool, queue, results, options } = prepare(lg);
  queue.enqueue({ ...options.enqueue, spec: { ...options.enqueue.spec, targetRef: secret } });
  results.storeResult({ ...options.storeResult, bytes: secretBytes });
  const printed = [];
  const shown = [
    queue.getTask('new'),
    queue.tasks(),
    { deep: { task: queue.getTask('new') } },
    new Map([[queue.getTask('new'), 1]]),
    queue.try.enqueue({
      expectedRevision: pool.revision,
      now: 200,
      spec: { taskId: 'new2', scanId: 's', targetRef: secret },
    }),
    results.aggregateResults(['done']),
    results.aggregateResults(['done'])[0],
    pool,
    queue,
    results,
    { pool, queue, results },
  ];
  const refusals = [
    () =>
      queue.enqueue({
        expectedRevision: pool.revision,
        now: 200,
        spec: { taskId: 'new', scanId: 's', targetRef: secret },
      }),
    () =>
      queue.enqueue({
        expectedRevision: pool.revision,
        now: 200,
        spec: { taskId: 'n', scanId: '', targetRef: secret },
      }),
    () =>
      queue.enqueue({
        expectedRevision: pool.revision,
        now: 200,
        spec: { taskId: 'n', scanId: 's', targetRef: `${secret}\ud800` },
      }),
    () =>
      results.storeResult({
        ...options.storeResult,
        expectedRevision: 1,
        bytes: Buffer.from('sesame-other'),
      }),
  ];
  for (const refuse of refusals) {
    try {
      refuse();
      assert.fail('not refused');
    } catch (error) {
      shown.push(error);
    }
  }
  for (const value of shown) {
    for (const depth of [0, 1, 2, 3, 10, null, Infinity]) {
      for (const showHidden of [false, true])
        printed.push(inspect(value, { depth, showHidden, compact: false, getters: true }));
    }
    printed.push(
      format('%o', value),
      format('%O', value),
      format('%s', value),
      format('%j', typeof value),
      String(value),
    );
    if (value instanceof Error) printed.push(String(value.stack), JSON.stringify(value));
  }
  const bytesInHex = [...secretBytes.subarray(0, 4)].map((byte) => byte.toString(16)).join(' ');
  const bytesInDecimal = [...secretBytes.subarray(0, 4)].join(', ');
  for (const text of printed) {
    for (const hidden of ['sesame', bytesInHex, bytesInDecimal]) assert.ok(!text.includes(hidden), text);
  }
  assert.ok(
    printed.some((text) => text.includes('[13 characters]')) &&
      printed.some((text) => text.includes('[12 bytes]')),
  );
  assert.equal(queue.getTask('new').targetRef, secret, 'reading the field itself gives it');
});
