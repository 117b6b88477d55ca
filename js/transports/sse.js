// The client side of a bridge over Server-Sent Events and POST. docs/transports.md has the protocol and the meaning of
// every option. fetch and not EventSource: that one has no headers, no limits, and reconnects behind the host's back.

import { addAsyncDispose } from '../boundary/async-dispose.js';
import { Attempt, raceSignal } from './attempt.js';
import {
  closedError,
  connectError,
  reasonOfStatus,
  systemCodeOf,
  TransportError,
  tooLargeError,
} from './errors.js';
import { EventStreamParser, MalformedStream } from './event-stream.js';
import {
  ackFrame,
  eventRecord,
  MalformedFrame,
  outboundFrame,
  PROTOCOL_VERSION,
  readServerFrame,
} from './frames.js';
import { IdleWatch } from './idle-watch.js';
import { checkFunction, readCredentials, readEndpoint, readOptions, readResumePoint } from './options.js';
import { Outbox } from './outbox.js';
import { tell } from './tell.js';
import { utf8Length } from './texts.js';

export { displayEndpoint } from './options.js';
export { TransportError };

const KIND = 'ccr_sse';
const SCHEMES = { 'http:': false, 'https:': true };
const LIMIT_NAMES = [
  'connectTimeoutMs',
  'idleTimeoutMs',
  'sendTimeoutMs',
  'ackDelayMs',
  'maxFrameBytes',
  'maxPendingEvents',
  'maxPendingBytes',
];
const OTHER_NAMES = [
  'resume',
  'onEvent',
  'onClose',
  'token',
  'headers',
  'sendEndpoint',
  'allowInsecureCredentials',
  'fetch',
];
/** Room for what surrounds an event in its frame, and a frame in its line. */
const ENVELOPE_BYTES = 64;
/** The answer to a POST is one acceptance. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** @typedef {import('./errors.js').Ending} Ending */
/** @typedef {import('./options.js').Endpoint} Endpoint */

/** @param {unknown} options */
export function sseFactory(options) {
  const settings = readOptions(options, LIMIT_NAMES, OTHER_NAMES);
  checkFunction(settings, 'onEvent', true);
  checkFunction(settings, 'onClose');
  checkFunction(settings, 'fetch');
  const fetch = settings.fetch ?? globalThis.fetch;
  settings.fetch = (/** @type {[string, RequestInit]} */ ...request) => fetch(...request); // never called as a method
  if (settings.resume && typeof settings.resume !== 'function') readResumePoint(settings.resume);

  return async (/** @type {any} */ config, /** @type {{ signal?: AbortSignal | null }} */ context = {}) => {
    const { signal } = context ?? {};
    signal?.throwIfAborted();
    const endpoint = readEndpoint(KIND, config?.endpoint, SCHEMES);
    const sendEndpoint = readEndpoint(KIND, settings.sendEndpoint ?? config.endpoint, SCHEMES);
    const attempt = new Attempt(KIND, endpoint.display, settings.connectTimeoutMs, signal);
    try {
      return await connect(settings, config.resume ?? settings.resume, endpoint, sendEndpoint, attempt);
    } finally {
      attempt.done();
    }
  };
}

/**
 * @param {any} settings @param {unknown} from @param {Endpoint} endpoint @param {Endpoint} sendEndpoint
 * @param {Attempt} attempt
 */
async function connect(settings, from, endpoint, sendEndpoint, attempt) {
  const refuse = (
    /** @type {Omit<Ending, 'origin'>} */ ending,
    /** @type {'local' | 'remote'} */ origin = 'local',
  ) => connectError(KIND, endpoint.display, { ...ending, origin });
  const resume = await attempt.race(async () =>
    readResumePoint(typeof from === 'function' ? await from() : from),
  );
  const headers = await attempt.race(() => requestHeaders(settings, endpoint, attempt.signal, refuse));
  headers.set('accept', 'text/event-stream');
  headers.set('last-event-id', resume.cursor.toString());
  identify(headers, resume.session, resume.epoch);

  const controller = new AbortController();
  try {
    /** @type {Response} */
    const response = await attempt
      .race(() => settings.fetch(endpoint.href, { method: 'GET', headers, ...requestRules(controller) }))
      .catch((/** @type {unknown} */ error) => {
        attempt.signal.throwIfAborted();
        throw refuse({ reason: 'unreachable', systemCode: systemCodeOf(error) }, 'remote');
      });
    const { status, body } = response;
    if (status !== 200) throw refuse({ reason: reasonOfStatus(status), status }, 'remote');
    if (!/^text\/event-stream\s*(;|$)/i.test(response.headers.get('content-type') ?? '') || body === null) {
      throw refuse({ reason: 'protocol_error', status, detail: 'content_type' });
    }
    const transport = new SseTransport(settings, endpoint, sendEndpoint, resume.session, controller, body);
    await attempt
      .race(() => within.welcomed(transport))
      .catch((error) => {
        within.abandon(transport);
        throw error;
      });
    within.hand(transport);
    return transport;
  } catch (error) {
    controller.abort();
    throw error;
  }
}

