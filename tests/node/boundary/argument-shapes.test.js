// Every argument of every command and read, as the schema lists them, with values of every wrong shape: a TypeError
// or RangeError that names the argument, repeats no text of the caller's, and leaves everything as it was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate, taskAgeSecs } from 'leasegate';
import * as coordination from '../../../src/schema/coordination.mjs';
import * as results from '../../../src/schema/results.mjs';
import { COMMANDS, ownerOf, prepare, visible } from '../support/prepared.js';
import { camel } from '../support/words.js';

const lg = await createLeasegate();

/** Stands in for what an error must not repeat. */
const SECRET = 'xyzzy-plugh';
const MISSING = Symbol('missing');
const ABSENT = [MISSING, undefined, null];
const detached = new ArrayBuffer(8);
const detachedView = new Uint8Array(detached);
structuredClone(detached, { transfer: [detached] });

const noObjects = [5, 5n, SECRET, true, NaN, () => ({}), Symbol(SECRET)];
const noIntegers = [
  NaN,
  -1,
  -1n,
  1.5,
  2 ** 53,
  Infinity,
  -Infinity,
  SECRET,
  '5',
  '',
  true,
  {},
  [],
  [1],
  Symbol(SECRET),
];
const noNames = [SECRET, '', 'HIGH', 'toString', 0, 1n, true, {}, [], ['high'], Symbol(SECRET)];

/** What each kind of field must refuse, absence aside. @type {Record<string, unknown[]>} */
const WRONG = {
  u64: [...noIntegers, 2n ** 64n, '18446744073709551615'],
  token: [
    ...noIntegers,
    2n ** 64n,
    '9007199254740991',
    '018446744073709551615',
    '18446744073709551616',
    '1e19',
  ],
  u32: [...noIntegers, 2 ** 32, 2n ** 32n, 2n ** 64n, '18446744073709551615'],
  text: [
    5,
    5n,
    NaN,
    true,
    {},
    [],
    ['a'],
    Symbol(SECRET),
    new String(SECRET),
    `${SECRET}\ud800`,
    '\udfff',
    `a\ud800b`,
  ],
  bytes: [
    5,
    SECRET,
    true,
    {},
    { length: 1, 0: 1 },
    [256],
    [-1],
    [1.5],
    ['1'],
    [null],
    [undefined],
    new Array(3),
    new Uint16Array(2),
    new DataView(new ArrayBuffer(1)),
    Symbol(SECRET),
    detached,
    detachedView,
    new Proxy(new Uint8Array(2), {}),
    Object.create(Uint8Array.prototype),
    Object.create(ArrayBuffer.prototype),
  ],
  payload: [
    5,
    SECRET,
    true,
    {},
    [],
    [1, 2],
    new Uint16Array(2),
    Symbol(SECRET),
    detached,
    detachedView,
    new Proxy(new Uint8Array(2), {}),
    new SharedArrayBuffer(1),
  ],
  set: [
    SECRET,
    'gpu',
    5,
    true,
    {},
    [SECRET],
    ['gpu', 'GPU'],
    [5],
    [null],
    [undefined],
    new Set([SECRET]),
    new Map([['gpu', 1]]),
    { [Symbol.iterator]: 5 },
    Symbol(SECRET),
  ],
  list: [5, 5n, SECRET, true, {}, { length: 0 }, new Set(['done']), new Uint8Array(1), Symbol(SECRET)],
  name: noNames,
};

const shapes = { ...coordination.inputs, ...coordination.tokens };

/** Where the core keeps a task is nothing that a caller says. @param {any[]} field */
const isSaid = ([, type]) => !type.startsWith('place:');

/**
 * Every argument, nested ones too: where it is, and which values it must refuse.
 * @param {any[]} fields @param {string[]} path @param {boolean} token
 * @returns {{ path: string[], wrong: unknown[] }[]}
 */
function argumentsOf(fields, path = [], token = false) {
  return fields.filter(isSaid).flatMap(([field, type, fallback]) => {
    const inner = [...path, camel(field)];
    const optional = type.endsWith('?') || fallback !== undefined;
    const absent = optional ? [] : ABSENT;
    const [base] = type.replace('?', '').split(':');
    if (shapes[base]) {
      const nested = argumentsOf(shapes[base], inner, base in coordination.tokens);
      return [{ path: inner, wrong: [...ABSENT, ...noObjects] }, ...nested];
    }
    if (base === 'ownership') return [{ path: inner, wrong: [...ABSENT, ...noObjects] }];
    const kind =
      { task: 'text', worker: 'text', u64: token ? 'token' : 'u64' }[base] ?? (base in WRONG ? base : 'name');
    return [{ path: inner, wrong: [...absent, ...WRONG[kind]] }];
  });
}

