// One replicated machine of a cluster (the pool, or the results) on its stream.

import { newestSnapshot } from './begin.js';
import { closedError, divergedError, unavailableError } from './errors.js';
import { Feed, storedAt } from './feed.js';
import { Publisher } from './publisher.js';
import { Replica } from './replica.js';
import { requestError } from './stream.js';
import { withDeadline } from './waiting.js';

/**
 * @typedef {import('./replica.js').Entry} Entry
 * @typedef {import('./replica.js').Decision} Decision
 * @typedef {import('./feed.js').FedMessage} FedMessage
 *
 * @typedef {object} Kind of machine
 * @property {'pool' | 'results'} part
 * @property {(limits: unknown, journal?: unknown) => any} make
 * @property {(snapshot: Uint8Array, journal?: unknown) => any} fromSnapshot
 *
 * @typedef {object} Shared what the parts of one host have in common
 * @property {any} leasegate
 * @property {import('@nats-io/nats-core').NatsConnection} connection
 * @property {import('@nats-io/jetstream').JetStreamClient} js
 * @property {import('@nats-io/jetstream').JetStreamManager} jsm
 * @property {import('./objects.js').Bucket} bucket
 * @property {string} name
 * @property {string} host
 * @property {string} inbox
 * @property {import('./time.js').HostTime} time
 * @property {Record<string, any>} settings
 * @property {(part: 'pool' | 'results', sequence: number) => void} onChange
 * @property {(error: Error) => void} onStopped
 */

/** How long the first command in flight may be without news before its place is looked at. */
const QUIET_MS = 300;
const WATCH_MS = 100;
const MAX_BACKOFF_MS = 250;

export class Part {
  /** @param {Shared} shared @param {Kind} kind @param {import('./begin.js').Beginning} beginning */
  constructor(shared, kind, { places, created, snapshots, start }) {
    const { connection, settings } = shared;
    this.shared = shared;
    this.kind = kind;
    this.places = places;
    this.snapshots = snapshots;
    this.run = 0;
    /** The last message that was taken, if it was seen. @type {import('./feed.js').Known | null} */
    this.last = start.known ?? null;
    this.told = 0;
    /** The consumer is there, and with it a first look at the server's clock. */
    this.opened = false;
    this.sampledAt = 0;
    this.checking = false;
    this.checkAgainAt = 0;
    this.closed = false;
    this.writing = false;
    this.snapshotsWritten = 0;
    this.snapshotsFailed = 0;
    /** Callers that wait for a sequence. @type {Set<{ sequence: number, resolve: () => void, reject: (error: Error) => void }>} */
    this.waiters = new Set();
    this.replica = new Replica({
      ...start,
      copy: (snapshot, sink) => kind.fromSnapshot(snapshot, sink),
      log: {
        send: (entry) => this.publisher.send(entry),
        refuses: (record) => this.publisher.refuses(record),
        conflicted: () => this.publisher.forget(),
      },
      nextAuthor: () => {
        this.run += 1;
        return `${shared.host}-${this.run.toString(36)}`;
      },
      maxInFlight: settings.maxInFlight,
      maxPending: settings.maxPending,
      backoffMs: (conflicts) => Math.random() * Math.min(MAX_BACKOFF_MS, 2 ** Math.min(conflicts, 8)),
      later: (callback, ms) => setTimeout(callback, ms),
      onApplied: (messages) => this.#applied(/** @type {FedMessage[]} */ (messages)),
      onStopped: (error) => shared.onStopped(error),
    });
    this.publisher = new Publisher({
      connection,
      places,
      host: shared.host,
      inbox: shared.inbox,
      onAcknowledged: (entry) => {
        this.replica.acknowledged(entry);
        this.#wake();
      },
      onBroken: () => {}, // the connection says itself when it has ended; the watch sends again
      onMisplaced: (sequence) => this.replica.stop(divergedError(sequence, 'record_differs')),
    });
    this.feed = new Feed({
      connection,
      jsm: shared.jsm,
      places,
      inbox: shared.inbox,
      created,
      position: () => this.#position(),
      onMessages: (messages) => this.#receive(messages),
      onBehind: () => this.#recover(),
      onOpened: (serverSecs) => {
        shared.time.sample(serverSecs);
        this.opened = true;
        this.#wake();
      },
      onStopped: (error) => this.replica.stop(error),
    });
    this.watch = setInterval(() => this.#look(), WATCH_MS);
  }

  /** Takes what stands in the stream by now, and then commands. */
  async catchUp() {
    const { state } = await this.shared.jsm.streams.info(this.places.stream);
    this.feed.reopen();
    await this.waitFor(state.last_seq);
    this.replica.release();
  }

  /** What was seen last, and from where on the stream is to be shown: what was settled by its acknowledgement comes again. */
  #position() {
    const { sequence, unconfirmed } = this.replica;
    const [oldest = sequence] = unconfirmed.keys();
    return { sequence, from: oldest, known: this.last?.sequence === oldest ? this.last : null };
  }

