// The client side of a bridge over WebSocket. docs/transports.md has the protocol and the meaning of every option.

import { addAsyncDispose } from '../boundary/async-dispose.js';
import { Attempt } from './attempt.js';
import { closedError, connectError, TransportError, tooLargeError } from './errors.js';
import {
  ackFrame,
  eventRecord,
  helloFrame,
  MalformedFrame,
  MAX_TOKEN_LENGTH,
  outboundFrame,
  pingFrame,
  readServerFrame,
} from './frames.js';
import { Inbox } from './inbox.js';
import { checkFunction, readCredentials, readEndpoint, readOptions, readResumePoint } from './options.js';
import { Outbox } from './outbox.js';
import { SocketLink } from './socket-link.js';
import { tell } from './tell.js';
import { utf8Length } from './texts.js';

export { displayEndpoint } from './options.js';
export { TransportError };

const KIND = 'websocket';
const SCHEMES = { 'ws:': false, 'wss:': true };
const LIMIT_NAMES = [
  'connectTimeoutMs',
  'heartbeatIntervalMs',
  'idleTimeoutMs',
  'sendTimeoutMs',
  'closeTimeoutMs',
  'maxFrameBytes',
  'maxPendingEvents',
  'maxPendingBytes',
  'highWaterBytes',
  'windowEvents',
  'windowBytes',
];
const OTHER_NAMES = [
  'resume',
  'onEvent',
  'onClose',
  'token',
  'headers',
  'protocols',
  'allowInsecureCredentials',
  'WebSocket',
  'socketOptions',
];
/** Room for what surrounds an event in its frame. */
const ENVELOPE_BYTES = 64;

/** @typedef {import('./errors.js').Ending} Ending */

/** @param {unknown} options */
export function websocketFactory(options) {
  const settings = readOptions(options, LIMIT_NAMES, OTHER_NAMES);
  checkFunction(settings, 'onEvent', true);
  checkFunction(settings, 'onClose');
  checkFunction(settings, 'WebSocket');
  if (settings.resume && typeof settings.resume !== 'function') readResumePoint(settings.resume);

  return async (/** @type {any} */ config, /** @type {{ signal?: AbortSignal | null }} */ context = {}) => {
    const { signal } = context ?? {};
    signal?.throwIfAborted();
    const endpoint = readEndpoint(KIND, config?.endpoint, SCHEMES);
    const attempt = new Attempt(KIND, endpoint.display, settings.connectTimeoutMs, signal);
    try {
      return await connect(settings, config.resume ?? settings.resume, endpoint, attempt);
    } finally {
      attempt.done();
    }
  };
}

/** @param {any} settings @param {unknown} from @param {import('./options.js').Endpoint} endpoint @param {Attempt} attempt */
async function connect(settings, from, endpoint, attempt) {
  const refuse = (/** @type {string} */ reason) =>
    connectError(KIND, endpoint.display, { reason, origin: 'local' });
  const resume = await attempt.race(async () =>
    readResumePoint(typeof from === 'function' ? await from() : from),
  );
  const credentials = await attempt.race(() =>
    readCredentials(settings, endpoint, attempt.signal).catch(() => {
      throw refuse('credentials_failed');
    }),
  );
  if (credentials.token !== null && credentials.token.length > MAX_TOKEN_LENGTH)
    throw refuse('credentials_failed');
  const protocols = [settings.protocols ?? []].flat();
  if (credentials.any && !endpoint.safe && settings.allowInsecureCredentials !== true)
    throw refuse('insecure_credentials');

  const headers = [...credentials.headers];
  const socketClass = await attempt.race(() => findWebSocket(settings.WebSocket, headers.length > 0));
  if (socketClass === null) throw refuse('no_websocket');
  if (headers.length > 0 && !isWsClass(socketClass)) throw refuse('headers_unsupported');
  const socketOptions = {
    perMessageDeflate: false,
    handshakeTimeout: settings.connectTimeoutMs,
    ...settings.socketOptions,
    headers: Object.fromEntries(headers),
    maxPayload: settings.maxFrameBytes,
    followRedirects: false,
  };
  attempt.signal.throwIfAborted();
  /** @type {any} */
  let socket;
  try {
    socket = isWsClass(socketClass)
      ? new socketClass(endpoint.href, protocols, socketOptions)
      : new socketClass(endpoint.href, protocols);
  } catch {
    throw refuse('unsupported_endpoint'); // The platform's message may hold the whole address.
  }
  const hello = { ...settings, resume, token: credentials.token };
  const transport = new WebSocketTransport(socket, settings, endpoint.display, hello);
  try {
    await attempt.race(() => within.welcomed(transport));
  } catch (error) {
    within.abandon(transport);
    throw error;
  }
  within.hand(transport);
  return transport;
}

