// leasegate explain: the life of a task.

import { TaskLife } from '../history/task-life.js';
import { readEach } from './feeding.js';
import { Playback } from './playback.js';
import { moved, NOT_THERE, problemJson, UseError } from './problems.js';
import { FROM_SNAPSHOT, demandFiles, demandTasks, ending } from './shared.js';
import { chaptersOf } from './sources.js';
import { coloured, counted, printable, styled, table } from './texts.js';

export const usage = 'explain TASK FILE...';
export const summary = 'Everything that happened to a task, in order';
export const about = `Also what sweeps did to it, whose records do not name it: leases that ran out, workers that fell silent, expiry,
retirement. A task that the journal knows nothing of ends with 4.`;
/** @type {import('./main.js').Command['options']} */
export const options = FROM_SNAPSHOT;

/** @typedef {import('./main.js').Given} Given */

/** @type {Record<string, (event: any) => string>} */
const REASONS = {
  reported_failed: ({ workerId }) => `${workerId} reported that it failed`,
  lease_expired: ({ workerId }) => `the lease of ${workerId} had run out`,
  worker_deregistered: ({ workerId }) => `${workerId} was deregistered`,
  worker_silent: ({ workerId }) => `${workerId} had fallen silent`,
};

/** @param {any} event */
const at = ({ workerId }) => (workerId === null ? '' : ` at ${workerId}`);

/** What an event is, for a person. @type {Record<string, (event: any) => string>} */
const TOLD = {
  enqueued: ({ priority, scanId }) => `priority ${priority}, scan ${scanId}`,
  due: ({ notBefore }) => `its wait until ${notBefore} is over`,
  leased: ({ workerId, leaseId, attempt, expiresAt }) =>
    `to ${workerId} until ${expiresAt}: attempt ${attempt}, lease ${leaseId}`,
  started: ({ workerId }) => `by ${workerId}`,
  renewed: ({ workerId, expiresAt, expiredBefore }) =>
    `${workerId} has it until ${expiresAt}, not ${expiredBefore}`,
  requeued: (event) =>
    `${REASONS[event.reason](event)}: retry ${event.retryCount}${event.notBefore === null ? '' : `, not before ${event.notBefore}`}`,
  completed: ({ workerId, leaseId }) => `by ${workerId} under lease ${leaseId}`,
  failed: (event) => `${REASONS[event.reason](event)}, and no retry was left`,
  cancelled: (event) => `while ${event.from}${at(event)}`,
  expired: (event) => `${event.ageSecs} s old, while ${event.from}${at(event)}`,
  retired: ({ from }) => `forgotten; it was ${from}`,
};

/** @param {Given} given @param {string} taskId @param {any} present @param {TaskLife} life */
function show({ page, print }, taskId, present, { events, task }) {
  const now = task === null ? 'is not there any more' : `is ${coloured(page, task.status)}`;
  const rows = events.map((/** @type {any} */ event) => [
    event.revision,
    event.now,
    event.kind,
    TOLD[event.kind](event),
    event.command,
  ]);
  print([
    `task ${styled(page, 'bold', printable(taskId))} ${now}${task?.lease ? `, at ${task.assignedTo} until ${task.lease.expiresAt}` : ''}`,
    ...(present === null ? [] : [`  ${present.status} where the journal begins`]),
    '',
    ...(rows.length === 0
      ? ['  nothing happened to it']
      : table(page, ['>revision', '>second', 'event', 'what', 'command'], rows)),
    '',
    counted(rows.length, 'event'),
  ]);
}

/** @param {Given} given */
export async function run(given) {
  const { lg, args, snapshot, options: chosen, printJson } = given;
  const [taskId, ...files] = args;
  if (taskId === undefined) throw new UseError('which task? leasegate explain TASK FILE...');
  demandFiles(files, given);
  /** @type {TaskLife | null} */
  let life = null;
  /** @type {any} */
  let present = null;
  const playback = new Playback(lg, given.warn);
  await playback.play(await chaptersOf(files), snapshot, {
    onStart(started) {
      demandTasks(started);
      present = started.handle.taskQueue.getTask(taskId);
      life = new TaskLife(taskId, present);
    },
    take: ({ handle }, records) => follow(lg, handle, records, taskId, /** @type {any} */ (life)),
  });
  const story = /** @type {TaskLife} */ (/** @type {unknown} */ (life));
  if (present === null && story.events.length === 0) {
    ending(given, playback);
    throw new UseError(`there is no task ${printable(taskId)} in it`, NOT_THERE);
  }
  const { events, task } = story;
  if (chosen.json)
    printJson({ taskId, present, events, task, problem: problemJson(playback.error, playback.file) });
  else show(given, taskId, present, story);
  return ending(given, playback);
}

/**
 * Records are applied in runs, up to where the task has to be looked at.
 * @param {any} lg @param {any} pool @param {Uint8Array} records @param {string} taskId @param {TaskLife} life
 * @returns {import('./feeding.js').Taken}
 */
function follow(lg, pool, records, taskId, life) {
  let applied = 0;
  /** @type {any} */
  let refused = null;
  const applyTo = (/** @type {number} */ end) => {
    const { offset, stopped } = pool.applyBatch(records.subarray(applied, end));
    if (stopped !== null) refused = moved(stopped.error, applied);
    applied += offset;
  };
  const { taken, error } = readEach(lg, records, (record) => {
    life.follow(record, () => {
      applyTo(record.offset + record.size);
      return pool.taskQueue.getTask(taskId);
    });
    return refused !== null;
  });
  if (refused === null) applyTo(taken);
  return { taken: applied, error: refused ?? error, done: false };
}
