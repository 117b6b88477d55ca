// A client's WebSocket, seen from the server. Made for package ws; any socket of the standard's shape will do.

import { closedError } from './errors.js';
import { EventQueue } from './event-queue.js';
import { acceptanceFrame, MalformedFrame, pingFrame, readClientFrame, welcomeFrame } from './frames.js';
import { Inbox } from './inbox.js';
import { checkFunction, readOptions, SERVER_HANDLERS } from './options.js';
import { askWelcome, Refusal } from './refusal.js';
import { tell } from './tell.js';
import { SocketLink } from './socket-link.js';

const KIND = 'websocket';
const LIMIT_NAMES = [
  'helloTimeoutMs',
  'heartbeatIntervalMs',
  'idleTimeoutMs',
  'closeTimeoutMs',
  'maxFrameBytes',
  'maxPendingEvents',
  'maxPendingBytes',
  'highWaterBytes',
];

/** @typedef {import('./errors.js').Ending} Ending */

/** @param {unknown} options */
export function webSocketHandler(options) {
  const settings = readOptions(options, LIMIT_NAMES, SERVER_HANDLERS);
  for (const name of SERVER_HANDLERS) checkFunction(settings, name, name === 'welcome' || name === 'onEvent');
  return (/** @type {any} */ socket, /** @type {unknown} */ request = null) => {
    new WebSocketPeer(socket, request, settings);
  };
}

class WebSocketPeer {
  #settings;
  #request;
  #link;
  #inbox;
  /** @type {EventQueue | null} */
  #events = null;
  /** @type {import('./frames.js').ResumePoint | null} */
  #resume = null;
  #epoch = 0n;
  /** Acceptances that wait for room. @type {string[]} */
  #replies = [];
  /** @type {'hello' | 'asking' | 'open' | 'ended'} */
  #state = 'hello';
  /** @type {Ending | null} */
  #ending = null;
  /** @type {ReturnType<typeof setTimeout>} */
  #helloTimer;
  #abort = new AbortController();

