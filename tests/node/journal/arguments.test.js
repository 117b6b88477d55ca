// Wrong arguments by name, handles that are gone, code of the caller's in the middle, and memory that is not there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { joined, poolStory, receiptOf, resultStory } from './support/story.js';

const lg = await createLeasegate();
const story = poolStory(lg);
const results = resultStory(lg);
const snapshot = story.pool.exportSnapshot();
const detached = () => {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
};
const NO_BYTES = [
  undefined,
  null,
  5,
  'text',
  [1, 2],
  {},
  new Uint16Array(2),
  new DataView(new ArrayBuffer(2)),
];

/** Every way in that takes bytes, and what it calls them. @type {[string, (bytes: any) => unknown][]} */
const TAKERS = [
  ['records', (bytes) => story.pool.applyBatch(bytes)],
  ['records', (bytes) => results.results.applyBatch(bytes)],
  ['snapshot', (bytes) => lg.WorkerPool.fromSnapshot(bytes)],
  ['snapshot', (bytes) => lg.ResultAggregator.fromSnapshot(bytes)],
  ['journal', (bytes) => lg.WorkerPool.replay(bytes)],
  ['journal', (bytes) => lg.ResultAggregator.replay(bytes)],
  ['journal', (bytes) => lg.readJournalHeader(bytes)],
  ['records', (bytes) => lg.readRecords(bytes)],
];

test('what are no bytes is a TypeError by its name, at once', () => {
  const before = story.pool.stateDigest();
  for (const [name, take] of TAKERS) {
    for (const bytes of NO_BYTES)
      assert.throws(() => take(bytes), {
        name: 'TypeError',
        message: new RegExp(`^${name}(\\[0\\])? must be a Uint8Array or an ArrayBuffer`),
      });
    assert.throws(() => take(detached()), {
      name: 'TypeError',
      message: `${name} lies in a detached buffer`,
    });
  }
  assert.throws(() => lg.WorkerPool.replay(story.journal, /** @type {any} */ ({ snapshot: [1] })), {
    name: 'TypeError',
    message: /^snapshot must be/,
  });
  assert.equal(story.pool.stateDigest(), before);
});

test('options that are no object are a TypeError', () => {
  for (const options of /** @type {any[]} */ ([5, 'x', true, 1n])) {
    for (const call of [
      () => story.pool.applyBatch(story.records, options),
      () => lg.WorkerPool.replay(story.journal, options),
      () => lg.WorkerPool.fromSnapshot(snapshot, options),
      () => lg.readRecords(story.records, options),
      () => new lg.WorkerPool(options),
    ])
      assert.throws(call, { name: 'TypeError', message: 'options must be an object' });
  }
  assert.equal(lg.WorkerPool.fromSnapshot(snapshot, null).revision, story.pool.revision);
});

test('an option that there is not is a TypeError by its name', () => {
  const { WorkerPool, TaskQueue, ResultAggregator, History } = /** @type {any} */ (lg);
  /** @type {[string, () => unknown][]} */
  const cases = [
    ['options.jornal', () => new WorkerPool({ jornal: () => {} })],
    ['options.maxRetries', () => new ResultAggregator({ limits: {}, maxRetries: undefined })],
    ['options.journal', () => new TaskQueue({ journal: () => {} })],
    ['journal.maxbytes', () => new WorkerPool({ journal: { maxbytes: 5 } })],
    ['options.limits', () => WorkerPool.fromSnapshot(snapshot, { limits: {} })],
    ['options.until', () => WorkerPool.replay(story.journal, { until: 5 })],
    ['options.until', () => story.pool.applyBatch(story.records, { until: 5 })],
    ['options.from', () => lg.readRecords(story.records, /** @type {any} */ ({ from: 5 }))],
    ['options.intervl', () => new History(story.journal, { intervl: 3 })],
    ['options.until', () => new lg.History(story.journal).records(/** @type {any} */ ({ until: 3 }))],
  ];
  const before = story.pool.stateDigest();
  for (const [name, call] of cases)
    assert.throws(call, { name: 'TypeError', message: `${name} is not an option` });
  assert.equal(story.pool.stateDigest(), before);
});

