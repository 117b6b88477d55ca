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
 * The second for the next command of a machine. Asking the machine for its logical time takes as long as deciding, and
 * after a command of this host's it is known: that command's second.
 */
class Fence {
  /** @param {import('./time.js').HostTime} time */
  constructor(time) {
    this.time = time;
    this.machine = null;
    this.revision = -1n;
    this.logicalTime = 0n;
  }

  /** @param {any} machine */
  now(machine) {
    const { revision } = machine;
    if (machine !== this.machine || revision !== this.revision)
      this.#know(machine, revision, machine.snapshot().logicalTime);
    return this.time.forCommand(this.logicalTime);
  }

  /** @param {any} machine @param {import('./replica.js').Decision} answer @param {bigint} now */
  decided(machine, answer, now) {
    if (answer.ok && answer.revision === this.revision + 1n) this.#know(machine, answer.revision, now);
  }

  /** @param {any} machine @param {bigint} revision @param {bigint} logicalTime */
  #know(machine, revision, logicalTime) {
    this.machine = machine;
    this.revision = revision;
    this.logicalTime = logicalTime;
  }
}

/**
 * @param {Part} part @param {Calls} calls @param {import('./time.js').HostTime} time
 * @returns {any} types: nats.d.ts
 */
export function clusterPool(part, calls, time) {
  const fence = new Fence(time);
  const give = (/** @type {(machine: any, options: any) => any} */ run) => (/** @type {unknown} */ options) =>
    calls.command(part, options, (machine, command) => {
      command.now = fence.now(machine);
      const answer = run(machine, command);
      fence.decided(machine, answer, command.now);
      return answer;
    });
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
    getAvailableWorker: () => settled().getAvailableWorker(time.forCommand(settled().snapshot().logicalTime)),
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
