// The server's side of one session: who may speak for it, what is sent, what is taken.

import { EventEmitter } from 'node:events';
import { refuse } from 'leasegate/transports/server';
import { Journal } from './journal.mjs';
import { SessionLog } from './log.mjs';

export const SESSION = 'live-session';

/**
 * @typedef {import('leasegate').OutboundEvent} OutboundEvent
 * @typedef {import('leasegate/transports/server').Peer} Peer
 * @typedef {import('leasegate/transports/server').Client<any>} Client
 * @typedef {import('leasegate/transports/server').PeerClosed} PeerClosed
 * @typedef {{ kind: 'connected', epoch: number, cursor: number, from: number }} Connected
 */

/** Tells of `connected` (Connected), `progress` (events in both directions), `left` (the reason) of a whole session. */
export class Session extends EventEmitter {
  #fence;
  #log;
  #journal;
  /** The live connection. @type {{ peer: Peer, gone: AbortController } | null} */
  #current = null;
  #furthest = 0n;
  /** @type {Promise<void> | null} */
  #live = null;
  #stop = new AbortController();

  /** @param {import('leasegate').Leasegate} leasegate @param {import('./options.mjs').Options} options */
  constructor(leasegate, options) {
    super();
    this.#fence = new leasegate.EpochFence(1);
    this.#log = new SessionLog(options);
    this.#journal = new Journal(leasegate, this.#log);
  }

  /** For webSocketHandler and eventStreamHandler. @returns {import('leasegate/transports/server').ServerOptions<any>} */
  get handlers() {
    return {
      welcome: (client) => this.#welcome(client),
      onConnect: (peer) => this.#connected(peer),
      onEvent: (event, peer) => this.#take(event, peer),
      onClose: (closed) => this.#closed(closed),
    };
  }

  /** Every welcome begins an epoch, and ends the one before. @param {Client} client */
  #welcome({ resume }) {
    if (resume.session !== SESSION) throw refuse('unknown_session');
    if (resume.epoch > this.#fence.current || resume.cursor > this.#log.last) throw refuse('cursor_lost');
    const epoch = this.#fence.current + 1n;
    this.#fence.advance(epoch);
    return { epoch };
  }

  /** @param {Peer} peer */
  #connected(peer) {
    this.#current?.gone.abort();
    this.#current?.peer.close('stale_epoch');
    const gone = new AbortController();
    this.#current = { peer, gone };
    this.#live ??= this.#log.live(this.#stop.signal).catch(() => {}); // It was stopped.
    // Rejects when the connection ends, which onClose tells as well.
    return this.#serve(peer, gone.signal).catch(() => {});
  }

  /** From the page of the client's cursor on, for as long as the connection lives. @param {Peer} peer @param {AbortSignal} gone */
  async #serve(peer, gone) {
    const cursor = peer.resume?.cursor ?? 0n;
    const from = this.#log.pageStart(cursor);
    this.emit('connected', {
      kind: 'connected',
      epoch: Number(peer.epoch),
      cursor: Number(cursor),
      from: Number(from),
    });
    for (let sequence = from; ; sequence += 1n) {
      await this.#log.reached(sequence, gone);
      await peer.send({ sequence, event: this.#log.event(sequence) });
      if (sequence > this.#furthest) this.#furthest = sequence;
      this.#progress();
    }
  }

  /** @param {OutboundEvent} event @param {Peer} peer */
  #take(event, peer) {
    this.#fence.check(peer.epoch); // Nothing is taken from a connection of the past: what this throws ends it.
    const acceptance = this.#journal.take(event);
    this.#progress();
    return acceptance;
  }

  #progress() {
    this.emit('progress', Number(this.#furthest) + this.#journal.count);
  }

  /** @param {PeerClosed} closed */
  #closed({ peer, reason }) {
    if (this.#current?.peer !== peer) return;
    this.#current.gone.abort();
    this.#current = null;
    if (this.isWhole) this.emit('left', reason);
  }

  /** Whether the client has said its last word. */
  get isWhole() {
    return this.#journal.isSealed;
  }

  get outcome() {
    const { sum, history, duplicates, problems } = this.#journal;
    return {
      sent: this.#log.sum,
      received: { ...sum, history, live: sum.events - history, duplicates },
      epoch: Number(this.#fence.current),
      problems,
    };
  }

  close() {
    this.#stop.abort();
    this.#current?.gone.abort();
    this.#fence.dispose();
    this.#journal.dispose();
  }
}
