// LeasegateError: every code that a JavaScript caller can meet, its fields with their types, and who it is an instance of.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { createLeasegate, LeasegateError } from 'leasegate';
import { createLeasegate as createInline, LeasegateError as InlineError } from 'leasegate/inline';
import * as coordination from '../../../src/schema/coordination.mjs';
import * as resultsSchema from '../../../src/schema/results.mjs';
import { prepare } from '../support/prepared.js';

const cjs = createRequire(import.meta.url)('leasegate');
const lg = await createLeasegate();

/**
 * code, how to be refused with it, the fields. Counts are numbers, everything 64 bits wide is a bigint.
 * @type {[string, (prepared: ReturnType<typeof prepare>) => unknown, object, object?][]}
 */
const ROWS = [
  ['invalid_limit', () => new lg.WorkerPool({ limits: { maxWorkers: 0 } }), { name: 'max_workers' }],
  [
    'invalid_limit',
    ({ pool, options }) => pool.assignNext({ ...options.assignNext, leaseTtlSecs: 0 }),
    { name: 'lease_ttl_secs' },
  ],
  [
    'invalid_limit',
    ({ pool, options }) => pool.expireOldTasks({ ...options.expireOldTasks, taskTtlSecs: 0 }),
    { name: 'task_ttl_secs' },
  ],
  [
    'invalid_limit',
    ({ pool, options }) => pool.renewLease({ ...options.renewLease, leaseTtlSecs: 0 }),
    { name: 'lease_ttl_secs' },
  ],
  [
    'invalid_limit',
    ({ pool, options }) => pool.retireTasks({ ...options.retireTasks, limit: 0 }),
    { name: 'retire_limit' },
  ],
  [
    'invalid_limit',
    () => new lg.ResultAggregator({ limits: { maxAggregateBytes: 0 } }),
    { name: 'max_aggregate_bytes' },
  ],
  [
    'count_limit_exceeds_maximum',
    () => new lg.WorkerPool({ limits: { maxWorkers: 4097 } }),
    { name: 'max_workers', actual: 4097n, maximum: 4096n },
  ],
  [
    'time_limit_exceeds_maximum',
    () => new lg.TaskQueue({ limits: { heartbeatTimeoutSecs: 86_401 } }),
    { name: 'heartbeat_timeout_secs', actual: 86_401n, maximum: 86_400n },
  ],
  [
    'retry_limit_exceeds_maximum',
    () => new lg.WorkerPool({ limits: { maxRetries: 33 } }),
    { actual: 33n, maximum: 32n },
  ],
  [
    'invalid_limit_relationship',
    () => new lg.WorkerPool({ limits: { maxQueuedTasks: 1025 } }),
    { reason: 'queued_tasks_exceed_active_tasks' },
  ],
  [
    'invalid_limit_relationship',
    () => new lg.ResultAggregator({ limits: { maxTotalBytes: 1 } }),
    { reason: 'result_bytes_exceed_total_bytes' },
  ],
  [
    'invalid_limit_relationship',
    ({ pool, options }) => pool.renewLease({ ...options.renewLease, leaseTtlSecs: 3601 }),
    { reason: 'lease_ttl_exceeds_limit' },
  ],
  [
    'invalid_limit_relationship',
    ({ pool, options }) => pool.renewLease({ ...options.renewLease, leaseTtlSecs: 45 }),
    { reason: 'renewal_not_later' },
  ],
  [
    'invalid_limit_relationship',
    ({ pool, options }) => pool.failTask({ ...options.failTask, retryAfterSecs: 86_401 }),
    { reason: 'retry_delay_exceeds_limit' },
  ],
  ['invalid_task', ({ queue }) => queue.getTask(''), { reason: 'task_command_id_invalid' }],
  ['invalid_worker', ({ pool }) => pool.getWorker('ä'), { reason: 'worker_command_id_invalid' }],
  [
    'invalid_worker',
    ({ pool, options }) =>
      pool.registerWorker({
        ...options.registerWorker,
        spec: { workerId: 'x', capacity: 1, cpuBasisPoints: 70_000 },
      }),
    { reason: 'utilization_exceeds_maximum' },
  ],
  [
    'invalid_worker',
    ({ pool, options }) => pool.updateWorker({ ...options.updateWorker, observation: { status: 'offline' } }),
    { reason: 'offline_requires_deregister_or_prune' },
  ],
  [
    'revision_conflict',
    ({ pool }) => pool.pruneDeadWorkers({ expectedRevision: 3, now: 100 }),
    { expected: 3n, actual: 13n },
  ],
  ['logical_time_regression', ({ pool }) => pool.getAvailableWorker(99), { current: 100n, proposed: 99n }],
  [
    'counter_exhausted',
    ({ pool, options }) => pool.assignNext({ ...options.assignNext, now: 2n ** 64n - 5n }),
    { counter: 'lease_deadline' },
    { heartbeat: true },
  ],
  [
    'task_already_exists',
    ({ queue, options }) =>
      queue.enqueue({ ...options.enqueue, spec: { taskId: 'done', scanId: 's', targetRef: 'r' } }),
    { taskId: 'done' },
  ],
  [
    'task_record_capacity_reached',
    ({ queue, options }) => queue.enqueue(options.enqueue),
    { limit: 4 },
    { maxTaskRecords: 4, maxActiveTasks: 4, maxQueuedTasks: 4, maxTerminalTasks: 4 },
  ],
  [
    'active_task_capacity_reached',
    ({ queue, options }) => queue.enqueue(options.enqueue),
    { limit: 3 },
    { maxActiveTasks: 3, maxQueuedTasks: 3 },
  ],
  [
    'queued_task_capacity_reached',
    ({ queue, options }) => fill(queue, options),
    { limit: 3 },
    { maxQueuedTasks: 3 },
  ],
  [
    'terminal_capacity_reserved',
    ({ queue, options }) => queue.enqueue(options.enqueue),
    { limit: 4 },
    { maxActiveTasks: 4, maxQueuedTasks: 4, maxTerminalTasks: 4 },
  ],
  [
    'worker_already_exists',
    ({ pool, options }) =>
      pool.registerWorker({ ...options.registerWorker, spec: { workerId: 'w2', capacity: 1 } }),
    { workerId: 'w2' },
  ],
  [
    'worker_capacity_reached',
    ({ pool, options }) => pool.registerWorker(options.registerWorker),
    { limit: 2 },
    { maxWorkers: 2 },
  ],
  [
    'no_queued_task',
    ({ pool }) => drained(pool).assignNextAvailable({ expectedRevision: 14, now: 105, leaseTtlSecs: 1 }),
    {},
  ],
  [
    'no_available_worker',
    ({ pool, options }) => pool.assignNextAvailable({ ...options.assignNextAvailable, now: 500 }),
    {},
  ],
  [
    'task_not_found',
    ({ pool, options, leased }) =>
      pool.startTask({ ...options.startTask, lease: { ...leased, taskId: 'x' } }),
    { taskId: 'x' },
  ],
  [
    'task_not_queued',
    ({ pool, options }) => pool.assignTask({ ...options.assignTask, taskId: 'running' }),
    { taskId: 'running', status: 'running' },
  ],
  [
    'task_not_due',
    ({ pool, options }) => {
      pool.failTask({ ...options.failTask, retryAfterSecs: 10 });
      return pool.assignTask({ ...options.assignTask, expectedRevision: 14, taskId: 'running' });
    },
    { taskId: 'running', notBefore: 115n },
  ],
  [
    'worker_not_found',
    ({ pool, options }) => pool.assignNext({ ...options.assignNext, workerId: 'x' }),
    { workerId: 'x' },
  ],
  [
    'worker_generation_conflict',
    ({ pool, options }) => pool.reactivateWorker({ ...options.reactivateWorker, expectedGeneration: 9 }),
    { expected: 9n, actual: 2n },
  ],
  [
    'worker_unavailable',
    ({ pool, options }) => pool.assignNext({ ...options.assignNext, workerId: 'w2' }),
    { workerId: 'w2' },
  ],
  [
    'worker_unavailable',
    ({ pool, options }) => pool.forgetWorker({ ...options.forgetWorker, workerId: 'w1', generation: 1 }),
    { workerId: 'w1' },
  ],
  [
    'worker_at_capacity',
    ({ pool, options }) =>
      full(pool).assignNext({ ...options.assignNext, expectedRevision: 14, workerId: 'w1' }),
    { workerId: 'w1' },
  ],
  [
    'stale_ownership',
    ({ pool, options, leased }) =>
      pool.startTask({ ...options.startTask, lease: { ...leased, leaseId: 77 } }),
    { taskId: 'leased' },
  ],
  [
    'lease_expired',
    ({ pool, options }) => pool.completeTask({ ...options.completeTask, now: 150 }),
    { taskId: 'running' },
  ],
  [
    'invalid_transition',
    ({ pool, options, leased }) => pool.completeTask({ ...options.completeTask, lease: leased }),
    { taskId: 'leased', status: 'leased', operation: 'complete' },
  ],
  [
    'invalid_transition',
    ({ pool, options, leased }) => pool.failTask({ ...options.failTask, lease: leased }),
    { taskId: 'leased', status: 'leased', operation: 'fail' },
  ],
  [
    'conflicting_result',
    ({ results, options }) =>
      stored(results, options).storeResult({
        ...options.storeResult,
        expectedRevision: 1,
        bytes: new Uint8Array(2),
      }),
    { taskId: 'done' },
  ],
  [
    'mismatched_result_receipt',
    ({ results, options, receipt }) =>
      stored(results, options).storeResult({
        ...options.storeResult,
        expectedRevision: 1,
        receipt: { ...receipt, attempt: 9 },
      }),
    { taskId: 'done' },
  ],
  [
    'result_too_large',
    ({ options }) =>
      new lg.ResultAggregator({ limits: { maxResultBytes: 2 } }).storeResult(options.storeResult),
    { actual: 3, limit: 2 },
  ],
  [
    'result_too_large',
    ({ results, options }) =>
      results.storeResult({ ...options.storeResult, bytes: new Uint8Array(20_000_000) }),
    { actual: 20_000_000, limit: 1_048_576 },
  ],
  ['result_capacity_reached', (prepared) => another(prepared, { maxResults: 1 }), { limit: 1 }],
  [
    'total_result_bytes_exceeded',
    (prepared) => another(prepared, { maxResultBytes: 5, maxTotalBytes: 5 }),
    { actual: 6, limit: 5 },
  ],
  [
    'aggregate_item_limit_exceeded',
    () => new lg.ResultAggregator({ limits: { maxAggregateItems: 1 } }).aggregateResults(['a', 'b']),
    { actual: 2, limit: 1 },
  ],
  [
    'duplicate_aggregate_task',
    ({ results, options }) => stored(results, options).aggregateResults(['done', 'done']),
    { taskId: 'done' },
  ],
  [
    'duplicate_aggregate_task',
    ({ filled, options }) => filled.removeResults({ ...options.removeResults, taskIds: ['done', 'done'] }),
    { taskId: 'done' },
  ],
  ['missing_result', ({ results }) => results.aggregateResults(['x']), { taskId: 'x' }],
  [
    'missing_result',
    ({ filled, options }) => filled.removeResults({ ...options.removeResults, taskIds: ['done', 'x'] }),
    { taskId: 'x' },
  ],
  [
    'aggregate_bytes_exceeded',
    ({ options }) =>
      stored(new lg.ResultAggregator({ limits: { maxAggregateBytes: 2 } }), options).aggregateResults([
        'done',
      ]),
    { actual: 3, limit: 2 },
  ],
  ['disposed', ({ pool }) => [pool.dispose(), pool.snapshot()], {}],
];

