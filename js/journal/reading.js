// Looking into journals without a machine.

import { integerError, optionsOf, requiredBytes } from '../boundary/arguments.js';
import { IdTexts } from '../boundary/id-texts.js';
import { readError } from '../errors.js';
import { DISTRIBUTED_LIMITS } from '../generated/coordination.js';
import { JournalContract, MAX_HEADER_BYTES } from '../generated/journal.js';
import { readCommand } from '../generated/recorded.js';
import { RESULT_LIMITS } from '../generated/results.js';
import { withPayload } from './journaled.js';
import { JournalHeader, JournalRecord } from './records.js';

/** @typedef {import('../boundary/runtime.js').Runtime} Runtime */

/** What is shown of a record at first: most are shorter. */
const FIRST_BYTES = 4096;
/** Ids within records have no keys: there is nothing to remember. */
const NO_IDS = { tasks: new IdTexts(), workers: new IdTexts() };

/** @param {Runtime} runtime @param {() => number} call */
function ask(runtime, call) {
  const status = runtime.enter(call);
  runtime.frame.answer();
  if (status !== 0) throw readError(runtime.frame);
  return runtime.frame;
}

/** @param {Runtime} runtime @param {unknown} journal */
export function readJournalHeader(runtime, journal) {
  const bytes = requiredBytes(journal, 'journal').subarray(0, MAX_HEADER_BYTES);
  return withPayload(runtime, [bytes], () => {
    runtime.frame.begin();
    runtime.frame.putSlot(bytes.length);
    const frame = ask(runtime, () => runtime.core.readJournalHeader());
    const contract = frame.getName(JournalContract);
    const base = frame.getU64();
    const size = Number(frame.getU64());
    const table = contract === 'coordination' ? DISTRIBUTED_LIMITS : RESULT_LIMITS;
    const limits = Object.fromEntries(table.map(([field]) => [field, Number(frame.getU64())]));
    return new JournalHeader(contract, Object.freeze(limits), base, size);
  });
}

/**
 * The records in `records`, one after the other; throws at the first that is none, after all before it were given.
 * @param {Runtime} runtime @param {unknown} records @param {any} [options]
 * @returns {Generator<JournalRecord, void, void>}
 */
export function readRecords(runtime, records, options) {
  const bytes = requiredBytes(records, 'records');
  const offset = optionsOf(options, 'options', ['offset']).offset ?? 0;
  if (!Number.isSafeInteger(offset) || offset < 0 || offset > bytes.length)
    throw integerError(offset, 'offset', bytes.length);
  return recordsFrom(runtime, bytes, offset);
}

/** @param {Runtime} runtime @param {Uint8Array} bytes @param {number} from @returns {Generator<JournalRecord, void, void>} */
function* recordsFrom(runtime, bytes, from) {
  let at = from;
  let index = 0;
  let room = FIRST_BYTES;
  const size = bytes.length;
  while (at < size) {
    // Between two records the caller's code runs; bytes that have gone elsewhere are no end of the journal.
    if (bytes.length !== size) throw new TypeError('records lies in a detached buffer');
    const end = Math.min(bytes.length, at + room);
    const { next, record } = readOne(runtime, bytes.subarray(at, end), at, index, end < bytes.length);
    if (record === null) {
      room *= 2; // longer than what was shown of it
      continue;
    }
    yield record;
    at = next;
    index += 1;
    room = FIRST_BYTES;
  }
}

/** Null when the record does not end in `piece` and there is `more`. @param {Runtime} runtime @param {Uint8Array} piece @param {number} offset @param {number} index @param {boolean} more */
function readOne(runtime, piece, offset, index, more) {
  return withPayload(runtime, [piece], () => {
    runtime.frame.begin();
    runtime.frame.putU64(offset, 'offset');
    runtime.frame.putSlot(piece.length);
    try {
      const frame = ask(runtime, () => runtime.core.readRecord());
      const next = Number(frame.getU64());
      const revision = frame.getU64();
      const kind = frame.getU32();
      const command = readCommand(frame, frame.slot, NO_IDS, kind);
      return { next, record: new JournalRecord(index, offset, next - offset, revision, command) };
    } catch (error) {
      if (more && /** @type {any} */ (error)?.code === 'journal_truncated')
        return { next: offset, record: null };
      throw error;
    }
  });
}
