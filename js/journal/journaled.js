// What handles on recorded machines have in common: batches, snapshots, digests, and the way back from bytes.

import { integerError, optionsOf, requiredBytes } from '../boundary/arguments.js';
import { made, Port } from '../boundary/port.js';
import { LeasegateError, outOfMemoryError, readError } from '../errors.js';
import {
  FRAME_HEAD_BYTES,
  FRAME_TAIL_BYTES,
  MAX_HEADER_BYTES,
  OP_APPLY_BATCH,
  OP_EXPORT_SNAPSHOT,
  OP_HEADER,
  OP_RELEASE,
  OP_STATE_DIGEST,
} from '../generated/journal.js';
import { attachJournal, journalOption } from './attach.js';
import { BatchReport, BatchStop } from './records.js';

/** @typedef {import('../boundary/runtime.js').Runtime} Runtime */

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
/** Records cross in pieces of this size, so that a long journal needs no memory of its length. */
const PIECE_BYTES = 1024 * 1024;

/** @param {unknown} value */
function revisionOption(value) {
  if (value === undefined || value === null) return MAX_U64;
  const fits = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  const revision = fits ? BigInt(value) : -1n;
  if (revision < 0n || revision > MAX_U64) throw integerError(value, 'untilRevision', MAX_U64);
  return revision;
}

/**
 * Calls the core with bytes beside the frame.
 * @template T @param {Runtime} runtime @param {Uint8Array[]} parts one after the other @param {() => T} call @returns {T}
 */
export function withPayload(runtime, parts, call) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  try {
    const room = runtime.putPayload(size, (memory, at) => {
      let to = at;
      for (const part of parts) {
        memory.set(part, to);
        to += part.length;
      }
    });
    if (!room) throw outOfMemoryError();
    return call();
  } finally {
    runtime.releasePayload();
  }
}

/** Bytes that the core has made for the occasion. @param {Port} port @param {number} op */
function madeBytes(port, op) {
  port.open();
  const bytes = port.journal(op).getPlacedBytes();
  port.open();
  port.journal(OP_RELEASE);
  return bytes;
}

/** @param {Port} port */
export const journalHeader = (port) => madeBytes(port, OP_HEADER);

/** @param {Port} port */
export const exportSnapshot = (port) => madeBytes(port, OP_EXPORT_SNAPSHOT);

