// leasegate diff: what changed between two revisions.

import { differences } from '../history/differences.js';
import { apply, Playback } from './playback.js';
import { UseError } from './problems.js';
import {
  FROM_SNAPSHOT,
  demandFiles,
  demandReached,
  demandTasks,
  ending,
  revisionOf,
  stateOf,
} from './shared.js';
import { chaptersOf } from './sources.js';
import { counted, styled, table } from './texts.js';

export const usage = 'diff A B FILE...';
export const summary = 'What changed between two revisions';
export const about = `The tasks and workers that came, went or changed from revision A to revision B, and the counters. B may be the
earlier one. That there are differences is no failure: it ends with 0.`;
/** @type {import('./main.js').Command['options']} */
export const options = FROM_SNAPSHOT;

/** @typedef {import('./main.js').Given} Given */

/** A value of a record in a word. @param {any} value @returns {string} */
function word(value) {
  if (value === null) return '-';
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex') || '-';
  if (Array.isArray(value)) return value.join(' ') || '-';
  if (typeof value !== 'object') return String(value);
  return `lease ${value.leaseId} of ${value.workerId} until ${value.expiresAt}`;
}

/** @param {string} sort @param {string} id @param {any} change @param {boolean} secrets */
function rowsOf(sort, id, { added, removed, changed }, secrets) {
  const told = (/** @type {any} */ record) => [record.status, record.priority].filter(Boolean).join(', ');
  return [
    ...removed.map((/** @type {any} */ record) => ['-', `${sort} ${record[id]}`, '', told(record), '']),
    ...added.map((/** @type {any} */ record) => ['+', `${sort} ${record[id]}`, '', '', told(record)]),
    ...changed.flatMap((/** @type {any} */ { before, after, fields }) =>
      fields
        .filter((/** @type {string} */ field) => secrets || field !== 'targetRef')
        .map((/** @type {string} */ field, /** @type {number} */ i) => [
          i === 0 ? '~' : '',
          i === 0 ? `${sort} ${after[id]}` : '',
          field,
          word(before[field]),
          word(after[field]),
        ]),
    ),
  ];
}

/** @param {Given} given @param {any} diff */
function show({ page, print, options: chosen }, { from, to, counters, tasks, workers }) {
  const secrets = chosen['show-targets'] === true;
  const rows = [
    ...rowsOf('worker', 'workerId', workers, secrets),
    ...rowsOf('task', 'taskId', tasks, secrets),
  ];
  const counts = counters
    .filter((/** @type {any} */ { field }) => field !== 'revision') // the title says it
    .map((/** @type {any} */ { field, before, after }) => [field, before, after]);
  const changes = (/** @type {any} */ { added, removed, changed }) =>
    added.length + removed.length + changed.length;
  const title = `revision ${from} to ${to}: ${counted(changes(workers), 'worker')}, ${counted(changes(tasks), 'task')}`;
  print([
    styled(page, 'bold', title),
    ...(counts.length === 0 ? [] : ['', ...table(page, ['counter', '>before', '>after'], counts)]),
    ...(rows.length === 0 ? [] : ['', ...table(page, ['', 'record', 'field', 'before', 'after'], rows)]),
  ]);
}

/** @param {Given} given */
export async function run(given) {
  const { lg, args, snapshot, printJson, options: chosen } = given;
  const [a, b, ...files] = args;
  if (a === undefined || b === undefined) throw new UseError('which revisions? leasegate diff A B FILE...');
  const [from, to] = [revisionOf(a, 'A'), revisionOf(b, 'B')];
  demandFiles(files, given);
  const [low, high] = from <= to ? [from, to] : [to, from];
  /** @type {ReturnType<typeof stateOf> | null} */
  let early = null;
  const playback = new Playback(lg, given.warn);
  const keepEarly = (/** @type {any} */ handle) => {
    if (early === null && handle.revision === low) early = stateOf(handle);
  };
  await playback.play(await chaptersOf(files), snapshot, {
    onStart(started) {
      demandTasks(started);
      if (low < started.first) demandReached(started, low);
      keepEarly(started.handle);
    },
    take({ handle }, records) {
      const first = early === null ? apply(handle, records, low) : { taken: 0, error: null, done: true };
      keepEarly(handle);
      if (first.error !== null || !first.done) return { ...first, done: false };
      const { taken, ...rest } = apply(handle, records.subarray(first.taken), high);
      return { taken: first.taken + taken, ...rest };
    },
  });
  if (early === null) demandReached(playback, low);
  demandReached(playback, high);
  const late = stateOf(playback.handle);
  const diff = from <= to ? differences(early, late) : differences(late, early);
  if (chosen.json) printJson(diff);
  else show(given, diff);
  return ending(given, playback);
}
