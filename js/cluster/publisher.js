// Sends commands to their places in the stream, and again until it is known what stands there. An acknowledgement or a
// refusal is only news: what a place holds is for the stream to say, and it says it the same to everybody.

import { headers } from '@nats-io/nats-core';
import { tooLargeError } from './errors.js';
import { randomText } from './texts.js';

/** @typedef {import('./replica.js').Entry} Entry */

/** The protocol's own bytes and headers around a record. */
const OVERHEAD_BYTES = 512;
/** More than can be in flight. */
const MAX_OPEN = 8_192;

export class Publisher {
  /**
   * @param {object} options
   * @param {import('@nats-io/nats-core').NatsConnection} options.connection
   * @param {import('./texts.js').Places} options.places
   * @param {string} options.host
   * @param {string} options.inbox
   * @param {(entry: Entry) => void} options.onAcknowledged
   * @param {(error: unknown) => void} options.onBroken
   * @param {(sequence: number) => void} options.onMisplaced the server has put a message elsewhere than was expected
   */
  constructor(options) {
    this.options = options;
    this.inbox = `${options.inbox}.a${randomText(6)}`;
    this.counter = 0;
    /** Sent and without an answer, by the number in their message ids. @type {Map<number, Entry>} */
    this.open = new Map();
    /** What the server last refused with. @type {number | null} */
    this.apiCode = null;
    /** What the account may not do, since when nothing was taken. @type {import('./errors.js').Denied | null} */
    this.denied = null;
    this.subscription = options.connection.subscribe(`${this.inbox}.*`, {
      callback: (error, message) => (error ? options.onBroken(error) : this.#answered(message)),
    });
  }

  /** @param {Uint8Array} record */
  refuses(record) {
    const limit = this.options.connection.info?.max_payload ?? Number.MAX_SAFE_INTEGER;
    const size = record.length + OVERHEAD_BYTES;
    return size > limit ? tooLargeError(size, limit) : null;
  }

  /** @param {Entry} entry */
  send(entry) {
    this.counter += 1;
    entry.id = `${this.options.host}-${this.counter}`;
    this.#publish(entry, this.counter);
  }

  /** The same message again: the server knows it by its id for a while, and later by its place. @param {Entry} entry */
  resend(entry) {
    this.#publish(entry, Number(entry.id.slice(entry.id.indexOf('-') + 1)));
  }

  /** @param {Entry} entry @param {number} counter */
  #publish(entry, counter) {
    const { connection, places } = this.options;
    if (this.open.size >= MAX_OPEN) this.#sweep();
    this.open.set(counter, entry);
    entry.sentAt = performance.now();
    const said = headers();
    said.append('Nats-Msg-Id', entry.id);
    said.append('Nats-Expected-Last-Sequence', String(entry.place - 1));
    const subject = (entry.kind === 'root' ? places.root : places.chained) + entry.author;
    try {
      connection.publish(subject, entry.bytes, { headers: said, reply: `${this.inbox}.${counter}` });
    } catch (error) {
      this.options.onBroken(error);
    }
  }

  /** What was settled by the stream, its acknowledgement lost, waits for none any more. */
  #sweep() {
    for (const [counter, { state }] of this.open) if (state === 'settled') this.open.delete(counter);
  }

  /** @param {import('@nats-io/nats-core').Msg} message */
  #answered(message) {
    const counter = Number(message.subject.slice(this.inbox.length + 1));
    const entry = this.open.get(counter);
    if (entry === undefined || entry.id !== `${this.options.host}-${counter}`) return;
    const { sequence, apiCode } = readAnswer(message);
    if (sequence === null) {
      this.apiCode = apiCode;
      return; // the watch asks what stands there
    }
    this.apiCode = null;
    this.denied = null;
    this.open.delete(counter);
    if (sequence === entry.place) this.options.onAcknowledged(entry);
    else this.options.onMisplaced(sequence);
  }

  /** What was sent so far is of no more interest. */
  forget() {
    this.open.clear();
  }

  close() {
    this.open.clear();
    this.subscription.unsubscribe();
  }
}

/** @param {import('@nats-io/nats-core').Msg} message @returns {{ sequence: number | null, apiCode: number | null }} */
function readAnswer(message) {
  try {
    const answer = JSON.parse(message.string());
    if (Number.isSafeInteger(answer.seq) && answer.error === undefined)
      return { sequence: answer.seq, apiCode: null };
    const code = answer.error?.err_code ?? answer.error?.code;
    return { sequence: null, apiCode: Number.isSafeInteger(code) ? code : null };
  } catch {
    return { sequence: null, apiCode: message.headers?.code ?? null }; // 503: nobody has the stream just now
  }
}
