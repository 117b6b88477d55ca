// From what a storage holds to a machine, and a storage that can be written to. All that is judged here is judged by the
// core: whether a snapshot is sound, where a journal ends, whether what is missing at its end was only cut off.

import { concatenated } from '../boundary/bytes.js';
import { defineRecord } from '../boundary/records.js';
import { LeasegateError } from '../errors.js';
import { FRAME_HEAD_BYTES, FRAME_TAIL_BYTES } from '../generated/journal.js';
import { called, damagedError } from '../storage/errors.js';
import { chapterOf } from './chapter.js';

/**
 * @typedef {import('../storage/types.js').StorageSession} StorageSession
 * @typedef {{ limits: unknown, maxPendingBytes: number }} Options
 */

/**
 * The kind of machine: its class, and what it is called in the answer of its `replay`, and how many
 * bytes a record has at most.
 * @typedef {{ Machine: any, handle: 'pool' | 'aggregator', readJournalHeader: (journal: Uint8Array) => any,
 *   longestRecord: (limits: any) => number }} Kind
 */

/** What was found when the storage was opened. */
export class Recovery {
  /** @param {bigint} revision @param {{ snapshotRevision?: bigint | null, applied?: number, cutBytes?: number, passedOver?: string[] }} [found] */
  constructor(revision, { snapshotRevision = null, applied = 0, cutBytes = 0, passedOver = [] } = {}) {
    this.revision = revision;
    this.snapshotRevision = snapshotRevision;
    this.applied = applied;
    this.cutBytes = cutBytes;
    this.passedOver = Object.freeze([...passedOver]);
    Object.freeze(this);
  }
}
defineRecord(Recovery, []);

/**
 * @param {Kind} kind @param {StorageSession} session @param {Options} options
 * @returns {Promise<{ machine: any, recovery: Recovery, snapshotBytes: number, damaged: bigint[] }>} with a chapter that
 *   holds no records
 */
export async function recover(kind, session, options) {
  const found =
    session.chapters.length === 0 ? begun(kind, options) : await findMachine(kind, session, options);
  const { machine, recovery, fresh, damaged } = found;
  let { snapshotBytes } = found;
  try {
    checkLimits(kind, machine, options.limits);
    checkRoom(kind, machine, options.maxPendingBytes);
    if (!fresh) {
      const chapter = chapterOf(machine, damaged);
      await called('begin', () => session.beginChapter(chapter));
      snapshotBytes = chapter.snapshot?.length ?? 0;
    }
    return { machine, recovery, snapshotBytes, damaged };
  } catch (error) {
    machine.dispose();
    throw error;
  }
}

/**
 * A machine, and how it was found. `fresh` says that the last chapter can be gone on with: it holds no records yet and
 * its snapshot was read. Otherwise another has to begin: what was read may lie in the system's cache only and have
 * failed to get to the disk, so it is written again before anything rests on it. `damaged` are the bases of the chapters
 * that were passed over and that no other one takes the place of.
 * @typedef {{ machine: any, recovery: Recovery, fresh: boolean, snapshotBytes: number, damaged: bigint[] }} Found
 */

/** @param {Kind} kind @param {Options} options @returns {Found} */
function begun({ Machine }, { limits, maxPendingBytes }) {
  const machine = new Machine({ limits, journal: { maxBytes: maxPendingBytes } });
  return { machine, recovery: new Recovery(0n), fresh: false, snapshotBytes: 0, damaged: [] };
}

/**
 * From the last snapshot that is sound, and all journals from there on.
 * @param {Kind} kind @param {StorageSession} session @param {Options} options
 * @returns {Promise<Found>}
 */
async function findMachine(kind, session, options) {
  /** @type {Part[]} the journals from a chapter on */
  const parts = [];
  /** @type {string[]} */
  const passedOver = [];
  /** @type {bigint[]} */
  const bases = [];
  /** @type {unknown} */
  let why;
  for (const { base, snapshot: name, journal } of [...session.chapters].reverse()) {
    if (journal !== null) {
      const bytes = await called('read', () => session.readJournal(base));
      parts.unshift(new Part(kind, base, journal, bytes));
    }
    // Without a journal there is only the last one, when a crash came between the two.
    if (journal === null ? parts.length > 0 : name === null && base > 0n) {
      passedOver.push(journal ?? name ?? '');
      bases.push(base);
      continue;
    }
    const snapshot = name === null ? null : await called('read', () => session.readSnapshot(base));
    try {
      const { machine, report } = replayed(kind, parts, snapshot, options);
      const cutBytes = await checkEnd(session, parts, machine, report);
      const fresh = parts.length === 1 && parts[0].size - cutBytes === parts[0].header.size;
      const snapshotRevision = name === null ? null : base;
      const found = { snapshotRevision, applied: report.applied, cutBytes, passedOver };
      const recovery = new Recovery(machine.revision, found);
      const damaged = bases.filter((each) => each !== machine.revision);
      return { machine, recovery, fresh, snapshotBytes: snapshot?.length ?? 0, damaged };
    } catch (error) {
      if (!isDamage(error)) throw error;
      why = error;
      passedOver.push(name ?? journal ?? '');
      bases.push(base);
    }
  }
  throw damagedError('snapshot', passedOver[0], null, why);
}

/**
 * @param {Kind} kind @param {Part[]} parts @param {Uint8Array | null} snapshot @param {Options} options
 * @returns {{ machine: any, report: { applied: number, stopped: { offset: number, error: any } | null } }}
 */