/** The same options with one value exchanged. @param {any} options @param {string[]} path @param {unknown} value */
function exchange(options, [name, ...rest], value) {
  const { [name]: old, ...others } = options;
  if (rest.length > 0) return { ...others, [name]: exchange(old, rest, value) };
  return value === MISSING ? others : { ...others, [name]: value };
}

/** @param {() => unknown} call @param {string} path @param {unknown} value */
function assertRefused(call, path, value) {
  const given = typeof value === 'string' ? JSON.stringify(value) : String(typeof value);
  assert.throws(
    call,
    (/** @type {any} */ error) => {
      const isShapeError = error instanceof TypeError || error instanceof RangeError;
      assert.ok(isShapeError && !(error instanceof lg.LeasegateError), `${path} = ${given}: ${error}`);
      assert.ok(
        error.message.startsWith(`${path} `),
        `${path} = ${given}: "${error.message}" does not begin with it`,
      );
      assert.ok(
        !`${error.message}${error.stack}${JSON.stringify(error)}`.includes(SECRET),
        `${path}: the text is repeated`,
      );
      return true;
    },
    `${path} = ${given}`,
  );
}

for (const [snake, fields] of Object.entries(COMMANDS)) {
  const name = camel(snake);

  test(`${name} takes the right shapes, throwing or trying`, () => {
    const thrown = prepare(lg);
    const value = ownerOf(thrown, name)[name](thrown.options[name]);
    const tried = prepare(lg);
    const answer = ownerOf(tried, name).try[name](tried.options[name]);
    assert.deepEqual({ ...answer }, { ok: true, ...value });
    assert.deepEqual(visible(tried), visible(thrown));
    assert.notDeepEqual(visible(thrown), visible(prepare(lg)), 'it changes the state');
  });

  test(`${name} refuses wrong shapes by the name of the argument, and changes nothing`, () => {
    const prepared = prepare(lg);
    const owner = ownerOf(prepared, name);
    const before = visible(prepared);
    const right = prepared.options[name];
    const all = argumentsOf(fields);
    assert.ok(all.length > 0);
    for (const value of [undefined, null, ...noObjects]) {
      assertRefused(() => owner[name](value), 'options', value);
      assertRefused(() => owner.try[name](value), 'options', value);
    }
    for (const { path, wrong } of all) {
      for (const value of wrong) {
        const options = exchange(right, path, value);
        assertRefused(() => owner[name](options), path.join('.'), value);
        assertRefused(() => owner.try[name](options), path.join('.'), value);
      }
    }
    assert.deepEqual(visible(prepared), before);
    prepared.pool.checkInvariants();
    assert.doesNotThrow(() => owner[name](right), 'and the right arguments are still taken');
  });
}

for (const kind of ['queued', 'leased']) {
  test(`cancelTask refuses wrong shapes inside the ownership of a ${kind} task`, () => {
    const prepared = prepare(lg);
    const { pool, options } = prepared;
    const before = visible(prepared);
    const ownership = prepared.queue.getTask(kind).ownership;
    const shape = kind === 'queued' ? 'QueuedTaskFence' : 'TaskLease';
    for (const { path, wrong } of argumentsOf(coordination.tokens[shape], ['ownership'], true)) {
      if (path[1] === 'leaseId') continue; // without it a lease is a fence; next test
      for (const value of wrong) {
        const given = exchange({ ...options.cancelTask, ownership }, path, value);
        assertRefused(() => pool.cancelTask(given), path.join('.'), value);
        assertRefused(() => pool.try.cancelTask(given), path.join('.'), value);
      }
    }
    assert.deepEqual(visible(prepared), before);
    assert.equal(pool.cancelTask({ ...options.cancelTask, ownership }).value.kind, 'cancelled');
  });
}

test('an ownership without a leaseId is taken for a fence, and a wrong leaseId is refused', () => {
  const { pool, options, leased } = prepare(lg);
  const { leaseId: _, ...less } = leased;
  const call = (ownership) => () => pool.cancelTask({ ...options.cancelTask, ownership });
  assertRefused(call(less), 'ownership.recordVersion', undefined);
  for (const leaseId of WRONG.token)
    assertRefused(call({ ...leased, leaseId }), 'ownership.leaseId', leaseId);
});

