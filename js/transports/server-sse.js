// A client's event stream and its POSTs, seen from a server on node:http.

import { closedError, REFUSALS } from './errors.js';
import { EventQueue } from './event-queue.js';
import { acceptanceFrame, MalformedFrame, readClientFrame, welcomeFrame } from './frames.js';
import { checkFunction, readOptions, SERVER_HANDLERS } from './options.js';
import { askWelcome, Refusal } from './refusal.js';
import { tell } from './tell.js';
import { isOpaqueId, isU64 } from './texts.js';

const KIND = 'ccr_sse';
const LIMIT_NAMES = [
  'heartbeatIntervalMs',
  'maxFrameBytes',
  'maxPendingEvents',
  'maxPendingBytes',
  'maxStreams',
  'retryMs',
];

/** @typedef {import('./errors.js').Ending} Ending */

/** @param {unknown} options */
export function eventStreamHandler(options) {
  const settings = readOptions({ .../** @type {any} */ (options) }, LIMIT_NAMES, [
    ...SERVER_HANDLERS,
    'authorize',
  ]);
  for (const name of SERVER_HANDLERS) checkFunction(settings, name, name === 'welcome' || name === 'onEvent');
  checkFunction(settings, 'authorize');
  /** The live stream of each session. @type {Map<string, EventStreamPeer>} */
  const streams = new Map();

  return async (/** @type {any} */ request, /** @type {any} */ response) => {
    try {
      if (request.method === 'GET') await openStream(settings, streams, request, response);
      else if (request.method === 'POST') await takePost(settings, streams, request, response);
      else answer(response, 405, { allow: 'GET, POST' });
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (error instanceof Refusal) answer(response, REFUSALS[error.reason]);
      else if (error instanceof MalformedFrame) answer(response, 400);
      else answer(response, 500);
    }
  };
}

/** @param {any} response @param {number} status @param {Record<string, string>} [headers] @param {string} [body] */
function answer(response, status, headers = {}, body = '') {
  response.writeHead(status, { 'content-length': new TextEncoder().encode(body).length, ...headers });
  response.end(body);
}

/** What a client says of itself, with every request. @param {any} request */
function identityOf(request) {
  const { headers } = request;
  if (headers['leasegate-protocol'] !== '1') throw new Refusal('protocol_error');
  return {
    session: readSession(headers['leasegate-session']),
    epoch: readDigits(headers['leasegate-epoch'], 1n),
    token: /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? null,
  };
}

/** @param {unknown} value */
function readSession(value) {
  try {
    const session = decodeURIComponent(/** @type {string} */ (value));
    if (typeof value === 'string' && isOpaqueId(session)) return session;
  } catch {}
  throw new Refusal('protocol_error');
}

/** @param {unknown} value @param {bigint} minimum */
function readDigits(value, minimum) {
  const number = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : null;
  if (!isU64(number) || number < minimum) throw new Refusal('protocol_error');
  return number;
}

/** @param {any} settings @param {Map<string, EventStreamPeer>} streams @param {any} request @param {any} response */
async function openStream(settings, streams, request, response) {
  const { session, epoch: previous, token } = identityOf(request);
  const cursor = readDigits(request.headers['last-event-id'] ?? '0', 0n);
  const resume = Object.freeze({ session, epoch: previous, cursor });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const epoch = await askWelcome(settings.welcome, { resume, token, request, signal: gone.signal });
  if (gone.signal.aborted) return;
  const former = streams.get(session);
  if (former === undefined && streams.size >= settings.maxStreams) throw new Refusal('overloaded');
  const peer = new EventStreamPeer(settings, response, { resume, epoch, token }, () => {
    if (streams.get(session) === peer) streams.delete(session);
  });
  streams.set(session, peer);
  former?.close('stale_epoch');
  peer.begin();
}

/** @param {any} settings @param {Map<string, EventStreamPeer>} streams @param {any} request @param {any} response */
async function takePost(settings, streams, request, response) {
  const { session, epoch, token } = identityOf(request);
  const peer = streams.get(session);
  if (peer === undefined || peer.epoch !== epoch) throw new Refusal('stale_epoch');
  const { authorize } = settings;
  const allowed = authorize ? await authorize({ peer, token, request }) : peer.hasToken(token);
  if (allowed !== true) throw new Refusal('unauthorized');
  const text = await readBody(request, settings.maxFrameBytes);
  if (text === null) {
    answer(response, 413, { connection: 'close' });
    return;
  }
  const reply = await peer.take(readClientFrame(text));
  if (reply === null) answer(response, 204);
  else answer(response, 200, { 'content-type': 'application/json' }, reply);
}

