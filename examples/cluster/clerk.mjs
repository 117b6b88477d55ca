// Gives the files out as tasks, and collects the digests. A member of the cluster like any other, but it hashes nothing.

import { fileIndex, join, MAX_ACTIVE, pause, SLOTS, taskId } from './shared.mjs';

/** Tasks that are handed in at a time. */
const AT_ONCE = 100;
/** Active tasks that the clerk leaves room for: a lost host's files go back into the queue. */
const ROOM = 16 * SLOTS;
/** A file whose host was lost between completing it and storing its digest is given out again, so often. */
const TURNS = 5;

export class Clerk {
  #where;
  #files;
  /** @type {Awaited<ReturnType<typeof join>> | null} */
  #membership = null;
  /** @type {((holding: number) => void) | null} */
  #lossIsDue = null;

  /** @param {{ url: string, name: string, files: readonly import('../checksum-tree/walk-tree.mjs').TreeFile[] }} options */
  constructor({ url, name, files }) {
    this.#where = { url, name };
    this.#files = files;
  }

  async join() {
    this.#membership = await join(this.#where);
  }

  /** @param {(holding: number) => void} tell once, when the first host holds files and others have finished some */
  onceInHand(tell) {
    this.#lossIsDue = tell;
  }

  get #cluster() {
    if (this.#membership === null) throw new Error('The clerk has not joined');
    return this.#membership.cluster;
  }

  /** @param {(line: string) => void} say */
  async run(say) {
    const { pool, results } = this.#cluster;
    if (results === null) throw new Error('The cluster has no results');
    /** @type {(Uint8Array | null)[]} */
    const digests = this.#files.map(() => null);
    let waiting = digests.map((_, index) => index);
    for (let turn = 1; turn <= TURNS && waiting.length > 0; turn += 1) {
      if (turn > 1) say(`${waiting.length} digests were lost with their host: given out again`);
      await this.#give(waiting, turn);
      while (pool.snapshot().activeTasks > 0) {
        this.#lose();
        await pause(20);
      }
      // Completed is not yet stored: a host that lives stores it within moments.
      for (let tries = 0; tries < 50; tries += 1) {
        await this.#cluster.sync();
        waiting = await this.#collect(waiting, turn, digests);
        if (waiting.length === 0) break;
        await pause(100);
      }
    }
    return { digests, ...(await this.#facts()) };
  }

  /** @param {number[]} indexes @param {number} turn */
  async #give(indexes, turn) {
    const { pool } = this.#cluster;
    for (let at = 0; at < indexes.length; ) {
      const room = MAX_ACTIVE - ROOM - pool.snapshot().activeTasks;
      const part = indexes.slice(at, at + Math.min(AT_ONCE, Math.max(0, room)));
      at += part.length;
      await Promise.all(part.map((index) => pool.taskQueue.enqueue({ spec: this.#spec(index, turn) })));
      this.#lose();
      if (part.length === 0) await pause(20);
    }
  }

  /** @param {number} index @param {number} turn */
  #spec(index, turn) {
    const targetRef = this.#files[index].path.toString('base64url');
    return { taskId: taskId(index, turn), scanId: 'cluster', targetRef };
  }

  #lose() {
    if (this.#lossIsDue === null) return;
    const { pool } = this.#cluster;
    const holding = pool.getWorker('host-1')?.currentTasks ?? 0;
    const others = pool
      .getWorkers()
      .filter(({ workerId, completedTasks }) => workerId !== 'host-1' && completedTasks > 0n);
    if (holding === 0 || others.length === 0) return;
    this.#lossIsDue(holding);
    this.#lossIsDue = null;
  }

  /** @param {number[]} indexes @param {number} turn @param {(Uint8Array | null)[]} digests @returns {Promise<number[]>} those whose digest is missing */
  async #collect(indexes, turn, digests) {
    const { pool, results } = this.#cluster;
    const missing = [];
    for (const index of indexes) {
      const id = taskId(index, turn);
      if (pool.taskQueue.getTask(id)?.status !== 'completed') continue; // could not be read
      const digest = (await results?.getResult(id)) ?? null;
      if (digest === null) missing.push(index);
      else digests[fileIndex(id)] = digest;
    }
    return missing;
  }

  async #facts() {
    const { pool } = this.#cluster;
    const tasks = pool.taskQueue.tasks();
    const byHost = Object.fromEntries(
      pool.getWorkers().map(({ workerId, completedTasks }) => [workerId, Number(completedTasks)]),
    );
    return {
      byHost,
      retries: tasks.reduce((sum, { retryCount }) => sum + retryCount, 0),
      revision: pool.revision,
      same: await this.#compare(),
    };
  }

  /** Whether a host that comes late has come to the same state. Heartbeats go on, so it may take a few looks. */
  async #compare() {
    const { pool } = this.#cluster;
    const late = await join(this.#where);
    try {
      for (let tries = 0; tries < 100; tries += 1) {
        await Promise.all([late.cluster.sync(), this.#cluster.sync()]);
        if (late.cluster.pool.revision === pool.revision)
          return late.cluster.pool.stateDigest() === pool.stateDigest();
      }
      return false;
    } finally {
      await late.leave();
    }
  }

  async leave() {
    await this.#membership?.leave();
  }
}