/** Met elsewhere: out_of_memory and instance_unusable in memory.test.js; a state_invariant would be a bug of ours. */
const ELSEWHERE = ['out_of_memory', 'state_invariant'];

/** @param {any} queue @param {any} options */
function fill(queue, options) {
  for (let i = 0; i < 9; i += 1) {
    const { now } = options.enqueue;
    queue.enqueue({
      expectedRevision: queue.snapshot().revision,
      now,
      spec: { taskId: `f${i}`, scanId: 's', targetRef: 'r' },
    });
  }
}
/** @param {any} pool */
function drained(pool) {
  pool.assignNext({ expectedRevision: pool.revision, now: 105, workerId: 'w1', leaseTtlSecs: 1 });
  return pool;
}
/** @param {any} pool */
function full(pool) {
  const observation = { cpuBasisPoints: 9_000 };
  pool.updateWorker({
    expectedRevision: pool.revision,
    now: 105,
    workerId: 'w1',
    generation: 1,
    observation,
  });
  return pool;
}
/** @param {any} results @param {any} options */
function stored(results, options) {
  results.storeResult(options.storeResult);
  return results;
}
/** @param {any} prepared @param {object} limits */
function another({ options, receipt }, limits) {
  const results = stored(new lg.ResultAggregator({ limits }), options);
  results.storeResult({
    ...options.storeResult,
    expectedRevision: 1,
    receipt: { ...receipt, taskId: 'other' },
  });
}