  /** @param {any} socket @param {unknown} request @param {any} settings */
  constructor(socket, request, settings) {
    this.#settings = settings;
    this.#request = request;
    this.#inbox = new Inbox({
      handle: async (/** @type {import('./frames.js').OutboundFrame} */ { sendId, event }) => {
        this.#reply(acceptanceFrame(sendId, await settings.onEvent(event, this)));
      },
      handled: () => this.#relieve(),
      failed: (cause) => this.#link.end({ reason: 'handler_failed', origin: 'local', cause }),
    });
    this.#inbox.start();
    this.#link = new SocketLink(socket, settings, {
      opened: () => {},
      received: (text) => this.#receive(text),
      hasNext: () => this.#replies.length > 0 || this.#events?.hasNext === true,
      next: () => this.#replies.shift() ?? /** @type {EventQueue} */ (this.#events).next().frame,
      ended: (ending) => this.#ended(ending),
    });
    this.#helloTimer = setTimeout(
      () => this.#link.end({ reason: 'idle_timeout', origin: 'local' }),
      settings.helloTimeoutMs,
    );
  }

  get kind() {
    return KIND;
  }

  get session() {
    return this.#resume?.session ?? '';
  }

  get epoch() {
    return this.#epoch;
  }

  /** Where the client wants to go on. */
  get resume() {
    return this.#resume;
  }

  /** The highest sequence that the client has handled, on this connection. */
  get ackedSequence() {
    return this.#events?.acked ?? 0n;
  }

  /** Events that wait for room. */
  get pendingEvents() {
    return this.#events?.size ?? 0;
  }

  /** @param {{ sequence: bigint | number, event: unknown }} inbound */
  async send(inbound) {
    if (this.#events === null || this.#state !== 'open') {
      throw closedError(KIND, this.#ending ?? { reason: 'closed_locally', origin: 'local' });
    }
    const sent = this.#events.add(inbound);
    this.#link.pump();
    return sent;
  }

  /** @param {string} [reason] one of the reasons with a close code of their own; otherwise normal */
  close(reason = 'normal') {
    this.#link.end({ reason, origin: 'local' });
    return this.#link.gone;
  }

  /** Without a closing handshake: the client sees its connection break. */
  terminate() {
    this.#link.cut();
    this.#link.end({ reason: 'abnormal', origin: 'local' });
  }

  /** @param {string} text */
  #receive(text) {
    try {
      this.#take(readClientFrame(text));
    } catch (error) {
      if (!(error instanceof MalformedFrame)) throw error;
      this.#link.end({ reason: 'protocol_error', origin: 'local', detail: error.detail });
    }
  }

  /** @param {import('./frames.js').ClientFrame} frame */
  #take(frame) {
    if (frame.frame === 'hello') {
      if (this.#state !== 'hello') throw new MalformedFrame('unexpected_frame');
      void this.#hello(frame);
      return;
    }
    if (this.#state !== 'open' || this.#events === null) throw new MalformedFrame('unexpected_frame');
    switch (frame.frame) {
      case 'event':
        return this.#admit(frame);
      case 'ack':
        if (!this.#events.acknowledge(frame.sequence)) throw new MalformedFrame('sequence');
        tell(this.#settings.onAck, frame.sequence, this);
        return this.#link.pump();
      case 'ping':
        return this.#link.sendSlot('pong', pingFrame('pong', frame.pingId));
    }
  }

  /** @param {import('./frames.js').Hello} hello */
  async #hello({ resume, token, windowEvents, windowBytes }) {
    this.#state = 'asking';
    try {
      const client = {
        resume: Object.freeze(resume),
        token,
        request: this.#request,
        signal: this.#abort.signal,
      };
      const epoch = await askWelcome(this.#settings.welcome, client);
      if (this.#link.ended) return;
      this.#epoch = epoch;
      this.#resume = client.resume;
      this.#events = new EventQueue(KIND, this.#settings, { events: windowEvents, bytes: windowBytes });
      this.#state = 'open';
      clearTimeout(this.#helloTimer);
      this.#request = null;
      this.#link.sendSlot('welcome', welcomeFrame({ session: resume.session, epoch }));
      this.#link.startHeartbeats();
      tell(this.#settings.onConnect, this);
    } catch (error) {
      if (error instanceof Refusal) this.#link.end({ reason: error.reason, origin: 'local' });
      else this.#link.end({ reason: 'handler_failed', origin: 'local', cause: error });
    }
  }

  /** A client that sends faster than the host takes is held back; one that cannot be held back is sent away. @param {import('./frames.js').OutboundFrame} frame */
  #admit(frame) {
    this.#inbox.push(frame, frame.event.payload.length);
    const { maxPendingEvents, maxPendingBytes } = this.#settings;
    const events = this.#inbox.size + this.#replies.length;
    if (events >= maxPendingEvents || this.#inbox.bytes >= maxPendingBytes) this.#link.pause();
    if (events > 2 * maxPendingEvents + 1024 || this.#inbox.bytes > 2 * maxPendingBytes) {
      this.#link.end({ reason: 'overloaded', origin: 'local' });
    }
  }

  #relieve() {
    const { maxPendingEvents, maxPendingBytes } = this.#settings;
    const events = this.#inbox.size + this.#replies.length;
    if (events < maxPendingEvents && this.#inbox.bytes < maxPendingBytes) this.#link.resume();
  }

  /** @param {string} frame */
  #reply(frame) {
    if (this.#state !== 'open') return;
    this.#replies.push(frame);
    this.#link.pump();
  }

  /** @param {Ending} ending */
  #ended(ending) {
    this.#state = 'ended';
    this.#ending = ending;
    clearTimeout(this.#helloTimer);
    this.#abort.abort();
    this.#inbox.stop();
    this.#replies.length = 0;
    this.#events?.end(ending);
    const { reason, origin } = ending;
    tell(
      this.#settings.onClose,
      Object.freeze({ peer: this, reason, origin, error: closedError(KIND, ending) }),
    );
  }
}