/** @param {Port} port @returns {string} */
export function stateDigest(port) {
  port.open();
  const digest = port.journal(OP_STATE_DIGEST).getBytes();
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether there is one, then the number. @param {import('../boundary/frame.js').Frame} frame */
function optionalU64(frame) {
  const given = frame.getBool();
  const value = frame.getU64();
  return given ? value : null;
}

/**
 * One piece of records through the core.
 * @param {Port} port @param {Uint8Array[]} parts of the piece @param {number} base where it begins in the whole
 * @param {{ until: bigint, known: bigint, passed: bigint | null }} bounds
 */
function applyPiece(port, parts, base, { until, known, passed }) {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return withPayload(port.runtime, parts, () => {
    const frame = port.open();
    frame.putU64(until, 'untilRevision');
    frame.putU64(known, 'known');
    frame.putSlot(passed === null ? 0 : 1);
    frame.putU64(passed ?? 0, 'passed');
    frame.putU64(base, 'base');
    frame.putSlot(size);
    port.journal(OP_APPLY_BATCH);
    return {
      applied: Number(frame.getU64()),
      read: Number(frame.getU64()),
      offset: Math.max(base, Number(frame.getU64())),
      revision: frame.getU64(),
      passed: optionalU64(frame),
      error: frame.getBool() ? readError(frame) : null,
    };
  });
}

/**
 * Records one after the other, piece by piece. A piece may end within a record: then the next one begins with it.
 * @param {Port} port @param {Uint8Array} bytes
 * @param {{ from: number, until: bigint, known: bigint, passed?: bigint | null, pieceBytes?: number }} options passed: the
 *   revision before the first record, when that is known: then nothing may be missing of what is known
 */
export function applyRecords(port, bytes, { from, until, known, passed = null, pieceBytes = PIECE_BYTES }) {
  let at = from;
  let before = passed;
  let room = pieceBytes;
  let applied = 0;
  let index = 0;
  for (;;) {
    const end = Math.min(bytes.length, at + room);
    const piece = applyPiece(port, [bytes.subarray(at, end)], at, { until, known, passed: before });
    before = piece.passed;
    applied += piece.applied;
    index += piece.read;
    if (piece.applied > 0 && port.onAccepted !== null) port.onAccepted();
    const cut = piece.error?.code === 'journal_truncated' && end < bytes.length;
    if (piece.error !== null && !cut)
      return new BatchReport(
        applied,
        piece.revision,
        piece.offset,
        new BatchStop(index, piece.offset, piece.error),
      );
    // Nothing fitted: the record is longer than the piece.
    room = cut && piece.offset === at ? room * 2 : pieceBytes;
    at = piece.offset;
    if (!cut && (at === bytes.length || piece.revision >= until))
      return new BatchReport(applied, piece.revision, at, null);
  }
}

/** What a record has around its body. */
const FRAME_BYTES = FRAME_HEAD_BYTES + FRAME_TAIL_BYTES;

/** Whether it says of itself that it is one frame, no more and no less. The core reads the same length. @param {unknown} piece */
function isFrame(piece) {
  if (!(piece instanceof Uint8Array) || piece.length <= FRAME_BYTES) return false;
  const length = piece[0] + piece[1] * 0x100 + piece[2] * 0x1_0000 + piece[3] * 0x100_0000;
  return length === piece.length - FRAME_BYTES;
}

/** As many as are frames and fit into one call. @param {readonly unknown[]} pieces @param {number} from */
function framesFrom(pieces, from) {
  /** @type {Uint8Array[]} */
  const frames = [];
  let size = 0;
  for (let i = from; i < pieces.length && isFrame(pieces[i]); i += 1) {
    const frame = /** @type {Uint8Array} */ (pieces[i]);
    size += frame.length;
    if (size > PIECE_BYTES) break;
    frames.push(frame);
  }
  return frames;
}

/**
 * Records that came one by one: each piece has to be one of them, no more and no less, wherever the batch was cut.
 * @param {Port} port @param {readonly unknown[]} pieces @param {bigint} until
 */
function applyEach(port, pieces, until) {
  let { revision } = applyPiece(port, [], 0, { until: 0n, known: 0n, passed: null });
  let index = 0;
  let offset = 0;
  while (index < pieces.length && revision < until) {
    const frames = framesFrom(pieces, index);
    const alone = frames.length === 0;
    const parts = alone ? [requiredBytes(pieces[index], `records[${index}]`)] : frames;
    const bounds = { until: alone ? revision + 1n : until, known: 0n, passed: null };
    const piece = applyPiece(port, parts, offset, bounds);
    if (piece.applied > 0 && port.onAccepted !== null) port.onAccepted();
    const whole = alone
      ? piece.applied === 1 && piece.offset === offset + parts[0].length
      : piece.applied > 0;
    const error = piece.error ?? (whole ? null : notOneRecord(piece.offset));
    ({ revision } = piece);
    if (error !== null) {
      // What is more than a record begins behind one that was applied.
      const at = alone ? offset : piece.offset;
      index += alone ? 0 : piece.applied;
      const applied = index + (alone ? piece.applied : 0);
      return new BatchReport(applied, revision, at, new BatchStop(index, at, error));
    }
    index += piece.applied;
    offset = piece.offset;
  }
  return new BatchReport(index, revision, offset, null);
}

/** @param {number} offset */
function notOneRecord(offset) {
  const message = `There is more, or less, than one record up to byte ${offset}.`;
  return new LeasegateError('journal_malformed', message, { reason: 'trailing_bytes', offset });
}

/** @param {Port} port @param {unknown} records @param {any} [options] */
export function applyBatch(port, records, options) {
  const { untilRevision } = optionsOf(options, 'options', ['untilRevision']);
  const until = revisionOption(untilRevision);
  if (Array.isArray(records)) return applyEach(port, records, until);
  const bytes = requiredBytes(records, 'records');
  return applyRecords(port, bytes, { from: 0, until, known: 0n });
}

/**
 * A port on the machine of a snapshot.
 * @param {Runtime} runtime @param {string} name of the binding class @param {unknown} snapshot @param {any} [options]
 */
export function portOfSnapshot(runtime, name, snapshot, options) {
  const bytes = requiredBytes(snapshot, 'snapshot');
  const journal = journalOption(optionsOf(options, 'options', ['journal']).journal);
  const native = withPayload(runtime, [bytes], () => {
    runtime.frame.begin();
    runtime.frame.putSlot(bytes.length);
    return made(runtime, () => runtime.core[name].fromSnapshot());
  });
  const port = new Port(runtime, native, name);
  attachJournal(port, journal);
  return port;
}

/** What a journal's header is read from. @param {Uint8Array} journal */
export const headOf = (journal) => journal.subarray(0, MAX_HEADER_BYTES);

/**
 * A port on the machine that a journal leads to, and how far it led.
 * @param {Runtime} runtime @param {string} name of the binding class @param {unknown} journal @param {any} [options]
 */
export function portOfJournal(runtime, name, journal, options) {
  const bytes = requiredBytes(journal, 'journal');
  const names = ['untilRevision', 'snapshot', 'journal'];
  const { untilRevision, snapshot: given, journal: wanted } = optionsOf(options, 'options', names);
  const until = revisionOption(untilRevision);
  const snapshot = given === undefined || given === null ? null : requiredBytes(given, 'snapshot');
  const sink = journalOption(wanted);
  const { port, from, base, known } = beginReplay(runtime, name, headOf(bytes), snapshot, until);
  try {
    const report = applyRecords(port, bytes, { from, until, known, passed: base });
    attachJournal(port, sink);
    return { port, report };
  } catch (error) {
    port.dispose();
    throw error;
  }
}

/**
 * Before any record there is one gap only: the core speaks of a record, the caller gave a snapshot.
 * @template T @param {() => T} begin @returns {T}
 */
function beginning(begin) {
  try {
    return begin();
  } catch (error) {
    if (!(error instanceof LeasegateError) || error.code !== 'journal_revision_gap') throw error;
    const { expected, actual } = /** @type {any} */ (error);
    throw new LeasegateError(
      'journal_revision_gap',
      `The snapshot of revision ${actual} is later than untilRevision, which is ${expected}.`,
      { expected, actual },
    );
  }
}

/**
 * A port on what a journal's records are to be applied to; where they begin, and up to which revision they are known.
 * @param {Runtime} runtime @param {string} name @param {Uint8Array} head the journal's first bytes
 * @param {Uint8Array | null} snapshot @param {bigint} until
 */
export function beginReplay(runtime, name, head, snapshot, until) {
  const { frame } = runtime;
  return withPayload(runtime, snapshot === null ? [head] : [snapshot, head], () => {
    const snapshotBytes = snapshot === null ? 0 : snapshot.length;
    frame.begin();
    frame.putU64(until, 'untilRevision');
    frame.putSlot(snapshotBytes);
    frame.putSlot(snapshotBytes + head.length);
    const native = beginning(() => made(runtime, () => runtime.core[name].beginReplay()));
    const from = Number(frame.getU64());
    const base = frame.getU64();
    return { port: new Port(runtime, native, name), from, base, known: frame.getU64() };
  });
}