for (const [code, provoke, fields, limits] of ROWS) {
  test(`${code} carries ${Object.keys(fields).join(', ') || 'no fields'} (${JSON.stringify(fields, (_, v) => (typeof v === 'bigint' ? Number(v) : v))})`, () => {
    const prepared = prepare(lg, limits?.heartbeat ? { heartbeatTimeoutSecs: 86_400 } : limits);
    if (limits?.heartbeat) {
      const at = { expectedRevision: prepared.pool.revision, now: 2n ** 64n - 5n };
      prepared.pool.updateWorker({ ...at, workerId: 'w1', generation: 1, observation: {} });
      prepared.options.assignNext.expectedRevision += 1n;
    }
    try {
      provoke(prepared);
    } catch (error) {
      assert.ok(error instanceof LeasegateError && error instanceof Error);
      assert.deepEqual({ ...error }, { code, ...fields });
      assert.ok(error.message.length > 10 && error.message.endsWith('.'));
      for (const value of Object.values(fields)) {
        if (typeof value !== 'string') assert.ok(error.message.includes(String(value)), error.message);
      }
      return;
    }
    assert.fail('nothing was refused');
  });
}

test('the table above has a row for every code of the contract that a caller can meet', () => {
  const known = [...coordination.errors, ...resultsSchema.errors].map((error) => error.as ?? error.code);
  const met = new Set(ROWS.map(([code]) => code));
  assert.deepEqual(known.filter((code) => !met.has(code)).sort(), [...ELSEWHERE].sort());
});

