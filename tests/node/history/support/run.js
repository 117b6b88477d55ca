// A long day of chance, the same for the same seed: every command, sweeps, delays, retirement, ids used again.

import { joined } from '../../journal/support/story.js';

/** @param {number} seed */
export function dice(seed) {
  let state = seed >>> 0 || 1;
  return (/** @type {number} */ below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const LIMITS = {
  maxTaskRecords: 40,
  maxActiveTasks: 20,
  maxQueuedTasks: 20,
  maxTerminalTasks: 30,
  maxWorkers: 5,
  maxRetries: 2,
  heartbeatTimeoutSecs: 20,
};

/**
 * @param {any} lg an instance @param {{ seed: number, commands: number }} options
 */
export function randomRun(lg, { seed, commands }) {
  const roll = dice(seed);
  /** @type {{ bytes: Uint8Array, revision: bigint }[]} */
  const entries = [];
  const pool = new lg.WorkerPool({
    limits: LIMITS,
    journal: (/** @type {any} */ entry) => entries.push(entry),
  });
  const header = pool.journalHeader();
  /** @type {any[]} */
  let leases = [];
  /** Receipts by the revision that made them. @type {Map<bigint, any>} */
  const receipts = new Map();
  let now = 0;
  const pick = (/** @type {any[]} */ from) => from[roll(from.length)];
  const fenced = () => ({ expectedRevision: pool.revision, now });
  const task = () => `t${roll(30)}`;
  const worker = () => `w${roll(6)}`;
  const spec = () => ({ workerId: worker(), capacity: 1 + roll(3) });
  const remember = (/** @type {any} */ answer) => answer.ok && leases.push(answer.value);
  const node = (/** @type {string} */ id) => pool.getWorker(id) ?? { generation: 1n };
  /** @type {(() => any)[]} */
  const moves = [
    () => pool.try.registerWorker({ ...fenced(), spec: spec() }),
    () => {
      const wanted = spec();
      return pool.try.reactivateWorker({
        ...fenced(),
        expectedGeneration: node(wanted.workerId).generation,
        spec: wanted,
      });
    },
    () => {
      const workerId = worker();
      const { generation } = node(workerId);
      if (roll(12) === 0) return pool.try.deregisterWorker({ ...fenced(), workerId, generation });
      if (roll(12) === 0) return pool.try.forgetWorker({ ...fenced(), workerId, generation });
      return pool.try.updateWorker({ ...fenced(), workerId, generation, observation: {} });
    },
    () =>
      pool.taskQueue.try.enqueue({
        ...fenced(),
        spec: { taskId: task(), scanId: 's', targetRef: 'r', priority: pick(['low', 'normal', 'high']) },
      }),
    () =>
      remember(pool.try.assignTask({ ...fenced(), taskId: task(), workerId: worker(), leaseTtlSecs: 20 })),
    () => remember(pool.try.assignNext({ ...fenced(), workerId: worker(), leaseTtlSecs: 1 + roll(30) })),
    () => remember(pool.try.assignNextAvailable({ ...fenced(), leaseTtlSecs: 1 + roll(30) })),
    () => leases.length > 0 && pool.try.startTask({ ...fenced(), lease: pick(leases) }),
    () => {
      if (leases.length === 0) return;
      const answer = pool.try.completeTask({ ...fenced(), lease: pick(leases) });
      if (answer.ok && answer.value.kind === 'completed') receipts.set(answer.revision, answer.value.receipt);
    },
    () =>
      leases.length > 0 &&
      pool.try.failTask({ ...fenced(), lease: pick(leases), retryAfterSecs: pick([null, 3, 12]) }),
    () => {
      const ownership = pool.taskQueue.getTask(task())?.ownership;
      if (ownership && roll(4) === 0) pool.try.cancelTask({ ...fenced(), ownership });
    },
    () =>
      leases.length > 0 &&
      remember(pool.try.renewLease({ ...fenced(), lease: pick(leases), leaseTtlSecs: 40 })),
    () => {
      now += roll(6);
      const sweep = roll(5);
      if (sweep === 0) pool.try.recoverExpiredLeases(fenced());
      if (sweep === 1 && roll(2) === 0) pool.try.pruneDeadWorkers(fenced());
      if (sweep === 2 && roll(3) === 0) pool.try.expireOldTasks({ ...fenced(), taskTtlSecs: 100 });
      if (sweep === 3)
        pool.try.retireTasks({ ...fenced(), terminalBefore: Math.max(0, now - 10), limit: 1 + roll(4) });
    },
  ];
  for (let i = 0; i < commands; i += 1) {
    pick(moves)();
    if (leases.length > 30) leases = leases.slice(-30);
  }
  const records = joined(entries.map(({ bytes }) => bytes));
  return { pool, header, entries, records, receipts, journal: joined([header, records]), limits: LIMITS };
}
