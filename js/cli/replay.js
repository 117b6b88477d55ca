// leasegate replay: the state that journals lead to.

import { apply, Playback } from './playback.js';
import { problemJson, UseError } from './problems.js';
import { FROM_SNAPSHOT, demandFiles, demandReached, ending, revisionOf, stateOf } from './shared.js';
import { chaptersOf } from './sources.js';
import { counted, list, styled, table } from './texts.js';

export const usage = 'replay FILE...';
export const summary = 'The state that a journal leads to, at its end or at a revision';
export const about = `Applies the records and shows what comes of them: the workers, the tasks, and the digest of the state. Where the
journal is cut off or damaged it shows the state before, says so, and ends with 3 or 2.`;
/** @type {import('./main.js').Command['options']} */
export const options = {
  ...FROM_SNAPSHOT,
  until: { type: 'string', value: 'REVISION', about: 'The state after the command that made this revision' },
  limit: { type: 'string', value: 'ROWS', about: 'Rows of a table at most; 0 for all. Default 100' },
};

/** @typedef {import('./main.js').Given} Given */

/**
 * A column: its head, and its cell of a record.
 * @typedef {[string, (record: any) => string | number | bigint | null]} Column
 */

/** @type {Column[]} */
const TASK = [
  ['task', ({ taskId }) => taskId],
  ['status', ({ status }) => status],
  ['priority', ({ priority }) => priority],
  ['>attempt', ({ attempt }) => attempt],
  ['>retries', ({ retryCount }) => retryCount],
  ['>generation', ({ taskGeneration }) => taskGeneration],
  ['>created', ({ createdAt }) => createdAt],
  ['worker', ({ assignedTo }) => assignedTo],
  ['>lease until', ({ lease }) => lease?.expiresAt ?? null],
];
/** @type {Column} for when a task waits for its retry */
const WAITING = ['>not before', ({ notBefore }) => notBefore];
/** @type {Column} */
const TARGET = ['target', ({ targetRef }) => targetRef];
/** @type {Column[]} */
const WORKER = [
  ['worker', ({ workerId }) => workerId],
  ['status', ({ status }) => status],
  ['>generation', ({ generation }) => generation],
  ['>tasks', ({ currentTasks, capacity }) => `${currentTasks}/${capacity}`],
  ['>completed', ({ completedTasks }) => completedTasks],
  ['>heartbeat', ({ lastHeartbeat }) => lastHeartbeat],
  ['tags', ({ tags }) => tags.join(' ')],
];

/** @param {Given} given @param {string} title @param {Column[]} columns @param {readonly any[]} records @param {number} limit */
function section({ page }, title, columns, records, limit) {
  if (records.length === 0) return ['', styled(page, 'bold', `no ${title}s`)];
  const shown = limit === 0 ? records : records.slice(0, limit);
  const left = records.length - shown.length;
  const rows = shown.map((record) => columns.map(([, cell]) => cell(record)));
  return [
    '',
    styled(page, 'bold', counted(records.length, title)),
    ...table(
      page,
      columns.map(([head]) => head),
      rows,
    ),
    ...(left === 0 ? [] : [styled(page, 'dim', `  and ${left} more: --limit 0 shows all`)]),
  ];
}

/** @param {Given} given @param {Playback} playback @param {number} limit */
function show(given, { contract, handle }, limit) {
  const { page, print, options: chosen } = given;
  const digest = handle.stateDigest();
  if (contract === 'results') {
    const { revision, resultCount, totalBytes } = handle;
    print(
      list(page, [
        ['revision', revision],
        ['results', resultCount],
        ['bytes', totalBytes],
        ['digest', digest],
      ]),
    );
    return;
  }
  const { snapshot, tasks, workers } = stateOf(handle);
  const columns = [...TASK];
  if (tasks.some((/** @type {any} */ { notBefore }) => notBefore !== null)) columns.push(WAITING);
  if (chosen['show-targets']) columns.push(TARGET);
  print([
    ...list(page, [
      ['revision', snapshot.revision],
      ['second', snapshot.logicalTime],
      ['digest', digest],
    ]),
    ...section(given, 'worker', WORKER, workers, limit),
    ...section(given, 'task', columns, tasks, limit),
  ]);
}

/** @param {Given} given @param {Playback} playback */
function showJson({ printJson }, { contract, handle, first, error, file }) {
  const digest = handle.stateDigest();
  const state =
    contract === 'results'
      ? { revision: handle.revision, results: handle.resultCount, resultBytes: handle.totalBytes }
      : { revision: handle.revision, ...stateOf(handle) };
  printJson({ contract, first, digest, ...state, problem: problemJson(error, file) });
}

/** @param {string | undefined} text */
function limitOf(text) {
  if (text === undefined) return 100;
  if (!/^\d{1,9}$/.test(text)) throw new UseError('--limit must be a number of rows');
  return Number(text);
}

/** @param {Given} given */
export async function run(given) {
  const { lg, args, options: chosen, snapshot } = given;
  demandFiles(args, given);
  const limit = limitOf(chosen.limit);
  const until = chosen.until === undefined ? null : revisionOf(chosen.until, '--until');
  const playback = new Playback(lg, given.warn);
  await playback.play(await chaptersOf(args), snapshot, {
    take: ({ handle }, records) => apply(handle, records, until),
  });
  if (until !== null) demandReached(playback, until);
  if (chosen.json) showJson(given, playback);
  else show(given, playback, limit);
  return ending(given, playback);
}
