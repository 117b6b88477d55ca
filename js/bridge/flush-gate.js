// Drives the steps of the core's gate (src/bridge/flush_gate.hpp) with promises. What may be sent when is decided
// there; here live the senders, signals and errors, by the tickets and steps that the core numbers.

import { abortSignal, object } from '../boundary/arguments.js';
import { makeDisposable } from '../boundary/port.js';
import { disposedError, readError } from '../errors.js';
import * as wire from '../generated/bridge.js';
import { payloadBytes, putEvent, readHistory, takeEvent } from './event.js';
import { callable, limit, openPort, optional, withHostFields } from './machine.js';
import {
  acceptanceOf,
  callSender,
  checkSender,
  isAccepted,
  NOT_ACCEPTED,
  OpenCall,
  rejected,
} from './senders.js';

const outcome = (/** @type {string} */ name) => wire.GateOutcome.indexOf(name);
const OPEN = outcome('open');
const DONE = outcome('done');
const QUEUED = outcome('queued');
const ACCEPTED = outcome('accepted');
const NOT_ACCEPTED_OUTCOME = outcome('not_accepted');
const FAILED = outcome('failed');
const ABORTED = outcome('aborted');
const DROPPED = outcome('dropped');
const step = (/** @type {string} */ name) => wire.GateStepKind.indexOf(name);
const SEND_STEP = step('send');
const SNAPSHOT_STEP = step('snapshot');
const SETTLE_STEP = step('settle');
const send = (/** @type {string} */ name) => wire.SendOutcome.indexOf(name);
const SEND_ACCEPTED = send('accepted');
const SEND_NOT_ACCEPTED = send('not_accepted');
const SEND_FAILED = send('failed');

/** Every queued submit is answered alike, and no answer can be changed. */
const QUEUED_ANSWER = new wire.SubmitResult(true, NOT_ACCEPTED);

/** An ordered way out: history before live. Types and contract: ../types/bridge.d.ts. */
export class FlushGate {
  #port;
  /** Calls that are open, by ticket. @type {Map<number, OpenCall>} */
  #calls = new Map();
  /** Whose event the sender has: at most one at a time. @type {OpenCall | null} */
  #sending = null;
  #step = 0;

