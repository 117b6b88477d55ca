// Many hosts, one coordinator: its commands are the messages of one stream of NATS JetStream. docs/cluster.md says how.

import { createLeasegate } from 'leasegate';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { LeasegateError } from '../errors.js';
import { addAsyncDispose } from '../boundary/async-dispose.js';
import { begin } from './begin.js';
import { Calls } from './calls.js';
import { closedError, unavailableError, unfitError } from './errors.js';
import { readOptions } from './options.js';
import { Part } from './part.js';
import { clusterPool } from './pool.js';
import { ClusterResults, proofLimits } from './results.js';
import { deniedBy, requestError } from './stream.js';
import { placesOf, randomText } from './texts.js';
import { HostTime } from './time.js';
import { abortable, pause, withDeadline } from './waiting.js';

/** How long `close` waits for what is in flight, and for a snapshot that is being put. */
const GRACE_MS = 2_000;
const DEFAULT_RESULT_BYTES = 1_048_576;

/** One host's membership. Types and contract: nats.d.ts. */
class Cluster {
  #settings;
  #calls;
  #time;
  /** @type {Part[]} */
  #parts = [];
  /** @type {{ stop(): void } | null} */
  #status = null;
  #state = 'joining';
  /** @type {Error | null} */
  #error = null;
  /** @type {(error: Error | null) => void} */
  #left = () => {};
  /** @type {ReturnType<typeof endingOf> | null} */
  #ending = null;
  /** @type {Promise<void> | null} */
  #closing = null;

  /** @param {import('./options.js').Settings} settings */
  constructor(settings) {
    this.#settings = settings;
    this.#calls = new Calls(/** @type {any} */ (settings));
    this.#time = new HostTime(settings);
    this.name = settings.name;
    this.host = randomText(12);
    /** Resolves when this host has left: with null after `close()`, else with why. @type {Promise<Error | null>} */
    this.closed = new Promise((resolve) => {
      this.#left = resolve;
    });
  }

