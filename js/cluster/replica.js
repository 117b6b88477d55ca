// One host's part of a replicated machine. It knows no network: a log takes messages and brings them back in order.
//
// `settled` holds what came back; reads are of it. `ahead` is the same machine with this host's commands in flight
// applied already: that decides them, and makes their records. A command is answered once its record stands in the log
// at the place for which it was decided.
//
// A message is a *root* or *chained*. The log takes a message only at the place that it was decided for (that is what
// an expected last sequence says). For a root that is enough: what it was decided on has settled. A chained one was
// decided on a message of the same author that was itself still in flight. Should another host's message have taken
// that one's place, the chained one can still fit by its number; so every host passes it over unless the message right
// before it is in force and of the same author. Every run of commands has its own author, and a conflict ends a run.

import { busyError, closedError, conflictError, divergedError } from './errors.js';
import { sameBytes } from './texts.js';

/**
 * @typedef {object} Message one message of the log
 * @property {number} sequence
 * @property {'root' | 'chained' | 'void'} kind
 * @property {string} author host and run
 * @property {Uint8Array} bytes one record
 *
 * @typedef {any} Machine what is replicated: a pool or an aggregator
 *
 * @typedef {{ ok: true, revision: bigint, value: unknown } | { ok: false, error: Error }} Decision
 *
 * @typedef {object} Command
 * @property {(machine: any, expectedRevision: bigint | number) => Decision} decide
 * @property {bigint | number | null} expectedRevision
 * @property {number} attempts how often it may be decided anew after a conflict
 * @property {(answer: Decision) => void} settle called once
 *
 * @typedef {object} Log
 * @property {(entry: Entry) => void} send
 * @property {(record: Uint8Array) => Error | null} refuses what it cannot take at all
 * @property {() => void} conflicted what was sent so far has lost its place
 */

/** @param {Decision} answer */
const isConflict = (answer) => !answer.ok && /** @type {any} */ (answer.error).code === 'revision_conflict';

/** A command between its first decision and its answer. */
export class Entry {
  /** @param {Command} command */
  constructor(command) {
    this.command = command;
    this.attempts = command.attempts;
    this.freeAttempts = 0;
    /** The revision that the caller decided on; null for whatever is current. */
    this.wanted = command.expectedRevision;
    /** @type {'queued' | 'sent' | 'parked' | 'settled'} */
    this.state = 'queued';
    this.place = 0;
    this.author = '';
    /** @type {'root' | 'chained'} */
    this.kind = 'root';
    /** @type {Uint8Array} */
    this.bytes = NOTHING;
    this.expected = 0n;
    /** @type {Decision | null} */
    this.answer = null;
    /** The log says that it stands at its place. */
    this.acked = false;
    /** For the log: its message id and when it went out. */
    this.id = '';
    this.sentAt = 0;
  }
}

const NOTHING = new Uint8Array(0);
/** Messages that may be voided in a row before a host gives a command up: a bound for what cannot go on for ever. */
const MAX_FREE_ATTEMPTS = 10_000;

export class Replica {
  /**
   * @param {object} options
   * @param {Machine} options.settled
   * @param {number} options.sequence of the last message that is in it
   * @param {string} [options.tip] the author of that message, if it is in force
   * @param {(snapshot: Uint8Array, sink: (entry: { bytes: Uint8Array }) => void) => Machine} options.copy
   * @param {Log} options.log
   * @param {() => string} options.nextAuthor
   * @param {number} options.maxInFlight
   * @param {number} options.maxPending
   * @param {(attempt: number) => number} options.backoffMs how long to wait after so many conflicts in a row
   * @param {(callback: () => void, ms: number) => unknown} options.later
   * @param {(messages: readonly Message[]) => void} [options.onApplied]
   * @param {(error: Error) => void} [options.onStopped]
   */
  constructor(options) {
    this.options = options;
    this.settled = options.settled;
    this.sequence = options.sequence;
    this.tip = options.tip ?? '';
    this.log = options.log;
    this.author = options.nextAuthor();
    /** @type {Machine | null} */
    this.ahead = null;
    /** Sent and parked, in the order of their decisions. @type {Entry[]} */
    this.flight = [];
    this.sent = 0;
    /** @type {Entry[]} */
    this.queue = [];
    this.window = options.maxInFlight;
    this.conflicts = 0; // in a row
    this.waiting = false;
    /** Until it is up to date for the first time nothing is decided. */
    this.held = true;
    /** Settled by their acknowledgement, and still to come back: place and bytes. @type {Map<number, Uint8Array>} */
    this.unconfirmed = new Map();
    /** @type {Error | null} */
    this.stopped = null;
    /** What a command is told once all has stopped. @type {(sent: boolean) => Error} */
    this.outcomeOf = () => /** @type {Error} */ (this.stopped);
    this.counts = { settled: 0, conflicts: 0, voids: 0, rebased: 0 };
    /** @type {Uint8Array} */
    this.captured = NOTHING;
  }

