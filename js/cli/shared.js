// What several commands do alike.

import { codeOf, SOUND, UseError } from './problems.js';
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
