// leasegate verify: everything that can be checked.

import { LeasegateError } from '../errors.js';
import { Playback, restored } from './playback.js';
import { CUT_OFF, codeOf, DAMAGED, problemJson, SOUND } from './problems.js';
import { FROM_SNAPSHOT, demandFiles } from './shared.js';
import { chaptersOf } from './sources.js';
import { coloured, list, printable, styled } from './texts.js';

export const usage = 'verify FILE...';
export const summary = 'Whether a journal is sound: frames, revisions, every command, the state';
export const about = `Checks every checksum, the order of the revisions, that every command is accepted again, that the state at the end
does not contradict itself, and that the snapshots of a directory are what the journals before them lead to. For
scripts: what counts is the exit code.`;
/** @type {import('./main.js').Command['options']} */
export const options = {
  ...FROM_SNAPSHOT,
  digest: { type: 'string', value: 'HEX', about: 'What the digest of the state at the end has to be' },
};

/** @typedef {import('./main.js').Given} Given */

/** A snapshot beside a later journal says what the journals before have led to. @param {any} lg @param {Playback} playback @param {import('./sources.js').Chapter} chapter @param {any} header */
async function compareSnapshot(lg, { handle }, chapter, { base }) {
  if (chapter.snapshot === null || base !== handle.revision) return;
  const { handle: other } = restored(lg, await chapter.snapshot());
  const same = other.stateDigest() === handle.stateDigest();
  other.dispose();
  if (!same)
    throw new LeasegateError(
      'journal_snapshot_invalid',
      `The snapshot of revision ${base} is another state than the journals before it lead to.`,
      { reason: 'invariant', offset: 0 },
    );
}

/** @param {Playback} playback @returns {LeasegateError | null} */
function contradiction({ handle, contract }) {
  if (contract !== 'coordination') return null;
  try {
    handle.checkInvariants();
    return null;
  } catch (error) {
    if (!(error instanceof LeasegateError)) throw error;
    return error;
  }
}

/** @param {Given} given */
export async function run(given) {
  const { lg, args, snapshot, options: chosen, page } = given;
  demandFiles(args, given);
  const playback = new Playback(lg, given.warn);
  await playback.play(await chaptersOf(args), snapshot, {
    onChapter: (going, chapter, header) => compareSnapshot(lg, going, chapter, header),
  });
  const { handle, contract, first, applied } = playback;
  const digest = handle.stateDigest();
  const error = playback.error ?? contradiction(playback);
  const other = error === null && chosen.digest !== undefined && chosen.digest.toLowerCase() !== digest;
  const code = error === null ? (other ? DAMAGED : SOUND) : codeOf(error);
  const state = code === SOUND ? 'sound' : code === CUT_OFF ? 'cut off' : 'damaged';
  if (chosen.json) {
    given.printJson({
      state,
      contract,
      first,
      last: handle.revision,
      records: applied,
      digest,
      expected: chosen.digest ?? null,
      problem: problemJson(error, playback.file),
    });
    return code;
  }
  const facts = /** @type {[string, unknown][]} */ ([
    ['records', applied],
    ['revisions', `${first} to ${handle.revision}`],
    ['digest', digest],
    ...(other ? [['expected', chosen.digest]] : []),
  ]);
  const name = args.length === 0 ? given.options.snapshot : args.join(' ');
  given.print([
    `${styled(page, 'bold', printable(name))}: ${coloured(page, state)}`,
    ...list(page, facts),
    ...(error === null ? [] : ['', `${printable(playback.file ?? '')}: ${error.code}: ${error.message}`]),
    ...(code === CUT_OFF
      ? [`Everything before is whole. To go on with the file, cut it there: ${playback.offset} bytes.`]
      : []),
  ]);
  return code;
}