  /** Commands without an answer. */
  get pending() {
    return this.flight.length + this.queue.length;
  }

  get revision() {
    return this.settled.revision;
  }

  /** @param {Command} command @returns {Entry} */
  submit(command) {
    const entry = new Entry(command);
    if (this.stopped !== null) this.#answer(entry, { ok: false, error: this.outcomeOf(false) });
    else if (this.pending >= this.options.maxPending)
      this.#answer(entry, { ok: false, error: busyError(this.options.maxPending) });
    else {
      this.queue.push(entry);
      this.pump();
    }
    return entry;
  }

  /** Takes back a command that was not decided yet. @param {Entry} entry @returns {boolean} whether it could be */
  withdraw(entry) {
    if (entry.state !== 'queued') return false;
    const at = this.queue.indexOf(entry);
    if (at < 0) return false;
    this.queue.splice(at, 1);
    entry.state = 'settled';
    return true;
  }

  /** Decides what waits, as far as there is room in flight. */
  pump() {
    while (!this.held && !this.waiting && this.stopped === null && this.queue.length > 0) {
      if (this.sent >= this.window || this.unconfirmed.size >= this.options.maxPending) return;
      const entry = /** @type {Entry} */ (this.queue.shift());
      this.#decide(entry);
    }
  }

  /** @param {Entry} entry */
  #decide(entry) {
    const ahead = this.#aheadMachine();
    if (ahead === null) {
      this.#answer(entry, { ok: false, error: this.outcomeOf(false) });
      return;
    }
    entry.expected = ahead.revision;
    this.captured = NOTHING;
    let answer;
    try {
      answer = entry.command.decide(ahead, entry.wanted ?? entry.expected);
      if (entry.wanted !== null && entry.attempts > 0 && isConflict(answer)) {
        entry.wanted = null;
        entry.attempts -= 1;
        answer = entry.command.decide(ahead, entry.expected);
      }
    } catch (error) {
      // Not a refusal of the contract: a wrong shape, a clock that is off, a core that has failed.
      this.#answer(entry, { ok: false, error: /** @type {Error} */ (error) });
      return;
    }
    entry.answer = answer;
    if (this.captured.length === 0) {
      this.#park(entry);
      return;
    }
    const refused = this.log.refuses(this.captured);
    if (refused !== null) {
      this.#undo();
      this.#answer(entry, { ok: false, error: refused });
      return;
    }
    entry.state = 'sent';
    entry.bytes = this.captured;
    const before = this.#lastSent();
    entry.kind = before === null ? 'root' : 'chained';
    entry.place = (before === null ? this.sequence : before.place) + 1;
    entry.author = this.author;
    entry.acked = false;
    this.flight.push(entry);
    this.sent += 1;
    this.log.send(entry);
  }

  /** A refusal, or a command that had been done: true only once what it was decided on has settled. @param {Entry} entry */
  #park(entry) {
    if (this.sent === 0) {
      this.#answerDecided(entry);
      return;
    }
    entry.state = 'parked';
    this.flight.push(entry);
  }

  #lastSent() {
    for (let i = this.flight.length - 1; i >= 0; i -= 1)
      if (this.flight[i].state === 'sent') return this.flight[i];
    return null;
  }

  /** With nothing in flight it is where `settled` is; should it not be, it is made anew. */
  #aheadMachine() {
    try {
      if (this.ahead !== null && (this.sent > 0 || this.ahead.revision === this.settled.revision))
        return this.ahead;
      this.ahead?.dispose();
      this.ahead = null;
      this.ahead = this.options.copy(this.settled.exportSnapshot(), ({ bytes }) => {
        this.captured = bytes;
      });
    } catch (error) {
      this.stop(divergedError(this.sequence, 'core_failed', error));
    }
    return this.ahead;
  }

  /**
   * Messages of the log, in order and without a gap. What was settled by its acknowledgement comes again here.
   * @param {readonly Message[]} messages
   */
  receive(messages) {
    for (let at = 0; at < messages.length && this.stopped === null; ) {
      const message = messages[at];
      if (message.sequence <= this.sequence) {
        this.#confirm(message);
        at += 1;
      } else if (message.sequence !== this.sequence + 1) {
        this.stop(divergedError(message.sequence, 'not_in_order'));
      } else if (this.sent === 0) {
        at += this.#takeForeign(messages, at);
      } else {
        this.#takeInFlight(message);
        at += 1;
      }
    }
    if (this.stopped === null) this.options.onApplied?.(messages);
    this.pump();
  }

  /** @param {Message} message */
  #confirm({ sequence, bytes }) {
    for (const place of this.unconfirmed.keys()) {
      if (place >= sequence) break;
      this.unconfirmed.delete(place); // trimmed before it could come back
    }
    const own = this.unconfirmed.get(sequence);
    if (own === undefined) return;
    this.unconfirmed.delete(sequence);
    if (!sameBytes(own, bytes)) this.stop(divergedError(sequence, 'record_differs'));
  }

  /** @param {Message} message */
  #inForce({ kind, author }) {
    return kind === 'root' || (kind === 'chained' && author === this.tip);
  }

  /** Nothing of this host's is in flight: as many messages as follow one another, in one batch. @param {readonly Message[]} messages @param {number} from */
  #takeForeign(messages, from) {
    const records = [];
    let at = from;
    for (let next = this.sequence + 1; messages[at]?.sequence === next; next += 1, at += 1)
      if (this.#pass(messages[at])) records.push(messages[at].bytes);
    if (records.length > 0 && !this.#apply(records, messages, from)) return 0;
    this.sequence = messages[at - 1].sequence;
    return at - from;
  }

  /** Notes a message; true when it is in force. @param {Message} message */
  #pass(message) {
    const inForce = this.#inForce(message);
    this.tip = inForce ? message.author : '';
    if (!inForce) this.counts.voids += 1;
    return inForce;
  }

  /**
   * @param {Uint8Array[]} records @param {readonly Message[]} messages @param {number} from
   */
  #apply(records, messages, from) {
    try {
      const report = this.settled.applyBatch(records);
      if (report.stopped !== null) {
        const culprit = messages.findIndex(
          ({ bytes }, i) => i >= from && bytes === records[report.stopped?.index ?? 0],
        );
        const reason = report.stopped.error.code === 'out_of_memory' ? 'core_failed' : 'record_refused';
        this.stop(divergedError(messages[culprit].sequence, reason, report.stopped.error));
        return false;
      }
      if (this.ahead !== null) this.ahead.applyBatch(records);
      return true;
    } catch (error) {
      this.stop(divergedError(messages[from].sequence, 'core_failed', error));
      return false;
    }
  }

  /** @param {Message} message */
  #takeInFlight(message) {
    const head = this.#firstSent();
    const own =
      message.author === head.author && message.kind === head.kind && head.place === message.sequence;
    if (own && this.#inForce(message)) {
      if (sameBytes(message.bytes, head.bytes)) this.#settleHead(false);
      else this.stop(divergedError(message.sequence, 'record_differs'));
      return;
    }
    const inForce = this.#pass(message);
    const ahead = this.ahead;
    this.ahead = null; // whatever it holds has lost its place
    ahead?.dispose();
    if (inForce && !this.#apply([message.bytes], [message], 0)) return;
    this.sequence = message.sequence;
    this.#conflict(inForce);
  }

  #firstSent() {
    return /** @type {Entry} */ (this.flight.find(({ state }) => state === 'sent'));
  }

  /** The first command in flight stands at its place. @param {boolean} byAck */
  #settleHead(byAck) {
    const head = /** @type {Entry} */ (this.flight.shift());
    try {
      const report = this.settled.applyBatch(head.bytes); // a record of our own making
      if (report.stopped !== null) throw report.stopped.error;
    } catch (error) {
      this.flight.unshift(head);
      this.stop(divergedError(head.place, 'core_failed', error));
      return;
    }
    this.sent -= 1;
    this.sequence = head.place;
    this.tip = head.author;
    this.counts.settled += 1;
    this.conflicts = 0;
    if (this.window < this.options.maxInFlight) this.window += 1;
    if (byAck) this.unconfirmed.set(head.place, head.bytes);
    this.#answerDecided(head);
    while (this.flight.length > 0 && this.flight[0].state === 'parked')
      this.#answerDecided(/** @type {Entry} */ (this.flight.shift()));
  }

  /** @param {Entry} entry */
  #answerDecided(entry) {
    this.#answer(entry, /** @type {Decision} */ (entry.answer));
  }

  /** The log says that a message stands at its place, which may be before all earlier ones have come back. @param {Entry} entry */
  acknowledged(entry) {
    entry.acked = true;
    if (entry.state !== 'sent' || this.stopped !== null) return;
    for (;;) {
      const head = this.flight[0];
      // Parked entries never lead: they are answered with the one before them.
      if (head === undefined || !head.acked || head.place !== this.sequence + 1) break;
      this.#settleHead(true);
      if (this.stopped !== null) return;
    }
    this.pump();
  }

  /**
   * Another message has the place of the first command in flight. With `changed` the state is another one too, else
   * only the places are.
   * @param {boolean} changed
   */
  #conflict(changed) {
    const entries = this.flight;
    const actual = this.settled.revision;
    this.flight = [];
    this.sent = 0;
    this.author = this.options.nextAuthor();
    this.window = Math.max(1, this.window >> 1);
    this.conflicts += 1;
    if (changed) this.counts.conflicts += 1;
    const again = [];
    for (const entry of entries) {
      if (changed) entry.attempts -= 1;
      entry.freeAttempts += 1;
      if (entry.attempts < 0 || entry.freeAttempts > MAX_FREE_ATTEMPTS) {
        this.#answer(entry, { ok: false, error: conflictError(entry.expected, actual) });
      } else {
        if (changed) {
          this.counts.rebased += 1;
          entry.wanted = null;
        }
        entry.state = 'queued';
        entry.answer = null;
        again.push(entry);
      }
    }
    this.queue.unshift(...again);
    this.log.conflicted();
    this.#wait();
  }

  #wait() {
    if (this.waiting) return;
    this.waiting = true;
    this.options.later(() => {
      this.waiting = false;
      this.pump();
    }, this.options.backoffMs(this.conflicts));
  }

  /** The last command that `ahead` has applied will not be sent: it is made anew without it. */
  #undo() {
    this.ahead?.dispose();
    this.ahead = null;
    if (this.sent === 0) return;
    const sent = this.flight.filter(({ state }) => state === 'sent');
    const report = this.#aheadMachine()?.applyBatch(sent.map(({ bytes }) => bytes));
    if (report?.stopped) this.stop(divergedError(this.sequence, 'core_failed', report.stopped.error));
  }

  /**
   * Goes on from a snapshot that is later than anything seen here. What was in flight is gone from sight: `outcome`
   * says for each command what became of it.
   * @param {{ settled: Machine, sequence: number, tip: string }} state @param {(entry: Entry) => Decision | null} outcome
   */
  jump({ settled, sequence, tip }, outcome) {
    const entries = this.flight;
    this.flight = [];
    this.sent = 0;
    this.unconfirmed.clear();
    this.ahead?.dispose();
    this.ahead = null;
    this.settled.dispose();
    this.settled = settled;
    this.sequence = sequence;
    this.tip = tip;
    this.author = this.options.nextAuthor();
    const again = [];
    for (const entry of entries) {
      const answer = outcome(entry);
      if (answer !== null) this.#answer(entry, answer);
      else {
        entry.state = 'queued';
        again.push(entry);
      }
    }
    this.queue.unshift(...again);
    this.log.conflicted();
  }

  /** Up to date: commands may be decided. */
  release() {
    this.held = false;
    this.pump();
  }

  /** @param {Entry} entry @param {Decision} answer */
  #answer(entry, answer) {
    entry.state = 'settled';
    entry.command.settle(answer);
  }

  /** Nothing more is applied or decided; what has no answer gets this one, or what `outcomeOf` says. @param {Error} error @param {(sent: boolean) => Error} [outcomeOf] */
  stop(error, outcomeOf = () => error) {
    if (this.stopped !== null) return;
    this.stopped = error;
    this.outcomeOf = outcomeOf;
    const entries = [...this.flight, ...this.queue];
    this.flight = [];
    this.sent = 0;
    this.queue = [];
    for (const entry of entries)
      this.#answer(entry, {
        ok: false,
        error: outcomeOf(entry.state === 'sent' || entry.state === 'parked'),
      });
    this.options.onStopped?.(error);
  }

  dispose() {
    this.stop(closedError('unknown'), (sent) => closedError(sent ? 'unknown' : 'not_sent'));
    this.ahead?.dispose();
    this.ahead = null;
    this.settled.dispose();
  }
}
