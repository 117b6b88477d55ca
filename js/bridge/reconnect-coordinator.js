// Drives the steps of the core's coordinator (src/bridge/reconnect_coordinator.hpp) with promises. Which transport is
// installed, who is told what and what is closed when is decided there; here live transports, attempts, signals,
// timers and errors, by the numbers that the core gives them.

import { abortSignal, integerError, object } from '../boundary/arguments.js';
import { readError, unusableError } from '../errors.js';
import * as wire from '../generated/bridge.js';
import { payloadBytes } from './event.js';
import { readHistory } from './lifecycle.js';
import { callable, hostClock, openPort, optional, withHostFields } from './machine.js';
import {
  acceptanceOf,
  evidenceOf,
  handled,
  ignore,
  isAccepted,
  NO_EVIDENCE,
  OpenCall,
  rejected,
} from './senders.js';

const outcome = (/** @type {string} */ name) => wire.RecoveryOutcome.indexOf(name);
const RECOVERED = outcome('recovered');
const FAILED = outcome('failed');
const ABORTED = outcome('aborted');
const CLOSED = outcome('closed');
const CLOSE_FAILED = outcome('close_failed');
const step = (/** @type {string} */ name) => wire.RecoveryStepKind.indexOf(name);
const SETTLE_STEP = step('settle');
const ABORT_STEP = step('abort_attempt');
const CLOSE_STEP = step('close_transport');
const ATTEMPT_STEP = step('attempt');

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
/** The longest that timers can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** @typedef {{ attempt: (...given: any[]) => any, abort: AbortController }} Flight */

/** One owner of the installed transport. Types and contract: ../types/bridge.d.ts. */
export class ReconnectCoordinator {
  #port;
  #clock;
  #lastTime = 0;
  #closeTimeoutMs;
  #onTransportClosed;
  /** Calls that are open, by ticket. @type {Map<number, OpenCall>} */
  #calls = new Map();
  /** Transports that were handed over and whose close has not settled, by number. @type {Map<number, any>} */
  #transports = new Map();
  /** The number of every transport that was ever handed over. @type {WeakMap<object, number>} */
  #numbers = new WeakMap();
  /** The recovery in flight. @type {Flight | null} */
  #flight = null;
  /** What the last flight came to. @type {unknown} */
  #failure;
  /** @type {object | null} */
  #recovered = null;
  /** What closing the installed transport came to. */
  #evidence = NO_EVIDENCE;
  /** @type {unknown} */
  #closeError;
  /** @type {OpenCall | null} */
  #owner = null;
  #closing = false;
  /** @type {any} */
  #closeTimer = null;

