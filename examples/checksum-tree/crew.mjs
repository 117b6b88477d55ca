// The worker threads, by the ids that the pool knows them by, and one inbox for what they say.

import { EventEmitter, on } from 'node:events';
import { Worker } from 'node:worker_threads';

const program = new URL('./worker.mjs', import.meta.url);

/**
 * @typedef {import('leasegate').TaskLease} TaskLease
 * @typedef {{ workerId: string, generation: bigint }} Sender
 * @typedef {{ kind: 'heartbeat' }} Heartbeat
 * @typedef {{ kind: 'started', lease: TaskLease }} Started
 * @typedef {{ kind: 'done', lease: TaskLease, digest: Uint8Array, bytes: number }} Done
 * @typedef {{ kind: 'failed', lease: TaskLease, code: string, reason: string }} Failed
 * @typedef {{ kind: 'crashed', reason: string }} Crashed
 * @typedef {(Heartbeat | Started | Done | Failed | Crashed) & Sender} FromWorker
 * @typedef {{ lease: TaskLease, path: Buffer }} Job
 */

export class Crew {
  #inbox = new EventEmitter();
  /** @type {Map<string, Worker>} */
  #threads = new Map();
  /** Threads that have not said a word yet. @type {Map<string, Sender>} */
  #starting = new Map();

  /**
   * Everything that is said, in the order of arrival, and a tick every so often.
   * @param {number} tickMs
   * @param {AbortSignal} [signal]
   */
  async *messages(tickMs, signal) {
    const clock = setInterval(() => this.#inbox.emit('message', { kind: 'tick' }), tickMs);
    try {
      for await (const [message] of on(this.#inbox, 'message', { signal })) {
        yield/** @type {FromWorker | { kind: 'tick' }} */ (message);
      }
    } finally {
      clearInterval(clock);
    }
  }

  /** @param {string} workerId @param {bigint} generation */
  start(workerId, generation) {
    const thread = new Worker(program);
    const say = (/** @type {object} */ message) => {
      if (this.#threads.get(workerId) !== thread) return;
      this.#starting.delete(workerId);
      this.#inbox.emit('message', { ...message, workerId, generation });
    };
    thread.on('message', say);
    thread.on('error', (error) => say({ kind: 'crashed', reason: error.message }));
    this.#threads.set(workerId, thread);
    this.#starting.set(workerId, { workerId, generation });
  }

  /** Who is there but cannot speak yet. */
  starting() {
    return this.#starting.values();
  }

  /**
   * A thread that is no more hears nothing, like any worker that is out of reach.
   * @param {string} workerId
   * @param {Job} job
   */
  send(workerId, job) {
    this.#threads.get(workerId)?.postMessage(job);
  }

  /** Ends a thread, whatever it is doing; nothing that it still says is heard. @param {string} workerId */
  async stop(workerId) {
    const thread = this.#threads.get(workerId);
    this.#threads.delete(workerId);
    this.#starting.delete(workerId);
    await thread?.terminate();
  }

  async stopAll() {
    await Promise.all([...this.#threads.keys()].map((workerId) => this.stop(workerId)));
  }
}
