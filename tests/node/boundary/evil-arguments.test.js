// Arguments that run code of their own while they are read. The state is never touched in the middle of a command.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { createLeasegate } from 'leasegate';
import { COMMANDS, disposeOf, ownerOf, prepare, visible } from '../support/prepared.js';
import { camel } from '../support/words.js';

const lg = await createLeasegate();
const commands = Object.keys(COMMANDS).map(camel);

/** The same options, and those within, where every read of a property first calls `onRead`. */
function trapped(value, onRead) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Array.isArray(value))
    return value;
  const entries = Object.keys(value).map((key) => [
    key,
    {
      enumerable: true,
      get() {
        onRead(key);
        return trapped(value[key], onRead);
      },
    },
  ]);
  return Object.defineProperties({}, Object.fromEntries(entries));
}

/** Uses the whole surface from inside: reads that fill the frame, a refused command, memory beside the frame. */
function interfere({ pool, queue, results: store }) {
  queue.tasks();
  pool.getWorkers();
  pool.getAvailableWorker(2n ** 63n);
  store.getResult('some-other-id');
  store.aggregateResults([]);
  assert.throws(() =>
    queue.enqueue({
      expectedRevision: 0,
      now: 0,
      spec: { taskId: 'zzzz', scanId: 'zzzz', targetRef: 'zzzz' },
    }),
  );
  new lg.WorkerPool({ limits: { maxWorkers: 7 } }).dispose();
}

for (const name of commands) {
  test(`${name}: getters that call back in do not disturb the command`, () => {
    const calm = prepare(lg);
    const stormy = prepare(lg);
    let reads = 0;
    const options = trapped(stormy.options[name], () => {
      reads += 1;
      interfere(stormy);
    });
    const expected = ownerOf(calm, name)[name](calm.options[name]);
    assert.deepEqual(ownerOf(stormy, name)[name](options), expected);
    assert.ok(reads > 0);
    assert.deepEqual(visible(stormy), visible(calm));
    stormy.pool.checkInvariants();
  });

  test(`${name}: a getter that throws stops the command, and the error comes through as it is`, () => {
    const prepared = prepare(lg);
    const before = visible(prepared);
    const mine = new Error('mine');
    const keys = new Set();
    trappedKeys(prepared.options[name], keys);
    for (const stopAt of keys) {
      const options = trapped(prepared.options[name], (key) => {
        if (key === stopAt) throw mine;
      });
      const owner = ownerOf(prepared, name);
      for (const call of [() => owner[name](options), () => owner.try[name](options)]) {
        assert.throws(call, (error) => error === mine, String(stopAt));
      }
    }
    assert.deepEqual(visible(prepared), before);
  });

  test(`${name}: a getter that disposes of the handle leaves the command refused`, () => {
    const prepared = prepare(lg);
    const owner = ownerOf(prepared, name);
    const options = trapped(prepared.options[name], () => {
      disposeOf(prepared);
    });
    assert.throws(() => owner[name](options), { code: 'disposed' });
    assert.throws(() => owner.try[name](options), { code: 'disposed' });
  });

  test(`${name}: a proxy is read like the object behind it`, () => {
    const calm = prepare(lg);
    const proxied = prepare(lg);
    const expected = ownerOf(calm, name)[name](calm.options[name]);
    assert.deepEqual(ownerOf(proxied, name)[name](proxyOf(proxied.options[name])), expected);
    assert.deepEqual(visible(proxied), visible(calm));
  });
}

/** @param {any} value @param {Set<string>} keys */
function trappedKeys(value, keys) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Array.isArray(value))
    return;
  for (const key of Object.keys(value)) {
    keys.add(key);
    trappedKeys(value[key], keys);
  }
}

/** @param {any} value */
function proxyOf(value) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return new Proxy(value, {
    get: (target, key) => (Array.isArray(target) ? target[key] : proxyOf(target[key])),
  });
}

