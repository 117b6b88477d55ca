// Handles own memory of the core: they give it back when they are disposed of, or collected.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createLeasegate } from 'leasegate';
import { COMMANDS, disposeOf, ownerOf, prepare, visible } from '../support/prepared.js';
import { camel } from '../support/words.js';

const lg = await createLeasegate();
const commands = Object.keys(COMMANDS).map(camel);

/** Everything but the commands. @type {Record<string, (prepared: any) => unknown>} */
const READS = {
  'pool.revision': ({ pool }) => pool.revision,
  'pool.snapshot': ({ pool }) => pool.snapshot(),
  'pool.getWorker': ({ pool }) => pool.getWorker('w1'),
  'pool.getWorkers': ({ pool }) => pool.getWorkers(),
  'pool.getAvailableWorker': ({ pool }) => pool.getAvailableWorker(200),
  'pool.checkInvariants': ({ pool }) => pool.checkInvariants(),
  'queue.snapshot': ({ queue }) => queue.snapshot(),
  'queue.getTask': ({ queue }) => queue.getTask('queued'),
  'queue.tasks': ({ queue }) => queue.tasks(),
  'queue.peekNext': ({ queue }) => queue.peekNext(),
  'results.getResult': ({ results }) => results.getResult('done'),
  'results.aggregateResults': ({ results }) => results.aggregateResults([]),
  'results.revision': ({ results }) => results.revision,
  'results.resultCount': ({ results }) => results.resultCount,
  'results.totalBytes': ({ results }) => results.totalBytes,
};

for (const name of commands) {
  test(`${name}, throwing or trying, says that its handle is disposed of`, () => {
    const prepared = prepare(lg);
    const owner = ownerOf(prepared, name);
    disposeOf(prepared);
    const what = owner === prepared.pool || owner === prepared.queue ? /WorkerPool/ : /ResultAggregator/;
    for (const call of [owner[name].bind(owner), (options) => owner.try[name](options)]) {
      assert.throws(() => call(prepared.options[name]), {
        name: 'LeasegateError',
        code: 'disposed',
        message: what,
      });
    }
  });
}

for (const [name, read] of Object.entries(READS)) {
  test(`${name} answers while its handle lives, and says so when it is disposed of`, () => {
    const prepared = prepare(lg);
    assert.doesNotThrow(() => read(prepared));
    disposeOf(prepared);
    assert.throws(() => read(prepared), { name: 'LeasegateError', code: 'disposed' });
  });
}

test('dispose may be called again, on each kind of handle, and changes nothing more', () => {
  for (const Class of ['WorkerPool', 'TaskQueue', 'ResultAggregator']) {
    const handle = new lg[Class]();
    const other = new lg[Class]();
    for (let i = 0; i < 3; i += 1) assert.equal(handle.dispose(), undefined);
    assert.equal(inspect(handle), `${Class} { disposed }`);
    assert.doesNotMatch(inspect(other), /disposed/, 'another handle lives on');
    other.dispose();
  }
});

test('Symbol.dispose disposes, so that a block with `using` ends the handle', () => {
  assert.equal(typeof Symbol.dispose, 'symbol');
  for (const Class of ['WorkerPool', 'TaskQueue', 'ResultAggregator']) {
    const handle = new lg[Class]();
    const read = () => (Class === 'ResultAggregator' ? handle.revision : handle.snapshot());
    assert.doesNotThrow(read);
    handle[Symbol.dispose]();
    handle[Symbol.dispose]();
    assert.throws(read, { code: 'disposed' });
    assert.ok(!Object.keys(Class).includes('Symbol(Symbol.dispose)'));
  }
});

test("a pool's queue lives as long as its pool: disposing of the queue alone ends neither", () => {
  const { pool, queue, options } = prepare(lg);
  queue.dispose();
  queue[Symbol.dispose]();
  assert.equal(queue.enqueue(options.enqueue).value.taskId, 'new');
  assert.equal(pool.taskQueue, queue, 'it is the same queue every time');
  assert.ok(queue instanceof lg.TaskQueue);
  pool.dispose();
  assert.throws(() => queue.tasks(), { code: 'disposed' });
  assert.equal(inspect(queue), 'TaskQueue { disposed }');
});

