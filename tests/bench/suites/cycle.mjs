// The steady cycle: enqueue, assign_next_available, start, complete. Each revision and each lease is what the command
// before has answered, as in a host; the strings are made beforehand.

import { createLeasegate } from 'leasegate';
import { PlainWorkerPool } from '../plain/worker-pool.mjs';

const MAX_RECORDS = 65_536;
const CYCLES = 12_000;
export const COMMANDS_A_CYCLE = 4;

const LIMITS = {
  maxTaskRecords: MAX_RECORDS,
  maxActiveTasks: 16_384,
  maxQueuedTasks: 16_384,
  maxTerminalTasks: MAX_RECORDS,
  maxWorkers: 4096,
  heartbeatTimeoutSecs: 86_400,
};

/** Strings as they come out of a message: flat. @param {number} length @param {(index: number) => string} text */
const texts = (length, text) => JSON.parse(JSON.stringify(Array.from({ length }, (_, index) => text(index))));
const ids = texts(MAX_RECORDS, (index) => `task-${index}`);
const scans = texts(64, (index) => `scan-${index}`);
const targets = texts(1024, (index) => `https://service-${index}.example.test/`);

/** A host of one pool. */
class Host {
  /** @param {any} pool @param {number} workers */
  constructor(pool, workers) {
    this.pool = pool;
    this.queue = pool.taskQueue;
    this.enqueued = 0;
    this.now = 1;
    this.revision = 0n;
    for (let i = 0; i < workers; i += 1) {
      const spec = { workerId: `worker-${i}`, capacity: 4, cpuBasisPoints: (i * 37) % 1000 };
      this.revision = pool.registerWorker({ expectedRevision: this.revision, now: this.now, spec }).revision;
    }
  }

  enqueue() {
    const i = this.enqueued;
    this.enqueued = i + 1;
    const spec = { taskId: ids[i], scanId: scans[i & 63], targetRef: targets[i & 1023] };
    this.revision = this.queue.enqueue({ expectedRevision: this.revision, now: this.now, spec }).revision;
  }

  cycle() {
    const { pool, now } = this;
    this.enqueue();
    const assigned = pool.assignNextAvailable({ expectedRevision: this.revision, now, leaseTtlSecs: 60 });
    const lease = assigned.value;
    const started = pool.startTask({ expectedRevision: assigned.revision, now, lease });
    const completed = pool.completeTask({ expectedRevision: started.revision, now, lease });
    this.revision = completed.revision;
  }
}

/**
 * @param {() => Promise<(options: object) => any>} factory
 * @param {{ workers: number, backlog: number, retained: number }} load what there is when a round begins
 */
const subject =
  (factory, { workers, backlog, retained }) =>
  async () => {
    const make = await factory();
    /** @type {Host} */
    let host;
    const cycles = Math.min(CYCLES, MAX_RECORDS - backlog - retained);
    return {
      before() {
        host = new Host(make({ limits: LIMITS }), workers);
        for (let i = 0; i < retained; i += 1) host.cycle();
        for (let i = 0; i < backlog; i += 1) host.enqueue();
      },
      run() {
        for (let i = 0; i < cycles; i += 1) host.cycle();
        return cycles * COMMANDS_A_CYCLE;
      },
      after() {
        host.pool.dispose();
      },
    };
  };

const FACTORIES = {
  leasegate: async () => {
    const lg = await createLeasegate();
    return (/** @type {any} */ options) => new lg.WorkerPool(options);
  },
  plain: async () => (/** @type {any} */ options) => new PlainWorkerPool(options),
};

/** @type {Record<string, { workers: number, backlog: number, retained: number }>} */
export const LOADS = {
  base: { workers: 8, backlog: 1000, retained: 0 },
  'workers 256': { workers: 256, backlog: 1000, retained: 0 },
  'workers 4096': { workers: 4096, backlog: 1000, retained: 0 },
  'backlog 16000, retained 65536': { workers: 8, backlog: 16_000, retained: MAX_RECORDS - 16_000 - CYCLES },
};
// Growth curves: one load after the other grows, the rest stays.
for (const workers of [16, 64, 1024]) LOADS[`workers ${workers}`] = { workers, backlog: 1000, retained: 0 };
for (const retained of [100, 1000, 4000, 16_000, 60_000])
  LOADS[`retained ${retained}`] = { workers: 8, backlog: 1000, retained };
for (const backlog of [1, 100, 4000, 16_000])
  LOADS[`backlog ${backlog}`] = { workers: 8, backlog, retained: 0 };

/** @type {Record<string, () => Promise<any>>} */
export const subjects = Object.fromEntries(
  Object.entries(FACTORIES).flatMap(([name, factory]) =>
    Object.entries(LOADS).map(([load, what]) => [`${name}, ${load}`, subject(factory, what)]),
  ),
);