/** A redirect could carry headers to somebody else. @param {AbortController} controller */
const requestRules = ({ signal }) =>
  /** @type {const} */ ({ signal, redirect: 'error', cache: 'no-store', referrerPolicy: 'no-referrer' });

/** @param {Headers} headers @param {string} session @param {bigint} epoch */
function identify(headers, session, epoch) {
  headers.set('leasegate-protocol', PROTOCOL_VERSION.toString());
  headers.set('leasegate-session', encodeURIComponent(session));
  headers.set('leasegate-epoch', epoch.toString());
}

/**
 * @param {any} settings @param {Endpoint} endpoint @param {AbortSignal} signal
 * @param {(ending: { reason: string }) => unknown} refuse
 */
async function requestHeaders(settings, endpoint, signal, refuse) {
  /** @type {import('./options.js').Credentials} */
  let credentials;
  try {
    credentials = await readCredentials(settings, endpoint, signal);
    const { headers, token } = credentials;
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
  } catch {
    throw refuse({ reason: 'credentials_failed' });
  }
  if (credentials.any && !endpoint.safe && settings.allowInsecureCredentials !== true) {
    throw refuse({ reason: 'insecure_credentials' });
  }
  return credentials.headers;
}

/**
 * What connect() does with a transport that is not the host's yet.
 * @type {{ welcomed(transport: SseTransport): Promise<void>, hand(transport: SseTransport): void, abandon(transport: SseTransport): void }}
 */
let within;

class SseTransport {
  #settings;
  #endpoint;
  #sendEndpoint;
  #session;
  #controller;
  #outbox;
  #idle;
  #parser;
  #epoch = 0n;
  /** @type {'connecting' | 'open' | 'draining' | 'ended'} */
  #state = 'connecting';
  /** @type {Ending | null} */
  #ending = null;
  /** @type {Promise<Readonly<{ dropped: number, remoteDurabilityKnown: boolean }>> | null} */
  #closing = null;
  /** The host has an event, and nothing more is read. */
  #handling = false;
  /** A POST is under way: there is one at a time, so that the order is the order of the calls. */
  #posting = false;
  /** Handled, not acknowledged. @type {bigint | null} */
  #unacked = null;
  #ackDue = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #ackTimer;
  /** Whether the host has this transport. @type {'no' | 'waiting' | 'yes'} */
  #handed = 'no';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #sendTimer;
  #drained = () => {};
  /** @type {() => void} */
  #resolveWelcome = () => {};
  /** @type {(error: unknown) => void} */
  #rejectWelcome = () => {};
  #resolveBegun = () => {};
  /** @type {Promise<void>} */
  #welcomed;
  /** @type {Promise<void>} */
  #begun;

  static {
    within = {
      welcomed: (transport) => transport.#welcomed,
      hand: (transport) => transport.#hand(),
      abandon: (transport) => transport.#end({ reason: 'closed_locally', origin: 'local' }),
    };
  }

