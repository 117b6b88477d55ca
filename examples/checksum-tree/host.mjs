// The host of one pool: it owns the clock, the threads and the files; the pool decides who may do what until when.

import { MAX_AGGREGATE_ITEMS, MAX_LEASE_TTL_SECS, MAX_RESULTS, MAX_TASK_RECORDS } from 'leasegate';
import { Crew } from './crew.mjs';
import { fileIndex, leaseTtlSecs, resolveTarget, taskId, taskSpec } from './task-spec.mjs';
import { HEARTBEAT_TIMEOUT_SECS, SWEEP_MS, startClock } from './timing.mjs';
import { joined } from './walk-tree.mjs';

/** Files that one thread hashes at a time. */
const SLOTS = 4;

/** Tasks that wait in the queue at most; the rest waits outside until there is room. */
const QUEUE_LENGTH = 1_024;

const DIGEST_BYTES = 32;

/** Reading again would not help. */
const hopeless = new Set([
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENXIO',
]);

/**
 * @typedef {import('leasegate').Leasegate} Leasegate
 * @typedef {import('./crew.mjs').FromWorker} FromWorker
 * @typedef {import('./crew.mjs').Done & import('./crew.mjs').Sender} DoneMessage
 * @typedef {import('./crew.mjs').Failed & import('./crew.mjs').Sender} FailedMessage
 * @typedef {import('./walk-tree.mjs').TreeFile} TreeFile
 * @typedef {import('./walk-tree.mjs').Problem} Problem
 *
 * @typedef {{ kind: 'lost', workerId: string, holding: number }} Loss
 * @typedef {{ kind: 'crashed', workerId: string, reason: string }} Crash
 * @typedef {{ kind: 'recovered', workers: number, requeued: number, failed: number }} Recovery
 * @typedef {{ kind: 'back', workerId: string, generation: bigint }} Return
 * @typedef {{ kind: 'refused', workerId: string, path: Buffer, code: string }} Refusal
 * @typedef {Loss | Crash | Recovery | Return | Refusal} HostEvent
 *
 * @typedef {object} Progress
 * @property {number} total
 * @property {number} done
 * @property {number} failed
 * @property {number} bytes
 * @property {number} workers
 * @property {number} inHand files under a lease
 * @property {number} queued
 * @property {bigint} revision
 */

export class Host {
  #files;
  #folder;
  #options;
  #pool;
  #results;
  #now = startClock();
  #crew = new Crew();
  #enqueued = 0;
  #sweptAt = 0;
  #tally = { done: 0, failed: 0, bytes: 0, retries: 0, refused: 0 };
  /** @type {Map<number, string>} why a file has no digest */
  #reasons = new Map();
  /** What the lost worker had sent before it was lost, still under way. @type {DoneMessage | null} */
  #late = null;
  #lossIsDue;

