// How the ledger calls the commands of a pool: who is touched by each, and how it is run again.

/** Commands that may change any number of records: what they touched is found by reading all. */
export const SWEEPS = new Set([
  'deregisterWorker',
  'pruneDeadWorkers',
  'recoverExpiredLeases',
  'expireOldTasks',
]);

/** Runs one command; answers `{ ok, revision, value }` or `{ ok: false, error }`. */
export function runCommand(pool, command, options) {
  return command === 'enqueue' ? pool.taskQueue.try.enqueue(options) : pool.try[command](options);
}

/** The ids that a command and its answer name. */
export function idsNamed(args, value) {
  const tasks = new Set();
  const workers = new Set();
  const leases = new Set();
  for (const token of [args, args.spec, args.lease, args.ownership, value, value?.receipt]) {
    if (typeof token !== 'object' || token === null) continue;
    if (token.taskId) tasks.add(token.taskId);
    if (token.workerId) workers.add(token.workerId);
    if (token.leaseId) leases.add(String(token.leaseId));
  }
  return { tasks, workers, leases };
}