test('what a handle is made of stays what it is: its queue and its trying commands cannot be replaced', () => {
  const { pool, queue, results, options } = prepare(lg);
  const other = prepare(lg);
  for (const [handle, name, value] of /** @type {[any, string, unknown][]} */ ([
    [pool, 'taskQueue', other.queue],
    [pool, 'try', other.pool.try],
    [queue, 'try', other.queue.try],
    [results, 'try', other.results.try],
    [pool.try, 'startTask', other.pool.try.startTask],
    [queue.try, 'enqueue', other.queue.try.enqueue],
    [results.try, 'storeResult', other.results.try.storeResult],
  ])) {
    const before = handle[name];
    assert.throws(() => {
      handle[name] = value;
    }, TypeError);
    assert.equal(handle[name], before, `${name} is the same at every look`);
  }
  assert.equal(pool.taskQueue, queue);
  assert.ok(pool.try.startTask(options.startTask).ok);
  assert.ok(results.try.storeResult(options.storeResult).ok);
  assert.equal(other.pool.revision, 13n, 'and the other pool has had no command');
});

test('records outlive the handle that they came from', () => {
  const prepared = prepare(lg);
  const before = structuredClone(visible(prepared));
  const seen = visible(prepared);
  disposeOf(prepared);
  new lg.ResultAggregator().dispose();
  assert.deepEqual(structuredClone(seen), before);
});

test('a new pool in the place of an old one knows nothing of it', () => {
  for (let i = 0; i < 20; i += 1) {
    const { pool, queue } = prepare(lg);
    pool.dispose();
    const fresh = new lg.WorkerPool();
    assert.deepEqual(fresh.taskQueue.tasks(), []);
    assert.deepEqual(fresh.getWorkers(), []);
    assert.equal(fresh.taskQueue.getTask('queued'), null);
    assert.throws(() => queue.getTask('queued'), { code: 'disposed' });
    const spec = { taskId: `other-${i}`, scanId: 's', targetRef: 'r' };
    assert.equal(fresh.taskQueue.enqueue({ expectedRevision: 0, now: 0, spec }).value.taskId, `other-${i}`);
    fresh.dispose();
  }
});

test('methods without their object, and on another, are refused', () => {
  const { pool } = prepare(lg);
  const { snapshot } = pool;
  assert.throws(() => snapshot(), TypeError);
  assert.throws(() => snapshot.call({}), TypeError);
  assert.throws(() => pool.try.pruneDeadWorkers.call({}, {}), TypeError);
});

const FILLS = `
  import { createLeasegate } from 'leasegate';
  const lg = await createLeasegate({ memory: { maximumBytes: 4 * 1024 * 1024 } });
  const fill = () => {
    const pool = new lg.WorkerPool();
    for (let i = 0; i < 1000; i += 1) {
      pool.taskQueue.enqueue({ expectedRevision: i, now: 0, spec: { taskId: 't' + i, scanId: 's', targetRef: 'x'.repeat(500) } });
    }
    const results = new lg.ResultAggregator();
    const receipt = { taskId: 'a', taskGeneration: 0, attempt: 1, leaseId: 1, workerId: 'w', workerGeneration: 1, recordVersion: 1 };
    results.storeResult({ expectedRevision: 0, receipt, bytes: new Uint8Array(500_000) });
    return { pool, results };
  };
`;

/** @param {string} program @param {string[]} flags */
function run(program, ...flags) {
  const options = {
    input: FILLS + program,
    encoding: /** @type {const} */ ('utf8'),
    cwd: new URL('.', import.meta.url),
  };
  return execFileSync(process.execPath, [...flags, '--input-type=module', '-'], options).trim();
}

test('handles that are disposed of give their memory back: four megabytes serve forty of them', () => {
  assert.equal(
    run(
      `for (let i = 0; i < 40; i += 1) { const { pool, results } = fill(); pool.dispose(); results.dispose(); } console.log('done');`,
    ),
    'done',
  );
});

test('handles that nobody holds give their memory back when they are collected', () => {
  const program = `
    for (let i = 0; i < 40; i += 1) {
      fill();
      gc();
      await new Promise((resolve) => setTimeout(resolve));
    }
    console.log('done');`;
  assert.equal(run(program, '--expose-gc'), 'done');
});

test('handles that are held keep their memory: the same four megabytes do not serve forty', () => {
  const program = `
    const held = [];
    try {
      for (let i = 0; i < 40; i += 1) held.push(fill());
    } catch (error) {
      console.log(error.code, held.length > 0 && held.every(({ pool }) => pool.snapshot().taskRecords === 1000));
    }`;
  assert.equal(run(program), 'out_of_memory true');
});

test('a queue keeps its pool alive, though nobody holds the pool', () => {
  const program = `
    const { taskQueue } = fill().pool;
    for (let i = 0; i < 20; i += 1) { gc(); await new Promise((resolve) => setTimeout(resolve)); fill(); }
    console.log(taskQueue.tasks().length);`;
  assert.equal(run(program, '--expose-gc'), '1000');
});