  /** @param {import('../boundary/runtime.js').Runtime} runtime @param {unknown} options */
  constructor(runtime, options) {
    const given = optional(options);
    const capacity = limit(given.capacity, wire.DEFAULT_GATE_CAPACITY, 'capacity');
    const maxBytes = limit(given.maxBytes, wire.DEFAULT_GATE_MAX_BYTES, 'maxBytes');
    this.#port = openPort(runtime, 'FlushGate', (frame) => {
      frame.putU64(capacity, 'capacity');
      frame.putU64(maxBytes, 'maxBytes');
    });
  }

  // --- What hosts call

  /** @param {unknown} event @param {any} sender @param {unknown} [options] @returns {Promise<any>} */
  submit(event, sender, options) {
    try {
      checkSender(sender);
      const signal = abortSignal(optional(options).signal);
      const aborted = signal?.aborted;
      const { messageId, type, payload } = object(event, 'event');
      const bytes = payloadBytes(payload, 'event.payload');
      const frame = this.#port.open();
      frame.putSlot(aborted ? 1 : 0);
      this.#demand(wire.OP_GATE_SUBMIT, putEvent(this.#port.runtime, messageId, type, bytes));
      const answer = frame.getU32();
      if (answer === QUEUED) return Promise.resolve(QUEUED_ANSWER);
      const call = new OpenCall(signal);
      call.sender = sender;
      call.direct = true;
      return this.#answered(answer, call);
    } catch (error) {
      return rejected(error);
    }
  }

  /** @param {unknown} [options] @returns {Promise<void>} */
  beginHistory(options) {
    return this.#call(options, wire.OP_GATE_BEGIN);
  }

  resumeHistory() {
    this.#port.open();
    this.#port.demand(wire.OP_GATE_RESUME);
  }

  /** @param {unknown} events */
  installHistory(events) {
    this.#putHistory(readHistory(events, 'events'));
    this.#port.open();
    this.#port.demand(wire.OP_GATE_HISTORY_INSTALL);
  }

  /** @param {any} sender @param {unknown} [options] @returns {Promise<void>} */
  drain(sender, options) {
    return this.#call(options, wire.OP_GATE_DRAIN, (call) => {
      call.sender = checkSender(sender);
    });
  }

  /** @param {any} snapshot @param {any} sender @param {any} [options] @returns {Promise<void>} */
  flushHistory(snapshot, sender, options) {
    return this.#call(
      options,
      wire.OP_GATE_FLUSH,
      (call) => {
        call.snapshot = callable(snapshot, 'snapshot');
        call.sender = checkSender(sender);
      },
      ({ resume }) => flag(resume ?? false, 'resume'),
    );
  }

  deactivate() {
    this.#port.open();
    this.#port.demand(wire.OP_GATE_DEACTIVATE);
    this.#advance();
  }

  /** @param {unknown} [options] @returns {Promise<number>} */
  drop(options) {
    try {
      const close = flag(optional(options).close ?? true, 'close');
      const frame = this.#port.open();
      frame.putSlot(close);
      this.#port.demand(wire.OP_GATE_DROP);
      const dropped = this.#answered(frame.getU32(), new OpenCall(null));
      this.#advance();
      return dropped;
    } catch (error) {
      return rejected(error);
    }
  }

  get state() {
    return wire.GateState[this.#read().state];
  }

  get pendingCount() {
    return this.#read().pendingCount;
  }

  get pendingBytes() {
    return this.#read().pendingBytes;
  }

  get pending() {
    const events = new Array(this.pendingCount);
    this.#port.open();
    this.#port.demand(wire.OP_GATE_PENDING_FIRST);
    for (let i = 0; i < events.length; i += 1) {
      events[i] = takeEvent(this.#port.demand(wire.OP_GATE_PENDING_NEXT));
    }
    return events;
  }

  /** Calls that are open are told that the gate is gone. A send in flight goes on by itself. */
  dispose() {
    this.#port.dispose();
    this.#abandon(disposedError('FlushGate'));
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('FlushGate', () => {
      const { state, ...pending } = this.#read();
      return { state: wire.GateState[state], ...pending };
    });
  }

  // --- Into the core

  #read() {
    this.#port.open();
    const frame = this.#port.demand(wire.OP_GATE_STATE);
    return { state: frame.getU32(), pendingCount: frame.getMillis(), pendingBytes: frame.getMillis() };
  }

  /**
   * An operation that may settle later. Everything of the host's is read before the core hears of it.
   * @param {unknown} options @param {number} op
   * @param {(call: OpenCall) => void} [prepare]
   * @param {(options: any) => number} [argument] goes ahead of how the signal stands
   * @returns {Promise<any>}
   */
  #call(options, op, prepare, argument) {
    try {
      const given = optional(options);
      const signal = abortSignal(given.signal);
      const call = new OpenCall(signal);
      prepare?.(call);
      const first = argument?.(given);
      const aborted = signal?.aborted ? 1 : 0;
      const frame = this.#port.open();
      if (first !== undefined) frame.putSlot(first);
      frame.putSlot(aborted);
      this.#port.demand(op);
      return this.#answered(frame.getU32(), call);
    } catch (error) {
      return rejected(error);
    }
  }

  /**
   * What an operation answered at once, or the promise of what it will.
   * @param {number} answer @param {OpenCall} call @returns {Promise<any>}
   */
  #answered(answer, call) {
    const { frame } = this.#port;
    if (answer === OPEN) {
      const ticket = frame.getMillis();
      this.#calls.set(ticket, call);
      call.listen(() => this.#abort(ticket));
      this.#advance();
      return call.promise;
    }
    if (answer === ABORTED) return rejected(/** @type {AbortSignal} */ (call.signal).reason);
    if (answer === DROPPED) {
      frame.getMillis();
      return Promise.resolve(frame.getMillis());
    }
    return Promise.resolve();
  }

  /** @param {number} ticket */
  #abort(ticket) {
    if (!this.#calls.has(ticket)) return;
    try {
      this.#port.open().putMillis(ticket);
      if (this.#port.run(wire.OP_GATE_ABORT)) this.#advance();
    } catch (error) {
      this.#abandon(error);
    }
  }

  /** @param {number} op @param {boolean} beside whether a payload lies in the buffer beside the frame */
  #demand(op, beside) {
    const { runtime } = this.#port;
    try {
      this.#port.demand(op);
    } finally {
      if (beside) runtime.releasePayload();
    }
  }

  /** @param {ReturnType<typeof readHistory>} events */
  #putHistory(events) {
    this.#port.open();
    this.#port.demand(wire.OP_GATE_HISTORY_BEGIN);
    for (const { messageId, type, payload } of events) {
      this.#port.open();
      this.#demand(wire.OP_GATE_HISTORY_ADD, putEvent(this.#port.runtime, messageId, type, payload));
    }
  }

  // --- What the core asks for

  /** Does what the core asks for, until it asks for nothing. */
  #advance() {
    try {
      this.#port.open();
      this.#perform(this.#port.demand(wire.OP_GATE_STEP));
    } catch (error) {
      this.#abandon(error);
      throw error;
    }
  }

  /** @param {import('../boundary/frame.js').Frame} frame holds a step */
  #perform(frame) {
    for (;;) {
      const kind = frame.getU32();
      if (kind === SEND_STEP) {
        // The core hands out sends last: it asks for nothing else before something else happens.
        this.#send(frame);
        return;
      }
      if (kind === SETTLE_STEP) this.#settle(frame);
      else if (kind === SNAPSHOT_STEP) this.#takeSnapshot(frame);
      else return;
      this.#port.open();
      this.#port.demand(wire.OP_GATE_STEP);
    }
  }

  /** @param {import('../boundary/frame.js').Frame} frame */
  #send(frame) {
    const ticket = frame.getMillis();
    const call = /** @type {OpenCall} */ (this.#calls.get(ticket));
    this.#step = frame.getMillis();
    this.#sending = call;
    const event = takeEvent(frame);
    let answer;
    try {
      answer = Promise.resolve(callSender(call.sender, event, call.options));
    } catch (error) {
      answer = Promise.reject(error);
    }
    answer.then(this.#onAnswer, this.#onFailure);
  }

  /** @param {unknown} answer */
  #onAnswer = (answer) => {
    const call = this.#sending;
    if (call === null) return; // disposed of meanwhile
    try {
      const accepted = isAccepted(answer);
      // A drain tells nobody what became of each event.
      if (call.direct || !accepted) call.acceptance = acceptanceOf(answer);
      this.#report(accepted ? SEND_ACCEPTED : SEND_NOT_ACCEPTED);
    } catch (error) {
      this.#onFailure(error);
    }
  };

  /** @param {unknown} error */
  #onFailure = (error) => {
    if (this.#sending === null) return;
    this.#sending.failure = error;
    this.#report(SEND_FAILED);
  };

  /** @param {number} outcome */
  #report(outcome) {
    this.#sending = null;
    try {
      const frame = this.#port.open();
      frame.putMillis(this.#step);
      frame.putSlot(outcome);
      this.#perform(this.#port.demand(wire.OP_GATE_SENT));
    } catch (error) {
      this.#abandon(error);
    }
  }

  /** @param {import('../boundary/frame.js').Frame} frame */
  #takeSnapshot(frame) {
    const ticket = frame.getMillis();
    const call = /** @type {OpenCall} */ (this.#calls.get(ticket));
    let events;
    try {
      events = Promise.resolve(/** @type {any} */ (call.snapshot)(call.options));
    } catch (error) {
      events = Promise.reject(error);
    }
    events.then(
      (taken) => this.#onSnapshot(ticket, taken),
      (error) => this.#onNoSnapshot(ticket, error),
    );
  }

  /** @param {number} ticket @param {unknown} taken */
  #onSnapshot(ticket, taken) {
    try {
      const events = readHistory(taken, 'snapshot()');
      if (!this.#calls.has(ticket)) return; // aborted or disposed of meanwhile, or by what was just read
      this.#putHistory(events);
    } catch (error) {
      this.#onNoSnapshot(ticket, error);
      return;
    }
    try {
      this.#port.open().putMillis(ticket);
      if (!this.#port.run(wire.OP_GATE_HISTORY_TAKEN)) {
        const call = this.#close(ticket);
        call.reject(readError(this.#port.frame));
      }
      this.#advance();
    } catch (error) {
      this.#abandon(error);
    }
  }

  /** @param {number} ticket @param {unknown} error */
  #onNoSnapshot(ticket, error) {
    const call = this.#calls.get(ticket);
    if (call === undefined) return;
    call.failure = error;
    try {
      this.#port.open().putMillis(ticket);
      if (this.#port.run(wire.OP_GATE_HISTORY_FAILED)) this.#advance();
    } catch (failure) {
      this.#abandon(failure);
    }
  }

  /** @param {import('../boundary/frame.js').Frame} frame */
  #settle(frame) {
    const call = this.#close(frame.getMillis());
    const outcome = frame.getU32();
    const dropped = frame.getMillis();
    switch (outcome) {
      case DONE:
        call.resolve();
        return;
      case QUEUED:
        call.resolve(QUEUED_ANSWER);
        return;
      case ACCEPTED:
        call.resolve(new wire.SubmitResult(false, call.acceptance));
        return;
      case DROPPED:
        call.resolve(dropped);
        return;
      case FAILED:
        call.reject(call.failure);
        return;
      case ABORTED:
        call.reject(/** @type {AbortSignal} */ (call.signal).reason);
        return;
      case NOT_ACCEPTED_OUTCOME:
        call.reject(withHostFields(readError(frame), { acceptance: call.acceptance }));
        return;
      default:
        call.reject(readError(frame));
    }
  }

  /** @param {number} ticket */
  #close(ticket) {
    const call = /** @type {OpenCall} */ (this.#calls.get(ticket));
    this.#calls.delete(ticket);
    call.unlisten();
    return call;
  }

  /** No promise is left hanging. @param {unknown} error */
  #abandon(error) {
    this.#sending = null;
    for (const ticket of [...this.#calls.keys()]) this.#close(ticket).reject(error);
  }
}
makeDisposable(FlushGate);

/** @param {unknown} value @param {string} path */
function flag(value, path) {
  if (typeof value !== 'boolean') throw new TypeError(`${path} must be a boolean`);
  return value ? 1 : 0;
}