test('a getter that gives another command of the same pool first makes the outer one a revision conflict', () => {
  const prepared = prepare(lg);
  const { pool, options } = prepared;
  const answer = pool.try.startTask({
    ...options.startTask,
    get lease() {
      pool.pruneDeadWorkers(options.pruneDeadWorkers);
      return prepared.leased;
    },
  });
  const { expectedRevision } = options.startTask;
  assert.deepEqual(
    { ...answer.error },
    { code: 'revision_conflict', expected: expectedRevision, actual: expectedRevision + 1n },
  );
  assert.equal(pool.taskQueue.getTask('leased').status, 'leased');
  pool.checkInvariants();
});

test('a property is read once: its answer cannot change between the check and the use', () => {
  const { pool, options } = prepare(lg);
  const counts = new Map();
  const count = (key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  pool.registerWorker(trapped(options.registerWorker, count));
  pool.cancelTask(
    trapped({ ...options.cancelTask, expectedRevision: pool.revision }, (key) => count(`cancel.${key}`)),
  );
  assert.deepEqual(new Set(counts.values()), new Set([1]));
});

test('tags come from any iterable, which may call back, throw or answer what is no tag', () => {
  const prepared = prepare(lg);
  const { pool, options } = prepared;
  const register = (workerId, tags) => {
    const { spec, now } = options.registerWorker;
    return pool.registerWorker({ expectedRevision: pool.revision, now, spec: { ...spec, workerId, tags } })
      .value.tags;
  };
  function* meddling() {
    interfere(prepared);
    yield 'gpu';
    interfere(prepared);
    yield 'linux';
    yield 'gpu';
  }
  assert.deepEqual(register('a', meddling()), ['linux', 'gpu']);
  assert.deepEqual(register('b', new Set(['external', 'internal'])), ['internal', 'external']);
  assert.deepEqual(register('c', new Map([['windows', 1]]).keys()), ['windows']);
  let closed = false;
  function* wrong() {
    try {
      yield 'gpu';
      yield 'nope';
    } finally {
      closed = true;
    }
  }
  const before = visible(prepared);
  assert.throws(() => register('d', wrong()), TypeError);
  assert.ok(closed, 'the iterator is closed');
  assert.throws(
    () =>
      register('d', {
        // biome-ignore lint/correctness/useYield: throws before it could
        *[Symbol.iterator]() {
          throw new RangeError('mine');
        },
      }),
    { message: 'mine' },
  );
  assert.deepEqual(visible(prepared), before);
});

/** Bytes that lie about themselves in every way a subclass can. */
class Liar extends Uint8Array {
  /** @param {number} size @param {() => void} onRead @param {number} claimed */
  constructor(size, onRead, claimed) {
    super(size);
    this.fill(7);
    for (const name of ['length', 'byteLength', 'byteOffset']) {
      Object.defineProperty(this, name, {
        get() {
          onRead();
          return claimed;
        },
      });
    }
  }
  get buffer() {
    throw new Error('never asked');
  }
  subarray() {
    return new Uint8Array(1_000_000);
  }
  slice() {
    return new Uint8Array(1_000_000);
  }
  *[Symbol.iterator]() {
    yield 256;
  }
  get [Symbol.toStringTag]() {
    return 'Int8Array';
  }
  static get [Symbol.species]() {
    return Array;
  }
}

for (const claimed of [0, 1, 5_000_000, -1, NaN]) {
  test(`bytes whose length claims ${claimed} are taken by their real length`, () => {
    const prepared = prepare(lg);
    const { queue, options, results: store } = prepared;
    const meddle = () => interfere(prepared);
    const phases = new Liar(5, meddle, claimed);
    const enqueue = (given) =>
      queue.enqueue({ ...options.enqueue, spec: { ...options.enqueue.spec, phases: given } }).value;
    assert.throws(() => enqueue(new Liar(300_000, meddle, claimed)), { reason: 'too_many_phases' });
    assert.deepEqual(enqueue(phases).phases, new Uint8Array(5).fill(7));
    store.storeResult({ ...options.storeResult, bytes: new Liar(70_000, meddle, claimed) });
    assert.deepEqual(store.getResult('done'), new Uint8Array(70_000).fill(7));
    assert.equal(store.totalBytes, 70_000);
    prepared.pool.checkInvariants();
  });
}

test('bytes are copied: what the caller does with them afterwards changes nothing', () => {
  const { queue, options, results: store } = prepare(lg);
  const phases = Uint8Array.of(1, 2);
  queue.enqueue({ ...options.enqueue, spec: { ...options.enqueue.spec, phases } });
  const bytes = Uint8Array.of(3, 4);
  store.storeResult({ ...options.storeResult, bytes });
  phases.fill(9);
  bytes.fill(9);
  assert.deepEqual(queue.getTask('new').phases, Uint8Array.of(1, 2));
  assert.deepEqual(store.getResult('done'), Uint8Array.of(3, 4));
});

test('bytes may be a part of a buffer, a Buffer, an ArrayBuffer, shared, or of another realm', () => {
  const given = /** @type {[string, any][]} */ ([
    ['a part', new Uint8Array([0, 1, 2, 3, 0]).subarray(1, 4)],
    ['a Buffer', Buffer.from([1, 2, 3])],
    ['an ArrayBuffer', Uint8Array.of(1, 2, 3).buffer],
    ['shared', sharedBytes()],
    ['of another realm', vm.runInNewContext('Uint8Array.of(1, 2, 3)')],
    ['an ArrayBuffer of another realm', vm.runInNewContext('Uint8Array.of(1, 2, 3).buffer')],
  ]);
  for (const [what, bytes] of given) {
    const { queue, options, results: store } = prepare(lg);
    store.storeResult({ ...options.storeResult, bytes });
    assert.deepEqual(store.getResult('done'), Uint8Array.of(1, 2, 3), what);
    queue.enqueue({ ...options.enqueue, spec: { ...options.enqueue.spec, phases: bytes } });
    assert.deepEqual(queue.getTask('new').phases, Uint8Array.of(1, 2, 3), what);
  }
});

function sharedBytes() {
  const shared = new Uint8Array(new SharedArrayBuffer(3));
  shared.set([1, 2, 3]);
  return shared;
}

test('a list of ids that calls back while it is read is read whole before anything is looked up', () => {
  const prepared = prepare(lg);
  const { results: store, options } = prepared;
  store.storeResult(options.storeResult);
  const ids = new Proxy(['done'], {
    get(target, key) {
      interfere(prepared);
      return Reflect.get(target, key);
    },
  });
  assert.deepEqual({ ...store.aggregateResults(ids)[0] }, { taskId: 'done', bytes: Uint8Array.of(1, 2, 3) });
  const endless = new Proxy(['done'], {
    get: (target, key) => (key === 'length' ? 2 ** 40 : Reflect.get(target, key)),
  });
  assert.throws(
    () => store.aggregateResults(endless),
    (error) => error instanceof TypeError || error instanceof RangeError,
  );
  const { filled } = prepared;
  assert.equal(filled.removeResults({ ...options.removeResults, taskIds: ids }).value, 1);
  assert.deepEqual([filled.getResult('done'), filled.resultCount], [null, 1]);
});

test('limits may be read by getters that call back', () => {
  const prepared = prepare(lg);
  const limits = trapped({ maxWorkers: 3, maxRetries: 0 }, () => interfere(prepared));
  const pool = new lg.WorkerPool({
    get limits() {
      interfere(prepared);
      return limits;
    },
  });
  for (const workerId of ['a', 'b', 'c']) {
    pool.registerWorker({ expectedRevision: pool.revision, now: 0, spec: { workerId, capacity: 1 } });
  }
  assert.throws(
    () => pool.registerWorker({ expectedRevision: 3, now: 0, spec: { workerId: 'd', capacity: 1 } }),
    {
      code: 'worker_capacity_reached',
      limit: 3,
    },
  );
});