test('a revision that is none is refused by its name, and nothing is applied', () => {
  const pool = new lg.WorkerPool({ limits: { maxRetries: 1 } });
  for (const untilRevision of /** @type {any[]} */ ([-1, 1.5, -1n, 2n ** 64n, Number.NaN, 2 ** 53])) {
    const wrong = { name: 'RangeError', message: /^untilRevision must be/ };
    assert.throws(() => pool.applyBatch(story.records, { untilRevision }), wrong);
    assert.throws(() => lg.WorkerPool.replay(story.journal, { untilRevision }), wrong);
  }
  for (const untilRevision of /** @type {any[]} */ (['5', true, {}]))
    assert.throws(() => pool.applyBatch(story.records, { untilRevision }), {
      name: 'TypeError',
      message: /^untilRevision must be/,
    });
  assert.equal(pool.revision, 0n);
  for (const untilRevision of [undefined, null])
    assert.equal(lg.WorkerPool.replay(story.journal, { untilRevision }).report.revision, story.pool.revision);
});

test('an offset that is none is refused by its name', () => {
  for (const offset of /** @type {any[]} */ ([-1, 0.5, story.records.length + 1, Number.NaN]))
    assert.throws(() => lg.readRecords(story.records, { offset }), {
      name: 'RangeError',
      message: /^offset must be/,
    });
  for (const offset of /** @type {any[]} */ (['1', {}]))
    assert.throws(() => lg.readRecords(story.records, { offset }), {
      name: 'TypeError',
      message: /^offset must be/,
    });
});

test('a handle that is disposed of says so, in every way of the journal', () => {
  for (const handle of /** @type {any[]} */ ([
    new lg.WorkerPool({ journal: {} }),
    new lg.ResultAggregator({ journal: () => {} }),
    lg.WorkerPool.fromSnapshot(snapshot),
    lg.WorkerPool.replay(story.journal).pool,
  ])) {
    handle.dispose();
    for (const call of [
      () => handle.applyBatch(story.records),
      () => handle.takeRecords(),
      () => handle.journalHeader(),
      () => handle.stateDigest(),
      () => handle.exportSnapshot(),
    ])
      assert.throws(call, { name: 'LeasegateError', code: 'disposed' });
    handle.dispose();
  }
});

test('getters that call back in disturb nothing; each is read once', () => {
  /** @type {string[]} */
  const reads = [];
  const interfere = () => {
    story.pool.stateDigest();
    story.pool.exportSnapshot();
    lg.WorkerPool.replay(story.journal).pool.dispose();
    [...lg.readRecords(story.records)];
  };
  const trapped = (/** @type {Record<string, any>} */ values) =>
    Object.defineProperties(
      {},
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          {
            get() {
              reads.push(name);
              interfere();
              return value;
            },
          },
        ]),
      ),
    );
  /** @type {any[]} */
  const entries = [];
  const journal = (/** @type {any} */ entry) => entries.push(entry);
  const options = /** @type {any} */ (trapped({ untilRevision: 9n, snapshot: undefined, journal }));
  const { pool, report } = lg.WorkerPool.replay(story.journal, options);
  assert.equal(report.revision, 9n);
  assert.deepEqual(reads.sort(), ['journal', 'snapshot', 'untilRevision']);
  reads.length = 0;
  const rest = joined(story.entries.slice(9).map(({ bytes }) => bytes));
  pool.applyBatch(rest, /** @type {any} */ (trapped({ untilRevision: 12 })));
  assert.deepEqual([pool.revision, reads], [12n, ['untilRevision']]);
  assert.equal(entries.length, 1);
  const made = new lg.WorkerPool({ journal: /** @type {any} */ (trapped({ maxBytes: 100 })) });
  made.dispose();
});

