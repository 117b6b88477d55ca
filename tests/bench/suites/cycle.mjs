// The steady cycle: enqueue, assign_next_available, start, complete. Each revision and each lease is what the command
// before has answered, as in a host; the strings are made beforehand.

import { createLeasegate } from 'leasegate';
import { PlainWorkerPool } from '../plain/worker-pool.mjs';

const MAX_RECORDS = 65_536;
const CYCLES = 12_000;
export const COMMANDS_A_CYCLE = 4;

export const LIMITS = {
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
export class Host {
  /** @param {any} pool @param {{ workers: number, leases?: number }} load */
  constructor(pool, { workers, leases = 0 }) {
    this.pool = pool;
    this.queue = pool.taskQueue;
    this.enqueued = 0;
    this.now = 1;
    this.revision = 0n;
    // Utilization takes its share of the slots.
    const capacity = Math.min(4096, 4 + Math.ceil((leases * 1.1) / workers));
    for (let i = 0; i < workers; i += 1) {
      const spec = { workerId: `worker-${i}`, capacity, cpuBasisPoints: (i * 37) % 1000 };
      this.revision = pool.registerWorker({ expectedRevision: this.revision, now: this.now, spec }).revision;
    }
  }

  enqueue() {
    const i = this.enqueued;
    this.enqueued = i + 1;
    const spec = { taskId: ids[i], scanId: scans[i & 63], targetRef: targets[i & 1023] };
    this.revision = this.queue.enqueue({ expectedRevision: this.revision, now: this.now, spec }).revision;
  }

  assign() {
    const options = { expectedRevision: this.revision, now: this.now, leaseTtlSecs: 60 };
    const assigned = this.pool.assignNextAvailable(options);
    this.revision = assigned.revision;
    return assigned.value;
  }

  cycle() {
    const { pool, now } = this;
    this.enqueue();
    const lease = this.assign();
    const started = pool.startTask({ expectedRevision: this.revision, now, lease });
    const completed = pool.completeTask({ expectedRevision: started.revision, now, lease });
    this.revision = completed.revision;
  }
}

/** @typedef {{ workers: number, backlog: number, retained: number, leases?: number }} Load what there is when a round begins */

/** @param {Host} host @param {Load} load */
function fill(host, { backlog, retained, leases = 0 }) {
  for (let i = 0; i < retained; i += 1) host.cycle();
  for (let i = 0; i < leases; i += 1) {
    host.enqueue();
    host.assign();
  }
  for (let i = 0; i < backlog; i += 1) host.enqueue();
}

/** @param {() => Promise<(options: object) => any>} factory @param {Load} load */
const subject = (factory, load) => async () => {
  const make = await factory();
  /** @type {Host} */
  let host;
  const cycles = Math.min(CYCLES, MAX_RECORDS - load.backlog - load.retained - (load.leases ?? 0));
  return {
    before() {
      host = new Host(make({ limits: LIMITS }), load);
      fill(host, load);
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

/** @type {Record<string, Load>} */
const LOADS = {
  'workers 8': { workers: 8, backlog: 1000, retained: 0 },
  'backlog 16000, retained 65536': { workers: 8, backlog: 16_000, retained: MAX_RECORDS - 16_000 - CYCLES },
};

/** What grows in each curve, while the rest stays as in the first load. @type {Record<string, readonly number[]>} */
export const CURVES = {
  workers: [8, 64, 256, 1024, 4096],
  retained: [100, 1000, 10_000, 30_000, 52_000],
  backlog: [1, 100, 1000, 4000, 16_000],
  leases: [1, 100, 1000, 10_000],
};
for (const [name, values] of Object.entries(CURVES)) {
  for (const value of values) LOADS[`${name} ${value}`] ??= { ...LOADS['workers 8'], [name]: value };
}

/** @type {Record<string, () => Promise<any>>} */
export const subjects = Object.fromEntries(
  Object.entries(FACTORIES).flatMap(([name, factory]) =>
    Object.entries(LOADS).map(([load, what]) => [`${name}, ${load}`, subject(factory, what)]),
  ),
);
