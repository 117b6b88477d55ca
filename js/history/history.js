// A journal that can be looked at: any state of it, what changed between two, and the life of a task.

import { optionsOf } from '../boundary/arguments.js';
import { makeDisposable } from '../boundary/port.js';
import { differences } from './differences.js';
import { HistoryState, TaskStory } from './records.js';
import { TaskLife } from './task-life.js';
import { Timeline } from './timeline.js';

/** @typedef {import('../boundary/runtime.js').Runtime} Runtime */
/** @typedef {import('../boundary/port.js').Port} Port */
/** @typedef {{ new (port: Port): import('../coordination/worker-pool.js').WorkerPool }} Pool */

/** @param {import('../coordination/worker-pool.js').WorkerPool} pool */
function stateOf(pool) {
  return new HistoryState(
    pool.snapshot(),
    pool.taskQueue.tasks(),
    pool.getWorkers(),
    pool.taskQueue.peekNext(),
  );
}

/** Types and contract: ../types/history.d.ts. */
export class History {
  #timeline;
  #WorkerPool;

  /** @param {Runtime} runtime @param {Pool} WorkerPool @param {unknown} journal @param {unknown} options */
  constructor(runtime, WorkerPool, journal, options) {
    this.#timeline = new Timeline(runtime, journal, options);
    this.#WorkerPool = WorkerPool;
  }

  get report() {
    return this.#timeline.report;
  }

  get revisions() {
    this.#timeline.check();
    return Object.freeze({ first: this.#timeline.first, last: this.#timeline.last });
  }

  get interval() {
    this.#timeline.check();
    return this.#timeline.interval;
  }

  get snapshots() {
    this.#timeline.check();
    return this.#timeline.snapshots;
  }

  /** @param {unknown} records */
  append(records) {
    return this.#timeline.append(records);
  }

  /** @param {unknown} revision */
  at(revision) {
    return stateOf(this.#read(this.#timeline.revision(revision, 'revision')));
  }

  /** @param {unknown} revision */
  digestAt(revision) {
    return this.#read(this.#timeline.revision(revision, 'revision')).stateDigest();
  }

  /** @param {unknown} revision */
  poolAt(revision) {
    const at = this.#timeline.revision(revision, 'revision');
    return new this.#WorkerPool(this.#timeline.portAt(at));
  }

  /** @param {unknown} revision */
  recordAt(revision) {
    const at = this.#timeline.revision(revision, 'revision');
    if (at === this.#timeline.first) return null;
    return this.#timeline.recordsFrom(at).next().value ?? null;
  }

  /** @param {any} [options] */
  records(options) {
    const { from, to } = optionsOf(options, 'options', ['from', 'to']);
    const { first, last } = this.revisions;
    const begin = from === undefined || from === null ? first : this.#timeline.revision(from, 'from');
    const end = to === undefined || to === null ? last : this.#timeline.revision(to, 'to');
    return between(this.#timeline, begin, end);
  }

  /** @param {unknown} a @param {unknown} b */
  diff(a, b) {
    const from = this.#timeline.revision(a, 'a');
    const to = this.#timeline.revision(b, 'b');
    const before = stateOf(this.#read(from));
    return differences(before, from === to ? before : stateOf(this.#read(to)));
  }

  /** @param {unknown} taskId */
  explain(taskId) {
    const timeline = this.#timeline;
    timeline.check();
    const cursor = timeline.cursor();
    const pool = new this.#WorkerPool(cursor.port);
    try {
      const life = new TaskLife(/** @type {string} */ (taskId), pool.taskQueue.getTask(taskId));
      const present = life.task;
      for (const record of timeline.recordsFrom(timeline.first))
        life.follow(record, () => {
          timeline.move(cursor, record.revision, record.offset + record.size);
          return pool.taskQueue.getTask(taskId);
        });
      return new TaskStory(/** @type {string} */ (taskId), present, life.events, life.task);
    } finally {
      pool.dispose();
    }
  }

  dispose() {
    this.#timeline.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    const { disposed, first, last, interval, snapshots } = this.#timeline;
    if (disposed) return 'History { disposed }';
    return `History { revisions: ${first} to ${last}, interval: ${interval}, snapshots: ${snapshots} }`;
  }

  /** A pool to be read at once, and kept by nobody. @param {bigint} revision */
  #read(revision) {
    return new this.#WorkerPool(this.#timeline.readAt(revision));
  }
}
makeDisposable(History);

/** @param {Timeline} timeline @param {bigint} from @param {bigint} to */
function* between(timeline, from, to) {
  for (const record of timeline.recordsFrom(from)) {
    if (record.revision > to) return;
    yield record;
  }
}