/** @param {any} request @param {number} limit in bytes @returns {Promise<string | null>} null: too long */
async function readBody(request, limit) {
  if (Number(request.headers['content-length'] ?? 0) > limit) return null;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** @type {Uint8Array[]} */
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new MalformedFrame('not_utf8');
  }
}

class EventStreamPeer {
  #settings;
  #response;
  #client;
  #events;
  #forget;
  #handling = false;
  #full = false;
  /** @type {Ending | null} */
  #ending = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #heartbeatTimer;
  #onClose = () => this.#end({ reason: 'abnormal', origin: 'remote' });
  #onDrain = () => {
    this.#full = false;
    this.#pump();
  };

  /**
   * @param {any} settings @param {any} response
   * @param {{ resume: Readonly<import('./frames.js').ResumePoint>, epoch: bigint, token: string | null }} client
   * @param {() => void} forget
   */
  constructor(settings, response, client, forget) {
    this.#settings = settings;
    this.#response = response;
    this.#client = client;
    this.#forget = forget;
    this.#events = new EventQueue(KIND, settings, null);
  }

  get kind() {
    return KIND;
  }

  get session() {
    return this.#client.resume.session;
  }

  get epoch() {
    return this.#client.epoch;
  }

  /** Where the client wants to go on. */
  get resume() {
    return this.#client.resume;
  }

  /** The highest sequence that the client has handled, on this connection. */
  get ackedSequence() {
    return this.#events.acked;
  }

  /** Events that wait for room. */
  get pendingEvents() {
    return this.#events.size;
  }

  /** Takes as long for any wrong token. @param {string | null} token */
  hasToken(token) {
    const own = this.#client.token ?? '';
    const other = token ?? '';
    let difference = own.length ^ other.length;
    for (let i = 0; i < own.length; i += 1) difference |= own.charCodeAt(i) ^ (other.charCodeAt(i) || 0);
    return difference === 0;
  }

  begin() {
    const { retryMs, heartbeatIntervalMs, onConnect } = this.#settings;
    const response = this.#response;
    response.on('close', this.#onClose);
    response.on('drain', this.#onDrain);
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    const retry = retryMs === null ? '' : `retry: ${retryMs}\n`;
    this.#write(`${retry}data: ${welcomeFrame({ session: this.session, epoch: this.epoch })}\n\n`);
    this.#heartbeatTimer = setInterval(() => {
      if (!this.#full) this.#write(':\n\n'); // A client that does not read gets no more of them.
    }, heartbeatIntervalMs);
    tell(onConnect, this);
  }

  /** @param {{ sequence: bigint | number, event: unknown }} inbound */
  async send(inbound) {
    if (this.#ending !== null) throw closedError(KIND, this.#ending);
    const sent = this.#events.add(inbound);
    this.#pump();
    return sent;
  }

  /** Ends the stream. The client sees a normal end: a stream has no close codes. @param {string} [reason] */
  async close(reason = 'normal') {
    this.#end({ reason, origin: 'local' });
    this.#response.end();
  }

  /** The client sees its connection break. */
  terminate() {
    this.#end({ reason: 'abnormal', origin: 'local' });
    this.#response.destroy();
  }

  /** @param {import('./frames.js').ClientFrame} frame @returns {Promise<string | null>} */
  async take(frame) {
    if (frame.frame === 'ack') {
      if (!this.#events.acknowledge(frame.sequence)) throw new MalformedFrame('sequence');
      tell(this.#settings.onAck, frame.sequence, this);
      return null;
    }
    if (frame.frame !== 'event') throw new MalformedFrame('unexpected_frame');
    if (this.#handling) throw new Refusal('overloaded'); // Two at a time would have no order.
    this.#handling = true;
    try {
      return acceptanceFrame(frame.sendId, await this.#settings.onEvent(frame.event, this));
    } catch (cause) {
      this.#end({ reason: 'handler_failed', origin: 'local', cause });
      this.#response.end();
      throw cause;
    } finally {
      this.#handling = false;
    }
  }

  #pump() {
    while (this.#ending === null && !this.#full && this.#events.hasNext) {
      const { sequence, frame } = this.#events.next();
      this.#write(`id: ${sequence}\ndata: ${frame}\n\n`);
    }
  }

  /** @param {string} text */
  #write(text) {
    if (!this.#response.write(text)) this.#full = true;
  }

  /** @param {Ending} ending */
  #end(ending) {
    if (this.#ending !== null) return;
    this.#ending = ending;
    clearInterval(this.#heartbeatTimer);
    this.#response.off('close', this.#onClose);
    this.#response.off('drain', this.#onDrain);
    this.#forget();
    this.#events.end(ending);
    const { reason, origin } = ending;
    tell(
      this.#settings.onClose,
      Object.freeze({ peer: this, reason, origin, error: closedError(KIND, ending) }),
    );
  }
}