function replayed(kind, parts, snapshot, { maxPendingBytes }) {
  const journal = { maxBytes: maxPendingBytes };
  if (parts.length === 0) {
    const machine = kind.Machine.fromSnapshot(snapshot, { journal });
    return { machine, report: { applied: 0, stopped: null } };
  }
  const { [kind.handle]: machine, report } = kind.Machine.replay(joined(parts), { snapshot, journal });
  return { machine, report };
}

/** One journal of those that are replayed together. */
class Part {
  /** @param {Kind} kind @param {bigint} base @param {string} journal its name @param {Uint8Array} bytes */
  constructor({ readJournalHeader }, base, journal, bytes) {
    this.journal = journal;
    this.bytes = bytes;
    this.size = bytes.length;
    try {
      this.header = readJournalHeader(bytes);
    } catch (error) {
      throw isDamage(error) ? damagedError('journal', journal, 0, error) : error;
    }
    if (this.header.base !== base) throw damagedError('gap', journal, 0);
  }
}

/** The first header, and the records of all. @param {Part[]} parts */
function joined(parts) {
  if (parts.length === 1) return parts[0].bytes;
  return concatenated(
    parts.map(({ bytes, header }, index) => (index === 0 ? bytes : bytes.subarray(header.size))),
  );
}

/**
 * That replaying came to the end of all journals, or to a record at the very end that was cut off: which is cut away.
 * @param {StorageSession} session @param {Part[]} parts @param {any} machine
 * @param {{ stopped: { offset: number, error: any } | null }} report
 * @returns {Promise<number>} the bytes that were cut away
 */
async function checkEnd(session, parts, machine, { stopped }) {
  try {
    const { revision } = machine;
    const beyond = session.chapters.find(({ base }) => base > revision);
    let cutBytes = 0;
    if (stopped !== null) {
      const { part, offset } = placeOf(parts, stopped.offset);
      const mayBeCutOff = part === parts.at(-1) && !beyond && !session.atomicAppends;
      if (!mayBeCutOff || !isCutOff(machine, part.bytes, offset, stopped.error))
        throw damagedError('journal', part.journal, offset, stopped.error);
      await called('truncate', async () => session.truncateJournal?.(part.header.base, offset));
      cutBytes = part.size - offset;
    }
    if (beyond) throw damagedError('gap', beyond.journal ?? beyond.snapshot ?? '', null);
    return cutBytes;
  } catch (error) {
    machine.dispose();
    throw error;
  }
}

/**
 * Whether a write was cut off here: the record ends early, or what is missing of it, and all that follows, is zeros. So
 * it looks when a file's size got to the disk before its bytes did. A whole record may end in zeros too, when its
 * checksum does: so many say nothing about a record that is damaged, which may have been acknowledged.
 * @param {any} machine @param {Uint8Array} bytes @param {number} offset @param {{ code: string }} error
 */
function isCutOff(machine, bytes, offset, error) {
  if (error.code === 'journal_truncated') return true;
  if (error.code !== 'journal_checksum_mismatch') return false;
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const zeros = bytes.length - end;
  const holdsRecord = bytes.length - offset >= FRAME_HEAD_BYTES + FRAME_TAIL_BYTES;
  if (zeros === 0 || (holdsRecord && zeros <= FRAME_TAIL_BYTES)) return false;
  const { stopped } = machine.applyBatch(bytes.subarray(offset, end));
  return stopped?.error.code === 'journal_truncated' && stopped.offset === 0;
}

/** Where an offset in the joined journals lies. @param {Part[]} parts @param {number} offset */
function placeOf(parts, offset) {
  let from = 0; // of the part's records, in the whole
  for (const [index, part] of parts.entries()) {
    const skipped = index === 0 ? 0 : part.header.size;
    const size = part.size - skipped;
    if (offset < from + size || index === parts.length - 1) return { part, offset: offset - from + skipped };
    from += size;
  }
  throw new RangeError('The offset lies in none of the parts');
}

/** What damaged bytes are refused for. What is of another contract or of a newer version is not damaged. @param {any} error */
function isDamage(error) {
  return error instanceof LeasegateError && DAMAGE.has(/** @type {any} */ (error).code);
}
const DAMAGE = new Set([
  'journal_bad_magic',
  'journal_truncated',
  'journal_checksum_mismatch',
  'journal_malformed',
  'journal_snapshot_invalid',
  'journal_snapshot_required',
  'journal_limits_differ',
  'journal_revision_gap',
]);

/**
 * A limit that is asked for has to be what it was when the storage was begun; those that are not asked for are what
 * they were.
 * @param {Kind} kind @param {any} machine @param {any} limits
 */
function checkLimits({ Machine, readJournalHeader }, machine, limits) {
  const { limits: stored } = readJournalHeader(machine.journalHeader());
  const names = Object.keys({ ...stored, ...limits }); // what is no limit is told, absent or not
  const asked = new Machine({
    limits: Object.fromEntries(names.map((name) => [name, limits[name] ?? stored[name]])),
  });
  const { limits: wanted } = readJournalHeader(asked.journalHeader());
  asked.dispose();
  const differing = Object.keys(stored).find((key) => stored[key] !== wanted[key]);
  if (differing === undefined) return;
  const name = differing.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  throw new LeasegateError(
    'journal_limits_differ',
    `The storage was begun with another ${name}; the limits of what is stored cannot be changed.`,
    { name },
  );
}

/**
 * A command whose record has no room in an empty buffer would be refused for ever.
 * @param {Kind} kind @param {any} machine @param {number} maxPendingBytes
 */
function checkRoom({ readJournalHeader, longestRecord }, machine, maxPendingBytes) {
  const longest = longestRecord(readJournalHeader(machine.journalHeader()).limits);
  if (maxPendingBytes < longest)
    throw new RangeError(
      `maxPendingBytes must be at least ${longest}: a record can be as long with these limits`,
    );
}
