// Sweeps and the reads that walk everything.

import { createLeasegate } from 'leasegate';
import { PlainWorkerPool } from '../plain/worker-pool.mjs';
import { Host, LIMITS } from './cycle.mjs';

const LEASES = 10_000;
const SWEEPS = 2_000;

/**
 * @param {(options: object) => any} make
 * @param {{ workers: number, leases?: number, retained?: number }} load
 * @param {(host: Host) => number} run answers what its time is divided by
 */
function onPool(make, load, run) {
  /** @type {Host} */
  let host;
  return {
    before() {
      host = new Host(make({ limits: LIMITS }), load);
      for (let i = 0; i < (load.retained ?? 0); i += 1) host.cycle();
      for (let i = 0; i < (load.leases ?? 0); i += 1) {
        host.enqueue();
        host.assign();
      }
    },
    run: () => run(host),
    after: () => host.pool.dispose(),
  };
}

/** @param {Host} host */
function recover(host) {
  const { value } = host.pool.recoverExpiredLeases({ expectedRevision: host.revision, now: host.now + 60 });
  if (value.tasksRequeued !== LEASES) throw new Error('not every lease was recovered');
  return 1;
}

/** @param {Host} host */
function sweepNothing(host) {
  for (let i = 0; i < SWEEPS; i += 1) {
    const options = { expectedRevision: host.revision, now: host.now };
    host.revision = host.pool.recoverExpiredLeases(options).revision;
  }
  return SWEEPS;
}

const LOADS = {
  'recover 10,000 leases': { load: { workers: 8, leases: LEASES }, run: recover },
  'sweep nothing, 100 retained': { load: { workers: 8, retained: 100 }, run: sweepNothing },
  'sweep nothing, 60,000 retained': { load: { workers: 8, retained: 60_000 }, run: sweepNothing },
  'sweep nothing, 10,000 leases': { load: { workers: 8, leases: LEASES }, run: sweepNothing },
  'tasks(), a record': {
    load: { workers: 8, retained: LEASES },
    run: (/** @type {Host} */ host) => host.queue.tasks().length,
  },
  'getWorkers(), a record': {
    load: { workers: 4096 },
    run: (/** @type {Host} */ host) => host.pool.getWorkers().length,
  },
};

/** @type {Record<string, () => Promise<any>>} */
export const subjects = {};
for (const [name, { load, run }] of Object.entries(LOADS)) {
  subjects[`leasegate, ${name}`] = async () => {
    const lg = await createLeasegate();
    return onPool((options) => new lg.WorkerPool(options), load, run);
  };
  subjects[`plain, ${name}`] = async () => onPool((options) => new PlainWorkerPool(options), load, run);
}
