// One WebSocket, on either side: frames in and out, room in its buffer, heartbeats, and an end that is told once.

import { closeCodesOf, reasonOfCloseCode, reasonOfStatus, systemCodeOf } from './errors.js';
import { pingFrame } from './frames.js';
import { IdleWatch } from './idle-watch.js';
import { isWithin } from './texts.js';

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 3;
/** No event says that the buffer has room again, so it is looked at this often while something waits. */
const POLL_MS = 5;

/** What WebSocket has in browsers and in Node, and, optionally, what package ws adds. @typedef {any} AnySocket */

/**
 * @typedef {object} LinkOwner
 * @property {() => void} opened
 * @property {(text: string) => void} received
 * @property {() => boolean} hasNext
 * @property {() => string | null} next the next frame to send; heartbeats and acks do not wait for it
 * @property {(ending: import('./errors.js').Ending) => void} ended once
 */

/**
 * @typedef {object} LinkSettings
 * @property {number} maxFrameBytes
 * @property {number} highWaterBytes
 * @property {number} heartbeatIntervalMs
 * @property {number} idleTimeoutMs
 * @property {number} closeTimeoutMs
 */

/** package ws throws an error event that nobody listens to, even after the end. */
const ignore = () => {};

export class SocketLink {
  #socket;
  #settings;
  #owner;
  #ended = false;
  #opened = false;
  #paused = false;
  #cut = false;
  #pingId = 0n;
  /** @type {{ status?: number, systemCode?: string }} */
  #lastError = {};
  /** The newest frame of each kind: a peer that pings and does not read makes nothing grow. @type {Map<string, string>} */
  #slots = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pollTimer;
  /** @type {IdleWatch} */
  #idle;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #heartbeatTimer;
  /** @type {() => void} */
  #letGo = () => {};
  /** Settles when the socket is closed, or was left to close by itself. @type {Promise<void>} */
  gone;
  /** @type {() => void} */
  #resolveGone = () => {};

  /** @param {AnySocket} socket @param {LinkSettings} settings @param {LinkOwner} owner */
  constructor(socket, settings, owner) {
    this.#socket = socket;
    this.#settings = settings;
    this.#owner = owner;
    this.gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
    this.#idle = new IdleWatch(
      settings.idleTimeoutMs,
      () => this.#paused,
      () => this.end({ reason: 'idle_timeout', origin: 'local' }),
    );
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('error', ignore);
    for (const [name, listener] of this.#listeners) socket.addEventListener(name, listener);
    if (socket.readyState === OPEN) this.#opened = true;
  }

