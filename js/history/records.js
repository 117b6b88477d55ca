// What a history answers: frozen data.

import { defineRecord } from '../boundary/records.js';

/** Everything that a pool held at one revision. */
export class HistoryState {
  /** @param {object} snapshot @param {object[]} tasks @param {object[]} workers @param {object | null} next */
  constructor(snapshot, tasks, workers, next) {
    this.snapshot = snapshot;
    this.tasks = Object.freeze(tasks);
    this.workers = Object.freeze(workers);
    this.next = next;
    Object.freeze(this);
  }
}
defineRecord(HistoryState, []);

/** What is different between two revisions. */
export class HistoryDiff {
  /** @param {bigint} from @param {bigint} to @param {object[]} counters @param {object} tasks @param {object} workers */
  constructor(from, to, counters, tasks, workers) {
    this.from = from;
    this.to = to;
    this.counters = Object.freeze(counters);
    this.tasks = tasks;
    this.workers = workers;
    Object.freeze(this);
  }
}
defineRecord(HistoryDiff, []);

/** Records of one sort that came, went or changed. */
export class RecordsDiff {
  /** @param {object[]} added @param {object[]} removed @param {object[]} changed */
  constructor(added, removed, changed) {
    this.added = Object.freeze(added);
    this.removed = Object.freeze(removed);
    this.changed = Object.freeze(changed);
    Object.freeze(this);
  }
}
defineRecord(RecordsDiff, []);

/** One record that changed, and in which fields. */
export class ChangedRecord {
  /** @param {object} before @param {object} after @param {string[]} fields */
  constructor(before, after, fields) {
    this.before = before;
    this.after = after;
    this.fields = Object.freeze(fields);
    Object.freeze(this);
  }
}
defineRecord(ChangedRecord, []);

/** One counter that changed. */
export class ChangedCounter {
  /** @param {string} field @param {unknown} before @param {unknown} after */
  constructor(field, before, after) {
    this.field = field;
    this.before = before;
    this.after = after;
    Object.freeze(this);
  }
}
defineRecord(ChangedCounter, []);

/** The life of a task, as far as the history knows it. */
export class TaskStory {
  /** @param {string} taskId @param {object | null} present @param {object[]} events @param {object | null} task */
  constructor(taskId, present, events, task) {
    this.taskId = taskId;
    this.present = present;
    this.events = Object.freeze(events);
    this.task = task;
    Object.freeze(this);
  }
}
defineRecord(TaskStory, []);

/** One thing that happened to a task: where, when, by which command, and what belongs to its kind. */
export class TaskEvent {
  /** @param {string} kind @param {{ revision: bigint, command: { kind: string, now: bigint } }} record @param {object} fields */
  constructor(kind, { revision, command }, fields) {
    this.kind = kind;
    this.revision = revision;
    this.now = command.now;
    this.command = command.kind;
    Object.assign(this, fields);
    Object.freeze(this);
  }
}
defineRecord(TaskEvent, []);
