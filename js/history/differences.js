// Two states side by side: what came, what went, and which fields are others.

import { ChangedCounter, ChangedRecord, HistoryDiff, RecordsDiff } from './records.js';

/** What other fields say already. */
const DERIVED = new Set(['ownership']);

/** @param {any} a @param {any} b @returns {boolean} */
function same(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [left, right] = [Object.keys(a), Object.keys(b)];
  return left.length === right.length && left.every((key) => same(a[key], b[key]));
}

/** @param {any} before @param {any} after */
function changedFields(before, after) {
  return Object.keys(after).filter((field) => !DERIVED.has(field) && !same(before[field], after[field]));
}

/**
 * Both sorted by id.
 * @param {readonly any[]} before @param {readonly any[]} after @param {string} id
 */
function recordsDiff(before, after, id) {
  const earlier = new Map(before.map((record) => [record[id], record]));
  const added = [];
  const changed = [];
  for (const record of after) {
    const was = earlier.get(record[id]);
    earlier.delete(record[id]);
    if (was === undefined) {
      added.push(record);
      continue;
    }
    const fields = changedFields(was, record);
    if (fields.length > 0) changed.push(new ChangedRecord(was, record, fields));
  }
  return new RecordsDiff(added, [...earlier.values()], changed);
}

/** @param {any} a @param {any} b states */
export function differences(a, b) {
  const counters = changedFields(a.snapshot, b.snapshot).map(
    (field) => new ChangedCounter(field, a.snapshot[field], b.snapshot[field]),
  );
  return new HistoryDiff(
    a.snapshot.revision,
    b.snapshot.revision,
    counters,
    recordsDiff(a.tasks, b.tasks, 'taskId'),
    recordsDiff(a.workers, b.workers, 'workerId'),
  );
}