  #listeners = /** @type {const} */ ([
    ['open', () => this.#onOpen()],
    ['message', (/** @type {any} */ event) => this.#onMessage(event.data)],
    ['error', (/** @type {any} */ event) => this.#onError(event)],
    ['close', (/** @type {any} */ event) => this.#onClose(event.code)],
  ]);

  get ended() {
    return this.#ended;
  }

  /** From now on silence ends the link. */
  startHeartbeats() {
    if (this.#ended) return;
    this.#idle.start();
    this.#heartbeatTimer = setInterval(() => {
      this.#pingId += 1n;
      this.sendSlot('ping', pingFrame('ping', this.#pingId));
    }, this.#settings.heartbeatIntervalMs);
  }

  /** Sends what must not wait behind events. Takes the place of an unsent one of the same kind. @param {string} kind @param {string} text */
  sendSlot(kind, text) {
    this.#slots.set(kind, text);
    this.pump();
  }

  /** Sends as much as there is room for. */
  pump() {
    while (!this.#ended && this.#opened && (this.#slots.size > 0 || this.#owner.hasNext())) {
      if (this.#socket.bufferedAmount >= this.#settings.highWaterBytes) {
        this.#pollTimer ??= setTimeout(() => {
          this.#pollTimer = undefined;
          this.pump();
        }, POLL_MS);
        return;
      }
      const text = this.#takeSlot() ?? this.#owner.next();
      if (text !== null) this.#socket.send(text);
    }
  }

  #takeSlot() {
    for (const [kind, text] of this.#slots) {
      this.#slots.delete(kind);
      return text;
    }
    return null;
  }

  /** Stops reading where the platform can (package ws); the other side then meets a full buffer. */
  pause() {
    if (this.#paused || this.#ended || typeof this.#socket.pause !== 'function') return;
    this.#paused = true;
    this.#socket.pause();
  }

  resume() {
    if (!this.#paused) return;
    this.#paused = false;
    this.#idle.heard();
    this.#socket.resume();
  }

  /** Ends the link and closes the socket with the code for the reason. @param {import('./errors.js').Ending} ending */
  end(ending) {
    if (this.#ended) return;
    this.#ended = true;
    this.resume();
    clearTimeout(this.#pollTimer);
    this.#idle.stop();
    clearInterval(this.#heartbeatTimer);
    this.#slots.clear();
    for (const [name, listener] of this.#listeners) this.#socket.removeEventListener(name, listener);
    this.#linger(ending.reason);
    this.#owner.ended(ending);
  }

  /** Nobody waits for the closing handshake any more. */
  cut() {
    this.#cut = true;
    this.#letGo();
  }

  /** The closing handshake takes a round trip. @param {string} reason */
  #linger(reason) {
    const socket = this.#socket;
    if (socket.readyState === CLOSED) {
      this.#resolveGone();
      return;
    }
    let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    const done = () => {
      this.#letGo = ignore;
      clearTimeout(timer);
      socket.removeEventListener('close', done);
      this.#resolveGone();
    };
    this.#letGo = () => {
      if (typeof socket.terminate === 'function') socket.terminate();
      else closeSocket(socket, reason);
      done();
    };
    socket.addEventListener('close', done);
    if (!this.#cut) closeSocket(socket, reason);
    if (socket.readyState === CLOSED) done();
    else if (this.#cut) this.#letGo();
    else timer = setTimeout(() => this.#letGo(), this.#settings.closeTimeoutMs);
  }

  #onOpen() {
    this.#opened = true;
    this.#owner.opened();
    this.pump();
  }

  /** @param {unknown} data */
  #onMessage(data) {
    this.#idle.heard();
    if (typeof data !== 'string') {
      this.end({ reason: 'protocol_error', origin: 'local', detail: 'binary_frame' });
    } else if (!isWithin(data, this.#settings.maxFrameBytes)) {
      this.end({ reason: 'too_big', origin: 'local' });
    } else {
      this.#owner.received(data);
    }
  }

  /** @param {any} event */
  #onError(event) {
    const systemCode = systemCodeOf(event?.error);
    if (systemCode?.startsWith('WS_ERR_')) {
      const tooBig = systemCode === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      this.end({ reason: tooBig ? 'too_big' : 'protocol_error', origin: 'local', systemCode });
      return;
    }
    const status = /^Unexpected server response: (\d{3})$/.exec(String(event?.message ?? ''))?.[1];
    if (systemCode !== undefined) this.#lastError.systemCode = systemCode;
    if (status !== undefined) this.#lastError.status = Number(status);
  }

  /** @param {number} closeCode */
  #onClose(closeCode) {
    const { status } = this.#lastError;
    const reason =
      status !== undefined
        ? reasonOfStatus(status)
        : this.#opened
          ? reasonOfCloseCode(closeCode)
          : 'unreachable';
    this.end({ reason, origin: 'remote', closeCode, ...this.#lastError });
  }
}

/** @param {AnySocket} socket @param {string} reason */
function closeSocket(socket, reason) {
  if (socket.readyState > OPEN) return;
  if (socket.readyState === CONNECTING) {
    socket.close();
    return;
  }
  const [code, browserCode] = closeCodesOf(reason);
  try {
    socket.close(code);
  } catch {
    socket.close(browserCode); // The standard allows a client no code of the protocol's own.
  }
}
