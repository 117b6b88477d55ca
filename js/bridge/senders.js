// What hosts hand over to be called (senders, signals), and what comes back.

import { Acceptance, CloseEvidence } from '../generated/bridge.js';

/** @typedef {((event: any, options: object) => any) | { send(event: any, options: object): any }} Sender */

/** @param {any} sender @returns {Sender} */
export function checkSender(sender) {
  if (typeof sender === 'function') return sender;
  if (typeof sender === 'object' && sender !== null && typeof sender.send === 'function') return sender;
  throw new TypeError('sender must be a function or an object with the method send');
}

/** @param {any} sender @param {object} event @param {object} options */
export function callSender(sender, event, options) {
  return typeof sender === 'function' ? sender(event, options) : sender.send(event, options);
}

/** Only what says so was accepted. @param {any} answer */
export function isAccepted(answer) {
  return typeof answer === 'object' && answer !== null && answer.accepted === true;
}

/** What a sender answered, in the form that callers get. @param {any} answer */
export function acceptanceOf(answer) {
  if (typeof answer !== 'object' || answer === null) return NOT_ACCEPTED;
  const { accepted, queueIdentity, remoteAckId, durabilityKnown } = answer;
  return new Acceptance(
    accepted === true,
    textOrNull(queueIdentity),
    textOrNull(remoteAckId),
    durabilityKnown === true,
  );
}

/** @param {unknown} text */
function textOrNull(text) {
  return typeof text === 'string' && text !== '' ? text : null;
}

/** Local evidence of an event that was only queued. */
export const NOT_ACCEPTED = new Acceptance(false, null, null, false);

/** What the close of a transport told, in the form that callers get. @param {any} answer */
export function evidenceOf(answer) {
  if (typeof answer !== 'object' || answer === null) return NO_EVIDENCE;
  const { dropped, remoteDurabilityKnown } = answer;
  return new CloseEvidence(countOf(dropped), remoteDurabilityKnown === true);
}

/** @param {unknown} count */
function countOf(count) {
  const number = typeof count === 'bigint' ? Number(count) : count;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

export const NO_EVIDENCE = new CloseEvidence(0, false);

export function ignore() {}

/** A promise whose rejection nobody needs to await. @template T @param {Promise<T>} promise */
export function handled(promise) {
  promise.catch(ignore);
  return promise;
}

/** @param {unknown} reason @returns {Promise<never>} */
export function rejected(reason) {
  return handled(Promise.reject(reason));
}

/** A call of the host's that settles later: how to tell it, and what came of what was done for it. */
export class OpenCall {
  /** @param {AbortSignal | null} signal */
  constructor(signal) {
    this.signal = signal;
    /** What senders get beside the event. */
    this.options = Object.freeze({ signal: signal ?? undefined });
    /** @type {(value?: any) => void} */
    this.resolve = ignore;
    /** @type {(reason: unknown) => void} */
    this.reject = ignore;
    this.promise = handled(
      new Promise((resolve, reject) => {
        this.resolve = resolve;
        this.reject = reject;
      }),
    );
    /** @type {(() => void) | null} */
    this.onAbort = null;
    /** Of what it has in flight. @type {unknown} */
    this.failure = undefined;
    /** @type {Acceptance} */
    this.acceptance = NOT_ACCEPTED;
    /** @type {Sender | null} */
    this.sender = null;
    /** Whether it is one event's, sent without the queue. */
    this.direct = false;
    /** @type {((options: object) => any) | null} */
    this.snapshot = null;
  }

  /** @param {() => void} onAbort */
  listen(onAbort) {
    if (this.signal === null) return;
    this.onAbort = onAbort;
    this.signal.addEventListener('abort', onAbort, { once: true });
  }

  /** Whatever comes next: the signal is not listened to any more. */
  unlisten() {
    if (this.onAbort !== null) this.signal?.removeEventListener('abort', this.onAbort);
    this.onAbort = null;
  }
}
