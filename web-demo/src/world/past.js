import { Fingerprint } from './fingerprint.js';

/** A state is kept every so many commands. */
const INTERVAL = 64;

/**
 * Any moment of a recording, from the pool's own journal and nothing else: leasegate's History goes there from the
 * nearest state that it keeps. The fingerprint of what comes out is compared with what was recorded.
 */
export class Past {
  #history;
  #recording;
  /** Records by id as last read; one that has not changed stays the same object, so it is hashed once. */
  #tasks = new Map();
  #workers = new Map();

  constructor(lg, recording) {
    this.#history = new lg.History(recording.journal, { interval: INTERVAL });
    this.#recording = recording;
  }

  /** The pool's state after the first `count` entries. */
  stateAt(count) {
    const { entries, firstFingerprint } = this.#recording;
    const { revision, fingerprint: recorded } = entries[count - 1] ?? {
      revision: 0n,
      fingerprint: firstFingerprint,
    };
    const { snapshot, tasks, workers, next } = this.#history.at(revision);
    this.#tasks = keep(this.#tasks, tasks, 'taskId', sameVersion);
    this.#workers = keep(this.#workers, workers, 'workerId', sameText);
    const print = new Fingerprint();
    for (const records of [this.#tasks, this.#workers]) {
      for (const record of records.values()) print.replace(null, record);
    }
    const fingerprint = print.with(snapshot);
    return {
      count,
      snapshot,
      tasks: [...this.#tasks.values()],
      workers: [...this.#workers.values()],
      next,
      fingerprint,
      equal: fingerprint === recorded,
    };
  }

  /** How a revision came to be: its record in the journal, what it changed, and from where one gets there. */
  revision(revision) {
    if (revision === 0n) return null;
    const { interval } = this.#history;
    const commands = Number(revision % BigInt(interval));
    return {
      record: this.#history.recordAt(revision),
      diff: this.#history.diff(revision - 1n, revision),
      kept: revision - BigInt(commands),
      commands,
    };
  }

  /** Everything that ever happens to a task. */
  lifeOf(taskId) {
    return this.#history.explain(taskId).events;
  }

  /** A pool of its own as it was after the first `count` entries; the caller's to dispose of. */
  poolAt(count) {
    return this.#history.poolAt(this.#recording.entries[count - 1]?.revision ?? 0n);
  }

  dispose() {
    this.#history.dispose();
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

/** A task's version rises with every change, but for the end of a wait; and one recording has one history. */
const sameVersion = (a, b) => a.recordVersion === b.recordVersion && a.notBefore === b.notBefore;
const sameText = (a, b) => JSON.stringify(a) === JSON.stringify(b);