  /** @param {import('../boundary/runtime.js').Runtime} runtime @param {any} options */
  constructor(runtime, options) {
    const { session, epoch, cursor, transport, signal, closeTimeoutMs, clock, onTransportClosed } = object(
      options,
      'options',
    );
    this.#clock = hostClock(clock);
    this.#closeTimeoutMs = timeout(closeTimeoutMs ?? wire.DEFAULT_CLOSE_TIMEOUT_MS);
    this.#onTransportClosed =
      onTransportClosed === undefined || onTransportClosed === null
        ? ignore
        : callable(onTransportClosed, 'onTransportClosed');
    const owner = abortSignal(signal);
    const installed = transport === undefined || transport === null ? null : checkTransport(transport);
    const now = this.#time();
    this.#port = openPort(runtime, 'ReconnectCoordinator', (frame) => {
      frame.putUtf8(session, 'session', wire.MAX_OPAQUE_ID_BYTES);
      frame.putU64(epoch, 'epoch');
      frame.putU64(cursor ?? 0, 'cursor');
      frame.putSlot(installed === null ? 0 : 1);
      frame.putMillis(now);
    });
    if (installed !== null) this.#takeOver(installed, 1); // the number that the core gives the first one
    if (owner !== null) this.#listenTo(owner);
  }

  // --- What hosts call

  /** @param {unknown} reason @param {any} attempt @param {unknown} [options] @returns {Promise<any>} */
  recover(reason, attempt, options) {
    try {
      callable(attempt, 'attempt');
      const call = new OpenCall(abortSignal(optional(options).signal));
      const aborted = call.signal?.aborted ?? false;
      const now = this.#time();
      wire.writeRecoveryRecover(this.#port.open(), { reason, aborted }, now);
      const frame = this.#port.demand(wire.OP_RECOVERY_RECOVER);
      const answer = frame.getU32();
      if (answer === ABORTED) return rejected(/** @type {AbortSignal} */ (call.signal).reason);
      this.#flight ??= { attempt, abort: new AbortController() };
      return this.#opened(frame.getMillis(), call);
    } catch (error) {
      return rejected(error);
    }
  }

  /** @param {unknown} epoch @param {unknown} event @param {unknown} [options] @returns {Promise<any>} */
  send(epoch, event, options) {
    try {
      const signal = abortSignal(optional(options).signal);
      const aborted = signal?.aborted;
      const { messageId, type, payload } = object(event, 'event');
      const bytes = payloadBytes(payload, 'event.payload');
      const frame = this.#port.open();
      frame.putU64(epoch, 'epoch');
      frame.putUtf8(messageId, 'event.messageId', wire.MAX_OPAQUE_ID_BYTES);
      frame.putUtf8(type, 'event.type', wire.MAX_TEXT_BYTES);
      frame.putSlot(aborted ? 1 : 0);
      const number = this.#port.demand(wire.OP_RECOVERY_SEND).getMillis();
      if (number === 0) return rejected(/** @type {AbortSignal} */ (signal).reason);
      const copy = new wire.OutboundEvent(messageId, type, new Uint8Array(bytes));
      const sent = attemptOf(() => this.#transports.get(number).send(copy, { signal: signal ?? undefined }));
      return handled(sent.then((answer) => this.#accepted(answer)));
    } catch (error) {
      return rejected(error);
    }
  }

  /** @param {unknown} sequence */
  observeSequence(sequence) {
    this.#port.open().putU64(sequence, 'sequence');
    const frame = this.#port.demand(wire.OP_RECOVERY_OBSERVE);
    return wire.readObservation(frame, frame.slot);
  }

  /** @param {unknown} [options] @returns {Promise<any>} */
  close(options) {
    try {
      const call = new OpenCall(abortSignal(optional(options).signal));
      const aborted = call.signal?.aborted ?? false;
      const now = this.#time();
      const frame = this.#port.open();
      frame.putSlot(aborted ? 1 : 0);
      frame.putMillis(now);
      const answer = this.#port.demand(wire.OP_RECOVERY_CLOSE).getU32();
      const ticket = frame.getMillis();
      const isFirst = !this.#closing;
      this.#closing = true;
      if (answer === ABORTED) this.#advance();
      else this.#opened(ticket, call);
      if (isFirst) this.#limitClose();
      return answer === ABORTED ? rejected(/** @type {AbortSignal} */ (call.signal).reason) : call.promise;
    } catch (error) {
      return rejected(error);
    }
  }

  get state() {
    return wire.TransportState[this.#read().state];
  }

  get epoch() {
    return this.#read().epoch;
  }

  get cursor() {
    return this.#read().cursor;
  }

  get history() {
    return readHistory(this.#port, wire.OP_RECOVERY_HISTORY, wire.OP_RECOVERY_ENTRY);
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('ReconnectCoordinator', () => {
      const { state, epoch, cursor } = this.#read();
      return { state: wire.TransportState[state], epoch, cursor };
    });
  }

  // --- Into the core

  #read() {
    this.#port.open();
    const frame = this.#port.demand(wire.OP_RECOVERY_STATE);
    return { state: frame.getU32(), epoch: frame.getU64(), cursor: frame.getU64() };
  }

  #time() {
    this.#lastTime = this.#clock();
    return this.#lastTime;
  }

  /** For what nobody called: a clock that fails there must not keep a report from the core. */
  #timeOfReport() {
    try {
      return this.#time();
    } catch {
      return this.#lastTime;
    }
  }

  /** @param {number} ticket @param {OpenCall} call */
  #opened(ticket, call) {
    this.#calls.set(ticket, call);
    call.listen(() => this.#abort(ticket));
    this.#advance();
    return call.promise;
  }

  /** @param {number} ticket */
  #abort(ticket) {
    if (!this.#calls.has(ticket)) return;
    try {
      this.#port.open().putMillis(ticket);
      if (this.#port.run(wire.OP_RECOVERY_ABORT)) this.#advance();
    } catch (error) {
      this.#abandon(error);
    }
  }

  /** The owner's signal is a close. @param {AbortSignal} signal */
  #listenTo(signal) {
    this.#owner = new OpenCall(signal);
    if (signal.aborted) this.close();
    else this.#owner.listen(() => this.close());
  }

  /** Later than the transports' own timers: what they tell when their signals abort is still in time. */
  #limitClose() {
    this.#owner?.unlisten();
    if (this.state === 'closed') return;
    // It keeps the process alive: whoever closes gets an answer.
    this.#closeTimer = setTimeout(() => {
      const now = this.#timeOfReport(); // before the frame is begun: a clock is the caller's code
      this.#report(wire.OP_RECOVERY_TIMEOUT, (frame) => frame.putMillis(now));
    }, this.#closeTimeoutMs);
  }

  /**
   * Tells the core what has settled, and does what it asks for then. Reads the answer in between.
   * @param {number} op @param {(frame: import('../boundary/frame.js').Frame) => void} write
   * @param {(frame: import('../boundary/frame.js').Frame) => void} [read]
   */
  #report(op, write, read) {
    try {
      write(this.#port.open());
      const frame = this.#port.demand(op);
      read?.(frame);
      this.#advance();
    } catch (error) {
      this.#abandon(error);
    }
  }

  /** @param {any} transport @param {number} number */
  #takeOver(transport, number) {
    this.#transports.set(number, transport);
    this.#numbers.set(transport, number);
  }

  // --- What the core asks for

  /** Does what the core asks for, until it asks for nothing. */
  #advance() {
    try {
      for (;;) {
        this.#port.open();
        const frame = this.#port.demand(wire.OP_RECOVERY_STEP);
        const kind = frame.getU32();
        if (kind === SETTLE_STEP) this.#settle(frame);
        else if (kind === ABORT_STEP) this.#abortAttempt(frame);
        else if (kind === CLOSE_STEP) this.#closeTransport(frame.getMillis());
        else if (kind === ATTEMPT_STEP) this.#attempt(frame);
        else break;
      }
      this.#endTimer();
    } catch (error) {
      this.#abandon(error);
      throw error;
    }
  }

  #endTimer() {
    if (this.#closeTimer === null || this.state !== 'closed') return;
    clearTimeout(this.#closeTimer);
    this.#closeTimer = null;
  }

  /** @param {import('../boundary/frame.js').Frame} frame */
  #attempt(frame) {
    const number = frame.getMillis();
    const resume = new wire.ResumePoint(frame.getText(), frame.getU64(), frame.getU64());
    const flight = /** @type {Flight} */ (this.#flight);
    const { signal } = flight.abort;
    attemptOf(() => flight.attempt(resume, { signal })).then(
      (result) => this.#onAttempt(number, result),
      (error) => this.#onAttemptFailed(number, error),
    );
  }

  /** @param {number} flight @param {any} result */
  #onAttempt(flight, result) {
    let transport;
    let epoch;
    let usable;
    try {
      ({ transport, epoch } = result ?? {});
      usable = isTransport(transport);
    } catch (error) {
      this.#onAttemptFailed(flight, error);
      return;
    }
    const known = usable ? this.#numbers.get(transport) : undefined;
    const offer = !usable ? 'none' : known === undefined ? 'fresh' : 'known';
    const report = { flight, offer, transport: known ?? 0, epoch: epochOf(epoch) };
    this.#flight = null;
    this.#recovered = null;
    this.#report(
      wire.OP_RECOVERY_ATTEMPT_SETTLED,
      (frame) => wire.writeRecoveryAttemptSettled(frame, report, this.#timeOfReport()),
      (frame) => {
        if (offer === 'fresh') this.#takeOver(transport, frame.getMillis());
      },
    );
  }

  /** @param {number} flight @param {unknown} error */
  #onAttemptFailed(flight, error) {
    this.#flight = null;
    this.#failure = error;
    const now = this.#timeOfReport();
    this.#report(wire.OP_RECOVERY_ATTEMPT_FAILED, (frame) => {
      frame.putMillis(flight);
      frame.putMillis(now);
    });
  }

  /** @param {import('../boundary/frame.js').Frame} frame */
  #abortAttempt(frame) {
    frame.getMillis();
    this.#flight?.abort.abort(readError(frame));
  }

  /** @param {number} number */
  #closeTransport(number) {
    const transport = this.#transports.get(number);
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(this.#hostError(wire.OP_CLOSE_TIMEOUT)),
      this.#closeTimeoutMs,
    );
    /** @type {any} */ (timer).unref?.();
    attemptOf(() => transport.close({ signal: deadline.signal }))
      .then(evidenceOf)
      .then(
        (evidence) => {
          clearTimeout(timer);
          this.#onTransportSettled(number, evidence, null);
        },
        (error) => {
          clearTimeout(timer);
          this.#onTransportSettled(number, null, { error });
        },
      );
  }

  /** @param {number} number @param {any} evidence @param {{ error: unknown } | null} failure */
  #onTransportSettled(number, evidence, failure) {
    const transport = this.#transports.get(number);
    this.#transports.delete(number);
    let role = '';
    const now = this.#timeOfReport();
    this.#report(
      failure === null ? wire.OP_RECOVERY_CLOSE_SETTLED : wire.OP_RECOVERY_CLOSE_FAILED,
      (frame) => {
        frame.putMillis(number);
        if (failure === null) {
          frame.putU64(evidence.dropped, 'dropped');
          frame.putSlot(evidence.remoteDurabilityKnown ? 1 : 0);
        }
        frame.putMillis(now);
      },
      (frame) => {
        role = wire.TransportRole[frame.getU32()];
        if (role !== 'final') return;
        if (failure === null) this.#evidence = evidence;
        else this.#closeError = failure.error;
      },
    );
    if (role === '') return; // the instance has failed
    this.#observe(Object.freeze({ transport, role, ...(failure ?? { evidence }) }));
  }

  /** @param {object} closed */
  #observe(closed) {
    try {
      Promise.resolve(this.#onTransportClosed(closed)).catch(ignore);
    } catch {
      // An observer cannot stand in the way of what it observes.
    }
  }

  /** @param {import('../boundary/frame.js').Frame} frame */
  #settle(frame) {
    const ticket = frame.getMillis();
    const call = /** @type {OpenCall} */ (this.#calls.get(ticket));
    this.#calls.delete(ticket);
    call.unlisten();
    const outcome = frame.getU32();
    const epoch = frame.getU64();
    frame.getMillis(); // the flight, which is the last one
    const number = frame.getMillis();
    frame.getMillis();
    frame.getU32();
    switch (outcome) {
      case RECOVERED:
        this.#recovered ??= Object.freeze({ transport: this.#transports.get(number), epoch });
        call.resolve(this.#recovered);
        return;
      case FAILED:
        call.reject(this.#failure);
        return;
      case ABORTED:
        call.reject(/** @type {AbortSignal} */ (call.signal).reason);
        return;
      case CLOSED:
        call.resolve(this.#evidence);
        return;
      case CLOSE_FAILED:
        call.reject(this.#closeError);
        return;
      default:
        call.reject(readError(frame));
    }
  }

  /** @param {unknown} answer what a transport said of a send */
  #accepted(answer) {
    const acceptance = acceptanceOf(answer);
    if (isAccepted(answer)) return acceptance;
    throw withHostFields(this.#hostError(wire.OP_SEND_NOT_ACCEPTED), { acceptance });
  }

  /** An error whose occasion only the host sees. @param {number} op */
  #hostError(op) {
    const { runtime } = this.#port;
    if (runtime.failure !== null) return unusableError(runtime.failure);
    runtime.core.runValidation(op);
    runtime.frame.answer();
    return readError(runtime.frame);
  }

  /** The instance has failed: no promise is left hanging, no timer running. @param {unknown} error */
  #abandon(error) {
    clearTimeout(this.#closeTimer);
    this.#closeTimer = null;
    this.#owner?.unlisten();
    for (const [ticket, call] of [...this.#calls]) {
      this.#calls.delete(ticket);
      call.unlisten();
      call.reject(error);
    }
  }
}

if (typeof Symbol.asyncDispose === 'symbol') {
  Object.defineProperty(ReconnectCoordinator.prototype, Symbol.asyncDispose, {
    async value() {
      await this.close();
    },
  });
}

/** What the host's code answers, its synchronous throw being a rejection. @param {() => any} run @returns {Promise<any>} */
function attemptOf(run) {
  try {
    return Promise.resolve(run());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** What cannot send or be closed is none. @param {any} transport */
function isTransport(transport) {
  if (typeof transport !== 'object' || transport === null) return false;
  return typeof transport.send === 'function' && typeof transport.close === 'function';
}

/** @param {any} transport */
function checkTransport(transport) {
  if (!isTransport(transport)) {
    throw new TypeError('transport must be an object with the methods send and close');
  }
  return transport;
}

/** An epoch that the core can be told of; anything else is none. @param {unknown} epoch */
function epochOf(epoch) {
  const known = typeof epoch === 'bigint' || (typeof epoch === 'number' && Number.isSafeInteger(epoch));
  return known && epoch >= 0 && epoch <= MAX_U64 ? epoch : 0;
}

/** @param {unknown} milliseconds */
function timeout(milliseconds) {
  if (typeof milliseconds !== 'number') throw integerError(milliseconds, 'closeTimeoutMs', MAX_TIMEOUT_MS);
  if (!Number.isInteger(milliseconds) || milliseconds < 0 || milliseconds > MAX_TIMEOUT_MS) {
    throw integerError(milliseconds, 'closeTimeoutMs', MAX_TIMEOUT_MS);
  }
  return milliseconds;
}
