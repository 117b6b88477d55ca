// Every kind of command once or more, given through the public surface, with what each was given.

/** Bytes one after the other. @param {Iterable<Uint8Array>} parts */
export function joined(parts) {
  return new Uint8Array(Buffer.concat([...parts]));
}

/** The fields that a record holds beside those that were given. @param {any} options */
function recorded({ expectedRevision, ...rest }) {
  const wide = (/** @type {unknown} */ value) => (typeof value === 'number' ? BigInt(value) : value);
  for (const name of ['now', 'leaseTtlSecs', 'taskTtlSecs', 'generation', 'terminalBefore', 'limit']) {
    if (name in rest) rest[name] = wide(rest[name]);
  }
  return rest;
}

/**
 * A pool with a sink that keeps everything, after a day with every command.
 * @param {any} lg an instance @param {object} [limits]
 */
export function poolStory(lg, limits = { maxRetries: 1 }) {
  /** @type {{ bytes: Uint8Array, revision: bigint }[]} */
  const entries = [];
  const pool = new lg.WorkerPool({ limits, journal: (/** @type {any} */ entry) => entries.push(entry) });
  const header = pool.journalHeader();
  /** @type {{ kind: string }[]} what each record has to say */
  const given = [];
  let now = 1000;
  const give = (/** @type {string} */ name, /** @type {any} */ options, on = pool) => {
    const all = { expectedRevision: pool.revision, now, ...options };
    const { value } = on[name](all);
    const kind = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    given.push({ kind, ...recorded(all) });
    return value;
  };
  const worker = (/** @type {string} */ workerId, more = {}) => ({
    workerId,
    capacity: 8,
    cpuBasisPoints: 100,
    memoryBasisPoints: 200,
    networkBasisPoints: 300,
    tags: ['linux', 'gpu'],
    ...more,
  });
  const enqueue = (/** @type {string} */ taskId, priority = 'normal') =>
    give(
      'enqueue',
      {
        spec: {
          taskId,
          scanId: 'scan-1',
          targetRef: 'https://example.test/ü',
          phases: Uint8Array.of(1, 2, 255),
          priority,
        },
      },
      pool.taskQueue,
    );
  const assign = (/** @type {string} */ taskId) =>
    give('assignTask', { taskId, workerId: 'w', leaseTtlSecs: 600 });

  for (const id of ['w', 'pruned', 'gone']) give('registerWorker', { spec: worker(id) });
  for (const id of ['done', 'failed', 'leased', 'fenced', 'held', 'old', 'next']) enqueue(id);
  enqueue('urgent', 'critical');
  const done = assign('done');
  give('startTask', { lease: done });
  give('completeTask', { lease: done });
  const failed = assign('failed');
  give('startTask', { lease: failed });
  give('failTask', { lease: failed, retryAfterSecs: 5n });
  now += 5;
  const again = assign('failed');
  give('startTask', { lease: again });
  give('failTask', { lease: again, retryAfterSecs: null });
  const held = assign('held');
  give('cancelTask', { ownership: held });
  give('cancelTask', { ownership: pool.taskQueue.getTask('fenced').ownership });
  const leased = assign('leased');
  give('renewLease', { lease: leased, leaseTtlSecs: 900n });
  give('deregisterWorker', { workerId: 'gone', generation: 1 });
  give('reactivateWorker', { expectedGeneration: 2n, spec: worker('gone', { capacity: 3, tags: [] }) });
  give('deregisterWorker', { workerId: 'gone', generation: 3 });
  give('forgetWorker', { workerId: 'gone', generation: 4 });
  now += 56;
  const observation = {
    status: 'healthy',
    cpuBasisPoints: 1,
    memoryBasisPoints: 2,
    networkBasisPoints: 3,
  };
  give('updateWorker', { workerId: 'w', generation: 1, observation });
  now += 10;
  give('pruneDeadWorkers', {});
  give('assignNextAvailable', { leaseTtlSecs: 10 });
  give('assignNext', { workerId: 'w', leaseTtlSecs: 20 });
  now += 15;
  give('recoverExpiredLeases', {});
  give('retireTasks', { terminalBefore: now, limit: 1 });
  give('expireOldTasks', { taskTtlSecs: 80_000 });
  const records = joined(entries.map(({ bytes }) => bytes));
  return { pool, header, entries, given, records, journal: joined([header, records]), now };
}

/** @param {string} taskId */
export const receiptOf = (taskId) => ({
  taskId,
  taskGeneration: 1n,
  attempt: 2,
  leaseId: 3n,
  workerId: 'w',
  workerGeneration: 4n,
  recordVersion: 5n,
});

/** The same for the results. @param {any} lg @param {object} [limits] */
export function resultStory(lg, limits) {
  /** @type {{ bytes: Uint8Array, revision: bigint }[]} */
  const entries = [];
  const results = new lg.ResultAggregator({
    limits,
    journal: (/** @type {any} */ entry) => entries.push(entry),
  });
  const header = results.journalHeader();
  /** @type {object[]} */
  const given = [];
  for (const [taskId, size] of /** @type {[string, number][]} */ ([
    ['b', 300],
    ['a', 0],
    ['c', 600],
  ])) {
    const command = { receipt: receiptOf(taskId), bytes: new Uint8Array(size).fill(size) };
    results.storeResult({ expectedRevision: results.revision, ...command });
    given.push({ kind: 'store_result', ...command });
  }
  results.removeResults({ expectedRevision: results.revision, taskIds: ['c', 'b'] });
  given.push({ kind: 'remove_results', taskIds: ['c', 'b'] });
  const records = joined(entries.map(({ bytes }) => bytes));
  return { results, header, entries, given, records, journal: joined([header, records]) };
}

/** A plain copy, to be compared without regard to classes. @param {unknown} value @returns {any} */
export function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/**
 * A pool with many tasks, and its records in one piece of several MiB.
 * @param {any} lg @param {number} tasks
 */
export function longStory(lg, tasks) {
  const limits = {
    maxTaskRecords: 65_536,
    maxActiveTasks: 16_384,
    maxQueuedTasks: 16_384,
    maxTerminalTasks: 65_536,
  };
  const pool = new lg.WorkerPool({ limits, journal: { maxBytes: lg.MAX_JOURNAL_BYTES } });
  const header = pool.journalHeader();
  for (let i = 0; i < tasks; i += 1) {
    const spec = { taskId: `task-${i}`, scanId: 's', targetRef: 'x'.repeat(1 + ((i * 37) % 1000)) };
    pool.taskQueue.enqueue({ expectedRevision: i, now: i, spec });
  }
  return { pool, limits, header, records: pool.takeRecords() };
}
