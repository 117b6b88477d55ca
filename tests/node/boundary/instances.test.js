// createLeasegate: its options, what it says of wrong ones, and that instances share nothing.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { createLeasegate, LeasegateError } from 'leasegate';
import * as coordination from '../../../src/schema/coordination.mjs';
import * as resultsSchema from '../../../src/schema/results.mjs';
import { prepare, visible } from '../support/prepared.js';

const wasmUrl = new URL(import.meta.resolve('leasegate/leasegate.wasm'));
const bytes = await readFile(wasmUrl);
const arrayBuffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const PAGE = 65_536;

/** @param {any} lg */
function works(lg) {
  const { pool } = prepare(lg);
  pool.checkInvariants();
  assert.equal(pool.snapshot().taskRecords, 4);
}

for (const [what, wasm] of /** @type {[string, any][]} */ ([
  ['the address of a file', wasmUrl],
  ['a Buffer', bytes],
  ['a Uint8Array in the middle of a buffer', Uint8Array.from([0, ...bytes, 0]).subarray(1, bytes.length + 1)],
  ['a DataView', new DataView(arrayBuffer)],
  ['an ArrayBuffer', arrayBuffer],
  ['a compiled module', await WebAssembly.compile(bytes)],
  ['nothing: undefined', undefined],
  ['nothing: null', null],
])) {
  test(`wasm may be ${what}`, async () => works(await createLeasegate({ wasm })));
}

test('wasm may lie on a web server, whatever type that says it has', async () => {
  for (const type of ['application/wasm', 'application/octet-stream']) {
    const server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': type }).end(bytes),
    );
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    works(await createLeasegate({ wasm: new URL(`http://127.0.0.1:${port}/leasegate.wasm`) }));
    server.closeAllConnections();
    server.close();
  }
});

