// What several commands do alike.

import { CUT_OFF, codeOf, NOT_THERE, SOUND, UseError } from './problems.js';
import { printable } from './texts.js';

/** @typedef {import('./main.js').Given} Given */
/** @typedef {import('./playback.js').Playback} Playback */

/** An option of those that make a state. @type {import('./main.js').Command['options']} */
export const FROM_SNAPSHOT = {
  snapshot: { type: 'string', value: 'FILE', about: 'The state to begin with' },
};

/** A revision as it is written on a command line. @param {string} text @param {string} name */
export function revisionOf(text, name) {
  const revision = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
  if (revision < 0n || revision > 0xffff_ffff_ffff_ffffn)
    throw new UseError(`${name} must be a revision, an integer from 0`);
  return revision;
}

/** @param {string[]} files @param {Given} given */
export function demandFiles(files, { snapshot }) {
  if (files.length === 0 && snapshot === null) throw new UseError('which FILE? (- is standard input)');
}

/** @param {Playback} playback */
export function demandTasks({ contract }) {
  if (contract !== 'coordination')
    throw new UseError('this is a journal of results: there are no tasks in it');
}

/** That there is such a revision. @param {Playback} playback @param {bigint} revision */
export function demandReached({ handle, first, error }, revision) {
  if (handle.revision === revision) return;
  if (revision < first)
    throw new UseError(`there is no revision ${revision}: the first is ${first}`, NOT_THERE);
  const ends = error === null ? '' : `, where it is ${codeOf(error) === CUT_OFF ? 'cut off' : 'damaged'}`;
  throw new UseError(
    `there is no revision ${revision}: there are ${first} to ${handle.revision}${ends}`,
    NOT_THERE,
  );
}

/** Says why something ended early, and answers the exit code. @param {Given} given @param {Playback} playback */
export function ending({ warn }, { error, file }) {
  if (error === null) return SOUND;
  warn(`${printable(file ?? '')}: ${error.code}: ${error.message}`);
  return codeOf(error);
}

/** Everything that a pool holds. @param {any} pool */
export const stateOf = (pool) => ({
  snapshot: pool.snapshot(),
  tasks: pool.taskQueue.tasks(),
  workers: pool.getWorkers(),
});