  async join() {
    const settings = this.#settings;
    const { connection, jetstream: apiOptions } = settings;
    const leasegate = settings.leasegate ?? (await createLeasegate());
    checkLimits(leasegate, settings);
    const js = jetstream(connection, apiOptions);
    const jsm = await this.#reach(jetstreamManager(connection, apiOptions));
    const bucket = await this.#reach(openBucket(js, jsm, placesOf(settings.name, 'pool'), settings));
    const shared = {
      leasegate,
      connection,
      js,
      jsm,
      bucket,
      name: settings.name,
      host: this.host,
      inbox: `${settings.inboxPrefix}.${randomText(16)}`,
      time: this.#time,
      settings,
      /** @param {'pool' | 'results'} part */
      onChange: (part) => this.#changed(part),
      /** @param {Error} error */
      onStopped: (error) => this.#end(error),
    };
    this.#follow().catch(() => {});
    this.#time.doubt = () => this.#parts[0]?.feed.reopen();
    const pool = await this.#add(shared, kindOf(leasegate, 'WorkerPool', 'pool'), settings.limits);
    this.pool = clusterPool(pool, this.#calls, this.#time);
    this.results = null;
    if (settings.results !== null) {
      const { limits = {} } = settings.results;
      const kind = kindOf(leasegate, 'ResultAggregator', 'results');
      const named = limits.maxResults !== undefined || limits.maxAggregateItems !== undefined;
      const results = await this.#add(shared, kind, proofLimits(limits), named);
      const most = Number(limits.maxResultBytes ?? DEFAULT_RESULT_BYTES);
      const bytes = await this.#reach(openBucket(js, jsm, placesOf(settings.name, 'results'), settings));
      this.results = new ClusterResults(results, this.#calls, bytes, most);
    }
    this.#state = 'live';
  }

  /**
   * @param {import('./part.js').Shared} shared @param {import('./part.js').Kind} kind @param {unknown} limits
   * @param {boolean} [named] the limits are the caller's, and have to be those that are there
   */
  async #add(shared, kind, limits, named = limits !== undefined && limits !== null) {
    const part = new Part(shared, kind, await this.#reach(begin(shared, kind, { limits, named })));
    this.#parts.push(part);
    // Whoever gave the joining up is not there to close it any more.
    if (this.#state !== 'joining') {
      part.close();
      throw this.#error ?? closedError('not_sent');
    }
    await this.#reach(part.catchUp());
    return part;
  }

  /** What the client library rejects with, in our words. @template T @param {Promise<T>} promise @returns {Promise<T>} */
  async #reach(promise) {
    try {
      return await promise;
    } catch (error) {
      if (this.#error !== null) throw this.#error;
      throw isOurs(error) ? error : requestError(error);
    }
  }

  /** The connection's comings and goings. */
  async #follow() {
    const { connection } = this.#settings;
    this.#ending = endingOf(connection);
    this.#ending.tell = (cause) =>
      this.#end(unavailableError('connection_closed', 'unknown', null, cause ?? undefined));
    const status = connection.status();
    this.#status = /** @type {any} */ (status);
    for await (const event of status) {
      if (this.#state === 'closed' || this.#state === 'stopped') break;
      if (event.type === 'reconnect') for (const part of this.#parts) part.reconnected();
      if (event.type === 'error') for (const part of this.#parts) part.denied(deniedBy(event.error));
    }
  }

  /** @param {'pool' | 'results'} part */
  #changed(part) {
    const { onChange } = this.#settings;
    if (onChange === null || this.#state !== 'live') return;
    const [of] = this.#parts.filter(({ kind }) => kind.part === part);
    const { revision } = of.replica;
    queueMicrotask(() => onChange({ part, revision })); // what it throws is the caller's, not the client library's
  }

  /** This host cannot go on. @param {Error} error */
  #end(error) {
    if (this.#state === 'closed' || this.#state === 'stopped') return;
    this.#state = 'stopped';
    this.#error = error;
    const closing = /** @type {any} */ (error).reason === 'connection_closed';
    const outcomeOf = (/** @type {boolean} */ sent) =>
      closing ? unavailableError('connection_closed', sent ? 'unknown' : 'not_sent') : error;
    for (const part of this.#parts) part.halt(error, outcomeOf);
    this.#tidy(error);
  }

  /** @param {Error | null} error */
  #tidy(error) {
    this.#calls.close();
    if (this.#ending !== null) this.#ending.tell = () => {};
    this.#status?.stop?.();
    this.#left(error);
  }

  /** Waits until this host has seen all that is in the log by now. @param {{ signal?: AbortSignal }} [options] */
  async sync(options) {
    if (this.#error !== null) throw this.#error;
    if (this.#state === 'closed') throw closedError('not_sent');
    const all = Promise.all(this.#parts.map((part) => part.sync()));
    const timeout = this.#settings.commandTimeoutMs;
    const timely = withDeadline(all, timeout).catch((error) => {
      throw isOurs(error) ? error : unavailableError('timeout', 'not_sent');
    });
    await abortable(timely, options?.signal ?? null);
  }

  /** Puts a snapshot of the pool now and trims behind the one before. Answers its revision. */
  async snapshotNow() {
    if (this.#error !== null) throw this.#error; // what a host has that has stopped may be nobody else's
    if (this.#state === 'closed') throw closedError('not_sent');
    const [pool] = this.#parts;
    for (const part of this.#parts.slice(1)) await this.#reach(part.snapshotNow());
    return this.#reach(pool.snapshotNow());
  }

  /** What an operator wants to see. Names and numbers only. */
  status() {
    const [pool] = this.#parts;
    const { replica } = pool;
    return Object.freeze({
      state: this.#state,
      error: this.#error,
      revision: this.#state === 'closed' ? null : replica.revision,
      sequence: BigInt(replica.sequence),
      pending: this.#parts.reduce((sum, part) => sum + part.replica.pending, 0),
      ...replica.counts,
      reopened: pool.feed.generation >> 1,
      snapshotsWritten: pool.snapshotsWritten,
      snapshotsFailed: pool.snapshotsFailed,
      skewSecs: this.#time.skewSecs,
      hosts: Object.freeze(Object.fromEntries(this.#time.others)),
      apiCode: pool.publisher.apiCode,
    });
  }

  /** Takes no more commands, waits a little for those in flight, and leaves. The connection stays the caller's. */
  close() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close() {
    const before = this.#state;
    this.#state = 'closed';
    if (before === 'live') {
      this.#calls.refuse();
      const until = performance.now() + GRACE_MS;
      while (
        performance.now() < until &&
        this.#parts.some((part) => part.replica.pending > 0 || part.writing)
      )
        await pause(5);
    }
    for (const part of this.#parts) part.close();
    if (before !== 'stopped') this.#tidy(null);
  }
}
addAsyncDispose(Cluster);

/** @param {unknown} error */
const isOurs = (error) =>
  error instanceof LeasegateError || error instanceof TypeError || error instanceof RangeError;

/**
 * The connection may go on for long after a host has left, and keeps who waits for its end: that must not be the host
 * with all its memory.
 * @param {import('@nats-io/nats-core').NatsConnection} connection
 */
function endingOf(connection) {
  const ending = { tell: (/** @type {unknown} */ _cause) => {} };
  connection.closed().then((cause) => ending.tell(cause));
  return ending;
}

/**
 * @param {import('@nats-io/jetstream').JetStreamClient} js @param {import('@nats-io/jetstream').JetStreamManager} jsm
 * @param {import('./texts.js').Places} places @param {import('./options.js').Settings} settings
 * @returns {Promise<import('./objects.js').Bucket>}
 */
async function openBucket(js, jsm, { bucket: name }, { replicas }) {
  const objm = new Objm(js);
  const make = () => objm.create(name, { replicas, storage: /** @type {any} */ ('file') });
  const store = await objm.open(name).catch(make);
  const status = await store.status();
  const stream = `OBJ_${name}`;
  if (status.storage !== 'file') throw unfitError(stream, 'storage');
  if (status.ttl > 0) throw unfitError(stream, 'max_age');
  if (status.sealed) throw unfitError(stream, 'sealed');
  if (status.replicas < replicas) throw unfitError(stream, 'num_replicas');
  return { name, store, jsm };
}

/**
 * Wrong limits are refused as the machines refuse them, before anything is made on the servers.
 * @param {any} leasegate @param {import('./options.js').Settings} settings
 */
function checkLimits({ WorkerPool, ResultAggregator }, { limits, results }) {
  new WorkerPool({ limits }).dispose();
  if (results !== null) new ResultAggregator({ limits: results.limits }).dispose();
}

/** @param {any} leasegate @param {'WorkerPool' | 'ResultAggregator'} name @param {'pool' | 'results'} part */
function kindOf(leasegate, name, part) {
  const Machine = leasegate[name];
  return {
    part,
    make: (/** @type {unknown} */ limits, /** @type {unknown} */ journal) => new Machine({ limits, journal }),
    fromSnapshot: (/** @type {Uint8Array} */ bytes, /** @type {unknown} */ journal) =>
      Machine.fromSnapshot(bytes, { journal }),
  };
}

/**
 * Joins the cluster of that name, which begins with its first host. Types and contract: nats.d.ts.
 * @param {unknown} options
 */
export async function joinCluster(options) {
  const settings = /** @type {any} */ (readOptions(options));
  settings.signal?.throwIfAborted();
  const cluster = new Cluster(settings);
  try {
    const joined = withDeadline(cluster.join(), settings.joinTimeoutMs).catch((error) => {
      throw isOurs(error) ? error : unavailableError('timeout', 'not_sent', null, error);
    });
    await abortable(joined, settings.signal);
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster;
}
