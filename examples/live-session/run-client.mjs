// The client's life: one session, over as many connections as it takes.

import { Connection } from './connection.mjs';
import { eventsOf, RunningSum, seal } from './events.mjs';
import { produceLive } from './live.mjs';
import { Outbound } from './outbound.mjs';
import { Receiver } from './receiver.mjs';
import { SESSION } from './session.mjs';

/**
 * @typedef {import('./connection.mjs').Link} Link
 *
 * @typedef {{ kind: 'connected', epoch: number, cursor: number }} Connected
 * @typedef {{ kind: 'over', epoch: number, reason: string }} Over
 * @typedef {{ kind: 'late', epoch: number, answer: string }} Late
 * @typedef {Connected | Over | Late} ClientNews
 * @typedef {{ received: number, confirmed: number, epoch: number }} Progress
 * @typedef {{ endpoint: string, signal: AbortSignal, onNews: (news: ClientNews) => void, onProgress: (progress: Progress) => void }} Host
 */

/**
 * @param {import('leasegate').Leasegate} leasegate
 * @param {import('./options.mjs').Options} options
 * @param {Host} host
 */
export async function runClient(leasegate, options, host) {
  const client = new Client(leasegate, options, host);
  try {
    return await client.run();
  } finally {
    await client.dispose();
  }
}

/** Without a single event for so long, something is wrong. */
const STALLED_MS = 30_000;

class Client {
  #options;
  #host;
  #eventAt;
  #receiver;
  #outbound;
  #connection;
  #sent = new RunningSum();
  #stop = new AbortController();
  #leave = () => this.#stop.abort(this.#host.signal.reason);
  /** The latest one is the live one. @type {Link[]} */
  #links = [];
  #hasMoved = false;
  #lateRefused = 0;
  #watchdog = setTimeout(() => this.#stop.abort(new Error('Nothing has happened for a while.')), STALLED_MS);

  /** @param {import('leasegate').Leasegate} leasegate @param {import('./options.mjs').Options} options @param {Host} host */
  constructor(leasegate, options, host) {
    this.#options = options;
    this.#host = host;
    this.#eventAt = eventsOf('client', options);
    host.signal.addEventListener('abort', this.#leave);
    const history = Array.from({ length: options.history }, (_, index) => this.#eventAt(index + 1));
    for (const event of history) this.#sent.add(event);
    this.#receiver = new Receiver(leasegate);
    this.#outbound = new Outbound(leasegate, history, () => this.#progress());
    this.#connection = new Connection(leasegate, {
      endpoint: host.endpoint,
      session: SESSION,
      signal: this.#stop.signal,
      onEvent: (inbound) => this.#take(inbound),
    });
  }

  async run() {
    const startedAt = performance.now();
    const done = Promise.race([this.#converse(), this.#outbound.failure]);
    done.catch(() => {}); // It is awaited below, once there is a connection.
    const problem = await this.#stayConnected(done).then(() => [], whatWasRefused);
    const evidence = await this.#connection.close();
    return this.#account(evidence, performance.now() - startedAt, problem);
  }

  /** @param {Promise<null>} done */
  async #stayConnected(done) {
    for await (const link of this.#connection.links()) {
      await this.#connected(link);
      const flushed = this.#outbound.flush(link);
      const reason = await Promise.race([link.over, done]);
      if (reason === null) return;
      this.#host.onNews({ kind: 'over', epoch: Number(link.epoch), reason });
      this.#outbound.hold();
      await flushed;
    }
  }

  /** What it says last is a receipt too: how much it has got. */
  async #converse() {
    const { history, events } = this.#options;
    const submit = (/** @type {number} */ number) => {
      const event = this.#eventAt(number);
      this.#sent.add(event);
      this.#outbound.submit(event);
    };
    const pace = { signal: this.#stop.signal, hasRoom: () => this.#outbound.hasRoom };
    await produceLive(history + 1, events, submit, pace);
    await this.#receiver.sealed;
    this.#outbound.submit(seal('client', { sent: this.#sent.sum, received: this.#receiver.sum }));
    await this.#outbound.allConfirmed();
    return null;
  }

  /** @param {import('leasegate/transports/websocket').InboundEvent} inbound */
  #take(inbound) {
    this.#receiver.take(inbound, this.#connection.observe(inbound.sequence));
    this.#progress();
    if (this.#hasMoved || this.#receiver.count < this.#options.events / 2) return;
    // Half way through it goes over to a new connection without need, while the old one is in best health.
    this.#hasMoved = true;
    this.#links.at(-1)?.leave('moving over');
  }

  #progress() {
    this.#watchdog.refresh();
    this.#host.onProgress({
      received: this.#receiver.count,
      confirmed: this.#outbound.confirmed,
      epoch: Number(this.#connection.epoch),
    });
  }

  /** @param {Link} link */
  async #connected(link) {
    const { onNews } = this.#host;
    onNews({ kind: 'connected', epoch: Number(link.epoch), cursor: Number(this.#connection.cursor) });
    const former = this.#links.at(-1);
    this.#links.push(link);
    if (former === undefined) return;
    const answer = await sendTooLate(former);
    if (answer === 'stale_epoch') this.#lateRefused += 1;
    onNews({ kind: 'late', epoch: Number(former.epoch), answer });
  }

  /** @param {import('leasegate').CloseEvidence} evidence of the last transport @param {number} millis @param {string[]} refused */
  #account(evidence, millis, refused) {
    const { sum, duplicates, gaps, problems: found } = this.#receiver;
    const connections = this.#links.length;
    const problems = [...found, ...refused];
    if (evidence.dropped > 0) problems.push(`${evidence.dropped} sends without an answer at the end`);
    if (this.#outbound.open > 0) problems.push(`${this.#outbound.open} deliveries without a confirmation`);
    if (this.#lateRefused !== connections - 1)
      problems.push('a send with an epoch of the past was let through');
    return {
      received: { ...sum, duplicates, gaps },
      sent: this.#sent.sum,
      confirmed: this.#outbound.confirmed,
      sentAgain: this.#outbound.repeats,
      unanswered: this.#connection.unanswered,
      connections,
      gate: { begun: this.#outbound.begun, resumed: this.#outbound.resumed },
      failedAttempts: this.#connection.failedAttempts,
      epoch: Number(this.#connection.epoch),
      lateRefused: this.#lateRefused,
      problems,
      millis: Math.round(millis),
    };
  }

  async dispose() {
    clearTimeout(this.#watchdog);
    this.#host.signal.removeEventListener('abort', this.#leave);
    this.#stop.abort();
    await this.#connection.dispose();
    this.#receiver.dispose();
    this.#outbound.dispose();
  }
}

/** A server that does not accept has compared, and found a difference. @param {unknown} error @returns {string[]} */
function whatWasRefused(error) {
  if (/** @type {{ code?: string }} */ (error).code !== 'send_not_accepted') throw error;
  return ['the server does not confirm what it has got'];
}

/** Somebody still holds the link of before. Its epoch is over, so that nothing of it gets onto the new connection. @param {Link} former */
async function sendTooLate(former) {
  try {
    await former.send({ messageId: 'too-late', type: 'live', payload: new Uint8Array(0) });
    return 'accepted';
  } catch (error) {
    return String(/** @type {{ code?: string }} */ (error).code);
  }
}