test('a getter that disposes of the handle ends in "disposed"', () => {
  const pool = new lg.WorkerPool();
  const options = {
    get untilRevision() {
      pool.dispose();
      return 5;
    },
  };
  assert.throws(() => pool.applyBatch(story.records, options), { code: 'disposed' });
});

test('bytes that lie about their length are taken as they are', () => {
  class Liar extends Uint8Array {
    get length() {
      return 2 ** 31;
    }
    get byteLength() {
      return 2 ** 31;
    }
  }
  const bytes = new Liar(story.records);
  const pool = new lg.WorkerPool({ limits: { maxRetries: 1 } });
  assert.equal(pool.applyBatch(bytes).applied, story.entries.length);
});

const MEGABYTE = 1024 * 1024;

test('memory that is not there for a batch, a snapshot or a replay is out_of_memory, and the state stays', async () => {
  const small = await createLeasegate({ memory: { maximumBytes: 2 * MEGABYTE } });
  const pool = new small.WorkerPool({ journal: {} });
  pool.registerWorker({ expectedRevision: 0, now: 0, spec: { workerId: 'w', capacity: 1 } });
  const before = pool.stateDigest();
  const large = new Uint8Array(8 * MEGABYTE).fill(0xff);
  const outOfMemory = { name: 'LeasegateError', code: 'out_of_memory' };
  assert.throws(() => small.WorkerPool.fromSnapshot(large), outOfMemory);
  assert.throws(() => small.WorkerPool.replay(story.journal, { snapshot: large }), outOfMemory);
  const aggregator = new lg.ResultAggregator({
    limits: { maxResultBytes: 16 * MEGABYTE, maxTotalBytes: 64 * MEGABYTE },
    journal: {},
  });
  aggregator.storeResult({
    expectedRevision: 0,
    receipt: receiptOf('a'),
    bytes: new Uint8Array(6 * MEGABYTE),
  });
  const record = aggregator.takeRecords();
  assert.throws(() => [...small.readRecords(record)], outOfMemory);
  const store = new small.ResultAggregator({
    limits: { maxResultBytes: 16 * MEGABYTE, maxTotalBytes: 64 * MEGABYTE },
  });
  assert.throws(() => store.applyBatch(record), outOfMemory);
  assert.equal(store.revision, 0n);
  assert.equal(pool.stateDigest(), before);
  const rest = joined(story.entries.slice(1).map(({ bytes }) => bytes));
  assert.ok(pool.applyBatch(rest).applied > 0, 'and it goes on working');
  pool.checkInvariants();
});

test('commands whose record has no memory are refused, and changed nothing', async () => {
  const small = await createLeasegate({ memory: { maximumBytes: 2 * MEGABYTE } });
  const pool = new small.WorkerPool({
    limits: {
      maxTaskRecords: 65_536,
      maxActiveTasks: 16_384,
      maxQueuedTasks: 16_384,
      maxTerminalTasks: 65_536,
    },
    journal: {},
  });
  const header = pool.journalHeader();
  let refused = null;
  for (let i = 0; refused === null; i += 1) {
    const spec = { taskId: `t${i}`, scanId: 's', targetRef: 'x'.repeat(1000) };
    const answer = pool.taskQueue.try.enqueue({ expectedRevision: i, now: 0, spec });
    if (!answer.ok) refused = answer.error;
  }
  assert.equal(refused.code, 'out_of_memory');
  const { revision } = pool;
  const records = pool.takeRecords();
  assert.equal([...lg.readRecords(records)].length, Number(revision), 'every accepted one has its record');
  pool.checkInvariants();
  const { pool: replayed } = lg.WorkerPool.replay(joined([header, records]));
  assert.equal(replayed.revision, revision);
  const spec = { taskId: 'more', scanId: 's', targetRef: 'x' };
  assert.equal(
    pool.taskQueue.try.enqueue({ expectedRevision: revision, now: 0, spec }).ok,
    true,
    'taking them has made room',
  );
});
