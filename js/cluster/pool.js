// The pool as every host of a cluster has it: reads are of this host's replica, commands are promises.

import { attempted } from './calls.js';

/** @typedef {import('./part.js').Part} Part */
/** @typedef {import('./calls.js').Calls} Calls */

/** Each command's own arguments. @type {Record<string, readonly string[]>} */
export const COMMANDS = {
  registerWorker: ['spec'],
  reactivateWorker: ['expectedGeneration', 'spec'],
  updateWorker: ['workerId', 'generation', 'observation'],
  deregisterWorker: ['workerId', 'generation'],
  pruneDeadWorkers: [],
  assignTask: ['taskId', 'workerId', 'leaseTtlSecs'],
  assignNext: ['workerId', 'leaseTtlSecs'],
  assignNextAvailable: ['leaseTtlSecs'],
  startTask: ['lease'],
  completeTask: ['lease'],
  failTask: ['lease', 'retryAfterSecs'],
  cancelTask: ['ownership'],
  recoverExpiredLeases: [],
  expireOldTasks: ['taskTtlSecs'],
  renewLease: ['lease', 'leaseTtlSecs'],
  retireTasks: ['terminalBefore', 'limit'],
  forgetWorker: ['workerId', 'generation'],
};
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
  const give =
    (/** @type {readonly string[]} */ own, /** @type {(machine: any, options: any) => any} */ run) =>
    (/** @type {unknown} */ options) =>
      calls.command(part, options, own, (machine, command) => {
        command.now = fence.now(machine);
        const answer = run(machine, command);
        fence.decided(machine, answer, command.now);
        return answer;
      });
  const commands = Object.fromEntries(
    Object.entries(COMMANDS).map(([name, own]) => [
      name,
      give(own, (machine, options) => machine.try[name](options)),
    ]),
  );
  const enqueue = give(['spec'], (machine, options) => machine.taskQueue.try.enqueue(options));
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
    try: Object.freeze(
      Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, answering(commands[name])])),
    ),
    taskQueue: Object.freeze({
      enqueue,
      ...queueReads,
      try: Object.freeze({ enqueue: answering(enqueue) }),
    }),
  });
}