test('a web server that has no module is an error that says so', async () => {
  const server = createServer((_, response) => response.writeHead(404).end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await assert.rejects(
    createLeasegate({ wasm: new URL(`http://127.0.0.1:${port}/gone.wasm`) }),
    /HTTP 404 from \/gone\.wasm/,
  );
  server.closeAllConnections();
  server.close();
});

test('options may be absent', async () => {
  for (const options of [undefined, null, {}, { memory: undefined }, { memory: null }, { memory: {} }]) {
    works(await createLeasegate(options));
  }
});

const other = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
for (const [what, options, error] of /** @type {[string, any, any][]} */ ([
  ['options that are no object', 5, { name: 'TypeError', message: 'options must be an object' }],
  ['options that are a text', 'wasm', { name: 'TypeError', message: 'options must be an object' }],
  ['wasm that is a text', { wasm: 'dist/leasegate.wasm' }, { name: 'TypeError', message: /^wasm must be/ }],
  ['wasm that is a number', { wasm: 0 }, { name: 'TypeError', message: /^wasm must be/ }],
  ['wasm that is an object', { wasm: {} }, { name: 'TypeError', message: /^wasm must be/ }],
  ['no bytes', { wasm: new Uint8Array(0) }, { name: 'CompileError' }],
  ['bytes that are no module', { wasm: Uint8Array.of(1, 2, 3) }, { name: 'CompileError' }],
  ['half of the module', { wasm: bytes.subarray(0, bytes.length / 2) }, { name: 'CompileError' }],
  ['another module', { wasm: other }, (/** @type {any} */ thrown) => thrown instanceof Error],
  ['the address of no file', { wasm: pathToFileURL('/nowhere/leasegate.wasm') }, { code: 'ENOENT' }],
  [
    'an option that there is not',
    { wsam: bytes },
    { name: 'TypeError', message: 'options.wsam is not an option' },
  ],
  [
    'a bound of memory that there is not',
    { memory: { maxBytes: 2 ** 24 } },
    { name: 'TypeError', message: 'memory.maxBytes is not an option' },
  ],
  [
    'memory that is no object',
    { memory: 1024 * 1024 },
    { name: 'TypeError', message: 'memory must be an object' },
  ],
  ...['initialBytes', 'maximumBytes'].flatMap((name) => [
    ...['1048576', true, {}, 2n ** 20n, Symbol('x')].map((value) => [
      `${name} of type ${typeof value}`,
      { memory: { [name]: value } },
      { name: 'TypeError', message: `memory.${name} must be a number of bytes` },
    ]),
    ...[NaN, -1, 0, 1.5, 2 ** 20 - 1, 2 ** 31 + 1, Infinity].map((value) => [
      `${name} ${value}`,
      { memory: { [name]: value } },
      { name: 'RangeError', message: `memory.${name} must be an integer from 1048576 to 2147483648` },
    ]),
  ]),
  [
    'more memory at first than at most',
    { memory: { initialBytes: 2 ** 21, maximumBytes: 2 ** 20 } },
    { name: 'RangeError', message: 'memory.initialBytes must not be above memory.maximumBytes' },
  ],
])) {
  test(`${what}: the promise is rejected`, async () => {
    await assert.rejects(createLeasegate(options), error);
  });
}

test('memory bounds are taken from the least to the most, and rounded up to whole pages', async () => {
  for (const memory of [
    { initialBytes: 2 ** 20 },
    { initialBytes: 2 ** 20 + 1, maximumBytes: 2 ** 20 + PAGE },
    { maximumBytes: 2 ** 20 },
    { maximumBytes: 2 ** 31 },
    { initialBytes: 2 ** 24, maximumBytes: 2 ** 24 },
  ]) {
    works(await createLeasegate({ memory }));
  }
});

test('a module that could not be loaded once does not stand in the way of the next try', async () => {
  const file = path.join(tmpdir(), `leasegate-${process.pid}.wasm`);
  await assert.rejects(createLeasegate({ wasm: pathToFileURL(file) }), { code: 'ENOENT' });
  await writeFile(file, bytes);
  works(await createLeasegate({ wasm: pathToFileURL(file) }));
  works(await createLeasegate());
});

test('instances are isolated: what happens in one is not seen in another', async () => {
  const [one, two] = await Promise.all([createLeasegate(), createLeasegate()]);
  const first = prepare(one);
  const second = new two.WorkerPool();
  const before = visible(first);
  second.registerWorker({ expectedRevision: 0, now: 5, spec: { workerId: 'elsewhere', capacity: 1 } });
  assert.deepEqual(visible(first), before);
  assert.equal(second.getWorker('w1'), null);
  assert.notEqual(one.WorkerPool, two.WorkerPool);
  assert.ok(!(second instanceof one.WorkerPool) && second instanceof two.WorkerPool);
  first.pool.dispose();
  assert.equal(second.getWorker('elsewhere').capacity, 1);
});

test('a lease of one instance is a token like any other in the next: equal fields are the same token', async () => {
  const [one, two] = [prepare(await createLeasegate()), prepare(await createLeasegate())];
  assert.equal(two.pool.startTask({ ...two.options.startTask, lease: one.leased }).value.kind, 'started');
  const foreign = { ...one.leased, leaseId: 99n };
  assert.throws(() => one.pool.startTask({ ...one.options.startTask, lease: foreign }), {
    code: 'stale_ownership',
  });
});

test('two instances that are given the same commands answer the same', async () => {
  const [one, two] = [await createLeasegate(), await createLeasegate({ memory: { initialBytes: 2 ** 22 } })];
  const pools = [one, two].map(
    (lg) =>
      new lg.WorkerPool({
        limits: {
          maxRetries: 2,
          maxTaskRecords: 64,
          maxTerminalTasks: 64,
          maxActiveTasks: 32,
          maxQueuedTasks: 32,
        },
      }),
  );
  const results = [one, two].map((lg) => new lg.ResultAggregator({ limits: { maxResults: 20 } }));
  const random = generator(20_240_607);
  let accepted = 0;
  for (let step = 0; step < 1500; step += 1) {
    const command = randomCommand(random, pools[0], step);
    const answers = pools.map((pool) => command(pool));
    assert.deepEqual(answers[1], answers[0], `step ${step}`);
    if (answers[0].ok) accepted += 1;
    const receipt = answers[0].value?.receipt;
    if (receipt) {
      const bytes = new Uint8Array(random(50)).fill(step);
      const stored = results.map((store) =>
        store.try.storeResult({ expectedRevision: store.revision, receipt, bytes }),
      );
      assert.deepEqual(stored[1], stored[0]);
    }
    if (step % 100 === 0) {
      for (const pool of pools) pool.checkInvariants();
      assert.deepEqual(pools[1].taskQueue.tasks(), pools[0].taskQueue.tasks());
      assert.deepEqual(pools[1].getWorkers(), pools[0].getWorkers());
    }
  }
  assert.deepEqual(pools[1].snapshot(), pools[0].snapshot());
  assert.ok(accepted > 500 && accepted < 1400, `${accepted} of 1500 were accepted`);
  assert.ok(results[0].resultCount > 5);
});

/** A small, repeatable generator of integers below `n`. @param {number} seed */
function generator(seed) {
  let state = seed;
  return (/** @type {number} */ n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const foreign = {
  taskId: 'no',
  workerId: 'w0',
  workerGeneration: 1,
  taskGeneration: 0,
  attempt: 1,
  leaseId: 1,
  acquiredAt: 0,
  expiresAt: 9,
};

/** @param {(n: number) => number} random @param {any} model whose state the choice looks at @param {number} step */
function randomCommand(random, model, step) {
  const { revision, logicalTime } = model.snapshot();
  const fenced = {
    expectedRevision: revision + (random(10) === 0 ? 1n : 0n),
    now: logicalTime + BigInt(random(4)),
  };
  const workerId = `w${random(4)}`;
  const tasks = model.taskQueue.tasks();
  const leases = tasks.filter((task) => task.lease).map((task) => task.lease);
  const lease = leases[random(leases.length)] ?? foreign;
  const worker = { workerId, capacity: 1 + random(3), cpuBasisPoints: random(9000) };
  const spec = {
    taskId: `t${random(step)}`,
    scanId: 's',
    targetRef: 'r',
    priority: coordination.enums.Priority[random(4)],
  };
  const ownership = tasks[random(tasks.length)]?.ownership ?? lease;
  const generation = model.getWorker(workerId)?.generation ?? 1n;
  const rare = random(8) === 0;
  const seconds = 1 + random(40);
  const commands = [
    (pool) => pool.try.registerWorker({ ...fenced, spec: worker }),
    (pool) => pool.try.reactivateWorker({ ...fenced, expectedGeneration: generation, spec: worker }),
    (pool) => pool.try.updateWorker({ ...fenced, workerId, generation, observation: {} }),
    (pool) =>
      pool.try.updateWorker({ ...fenced, workerId, generation, observation: { cpuBasisPoints: 5000 } }),
    (pool) =>
      rare
        ? pool.try.deregisterWorker({ ...fenced, workerId, generation })
        : pool.try.pruneDeadWorkers(fenced),
    (pool) => pool.taskQueue.try.enqueue({ ...fenced, spec }),
    (pool) => pool.taskQueue.try.enqueue({ ...fenced, spec }),
    (pool) => pool.try.assignNext({ ...fenced, workerId, leaseTtlSecs: 20 }),
    (pool) => pool.try.assignNextAvailable({ ...fenced, leaseTtlSecs: 9 }),
    (pool) => pool.try.assignNextAvailable({ ...fenced, leaseTtlSecs: 30 }),
    (pool) => pool.try.startTask({ ...fenced, lease }),
    (pool) => pool.try.startTask({ ...fenced, lease }),
    (pool) => pool.try.completeTask({ ...fenced, lease }),
    (pool) => pool.try.completeTask({ ...fenced, lease }),
    (pool) => pool.try.failTask({ ...fenced, lease }),
    (pool) => pool.try.failTask({ ...fenced, lease, retryAfterSecs: seconds }),
    (pool) => pool.try.renewLease({ ...fenced, lease, leaseTtlSecs: seconds }),
    (pool) => pool.try.retireTasks({ ...fenced, terminalBefore: logicalTime, limit: 3 }),
    (pool) => pool.try.forgetWorker({ ...fenced, workerId, generation }),
    (pool) => pool.try.cancelTask({ ...fenced, ownership }),
    (pool) => pool.try.recoverExpiredLeases(fenced),
    (pool) => pool.try.expireOldTasks({ ...fenced, taskTtlSecs: 200 }),
  ];
  return commands[random(commands.length)];
}

test('many pools of one instance live side by side, their reads and commands in any order', () => {
  return createLeasegate().then((lg) => {
    const many = Array.from({ length: 40 }, () => prepare(lg));
    const states = many.map(visible);
    for (let i = 0; i < many.length; i += 1) {
      const { pool, options } = many[(i * 7) % many.length];
      pool.startTask(options.startTask);
      assert.deepEqual(
        many[i].queue.getTask('done'),
        states[i].tasks.find((task) => task.taskId === 'done'),
      );
      if (i % 3 === 0) many[i].results.dispose();
    }
    for (const { pool } of many) {
      pool.checkInvariants();
      assert.equal(pool.taskQueue.getTask('leased').status, 'running');
      pool.dispose();
    }
  });
});

test('the constants are those of the contract, on the entry and on every instance', async () => {
  const entry = await import('leasegate');
  const lg = await createLeasegate();
  const constants = [...coordination.constants, ...resultsSchema.constants];
  assert.equal(constants.length, 17);
  for (const [name, value] of constants) {
    assert.equal(entry[name], value, name);
    assert.equal(lg[name], value, name);
  }
  assert.ok(Object.isFrozen(lg));
  assert.equal(lg.LeasegateError, LeasegateError);
  for (const name of ['LeasegateError', 'ResultAggregator', 'TaskQueue', 'WorkerPool', 'taskAgeSecs']) {
    assert.equal(typeof lg[name], 'function', name);
  }
});

test('a URL of another realm is not taken for one, and says what is wanted', async () => {
  const foreign = vm.runInNewContext('({ href: "file:///x" })');
  await assert.rejects(createLeasegate({ wasm: foreign }), { name: 'TypeError', message: /^wasm must be/ });
});