/** Reads: one argument each. @type {[string, string, (prepared: any, value: any) => unknown, unknown, unknown[]][]} */
const reads = [
  ['getTask', 'taskId', ({ queue }, id) => queue.getTask(id), 'queued', [undefined, null, ...WRONG.text]],
  ['getWorker', 'workerId', ({ pool }, id) => pool.getWorker(id), 'w1', [undefined, null, ...WRONG.text]],
  [
    'getResult',
    'taskId',
    ({ results }, id) => results.getResult(id),
    'done',
    [undefined, null, ...WRONG.text],
  ],
  [
    'getAvailableWorker',
    'now',
    ({ pool }, now) => pool.getAvailableWorker(now),
    200,
    [undefined, null, ...WRONG.u64],
  ],
  ['taskAgeSecs', 'now', ({ queued }, now) => taskAgeSecs(queued, now), 200, [undefined, null, ...WRONG.u64]],
  [
    'aggregateResults',
    'taskIds',
    ({ results }, ids) => results.aggregateResults(ids),
    [],
    [undefined, null, 5, SECRET, {}, new Set(['a']), { length: 0 }],
  ],
];

for (const [name, argument, call, right, wrong] of reads) {
  test(`${name} refuses a wrong ${argument} by its name`, () => {
    const prepared = prepare(lg);
    const before = visible(prepared);
    for (const value of wrong) assertRefused(() => call(prepared, value), argument, value);
    assert.deepEqual(visible(prepared), before);
    assert.doesNotThrow(() => call(prepared, right));
  });
}

for (const [name, call] of /** @type {[string, (prepared: any, ids: any) => unknown][]} */ ([
  ['aggregateResults', ({ filled }, taskIds) => filled.aggregateResults(taskIds)],
  [
    'removeResults',
    ({ filled, options }, taskIds) => filled.removeResults({ ...options.removeResults, taskIds }),
  ],
])) {
  test(`${name} names the place of a wrong id in the list`, () => {
    const prepared = prepare(lg);
    const before = visible(prepared);
    for (const value of [undefined, null, ...WRONG.text]) {
      assertRefused(() => call(prepared, ['done', value, 'kept']), 'taskIds[1]', value);
    }
    assertRefused(() => call(prepared, new Array(1)), 'taskIds[0]', undefined);
    assert.deepEqual(visible(prepared), before);
    assert.doesNotThrow(() => call(prepared, ['done', 'kept']));
  });
}

test('a retryAfterSecs that is absent, null, undefined or 0 is the same: no delay', () => {
  const plain = prepare(lg);
  const expected = plain.pool.failTask(plain.options.failTask);
  for (const retryAfterSecs of [undefined, null, 0, 0n]) {
    const prepared = prepare(lg);
    const answer = prepared.pool.failTask({ ...prepared.options.failTask, retryAfterSecs });
    assert.deepEqual(answer, expected);
    assert.deepEqual(visible(prepared), visible(plain));
  }
  const waiting = prepare(lg);
  waiting.pool.failTask({ ...waiting.options.failTask, retryAfterSecs: 1 });
  assert.equal(waiting.queue.getTask('running').notBefore, 106n, 'and 1 is one');
});

test('taskAgeSecs refuses what is no task', () => {
  for (const task of [undefined, null, 5, SECRET]) assertRefused(() => taskAgeSecs(task, 1n), 'task', task);
  for (const createdAt of [undefined, null, ...WRONG.token]) {
    assertRefused(() => taskAgeSecs({ createdAt }, 1n), 'task.createdAt', createdAt);
  }
});

for (const [Class, table] of /** @type {[string, any[]][]} */ ([
  ['WorkerPool', coordination.limits.DistributedLimits],
  ['TaskQueue', coordination.limits.DistributedLimits],
  ['ResultAggregator', results.limits.ResultLimits],
])) {
  test(`new ${Class} refuses wrong limits by their names`, () => {
    for (const value of noObjects) {
      assertRefused(() => new lg[Class](value), 'options', value);
      assertRefused(() => new lg[Class]({ limits: value }), 'limits', value);
    }
    for (const [field, standard] of table) {
      for (const value of WRONG.u64) {
        assertRefused(
          () => new lg[Class]({ limits: { [camel(field)]: value } }),
          `limits.${camel(field)}`,
          value,
        );
      }
      for (const value of [undefined, null, standard, BigInt(standard)]) {
        new lg[Class]({ limits: { [camel(field)]: value } }).dispose();
      }
    }
    assertRefused(() => new lg[Class]({ limits: { maxTasks: 5 } }), 'limits.maxTasks', 5);
    for (const options of [undefined, null, {}, { limits: undefined }, { limits: null }, { limits: {} }]) {
      new lg[Class](options).dispose();
    }
  });
}
