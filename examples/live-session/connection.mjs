// The client's connection: whatever becomes of it, there is a next one, from where the last one ended.

import { setTimeout as delay } from 'node:timers/promises';
import { sseFactory } from 'leasegate/transports/sse';
import { websocketFactory } from 'leasegate/transports/websocket';

/** Without a connection for so long, there is none to be had. */
const GIVE_UP_MS = 15_000;
const LONGEST_WAIT_MS = 250;

/** Another attempt would end as this one did. */
const hopeless = new Set(['unauthorized', 'policy', 'unknown_session', 'cursor_lost', 'protocol_error']);

/**
 * @typedef {import('leasegate/transports/websocket').WebSocketTransport | import('leasegate/transports/sse').SseTransport} AnyTransport
 * @typedef {import('leasegate').OutboundEvent} OutboundEvent
 * @typedef {import('leasegate/transports/websocket').InboundEvent} InboundEvent
 *
 * @typedef {object} Link one connection
 * @property {bigint} epoch
 * @property {(event: OutboundEvent) => Promise<import('leasegate').Acceptance>} send refused once there is a later link
 * @property {Promise<string>} over why it ended
 * @property {(reason: string) => void} leave for another one
 */

export class Connection {
  #coordinator;
  #registry;
  #config;
  #signal;
  /** How each transport's end is told. @type {WeakMap<object, (reason: string) => void>} */
  #endings = new WeakMap();
  failedAttempts = 0;
  /** Sends that never had an answer, by what the transports said when they were closed. */
  unanswered = 0;

  /**
   * @param {import('leasegate').Leasegate} leasegate
   * @param {object} options
   * @param {string} options.endpoint
   * @param {string} options.session
   * @param {(inbound: InboundEvent) => void} options.onEvent
   * @param {AbortSignal} options.signal
   */
  constructor(leasegate, { endpoint, session, onEvent, signal }) {
    this.#signal = signal;
    this.#coordinator = new leasegate.ReconnectCoordinator({
      session,
      epoch: 1, // of nobody yet: the server gives the next one
      signal,
      onTransportClosed: (closed) => {
        if ('evidence' in closed) this.unanswered += closed.evidence.dropped;
      },
    });
    const options = {
      onEvent,
      onClose: (/** @type {{ transport: object, reason: string }} */ { transport, reason }) =>
        this.#endings.get(transport)?.(reason),
    };
    this.#registry = new leasegate.TransportRegistry();
    this.#registry.register('websocket', websocketFactory(options));
    this.#registry.register('ccr_sse', sseFactory({ ...options, ackDelayMs: 50 }));
    const kind = /^wss?:/i.test(endpoint) ? 'websocket' : 'ccr_sse';
    this.#config = { kind, included: true, enabled: true, endpoint };
  }

  /** @param {bigint} sequence */
  observe(sequence) {
    return this.#coordinator.observeSequence(sequence);
  }

  get cursor() {
    return this.#coordinator.cursor;
  }

  get epoch() {
    return this.#coordinator.epoch;
  }

  /** One link after the other: the next is made when the last one is over. @returns {AsyncGenerator<Link, never, void>} */
  async *links() {
    let link = await this.#connect('first connection');
    for (;;) {
      yield link;
      link = await this.#connect(await link.over);
    }
  }

  /** @param {string} reason @returns {Promise<Link>} */
  async #connect(reason) {
    const since = performance.now();
    for (let wait = 5; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        const { transport, epoch } = await this.#coordinator.recover(reason, (resume, options) =>
          this.#attempt(resume, options),
        );
        return this.#linkOf(transport, epoch);
      } catch (error) {
        // The registry's error has what the transport said as its cause.
        const { cause } = /** @type {{ cause?: any }} */ (error);
        const again = cause?.code === 'transport_connect_failed' && !hopeless.has(cause.reason);
        this.#signal.throwIfAborted();
        if (!again || performance.now() - since > GIVE_UP_MS) throw error;
        this.failedAttempts += 1;
        await delay(wait, undefined, { signal: this.#signal });
      }
    }
  }

  /** @param {import('leasegate').ResumePoint} resume @param {{ readonly signal: AbortSignal }} options */
  async #attempt(resume, { signal }) {
    /** @type {AnyTransport} */
    const transport = await this.#registry.build({ ...this.#config, resume }, { signal });
    return { transport, epoch: transport.epoch };
  }

  /** @param {import('leasegate').Transport} transport @param {bigint} epoch @returns {Link} */
  #linkOf(transport, epoch) {
    /** @type {(reason: string) => void} */
    let leave = () => {};
    /** @type {Promise<string>} */
    const over = new Promise((resolve) => {
      leave = resolve;
    });
    this.#endings.set(transport, leave);
    return { epoch, send: (event) => this.#coordinator.send(epoch, event), over, leave };
  }

  /** Ends the session on this side: what is known of the last transport. */
  close() {
    return this.#coordinator.close();
  }

  async dispose() {
    await this.close().catch(() => {}); // Whoever closed it before has its error.
    this.#registry.dispose();
  }
}