/** Whether a class takes headers and limits as package ws does. @param {any} socketClass */
const isWsClass = (socketClass) => typeof socketClass.prototype?.terminate === 'function';

/**
 * The one that was given; the platform's own; package ws, where there is no other or where headers need it.
 * @param {any} given @param {boolean} needsHeaders
 * @returns {Promise<any>}
 */
async function findWebSocket(given, needsHeaders) {
  const own = given ?? globalThis.WebSocket;
  const onNode = typeof process === 'object' && typeof process.versions?.node === 'string';
  if (own && (given || !needsHeaders || !onNode)) return own;
  if (!onNode) return null;
  const name = 'ws'; // Not a literal: bundlers for browsers must not look for it.
  try {
    const module = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
    return module.WebSocket ?? module.default;
  } catch {
    return null;
  }
}

/**
 * What connect() does with a transport that is not the host's yet.
 * @type {{ welcomed(transport: WebSocketTransport): Promise<bigint>, hand(transport: WebSocketTransport): void, abandon(transport: WebSocketTransport): void }}
 */
let within;

class WebSocketTransport {
  #settings;
  #display;
  #hello;
  #link;
  #outbox;
  #inbox;
  /** @type {'connecting' | 'open' | 'draining' | 'ended'} */
  #state = 'connecting';
  /** @type {Ending | null} */
  #ending = null;
  /** @type {Promise<Readonly<{ dropped: number, remoteDurabilityKnown: boolean }>> | null} */
  #closing = null;
  #epoch = 0n;
  #session = '';
  /** Handled, not acknowledged yet. */
  #unacked = { events: 0, bytes: 0, sequence: 0n };
  /** Whether the host has this transport. @type {'no' | 'waiting' | 'yes'} */
  #handed = 'no';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #sendTimer;
  /** Called when no send is without an answer, or none will get one. */
  #drained = () => {};
  /** @type {(epoch: bigint) => void} */
  #resolveWelcome = () => {};
  /** @type {(error: unknown) => void} */
  #rejectWelcome = () => {};
  /** @type {Promise<bigint>} */
  #welcomed;