test('an error is an instance of LeasegateError whichever build made it, and nothing else is', async () => {
  const made = [];
  for (const create of [createLeasegate, createInline, cjs.createLeasegate]) {
    const { WorkerPool } = await create();
    try {
      new WorkerPool().pruneDeadWorkers({ expectedRevision: 1, now: 0 });
    } catch (error) {
      made.push(error);
    }
  }
  assert.equal(made.length, 3);
  for (const Class of [LeasegateError, InlineError, cjs.LeasegateError, lg.LeasegateError]) {
    for (const error of made) assert.ok(error instanceof Class);
    for (const other of [new Error('x'), { code: 'revision_conflict' }, null, undefined, 'x', 5]) {
      assert.ok(!(/** @type {any} */ (other instanceof Class)));
    }
  }
  assert.notEqual(LeasegateError, cjs.LeasegateError, 'they are two classes indeed');
});

test('an error reads well: name, message and stack say what happened and where', () => {
  const { pool } = prepare(lg);
  try {
    pool.pruneDeadWorkers({ expectedRevision: 3, now: 100 });
    assert.fail('nothing was refused');
  } catch (error) {
    assert.equal(error.name, 'LeasegateError');
    assert.match(
      String(error),
      /^LeasegateError: The command expected revision 3, but the current one is 13\./,
    );
    assert.match(error.stack, /^LeasegateError: .*[\s\S]*errors\.test\.js/);
  }
});

test('no error repeats an id that was refused as an id', () => {
  const { pool, queue, results, filled, options, leased, receipt } = prepare(lg);
  for (const id of ['in valid', 'a\nforged: line', 'a\0b', 'ünïcode', 'x'.repeat(300)]) {
    const calls = [
      () => queue.getTask(id),
      () => pool.getWorker(id),
      () => results.getResult(id),
      () => results.aggregateResults([id]),
      () => filled.removeResults({ ...options.removeResults, taskIds: [id] }),
      () => pool.renewLease({ ...options.renewLease, lease: { ...leased, taskId: id } }),
      () => pool.forgetWorker({ ...options.forgetWorker, workerId: id }),
      () => queue.enqueue({ ...options.enqueue, spec: { ...options.enqueue.spec, taskId: id } }),
      () => queue.enqueue({ ...options.enqueue, spec: { ...options.enqueue.spec, scanId: id } }),
      () => pool.registerWorker({ ...options.registerWorker, spec: { workerId: id, capacity: 1 } }),
      () => pool.startTask({ ...options.startTask, lease: { ...leased, taskId: id } }),
      () => pool.startTask({ ...options.startTask, lease: { ...leased, workerId: id } }),
      () => results.storeResult({ ...options.storeResult, receipt: { ...receipt, taskId: id } }),
    ];
    for (const call of calls) {
      assert.throws(call, (/** @type {any} */ error) => {
        assert.match(error.code, /^invalid_(task|worker)$/);
        const said = [
          String(error),
          error.message,
          error.stack,
          JSON.stringify(error),
          ...Object.values(error),
        ].join();
        assert.ok(!said.includes(id));
        return true;
      });
    }
  }
});