  /**
   * @param {Leasegate} leasegate
   * @param {string} folder
   * @param {readonly TreeFile[]} files at most MAX_TASK_RECORDS
   * @param {object} options
   * @param {number} options.workers
   * @param {boolean} options.loseAWorker
   * @param {(event: HostEvent) => void} options.onEvent
   * @param {(progress: Progress) => void} options.onProgress
   */
  constructor(leasegate, folder, files, options) {
    this.#files = files;
    this.#folder = Buffer.from(folder);
    this.#options = options;
    this.#lossIsDue = options.loseAWorker;
    // Beside what waits there must be room for every task in hand: a recovery puts them all back into the queue.
    const active = QUEUE_LENGTH + options.workers * SLOTS;
    this.#pool = new leasegate.WorkerPool({
      limits: {
        maxTaskRecords: MAX_TASK_RECORDS,
        maxTerminalTasks: MAX_TASK_RECORDS,
        maxActiveTasks: active,
        maxQueuedTasks: active,
        maxLeaseTtlSecs: MAX_LEASE_TTL_SECS,
        heartbeatTimeoutSecs: HEARTBEAT_TIMEOUT_SECS,
      },
    });
    this.#results = new leasegate.ResultAggregator({
      limits: {
        maxResults: MAX_RESULTS,
        maxAggregateItems: MAX_AGGREGATE_ITEMS,
        maxResultBytes: DIGEST_BYTES,
      },
    });
  }

  /** Hashes all files. Rejects with an AbortError when the signal says so. @param {AbortSignal} [signal] */
  async run(signal) {
    try {
      const messages = this.#crew.messages(SWEEP_MS, signal);
      for (let n = 1; n <= this.#options.workers; n += 1) this.#hire(`worker-${n}`);
      this.#enqueue();
      this.#assign();
      for await (const message of messages) {
        if (message.kind === 'tick') this.#sweep();
        else this.#take(message);
        this.#enqueue();
        this.#assign();
        this.#options.onProgress(this.#progress());
        if (this.#isFinished()) break;
      }
      return this.#outcome();
    } finally {
      await this.#crew.stopAll();
      this.#pool.dispose();
      this.#results.dispose();
    }
  }

  /**
   * What every command names. This host is the pool's only one, so that what it reads here is what it decides on;
   * hosts that share a pool keep the revision that they have looked at.
   */
  #fenced() {
    return { expectedRevision: this.#pool.revision, now: this.#now() };
  }

  /** @param {string} workerId */
  #hire(workerId) {
    const { value } = this.#pool.registerWorker({ ...this.#fenced(), spec: { workerId, capacity: SLOTS } });
    this.#crew.start(workerId, value.generation);
  }

  /** Gives the pool as many tasks as may wait. */
  #enqueue() {
    let { queuedTasks } = this.#pool.snapshot();
    while (this.#enqueued < this.#files.length && queuedTasks < QUEUE_LENGTH) {
      const spec = taskSpec(this.#files[this.#enqueued], this.#enqueued);
      this.#pool.taskQueue.enqueue({ ...this.#fenced(), spec });
      this.#enqueued += 1;
      queuedTasks += 1;
    }
  }

  /** Leases tasks to workers while there are both, and sends each file to the worker that got its lease. */
  #assign() {
    for (let task = this.#pool.taskQueue.peekNext(); task !== null; task = this.#pool.taskQueue.peekNext()) {
      const fenced = this.#fenced();
      if (this.#pool.getAvailableWorker(fenced.now) === null) return;
      const ttl = leaseTtlSecs(this.#files[fileIndex(task)]);
      const { value: lease } = this.#pool.assignNextAvailable({ ...fenced, leaseTtlSecs: ttl });
      const path = joined(this.#folder, resolveTarget(task.targetRef, this.#files));
      this.#crew.send(lease.workerId, { lease, path });
    }
  }

  /** @param {FromWorker} message */
  #take(message) {
    switch (message.kind) {
      case 'heartbeat':
        return this.#hearFrom(message);
      case 'started':
        // Refused when the lease has run out meanwhile, which the end of the work will report.
        this.#pool.try.startTask({ ...this.#fenced(), lease: message.lease });
        return;
      case 'done':
        return this.#isLossDue() ? this.#lose(message) : this.#complete(message);
      case 'failed':
        return this.#fail(message);
      case 'crashed':
        // Its silence will do the rest.
        this.#options.onEvent({ kind: 'crashed', workerId: message.workerId, reason: message.reason });
    }
  }

  /** @param {import('./crew.mjs').Sender} sender */
  #hearFrom({ workerId, generation }) {
    // Refused when the worker was given up in the meantime.
    this.#pool.try.updateWorker({
      ...this.#fenced(),
      workerId,
      generation,
      observation: { status: 'healthy' },
    });
  }

  /** The receipt of a completion is what lets a result in. @param {DoneMessage} message */
  #complete(message) {
    const completed = this.#pool.try.completeTask({ ...this.#fenced(), lease: message.lease });
    if (!completed.ok) {
      this.#refuse(message, completed.error);
      return;
    }
    const { receipt } = completed.value;
    this.#results.storeResult({ expectedRevision: this.#results.revision, receipt, bytes: message.digest });
    this.#tally.done += 1;
    this.#tally.bytes += message.bytes;
  }

  /** Another attempt while there are retries left, unless it would be in vain. @param {FailedMessage} message */
  #fail(message) {
    const { lease } = message;
    const failed = hopeless.has(message.code)
      ? this.#pool.try.cancelTask({ ...this.#fenced(), ownership: lease })
      : this.#pool.try.failTask({ ...this.#fenced(), lease });
    if (!failed.ok) {
      this.#refuse(message, failed.error);
      return;
    }
    this.#reasons.set(fileIndex(message.lease), message.reason);
    if (failed.value.kind === 'requeued') this.#tally.retries += 1;
    else this.#tally.failed += 1;
  }

  /**
   * What a worker says about a file that is no longer its own counts for nothing.
   * @param {DoneMessage | FailedMessage} message
   * @param {import('leasegate').LeasegateError} error
   */
  #refuse({ workerId, lease }, error) {
    const { code } = error;
    if (code !== 'stale_ownership' && code !== 'lease_expired') throw error;
    this.#tally.refused += 1;
    this.#options.onEvent({ kind: 'refused', workerId, path: this.#files[fileIndex(lease)].path, code });
  }

  /** Gives up workers that are silent and leases that have run out; then puts new threads in the workers' places. */
  #sweep() {
    // When this process itself has paused, as a laptop does, what the workers said meanwhile has yet to be read.
    const now = this.#now();
    const paused = now - this.#sweptAt >= HEARTBEAT_TIMEOUT_SECS;
    this.#sweptAt = now;
    if (paused) return;
    // A thread takes a moment to start, or more on a busy machine: that is no silence.
    for (const sender of this.#crew.starting()) this.#hearFrom(sender);

    const pruned = this.#pool.pruneDeadWorkers(this.#fenced()).value;
    const expired = this.#pool.recoverExpiredLeases(this.#fenced()).value;
    for (const { workersAffected, tasksRequeued, tasksFailed } of [pruned, expired]) {
      if (workersAffected === 0) continue;
      this.#tally.retries += tasksRequeued;
      this.#tally.failed += tasksFailed;
      this.#options.onEvent({
        kind: 'recovered',
        workers: workersAffected,
        requeued: tasksRequeued,
        failed: tasksFailed,
      });
    }
    if (pruned.workersAffected > 0) this.#replaceOffline();
  }

  #replaceOffline() {
    for (const { workerId, status, generation } of this.#pool.getWorkers()) {
      if (status !== 'offline') continue;
      void this.#crew.stop(workerId);
      const spec = { workerId, capacity: SLOTS };
      const { value } = this.#pool.reactivateWorker({
        ...this.#fenced(),
        expectedGeneration: generation,
        spec,
      });
      this.#crew.start(workerId, value.generation);
      this.#options.onEvent({ kind: 'back', workerId, generation: value.generation });
      if (this.#late?.workerId === workerId) this.#deliverLate(this.#late);
    }
  }

  /** In the middle, when a worker has just sent a result. */
  #isLossDue() {
    return this.#lossIsDue && this.#tally.done + this.#tally.failed >= Math.floor(this.#files.length / 2);
  }

  /**
   * Loses the worker on purpose: its thread ends here and now, with all that it holds, and the message that was under
   * way gets stuck somewhere. The pool is not told; it has to find out by the worker's silence.
   * @param {DoneMessage} message
   */
  #lose(message) {
    const { workerId } = message;
    this.#lossIsDue = false;
    this.#late = message;
    void this.#crew.stop(workerId);
    const holding = this.#pool.getWorker(workerId)?.currentTasks ?? 0;
    this.#options.onEvent({ kind: 'lost', workerId, holding });
  }

  /** The message gets through after all, when its task is another's. @param {DoneMessage} message */
  #deliverLate(message) {
    this.#late = null;
    this.#complete(message);
  }

  #isFinished() {
    return this.#enqueued === this.#files.length && this.#pool.snapshot().activeTasks === 0;
  }

  /** @returns {Progress} */
  #progress() {
    const { revision, activeTasks, queuedTasks } = this.#pool.snapshot();
    const { done, failed, bytes } = this.#tally;
    const { length: total } = this.#files;
    const { workers } = this.#options;
    return {
      total,
      done,
      failed,
      bytes,
      workers,
      inHand: activeTasks - queuedTasks,
      queued: queuedTasks,
      revision,
    };
  }

  /** The digests come back in the order of the ids asked for, which is path order. */
  #outcome() {
    this.#pool.checkInvariants();
    const { bytes, retries, refused } = this.#tally;
    /** @type {(Uint8Array | null)[]} */
    const digests = new Array(this.#files.length).fill(null);
    const completed = new Set();
    for (const task of this.#pool.taskQueue.tasks()) {
      if (task.status === 'completed') completed.add(task.taskId);
    }
    const ids = this.#files.map((_, index) => taskId(index)).filter((id) => completed.has(id));
    for (const result of this.#results.aggregateResults(ids)) digests[fileIndex(result)] = result.bytes;
    /** @type {Problem[]} */
    const problems = [];
    this.#files.forEach(({ path }, index) => {
      const reason = this.#reasons.get(index) ?? 'its workers were lost too often';
      if (digests[index] === null) problems.push({ path, reason });
    });
    return { digests, problems, bytes, retries, refused, revisions: this.#pool.revision };
  }
}