  /** @param {any} socket @param {any} settings @param {string} display @param {any} hello */
  constructor(socket, settings, display, hello) {
    this.#settings = settings;
    this.#display = display;
    this.#hello = hello;
    this.#outbox = new Outbox(KIND, settings);
    this.#welcomed = new Promise((resolve, reject) => {
      this.#resolveWelcome = resolve;
      this.#rejectWelcome = reject;
    });
    this.#welcomed.catch(() => {}); // An attempt that was given up does not look any more.
    this.#inbox = new Inbox({
      handle: ({ sequence, event }) => settings.onEvent({ sequence, event }),
      handled: (item, last) => this.#acknowledge(item, last),
      failed: (cause) => this.#link.end({ reason: 'handler_failed', origin: 'local', cause }),
    });
    this.#link = new SocketLink(socket, settings, {
      opened: () => this.#link.sendSlot('hello', helloFrame(this.#hello)),
      received: (text) => this.#receive(text),
      hasNext: () => this.#outbox.hasWaiting,
      next: () => this.#next(),
      ended: (ending) => this.#ended(ending),
    });
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
    this.#link.pump();
    return answer;
  }

  /** @param {{ signal?: AbortSignal | null }} [options] */
  close(options) {
    const signal = options?.signal;
    this.#closing ??= this.#shut();
    const closing = this.#closing;
    if (signal) {
      const cut = () => this.#cut();
      signal.addEventListener('abort', cut);
      closing.finally(() => signal.removeEventListener('abort', cut));
      if (signal.aborted) cut();
    }
    return closing;
  }

  async #shut() {
    if (this.#state === 'open') {
      this.#state = 'draining';
      this.#inbox.stop();
      if (this.#outbox.size > 0) {
        await new Promise((resolve) => {
          this.#drained = () => resolve(undefined);
        });
      }
    }
    this.#link.end({ reason: 'closed_locally', origin: 'local', closeCode: 1000 });
    await this.#link.gone;
    return this.#outbox.evidence();
  }

  #cut() {
    this.#drained();
    this.#link.end({ reason: 'closed_locally', origin: 'local', closeCode: 1000 });
    this.#link.cut();
  }

  static {
    within = {
      welcomed: (transport) => transport.#welcomed,
      hand: (transport) => transport.#hand(),
      abandon: (transport) => transport.#cut(),
    };
  }

  /**
   * To the host. Events, and an end, wait until those who asked for the transport had their turn to put it in its place.
   */
  #hand() {
    if (this.#ending !== null) throw connectError(KIND, this.#display, this.#ending);
    this.#handed = 'waiting';
    setTimeout(() => {
      this.#handed = 'yes';
      if (this.#ending === null) this.#inbox.start();
      else this.#tellEnd(this.#ending);
    }, 0);
  }

  #next() {
    const launched = this.#outbox.launch(performance.now());
    if (launched === null) return null;
    this.#watchSends();
    return outboundFrame(launched.id, launched.record);
  }

  #watchSends() {
    const { oldestSentAt } = this.#outbox;
    if (oldestSentAt === null || this.#sendTimer !== undefined) return;
    const left = oldestSentAt + this.#settings.sendTimeoutMs - performance.now();
    this.#sendTimer = setTimeout(
      () => {
        this.#sendTimer = undefined;
        const { oldestSentAt: oldest } = this.#outbox;
        if (oldest === null) return;
        if (performance.now() - oldest < this.#settings.sendTimeoutMs) this.#watchSends();
        else this.#link.end({ reason: 'send_timeout', origin: 'local' });
      },
      Math.max(1, Math.ceil(left)),
    );
  }

  /** @param {string} text */
  #receive(text) {
    try {
      this.#take(readServerFrame(text));
    } catch (error) {
      if (!(error instanceof MalformedFrame)) throw error;
      this.#link.end({ reason: 'protocol_error', origin: 'local', detail: error.detail });
    }
  }

  /** @param {import('./frames.js').ServerFrame} frame */
  #take(frame) {
    if ((frame.frame === 'welcome') !== (this.#state === 'connecting'))
      throw new MalformedFrame('unexpected_frame');
    switch (frame.frame) {
      case 'welcome':
        return this.#welcome(frame);
      case 'event':
        return this.#admit(frame);
      case 'acceptance':
        if (!this.#outbox.answer(frame.sendId, frame.acceptance)) throw new MalformedFrame('send_id');
        if (this.#outbox.size === 0) this.#drained();
        return;
      case 'ping':
        return this.#link.sendSlot('pong', pingFrame('pong', frame.pingId));
    }
  }

  /** @param {import('./frames.js').Welcome} frame */
  #welcome({ session, epoch }) {
    if (session !== this.#hello.resume.session) throw new MalformedFrame('remote_session_id');
    this.#state = 'open';
    this.#session = session;
    this.#epoch = epoch;
    this.#hello = null; // It holds the token.
    this.#link.startHeartbeats();
    this.#resolveWelcome(epoch);
  }

  /** @param {import('./frames.js').InboundFrame} frame */
  #admit({ sequence, event }) {
    if (this.#state === 'draining') return;
    const bytes = event.payload.length;
    const { windowEvents, windowBytes } = this.#settings;
    const held = this.#inbox.size;
    if (held >= windowEvents || (held > 0 && this.#inbox.bytes + bytes > windowBytes)) {
      throw new MalformedFrame('receive_window');
    }
    this.#inbox.push({ sequence, event, bytes }, bytes);
  }

  /** @param {{ sequence: bigint, bytes: number }} item @param {boolean} last */
  #acknowledge({ sequence, bytes }, last) {
    const unacked = this.#unacked;
    unacked.events += 1;
    unacked.bytes += bytes;
    unacked.sequence = sequence;
    const { windowEvents, windowBytes } = this.#settings;
    if (!last && unacked.events * 4 < windowEvents && unacked.bytes * 4 < windowBytes) return;
    unacked.events = 0;
    unacked.bytes = 0;
    if (!this.#link.ended) this.#link.sendSlot('ack', ackFrame(sequence));
  }

  /** @param {Ending} ending */
  #ended(ending) {
    const welcomed = this.#state !== 'connecting';
    this.#state = 'ended';
    this.#ending = ending;
    this.#hello = null;
    clearTimeout(this.#sendTimer);
    this.#inbox.stop();
    this.#outbox.end(ending);
    this.#drained();
    if (!welcomed) this.#rejectWelcome(connectError(KIND, this.#display, ending));
    else if (this.#handed === 'yes') this.#tellEnd(ending);
  }

  /** @param {Ending} ending */
  #tellEnd(ending) {
    const { reason, origin } = ending;
    const info = { transport: this, reason, origin, error: closedError(KIND, ending) };
    tell(this.#settings.onClose, Object.freeze(info));
  }
}
addAsyncDispose(WebSocketTransport);
