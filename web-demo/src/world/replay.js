import { Fingerprint } from './fingerprint.js';
import { runCommand } from './pool-commands.js';

/**
 * Brings a pool to any point of a ledger: forward by playing the next commands, back by playing them again from the
 * first, in a fresh pool. Nothing is kept of later states, and the fingerprint of what comes out is compared with
 * what was recorded.
 */
export class Replay {
  #lg;
  #recording;
  #pool = null;
  #at = 0;
  /** Records by id as last read; one that has not changed stays the same object, so it is hashed once. */
  #tasks = new Map();
  #workers = new Map();

  constructor(lg, recording) {
    this.#lg = lg;
    this.#recording = recording;
  }

  /** The pool's state after the first `count` entries. */
  stateAt(count) {
    this.#seek(count);
    const snapshot = this.#pool.snapshot();
    this.#tasks = keep(this.#tasks, this.#pool.taskQueue.tasks(), 'taskId', sameVersion);
    this.#workers = keep(this.#workers, this.#pool.getWorkers(), 'workerId', sameText);
    const print = new Fingerprint();
    for (const records of [this.#tasks, this.#workers]) {
      for (const record of records.values()) print.replace(null, record);
    }
    const fingerprint = print.with(snapshot);
    const { entries, firstFingerprint } = this.#recording;
    const recorded = count === 0 ? firstFingerprint : entries[count - 1].fingerprint;
    return {
      count,
      snapshot,
      tasks: [...this.#tasks.values()],
      workers: [...this.#workers.values()],
      next: this.#pool.taskQueue.peekNext(),
      fingerprint,
      equal: fingerprint === recorded,
    };
  }

  dispose() {
    this.#pool?.dispose();
    this.#pool = null;
  }

  #seek(count) {
    if (!this.#pool || count < this.#at) {
      this.#pool?.dispose();
      this.#pool = new this.#lg.WorkerPool({ limits: this.#recording.scenario.limits });
      this.#at = 0;
    }
    for (; this.#at < count; this.#at += 1) {
      const { domain, command, args, expected, at } = this.#recording.entries[this.#at];
      if (domain !== 'pool') continue;
      runCommand(this.#pool, command, { ...args, expectedRevision: expected, now: at });
    }
  }
}

function keep(before, records, idName, same) {
  const after = new Map();
  for (const record of records) {
    const id = record[idName];
    const known = before.get(id);
    after.set(id, known && same(known, record) ? known : record);
  }
  return after;
}

/** A task's version rises with every change, and one recording has one history. */
const sameVersion = (a, b) => a.recordVersion === b.recordVersion;
const sameText = (a, b) => JSON.stringify(a) === JSON.stringify(b);
