// The pool as every host of a cluster has it: reads are of this host's replica, commands are promises.

import { attempted } from './calls.js';

/** @typedef {import('./part.js').Part} Part */
/** @typedef {import('./calls.js').Calls} Calls */

const COMMANDS = [
  'registerWorker',
  'reactivateWorker',
  'updateWorker',
  'deregisterWorker',
  'pruneDeadWorkers',
  'assignTask',
  'assignNext',
  'assignNextAvailable',
  'startTask',
  'completeTask',
  'failTask',
  'cancelTask',
  'recoverExpiredLeases',
  'expireOldTasks',
  'renewLease',
  'retireTasks',
  'forgetWorker',
];
const POOL_READS = [
  'getWorker',
  'getWorkers',
  'snapshot',
  'checkInvariants',
  'stateDigest',
  'exportSnapshot',
  'journalHeader',
];
const QUEUE_READS = ['peekNext', 'getTask', 'tasks', 'snapshot'];

/**
 * @param {Part} part @param {Calls} calls @param {import('./time.js').HostTime} time
 * @returns {any} types: nats.d.ts
 */
export function clusterPool(part, calls, time) {
  const fence = (/** @type {any} */ machine) => ({ now: time.forCommand(machine.snapshot().logicalTime) });
  const give = (/** @type {(machine: any, options: any) => any} */ run) => (/** @type {unknown} */ options) =>
    calls.command(part, options, run, fence);
  const commands = Object.fromEntries(
    COMMANDS.map((name) => [name, give((machine, options) => machine.try[name](options))]),
  );
  const enqueue = give((machine, options) => machine.taskQueue.try.enqueue(options));
  const settled = () => part.replica.settled;
  const reads = Object.fromEntries(
    POOL_READS.map((name) => [name, (/** @type {unknown[]} */ ...given) => settled()[name](...given)]),
  );
  const queueReads = Object.fromEntries(
    QUEUE_READS.map((name) => [
      name,
      (/** @type {unknown[]} */ ...given) => settled().taskQueue[name](...given),
    ]),
  );
  const answering =
    (/** @type {(options: unknown) => Promise<any>} */ command) => (/** @type {unknown} */ options) =>
      attempted(command(options));
  return Object.freeze({
    ...commands,
    ...reads,
    /** The best worker now, by this host's second. */
    getAvailableWorker: () => settled().getAvailableWorker(fence(settled()).now),
    get revision() {
      return settled().revision;
    },
    try: Object.freeze(Object.fromEntries(COMMANDS.map((name) => [name, answering(commands[name])]))),
    taskQueue: Object.freeze({
      enqueue,
      ...queueReads,
      try: Object.freeze({ enqueue: answering(enqueue) }),
    }),
  });
}