  /** @param {FedMessage[]} messages */
  #receive(messages) {
    if (this.closed) return;
    const final = messages[messages.length - 1];
    this.replica.receive(messages);
    if (this.replica.sequence >= final.sequence) this.last = final;
    this.#measure(final);
    this.#wake();
  }

  /** Clocks are compared about once a second. @param {FedMessage} message */
  #measure(message) {
    const now = performance.now();
    if (now - this.sampledAt < 1_000 || this.replica.held) return;
    this.sampledAt = now;
    const at = storedAt(message);
    this.shared.time.sample(at);
    if (this.kind.part !== 'pool' || message.kind === 'void' || this.replica.stopped !== null) return;
    try {
      const [record] = this.shared.leasegate.readRecords(message.bytes);
      this.shared.time.observe(message.author.split('-')[0], record.command.now, at);
    } catch {
      // A message that is not in force may hold anything.
    }
  }

  #wake() {
    const { sequence } = this.replica;
    if (sequence !== this.told) {
      this.told = sequence;
      this.shared.onChange(this.kind.part, sequence);
    }
    if (!this.opened) return;
    for (const waiter of this.waiters) {
      if (waiter.sequence > sequence) continue;
      this.waiters.delete(waiter);
      waiter.resolve();
    }
  }

  /** @param {number} sequence @returns {Promise<void>} once it has been applied */
  waitFor(sequence) {
    if (this.replica.stopped !== null) return Promise.reject(this.replica.stopped);
    if (this.opened && this.replica.sequence >= sequence) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiters.add({ sequence, resolve, reject }));
  }

  /** Everything that stands in the stream by now. */
  async sync() {
    const info = await this.shared.jsm.streams.info(this.places.stream).catch((error) => {
      throw requestError(error);
    });
    await this.waitFor(info.state.last_seq);
  }

  /** What stands at the place of the first command in flight, when nothing has been heard of it for a while. */
  #look() {
    const { replica, publisher } = this;
    const head = replica.flight[0];
    if (this.checking || this.closed || head === undefined || head.state !== 'sent') return;
    const now = performance.now();
    if (now - head.sentAt < QUIET_MS || now < this.checkAgainAt) return;
    this.checking = true;
    withDeadline(this.shared.jsm.streams.info(this.places.stream), 5_000)
      .then(
        ({ state }) => {
          if (head.state !== 'sent' || this.closed) return;
          // Something stands there: the feed brings it, or has to begin anew. Nothing does: again, all in their order.
          if (state.last_seq >= head.place) this.feed.reopen();
          else for (const entry of replica.flight) if (entry.state === 'sent') publisher.resend(entry);
        },
        () => {},
      )
      .finally(() => {
        this.checking = false;
        this.checkAgainAt = performance.now() + QUIET_MS * (1 + Math.random());
      });
  }

  /** The connection is back: what was sent may be lost, and so may the consumer. */
  reconnected() {
    if (this.closed) return;
    this.feed.reopen();
    for (const entry of this.replica.flight) if (entry.state === 'sent') this.publisher.resend(entry);
  }

  /** The account may not do something: if it is to publish here, commands are told so. @param {import('./errors.js').Denied | null} denied */
  denied(denied) {
    if (denied?.operation === 'publish' && denied.subject.startsWith(`${this.places.prefix}.`))
      this.publisher.denied = denied;
  }

  /** This host has slept while the stream was trimmed: it goes on from the newest snapshot. */
  async #recover() {
    const { replica, publisher } = this;
    let found = null;
    try {
      found = await newestSnapshot(this.snapshots, this.kind);
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'cluster_diverged') throw error; // and once more
      replica.stop(/** @type {Error} */ (error));
      return;
    }
    if (found === null || found.sequence <= replica.sequence) {
      found?.settled.dispose();
      replica.stop(divergedError(replica.sequence, 'history_missing'));
      return;
    }
    /** @type {Map<Entry, Decision>} */
    const outcomes = new Map();
    const sent = replica.flight.filter(({ state }) => state === 'sent');
    for (const entry of sent) outcomes.set(entry, await this.#outcome(entry));
    if (this.closed) {
      found.settled.dispose();
      return;
    }
    // What was decided meanwhile had no place any more, and refusals are decided anew.
    replica.jump(found, (entry) => outcomes.get(entry) ?? null);
    publisher.forget();
    this.last = null;
  }

  /**
   * What became of a command whose place has been trimmed away. The server may still know its message id; else nobody
   * can tell any more.
   * @param {Entry} entry @returns {Promise<Decision>}
   */
  async #outcome(entry) {
    const unknown = { ok: /** @type {const} */ (false), error: unavailableError('timeout', 'unknown') };
    if (entry.kind !== 'root') return unknown;
    try {
      const answer = await this.shared.js.publish(this.places.root + entry.author, entry.bytes, {
        msgID: entry.id,
        expect: { lastSequence: entry.place - 1 },
      });
      return answer.duplicate && answer.seq === entry.place
        ? /** @type {Decision} */ (entry.answer)
        : unknown;
    } catch {
      return unknown;
    }
  }

  /**
   * The author of the record that stands at a multiple of the interval writes a snapshot. Should it be gone, the next
   * multiple has an author too.
   * @param {FedMessage[]} messages
   */
  #applied(messages) {
    const every = this.shared.settings.snapshotEvery;
    if (every === 0 || this.writing) return;
    const mine = `${this.shared.host}-`;
    if (!messages.some((each) => each.sequence % every === 0 && each.author.startsWith(mine))) return;
    this.writing = true;
    this.#writeSnapshot(this.replica.sequence, this.replica.tip).finally(() => {
      this.writing = false;
    });
  }

  /** @param {number} sequence @param {string} tip */
  async #writeSnapshot(sequence, tip) {
    try {
      const bytes = this.replica.settled.exportSnapshot();
      const revision = String(this.replica.settled.revision);
      if (await this.snapshots.write(bytes, { sequence, tip, revision })) this.snapshotsWritten += 1;
    } catch {
      // Somebody else has been faster, or the store is away: the next multiple of the interval tries again.
      this.snapshotsFailed += 1;
    }
  }

  /** A snapshot now. Answers the revision that it is of. */
  async snapshotNow() {
    const { snapshots, replica } = this;
    const { sequence, tip } = replica;
    const { revision } = replica.settled;
    await snapshots.write(replica.settled.exportSnapshot(), { sequence, tip, revision: String(revision) });
    return revision;
  }

  /** @param {Error} error what those who wait are told */
  #abandon(error) {
    for (const waiter of this.waiters) waiter.reject(error);
    this.waiters.clear();
  }

  /** Nothing comes or goes any more; what was seen can still be read. @param {Error} error @param {(sent: boolean) => Error} outcomeOf */
  halt(error, outcomeOf) {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.watch);
    this.replica.stop(error, outcomeOf);
    this.feed.close();
    this.publisher.close();
    this.#abandon(error);
  }

  close() {
    this.halt(closedError('not_sent'), (sent) => closedError(sent ? 'unknown' : 'not_sent'));
    this.replica.dispose();
  }
}
