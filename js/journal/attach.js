// A host's journal on a handle: pushed to a function after every accepted command, or kept until it is taken.

import { optionsOf } from '../boundary/arguments.js';
import { concatenated } from '../boundary/bytes.js';
import { LeasegateError } from '../errors.js';
import {
  DEFAULT_JOURNAL_BYTES,
  MAX_JOURNAL_BYTES,
  OP_ATTACH,
  OP_BLOCK,
  OP_TAKE,
  OP_TAKEN,
} from '../generated/journal.js';
import { JournalEntry } from './records.js';

/** @typedef {import('../boundary/port.js').Port} Port */

/**
 * What the option `journal` asks for; checked before anything is made.
 * @param {any} journal a sink, or how much is kept for `takeRecords`; absent for none
 * @returns {{ sink: ((entry: JournalEntry) => unknown) | null, maxBytes: number } | null}
 */
export function journalOption(journal) {
  if (journal === undefined || journal === null) return null;
  if (typeof journal === 'function') return { sink: journal, maxBytes: MAX_JOURNAL_BYTES };
  if (typeof journal !== 'object') throw new TypeError('journal must be a function or an object');
  const { maxBytes = DEFAULT_JOURNAL_BYTES } = optionsOf(journal, 'journal', ['maxBytes']);
  if (!Number.isInteger(maxBytes) || maxBytes < 1 || maxBytes > MAX_JOURNAL_BYTES)
    throw maxBytesError(maxBytes);
  return { sink: null, maxBytes };
}

/** @param {unknown} maxBytes */
function maxBytesError(maxBytes) {
  const message = `journal.maxBytes must be an integer from 1 to ${MAX_JOURNAL_BYTES}`;
  return typeof maxBytes === 'number' || typeof maxBytes === 'bigint'
    ? new RangeError(message)
    : new TypeError(message);
}

/** @param {Port} port @param {ReturnType<typeof journalOption>} option */
export function attachJournal(port, option) {
  if (option === null) return;
  const { sink, maxBytes } = option;
  port.open().putU64(maxBytes, 'journal.maxBytes');
  port.journal(OP_ATTACH);
  if (sink !== null) port.onAccepted = () => deliver(port, sink);
}

/**
 * Hands over what the command has recorded. Its answer has been read already, so the sink may use the handle.
 * @param {Port} port @param {(entry: JournalEntry) => unknown} sink
 */
function deliver(port, sink) {
  const entry = take(port);
  if (entry === null) return;
  try {
    demandDone(sink(entry));
  } catch (cause) {
    keepUndelivered(port, entry);
    throw sinkError(entry.revision, cause);
  }
}

/**
 * A promise says nothing yet: whether the record was written would be known after the command has answered.
 * @param {any} answer of a sink
 */
function demandDone(answer) {
  const waits = (typeof answer === 'object' && answer !== null) || typeof answer === 'function';
  if (!waits || typeof answer.then !== 'function') return;
  Promise.resolve(answer).catch(() => {}); // the command fails for it already
  throw new TypeError(
    'a sink must be synchronous, and no promise: its record has to be written when it returns',
  );
}

/**
 * Until it is taken, nothing may follow: what comes later would leave a gap in the host's journal.
 * @param {Port} port @param {JournalEntry} entry
 */
function keepUndelivered(port, entry) {
  if (port.native === null) return; // disposed of by the sink: there is nothing left to block
  port.undelivered.push(entry);
  port.open().putU64(entry.revision, 'revision');
  port.journal(OP_BLOCK);
}

/** @param {Port} port @returns {JournalEntry | null} */
function take(port) {
  port.open();
  const frame = port.journal(OP_TAKE);
  const bytes = frame.getPlacedBytes();
  const revision = frame.getU64();
  if (bytes.length === 0) return null;
  port.open();
  port.journal(OP_TAKEN);
  return new JournalEntry(bytes, revision);
}

/**
 * The records since the last time, one after the other; those first that a sink did not take.
 * @param {Port} port
 */
export function takeRecords(port) {
  const kept = take(port);
  // A sink that gave a command itself may have failed at that command's record first.
  const failed = [...port.undelivered].sort((a, b) => (a.revision < b.revision ? -1 : 1));
  const parts = [...failed, ...(kept === null ? [] : [kept])].map(({ bytes }) => bytes);
  if (port.undelivered.length > 0) {
    port.undelivered = [];
    port.open();
    port.journal(OP_TAKEN); // lifts the block
  }
  return parts.length === 1 ? parts[0] : concatenated(parts);
}

/** @param {bigint} revision @param {unknown} cause */
function sinkError(revision, cause) {
  return new LeasegateError(
    'journal_sink_failed',
    `The sink of the journal failed at revision ${revision}. The command was applied; its record is kept for takeRecords, and until then no command is applied.`,
    { revision },
    { cause },
  );
}
