// leasegate verify: everything that can be checked.

import { LeasegateError } from '../errors.js';
import { apply, begun, ownSnapshot, Playback, restored } from './playback.js';
import { CUT_OFF, codeOf, DAMAGED, moved, problemJson, SOUND, UNCHECKED, UseError } from './problems.js';
import { FROM_SNAPSHOT, demandFiles } from './shared.js';
import { chaptersOf } from './sources.js';
import { coloured, counted, list, printable, styled } from './texts.js';

export const usage = 'verify FILE...';
export const summary = 'Whether a journal is sound: frames, revisions, every command, the state';
export const about = `Checks every checksum, the order of the revisions, that every command is accepted again, that the state at the end
does not contradict itself, and that the snapshots of a directory are what the journals before them lead to. So must a
snapshot that is given with --snapshot be, if the journal begins before it and can be followed from there. What has to be
taken on trust is said, and ends with 5. For scripts: what counts is the exit code.`;
/** @type {import('./main.js').Command['options']} */
export const options = {
  ...FROM_SNAPSHOT,
  digest: { type: 'string', value: 'HEX', about: 'What the digest of the state at the end has to be' },
};

/** @typedef {import('./main.js').Given} Given */

/** Of exit codes; all others are damage. @type {Record<number, string>} */
const STATES = { [SOUND]: 'sound', [UNCHECKED]: 'partly checked', [CUT_OFF]: 'cut off' };

/** No error of a file: it is of what was expected. */
const OTHER_DIGEST = {
  file: null,
  message: 'The state at the end is another than --digest says.',
  code: 'digest_differs',
};

/** A snapshot beside a later journal says what the journals before have led to. @param {any} lg @param {Playback} playback @param {import('./sources.js').Chapter} chapter @param {any} header */
async function compareSnapshot(lg, { handle }, chapter, { base }) {
  if (chapter.snapshot === null || base !== handle.revision) return;
  const { handle: other } = restored(lg, await chapter.snapshot());
  const same = other.stateDigest() === handle.stateDigest();
  other.dispose();
  if (!same) throw otherState(base);
}

/** @param {bigint} revision */
const otherState = (revision) =>
  new LeasegateError(
    'journal_snapshot_invalid',
    `The snapshot of revision ${revision} is another state than the journals before it lead to.`,
    { reason: 'invariant', offset: 0 },
  );

/** A snapshot that was given, and what it says about journals that lead to its revision. */
class Claim {
  #lg;
  #snapshot;
  /** Of the snapshot, while the journals have not led there. @type {bigint | null} */
  awaited = null;
  #digest = '';

  /** @param {any} lg @param {Uint8Array} snapshot */
  constructor(lg, snapshot) {
    this.#lg = lg;
    this.#snapshot = snapshot;
  }

  /**
   * The snapshot that the journal begins with, if there is a way from its beginning; else this one, on trust.
   * @param {import('./sources.js').Chapter} chapter @param {any} header @param {Uint8Array} bytes
   */
  async beginWith(chapter, header, bytes) {
    const own = await ownSnapshot(chapter, header);
    const handle = begun(this.#lg, header, bytes, this.#snapshot);
    const later = handle.revision > header.base && (header.base === 0n || own !== null);
    if (later) [this.awaited, this.#digest] = [handle.revision, handle.stateDigest()];
    handle.dispose();
    return later ? own : this.#snapshot;
  }

  /** Applies records, and compares on the way. @param {any} handle @param {Uint8Array} records @returns {import('./feeding.js').Taken} */
  take(handle, records) {
    if (this.awaited === null) return apply(handle, records);
    const { taken, error, done } = apply(handle, records, this.awaited);
    if (error !== null || !done) return { taken, error, done: false };
    if (handle.stateDigest() !== this.#digest) return { taken, error: otherState(this.awaited), done: false };
    this.awaited = null;
    const rest = apply(handle, records.subarray(taken));
    return { ...rest, taken: taken + rest.taken, error: rest.error && moved(rest.error, taken) };
  }
}

/** What the check had to take on trust, in a sentence. @param {Playback} playback @param {Claim | null} claim */
function trusted({ passedOver, handle }, claim) {
  if (claim !== null && claim.awaited !== null)
    return `The journals end with revision ${handle.revision}: whether they lead to the snapshot of revision ${claim.awaited} was not checked.`;
  if (passedOver === 0) return null;
  return `${counted(passedOver, 'record')} that the state held already ${passedOver === 1 ? 'was' : 'were'} passed over: whether they lead to it was not checked.`;
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
  if (chosen.digest !== undefined && !/^[0-9a-f]{64}$/i.test(chosen.digest))
    throw new UseError('--digest must be 64 hexadecimal digits');
  const playback = new Playback(lg, given.warn);
  const claim = snapshot === null ? null : new Claim(lg, snapshot);
  await playback.play(await chaptersOf(args), snapshot, {
    ...(claim && {
      beginWith: (chapter, header, bytes) => claim.beginWith(chapter, header, bytes),
      take: (going, records) => claim.take(going.handle, records),
    }),
    onChapter: (going, chapter, header) => compareSnapshot(lg, going, chapter, header),
  });
  const { handle, contract, first, applied } = playback;
  const digest = handle.stateDigest();
  const error = playback.error ?? contradiction(playback);
  const other = error === null && chosen.digest !== undefined && chosen.digest.toLowerCase() !== digest;
  const told = error !== null && codeOf(error) !== CUT_OFF; // then that is what counts
  const trust = told ? null : trusted(playback, claim);
  const sound = trust === null ? SOUND : UNCHECKED;
  const code = error === null ? (other ? DAMAGED : sound) : codeOf(error);
  const state = STATES[code] ?? 'damaged';
  if (chosen.json) {
    given.printJson({
      state,
      contract,
      first,
      last: handle.revision,
      records: applied,
      passedOver: playback.passedOver,
      unchecked: trust,
      digest,
      expected: chosen.digest ?? null,
      problem: other ? OTHER_DIGEST : problemJson(error, playback.file),
    });
    return code;
  }
  const facts = /** @type {[string, unknown][]} */ ([
    ['records', applied],
    ...(playback.passedOver === 0 ? [] : [['passed over', playback.passedOver]]),
    ['revisions', `${first} to ${handle.revision}`],
    ['digest', digest],
    ...(other ? [['expected', chosen.digest]] : []),
  ]);
  const name = args.length === 0 ? given.options.snapshot : args.join(' ');
  given.print([
    `${styled(page, 'bold', printable(name))}: ${coloured(page, state)}`,
    ...list(page, facts),
    ...(error === null ? [] : ['', `${printable(playback.file ?? '')}: ${error.code}: ${error.message}`]),
    ...(other ? ['', `${OTHER_DIGEST.code}: ${OTHER_DIGEST.message}`] : []),
    ...(trust === null ? [] : ['', trust]),
    ...(code === CUT_OFF
      ? [`Everything before is whole. To go on with the file, cut it there: ${playback.offset} bytes.`]
      : []),
  ]);
  return code;
}