  /**
   * @param {any} settings @param {Endpoint} endpoint @param {Endpoint} sendEndpoint @param {string} session
   * @param {AbortController} controller of every request of this transport
   * @param {ReadableStream<Uint8Array>} body
   */
  constructor(settings, endpoint, sendEndpoint, session, controller, body) {
    this.#settings = settings;
    this.#endpoint = endpoint;
    this.#sendEndpoint = sendEndpoint;
    this.#session = session;
    this.#controller = controller;
    this.#outbox = new Outbox(KIND, settings);
    this.#idle = new IdleWatch(
      settings.idleTimeoutMs,
      () => this.#handling,
      () => this.#end({ reason: 'idle_timeout', origin: 'local' }),
    );
    const limit = settings.maxFrameBytes + ENVELOPE_BYTES;
    this.#parser = new EventStreamParser({ maxLineBytes: limit, maxEventBytes: limit });
    this.#welcomed = new Promise((resolve, reject) => {
      this.#resolveWelcome = () => resolve();
      this.#rejectWelcome = reject;
    });
    this.#welcomed.catch(() => {}); // An attempt that was given up does not look any more.
    this.#begun = new Promise((resolve) => {
      this.#resolveBegun = () => resolve();
    });
    this.#idle.start();
    void this.#read(body.getReader());
  }

  get kind() {
    return KIND;
  }

  /** The epoch that the server has given. */
  get epoch() {
    return this.#epoch;
  }

  get session() {
    return this.#session;
  }

  /** How long the server asks a client to wait before it connects again; null: it did not. */
  get retryMs() {
    return this.#parser.retryMs;
  }

  /** Sends without an answer. */
  get pendingSends() {
    return this.#outbox.size;
  }

  /** @param {unknown} event @param {{ signal?: AbortSignal | null }} [options] */
  async send(event, options) {
    const record = eventRecord(event);
    if (this.#state !== 'open')
      throw closedError(KIND, this.#ending ?? { reason: 'closed_locally', origin: 'local' });
    options?.signal?.throwIfAborted();
    const bytes = utf8Length(record) + ENVELOPE_BYTES;
    if (bytes > this.#settings.maxFrameBytes) throw tooLargeError(KIND, bytes, this.#settings.maxFrameBytes);
    const answer = this.#outbox.add(record, bytes, options?.signal);
    this.#wake();
    return answer;
  }

  /** @param {{ signal?: AbortSignal | null }} [options] */
  close(options) {
    const signal = options?.signal;
    this.#closing ??= this.#shut();
    const closing = this.#closing;
    if (signal) {
      const cut = () => this.#end({ reason: 'closed_locally', origin: 'local' });
      signal.addEventListener('abort', cut);
      closing.finally(() => signal.removeEventListener('abort', cut));
      if (signal.aborted) cut();
    }
    return closing;
  }

  async #shut() {
    if (this.#state === 'open') {
      this.#state = 'draining';
      if (this.#unacked !== null) this.#ackDue = true;
      this.#wake();
      if (this.#posting) {
        await new Promise((resolve) => {
          this.#drained = () => resolve(undefined);
        });
      }
    }
    this.#end({ reason: 'closed_locally', origin: 'local' });
    return this.#outbox.evidence();
  }

  /**
   * To the host. Events, and an end, wait until those who asked for the transport had their turn to put it in its place.
   */
  #hand() {
    if (this.#ending !== null) throw connectError(KIND, this.#endpoint.display, this.#ending);
    this.#handed = 'waiting';
    setTimeout(() => {
      this.#handed = 'yes';
      if (this.#ending === null) this.#resolveBegun();
      else this.#tellEnd(this.#ending);
    }, 0);
  }

  // In

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  async #read(reader) {
    try {
      while (this.#state !== 'ended') {
        const { done, value } = await reader.read();
        if (done)
          return this.#end({
            reason: this.#state === 'connecting' ? 'abnormal' : 'normal',
            origin: 'remote',
          });
        this.#idle.heard();
        for (const event of this.#parser.push(value)) await this.#receive(event);
      }
    } catch (error) {
      this.#end(endingOf(error));
    }
  }

  /** @param {import('./event-stream.js').StreamEvent} event */
  async #receive({ type, data, lastEventId }) {
    if (type !== 'message' || this.#state === 'ended' || this.#state === 'draining') return;
    const frame = readServerFrame(data);
    if (frame.frame === 'welcome' && this.#state === 'connecting') return this.#welcome(frame);
    if (frame.frame !== 'event' || this.#state !== 'open') throw new MalformedFrame('unexpected_frame');
    if (lastEventId !== frame.sequence.toString()) throw new MalformedFrame('last_event_id');
    await this.#deliver(frame);
  }

  /** @param {import('./frames.js').Welcome} frame */
  #welcome({ session, epoch }) {
    if (session !== this.#session) throw new MalformedFrame('remote_session_id');
    this.#state = 'open';
    this.#epoch = epoch;
    this.#resolveWelcome();
  }

  /** The host has one event at a time; meanwhile the server meets a full connection. @param {import('./frames.js').InboundFrame} frame */
  async #deliver({ sequence, event }) {
    this.#handling = true;
    try {
      await this.#begun;
      if (this.#state !== 'open') return;
      await this.#settings.onEvent({ sequence, event });
    } catch (cause) {
      return this.#end({ reason: 'handler_failed', origin: 'local', cause });
    } finally {
      this.#handling = false;
      this.#idle.heard();
    }
    this.#unacked = sequence;
    if (this.#state !== 'open') return;
    this.#ackTimer ??= setTimeout(() => {
      this.#ackTimer = undefined;
      this.#ackDue = true;
      this.#wake();
    }, this.#settings.ackDelayMs);
  }

  // Out

  #wake() {
    if (!this.#posting && (this.#ackDue || this.#outbox.hasWaiting)) void this.#postAll();
  }

  async #postAll() {
    this.#posting = true;
    while (this.#state !== 'ended' && (this.#ackDue || this.#outbox.hasWaiting)) {
      if (this.#ackDue) await this.#postAck();
      else await this.#postEvent();
    }
    this.#posting = false;
    this.#drained();
  }

  async #postAck() {
    const sequence = this.#unacked;
    this.#ackDue = false;
    this.#unacked = null;
    if (sequence === null) return;
    const answer = await this.#post(ackFrame(sequence));
    if (answer !== null && !answer.ok) this.#refused(answer.status);
  }

  async #postEvent() {
    const launched = this.#outbox.launch(performance.now());
    if (launched === null) return;
    const answer = await this.#post(outboundFrame(launched.id, launched.record));
    if (answer === null) return;
    try {
      const frame = readServerFrame(answer.text);
      if (frame.frame !== 'acceptance' || frame.sendId !== launched.id)
        throw new MalformedFrame('unexpected_frame');
      this.#outbox.answer(frame.sendId, frame.acceptance);
    } catch (error) {
      if (answer.ok) this.#end(endingOf(error));
      else this.#refused(answer.status);
    }
  }

  /** @param {number} status */
  #refused(status) {
    this.#end({ reason: reasonOfStatus(status), origin: 'remote', status });
  }

  /**
   * @param {string} frame
   * @returns {Promise<{ ok: boolean, status: number, text: string } | null>} null once the transport has ended
   */
  async #post(frame) {
    const { signal } = this.#controller;
    this.#sendTimer = setTimeout(
      () => this.#end({ reason: 'send_timeout', origin: 'local' }),
      this.#settings.sendTimeoutMs,
    );
    try {
      const refuse = (/** @type {{ reason: string }} */ { reason }) =>
        new Refusal({ reason, origin: 'local' });
      const headers = await raceSignal(signal, () =>
        requestHeaders(this.#settings, this.#sendEndpoint, signal, refuse),
      );
      headers.set('content-type', 'application/json');
      identify(headers, this.#session, this.#epoch);
      const request = { method: 'POST', headers, body: frame, ...requestRules(this.#controller) };
      const response = await this.#settings.fetch(this.#sendEndpoint.href, request);
      const text = await readText(response, MAX_ANSWER_BYTES);
      return this.#state === 'ended' ? null : { ok: response.ok, status: response.status, text };
    } catch (error) {
      this.#end(error instanceof Refusal ? error.ending : endingOf(error));
      return null;
    } finally {
      clearTimeout(this.#sendTimer);
    }
  }

  /** @param {Ending} ending */
  #end(ending) {
    if (this.#state === 'ended') return;
    const welcomed = this.#state !== 'connecting';
    this.#state = 'ended';
    this.#ending = ending;
    this.#idle.stop();
    clearTimeout(this.#ackTimer);
    clearTimeout(this.#sendTimer);
    this.#resolveBegun();
    this.#controller.abort();
    this.#outbox.end(ending);
    this.#drained();
    if (!welcomed) this.#rejectWelcome(connectError(KIND, this.#endpoint.display, ending));
    else if (this.#handed === 'yes') this.#tellEnd(ending);
  }

  /** @param {Ending} ending */
  #tellEnd(ending) {
    const { reason, origin } = ending;
    const info = { transport: this, reason, origin, error: closedError(KIND, ending) };
    tell(this.#settings.onClose, Object.freeze(info));
  }
}
addAsyncDispose(SseTransport);

class Refusal extends Error {
  /** @param {Ending} ending */
  constructor(ending) {
    super(ending.reason);
    this.ending = ending;
  }
}

/** @param {unknown} error @returns {Ending} */
function endingOf(error) {
  if (error instanceof MalformedStream || error instanceof MalformedFrame) {
    const tooBig = error instanceof MalformedStream && error.detail !== 'not_utf8';
    return { reason: tooBig ? 'too_big' : 'protocol_error', origin: 'local', detail: error.detail };
  }
  return { reason: 'abnormal', origin: 'remote', systemCode: systemCodeOf(error) };
}

/** @param {Response} response @param {number} limit in bytes */
async function readText(response, limit) {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const answer = new Uint8Array(limit);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (length + value.length > limit) {
      reader.cancel().catch(() => {});
      throw new MalformedStream('answer_too_long');
    }
    answer.set(value, length);
    length += value.length;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(answer.subarray(0, length));
  } catch {
    throw new MalformedFrame('not_utf8');
  }
}
