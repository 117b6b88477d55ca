// A pool with a task of every kind, and for each command options that it takes in exactly this state.

import * as coordination from '../../../src/schema/coordination.mjs';
import * as resultsSchema from '../../../src/schema/results.mjs';

/** Every command by its name in the contract, with its arguments. @type {Record<string, any[]>} */
export const COMMANDS = {
  ...coordination.commands,
  ...resultsSchema.commands,
  ...resultsSchema.listCommands,
};

const BEFORE = 100n;
const NOW = 105n;

/** @param {any} lg an instance @param {object} [limits] */
export function prepare(lg, limits) {
  const pool = new lg.WorkerPool({ limits });
  const results = new lg.ResultAggregator();
  const filled = new lg.ResultAggregator();
  const now = BEFORE;
  const at = () => ({ expectedRevision: pool.revision, now });
  const task = (taskId, more) =>
    pool.taskQueue.enqueue({ ...at(), spec: { taskId, scanId: 'scan', targetRef: 'target', ...more } }).value;
  const lease = (taskId) => pool.assignTask({ ...at(), taskId, workerId: 'w1', leaseTtlSecs: 50 }).value;

  pool.registerWorker({ ...at(), spec: { workerId: 'w1', capacity: 8, tags: ['linux'] } });
  pool.registerWorker({ ...at(), spec: { workerId: 'w2', capacity: 1 } });
  pool.deregisterWorker({ ...at(), workerId: 'w2', generation: 1 });
  for (const id of ['leased', 'running', 'done']) task(id);
  const leased = lease('leased');
  const running = lease('running');
  pool.startTask({ ...at(), lease: running });
  const done = lease('done');
  pool.startTask({ ...at(), lease: done });
  const { receipt } = pool.completeTask({ ...at(), lease: done }).value;
  const queued = task('queued', { phases: [1, 2, 3], priority: 'high' });
  const bytes = Uint8Array.of(1, 2, 3);
  filled.storeResult({ expectedRevision: 0, receipt, bytes });
  filled.storeResult({ expectedRevision: 1, receipt: { ...receipt, taskId: 'kept' }, bytes });

  const fenced = { expectedRevision: pool.revision, now: NOW };
  const workerSpec = (workerId) => ({
    workerId,
    capacity: 3,
    cpuBasisPoints: 1,
    memoryBasisPoints: 2,
    networkBasisPoints: 3,
    tags: ['gpu'],
  });
  const observation = { status: 'busy', cpuBasisPoints: 1, memoryBasisPoints: 2, networkBasisPoints: 3 };
  const spec = {
    taskId: 'new',
    scanId: 'scan',
    targetRef: 'target',
    phases: Uint8Array.of(1),
    priority: 'low',
  };
  /** @type {Record<string, any>} */
  const options = {
    registerWorker: { ...fenced, spec: workerSpec('w3') },
    reactivateWorker: { ...fenced, expectedGeneration: 2n, spec: workerSpec('w2') },
    updateWorker: { ...fenced, workerId: 'w1', generation: 1n, observation },
    deregisterWorker: { ...fenced, workerId: 'w1', generation: 1n },
    pruneDeadWorkers: fenced,
    enqueue: { ...fenced, spec },
    assignTask: { ...fenced, taskId: 'queued', workerId: 'w1', leaseTtlSecs: 10n },
    assignNext: { ...fenced, workerId: 'w1', leaseTtlSecs: 10n },
    assignNextAvailable: { ...fenced, leaseTtlSecs: 10n },
    startTask: { ...fenced, lease: leased },
    completeTask: { ...fenced, lease: running },
    failTask: { ...fenced, lease: running },
    cancelTask: { ...fenced, ownership: queued.ownership },
    recoverExpiredLeases: fenced,
    expireOldTasks: { ...fenced, taskTtlSecs: 1000n },
    renewLease: { ...fenced, lease: leased, leaseTtlSecs: 100n },
    retireTasks: { ...fenced, terminalBefore: NOW, limit: 5n },
    forgetWorker: { ...fenced, workerId: 'w2', generation: 2n },
    storeResult: { expectedRevision: 0n, receipt, bytes },
    removeResults: { expectedRevision: 2n, taskIds: ['done'] },
  };
  return { pool, queue: pool.taskQueue, results, filled, options, queued, leased, running, receipt };
}

/** Whose command it is. @param {ReturnType<typeof prepare>} prepared @param {string} command */
export function ownerOf({ pool, queue, results, filled }, command) {
  return { enqueue: queue, storeResult: results, removeResults: filled }[command] ?? pool;
}

/** The end of all of it. @param {ReturnType<typeof prepare>} prepared */
export function disposeOf({ pool, results, filled }) {
  for (const handle of [pool, results, filled]) handle.dispose();
}

/** Everything that a caller can see of a state. @param {ReturnType<typeof prepare>} prepared */
export function visible({ pool, queue, results, filled }) {
  const stats = ({ revision, resultCount, totalBytes }) => ({ revision, resultCount, totalBytes });
  return {
    snapshot: pool.snapshot(),
    tasks: queue.tasks(),
    workers: pool.getWorkers(),
    next: queue.peekNext(),
    results: stats(results),
    filled: { ...stats(filled), done: filled.getResult('done'), kept: filled.getResult('kept') },
  };
}
