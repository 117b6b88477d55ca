// Rounds: host processes work on one coordinator while something goes wrong; afterwards the log is read by itself, and
// everything that any host was told has to be in it.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect } from '@nats-io/transport-node';
import { createLeasegate } from 'leasegate';
import { Snapshots } from '../../../js/cluster/snapshots.js';
import { CuttableLine } from './cuttable-line.js';
import { random } from './sim.js';

const program = fileURLToPath(new URL('./host.mjs', import.meta.url));
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ROUND_MS = 90_000;

/** @typedef {'together' | 'kill' | 'stop' | 'server' | 'cut' | 'silence' | 'leader'} Fault */

/** One host process and what it has said. */
class HostProcess {
  constructor() {
    this.child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    /** @type {any[]} */
    this.said = [];
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    this.child.on('message', (message) => {
      this.said.push(message);
      for (const listener of [...this.listeners]) listener();
    });
    this.ended = new Promise((resolve) => this.child.once('exit', () => resolve(null)));
  }

  /**
   * @param {string} kind @param {number} [ms] @param {(message: any) => boolean} [fits]
   * @returns {Promise<any>} what it said first of that kind
   */
  async heard(kind, ms = ROUND_MS, fits = (each) => each.kind === kind) {
    const find = () => this.said.find((each) => fits(each) || each.kind === 'failed');
    if (!find())
      await new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          this.listeners.delete(listener);
          reject(new Error(`No "${kind}" within ${ms} ms; the last: ${JSON.stringify(this.said.at(-1))}`));
        }, ms);
        const listener = () => {
          if (!find()) return;
          clearTimeout(timer);
          this.listeners.delete(listener);
          resolve(null);
        };
        this.listeners.add(listener);
      });
    const found = find();
    if (found.kind === 'failed') throw new Error(found.error);
    return found;
  }

  /** @param {object} message */
  tell(message) {
    if (this.child.connected) this.child.send(message);
  }

  async kill() {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

export class Rounds {
  /** @param {{ server?: any, servers?: any }} where one server, or three */
  constructor({ server = null, servers = null }) {
    this.server = server;
    this.three = servers;
    /** @type {HostProcess[]} */
    this.idle = [];
    this.count = 0;
    /**
     * `asleep`: leases that a host held while it was stopped; `late`: those of them whose completion was refused;
     * `unreadable`: snapshots that a server has lost a part of.
     */
    this.sum = {
      records: 0,
      voids: 0,
      conflicts: 0,
      refused: 0,
      asleep: 0,
      late: 0,
      digests: 0,
      trimmed: 0,
      unreadable: 0,
    };
  }

  get urls() {
    return this.three === null ? [this.server.url] : this.three.urls;
  }

  async #take() {
    const host = this.idle.pop() ?? new HostProcess();
    await host.heard('ready');
    host.said = [];
    return host;
  }

  /** @param {{ seed: number, fault: Fault, tasks?: number }} options */
  async play({ seed, fault, tasks = 12 }) {
    this.count += 1;
    const chance = random(seed);
    const name = `round-${process.pid}-${this.count}`;
    const orders = {
      kind: 'round',
      name,
      tasks,
      epochMs: Date.now(),
      replicas: this.three === null ? 1 : 3,
      snapshotEvery: chance() < 0.3 ? 40 : 0,
      maxInFlight: 1 + Math.floor(chance() * 16),
      workMs: 20,
      servers: this.urls,
    };
    const proxy =
      fault === 'cut' || fault === 'silence' ? await new CuttableLine(this.server.port).start() : null;
    /** @type {HostProcess[]} */
    const hosts = [];
    /** @type {HostProcess[]} */
    const dead = [];
    try {
      for (let i = 0; i < 3; i += 1) hosts.push(await this.#take());
      hosts.forEach((host, i) => {
        const servers = proxy !== null && i === 0 ? [`127.0.0.1:${proxy.port}`] : orders.servers;
        // Who will sleep has long work, so that it sleeps in the middle of some.
        const slowMs = fault === 'stop' && i === 0 ? 120 : 0;
        host.tell({ ...orders, id: `${i}`, seed: seed * 10 + i, servers, slowMs });
      });
      await this.#harm(fault, chance, hosts, dead, orders, proxy);
      await this.#finish(hosts);
      await this.#check(name, hosts, dead);
      for (const host of hosts) {
        host.said = [{ kind: 'ready' }];
        this.idle.push(host);
      }
    } catch (error) {
      for (const host of [...hosts, ...dead]) await host.kill();
      throw new Error(`Round with seed ${seed} and fault ${fault}`, { cause: error });
    } finally {
      proxy?.stop();
    }
  }

  /**
   * @param {Fault} fault @param {() => number} chance @param {HostProcess[]} hosts @param {HostProcess[]} dead
   * @param {any} orders @param {CuttableLine | null} proxy
   */
  async #harm(fault, chance, hosts, dead, orders, proxy) {
    if (fault === 'together') return;
    if (fault === 'stop') {
      await this.#sleep(hosts[0], chance);
      return;
    }
    await hosts[0].heard('accepted');
    await pause(chance() * (chance() < 0.5 ? 80 : 400));
    if (fault === 'kill') {
      const [victim] = hosts.splice(Math.floor(chance() * 3), 1);
      await victim.kill();
      dead.push(victim);
      await pause(chance() * 200);
      const other = await this.#take();
      other.tell({ ...orders, id: `again-${this.count}`, seed: Math.floor(chance() * 1e9) });
      hosts.push(other);
    } else if (fault === 'server') {
      await this.server.kill();
      await pause(chance() * 300);
      await this.server.start();
    } else if (fault === 'leader') {
      const victim = await this.#leaderOf(orders.name);
      await victim.kill();
      await pause(500 + chance() * 1_000);
      await victim.start();
    } else if (proxy !== null) {
      if (fault === 'cut') proxy.cut();
      else proxy.hush();
      // The longer ones a host notices by itself.
      await pause(chance() < 0.2 ? 3_500 : 300 + chance() * 700);
      proxy.heal();
    }
  }

  /**
   * A host sleeps past the lease of what it is working on, and completes it when it wakes up: too late, and told so.
   * @param {HostProcess} host @param {() => number} chance
   */
  async #sleep(host, chance) {
    for (let tries = 0; tries < 10; tries += 1) {
      const open = (/** @type {any} */ { leaseId }) =>
        !host.said.some((each) => each.kind === 'done' && each.leaseId === leaseId);
      const works = (/** @type {any} */ each) => each.kind === 'works' && open(each);
      const busy = await host.heard('works', 3_000, works).catch((error) => {
        if (host.said.some(({ kind }) => kind === 'failed')) throw error;
        return null;
      });
      if (busy === null) {
        host.tell({ kind: 'more', tasks: 6 }); // the others were faster
        continue;
      }
      await pause(chance() * 100);
      host.child.kill('SIGSTOP');
      await pause(50); // what it had said before is read
      const held = host.said.filter((each) => each.kind === 'works' && open(each));
      await pause(500 + chance() * 500); // leases are 0.3 s
      host.child.kill('SIGCONT');
      let late = 0;
      for (const { leaseId } of held) {
        const of = (/** @type {any} */ each) => each.kind === 'done' && each.leaseId === leaseId;
        const { refused } = await host.heard('done', ROUND_MS, of);
        if (refused !== null) late += 1; // else it was on its way before, within its lease: the core saw to that
      }
      this.sum.asleep += held.length;
      this.sum.late += late;
      if (late > 0) return;
      host.tell({ kind: 'more', tasks: 6 });
    }
    assert.fail('no late completion has been refused');
  }

  /** @param {string} name */
  async #leaderOf(name) {
    const connection = await connect({ servers: this.urls });
    const jsm = await jetstreamManager(connection);
    const { cluster } = await jsm.streams.info(`LEASEGATE_${name}_pool`);
    await connection.close();
    return this.three.servers[Number(/** @type {any} */ (cluster).leader.slice(1))];
  }

  /** @param {HostProcess[]} hosts */
  async #finish(hosts) {
    for (const host of hosts) await host.heard('given');
    for (const host of hosts) host.tell({ kind: 'finish' });
    for (const host of hosts) await host.heard('finished');
    for (const host of hosts) host.tell({ kind: 'compare' });
    for (const host of hosts) await host.heard('final');
  }

  /** @param {string} name @param {HostProcess[]} hosts @param {HostProcess[]} dead */
  async #check(name, hosts, dead) {
    const finals = await Promise.all(hosts.map((host) => host.heard('final')));
    const said = [...hosts, ...dead].flatMap((host) => host.said);
    const connection = await connect({ servers: this.urls });
    try {
      const log = await patiently(() => readLog(connection, name));
      for (const { revision, digest } of finals) {
        assert.equal(revision, String(log.revision), 'all replicas have come to the end');
        assert.equal(digest, log.digests.get(revision), 'all replicas are equal');
      }
      /** What the hosts have said of the part that was trimmed away: equal among themselves. @type {Map<string, string>} */
      const before = new Map();
      for (const { revision, digest } of said.filter(({ kind }) => kind === 'digest')) {
        const known = BigInt(revision) < log.first ? before : log.digests;
        if (known === before && !before.has(revision)) before.set(revision, digest);
        assert.equal(digest, known.get(revision), `all replicas are equal at revision ${revision}`);
        this.sum.digests += 1;
      }
      checkAccepted(said, log);
      this.sum.refused += said.filter(({ kind, refused }) => kind === 'done' && refused !== null).length;
      this.sum.records += Number(log.revision);
      this.sum.trimmed += log.first > 0n ? 1 : 0;
      this.sum.unreadable += log.unreadable;
      for (const host of hosts) {
        const { status } = host.said.find(({ kind }) => kind === 'finished');
        this.sum.voids = Math.max(this.sum.voids, status.voids);
        this.sum.conflicts += status.conflicts;
      }
      await log.remove();
    } finally {
      await connection.close();
    }
  }

  async stop() {
    for (const host of this.idle) await host.kill();
  }
}

/**
 * Servers that have just lost a leader may leave questions without an answer for a while.
 * @template T @param {() => Promise<T>} ask @returns {Promise<T>}
 */
async function patiently(ask) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof assert.AssertionError || tries === 10) throw error;
      await pause(1_000);
    }
  }
}

/** The stream was trimmed under the reader's hands: a snapshot that was on its way when its host left. */
class Trimmed extends Error {}

/**
 * The log by itself: what is in force, and the digest at every revision. From a snapshot on, if it has been trimmed.
 * @param {import('@nats-io/nats-core').NatsConnection} connection @param {string} name
 */
async function readLog(connection, name) {
  const leasegate = await createLeasegate();
  const jsm = await jetstreamManager(connection);
  const stream = `LEASEGATE_${name}_pool`;
  const { state } = await jsm.streams.info(stream);
  const begun = state.first_seq > 1 ? await oldestSnapshot(connection, jsm, name, state.first_seq) : null;
  let pool = begun && leasegate.WorkerPool.fromSnapshot(begun.bytes);
  let tip = begun?.tip ?? '';
  /** @type {Map<string, string>} */
  const digests = new Map();
  /** @type {Map<string, any>} */
  const records = new Map();
  const first = pool?.revision ?? 0n;
  if (pool) digests.set(String(first), pool.stateDigest());
  for (let seq = (begun?.sequence ?? 0) + 1; seq <= state.last_seq; seq += 1) {
    const message = await jsm.streams.getMessage(stream, { seq });
    if (message === null) {
      const now = await jsm.streams.info(stream);
      if (now.state.first_seq > seq) throw new Trimmed();
      assert.fail(`the stream has a gap at ${seq} of ${state.first_seq} to ${state.last_seq}`);
    }
    const { subject, data } = message;
    if (pool === null) {
      const { limits } = leasegate.readJournalHeader(data);
      pool = new leasegate.WorkerPool({ limits });
      digests.set('0', pool.stateDigest());
      continue;
    }
    const [, , , kind, author] = subject.split('.');
    const inForce = kind === 'r' || (kind === 'c' && tip === author);
    tip = inForce ? author : '';
    if (!inForce) continue;
    const report = pool.applyBatch([data]);
    assert.equal(report.stopped, null, 'every record applies');
    const [record] = leasegate.readRecords(data);
    records.set(String(report.revision), record.command);
    digests.set(String(report.revision), pool.stateDigest());
  }
  assert.ok(pool !== null);
  pool.checkInvariants();
  return {
    pool,
    unreadable: begun?.unreadable ?? 0,
    first,
    revision: pool.revision,
    digests,
    records,
    async remove() {
      await jsm.streams.delete(stream);
      await jsm.streams.delete(`OBJ_leasegate_${name}`).catch(() => {});
    },
  };
}

/**
 * The oldest that can be read: old servers have been seen to lose parts of objects with their leader.
 * @param {import('@nats-io/nats-core').NatsConnection} connection @param {any} jsm @param {string} name @param {number} first
 */
async function oldestSnapshot(connection, jsm, name, first) {
  const store = await new Objm(jetstream(connection)).open(`leasegate_${name}`);
  const bucket = { name: `leasegate_${name}`, store, jsm };
  const stream = `LEASEGATE_${name}_pool`;
  const snapshots = new Snapshots({ bucket, stream, part: 'pool' });
  const places = await snapshots.list();
  let unreadable = 0;
  for (const place of [...places].reverse()) {
    if (place.sequence + 1 < first) continue; // about to be removed: the stream is trimmed already
    const opened = await snapshots.open(place);
    if (opened !== null) return { ...opened, sequence: place.sequence, unreadable };
    unreadable += 1;
  }
  const { state } = await jsm.streams.info(stream);
  if (state.first_seq > first) throw new Trimmed();
  return assert.fail(`no snapshot can be read of ${places.map(({ name: each }) => each).join(', ')}`);
}

/** @param {any[]} said @param {Awaited<ReturnType<typeof readLog>>} log */
function checkAccepted(said, { pool, records, first, revision: last }) {
  /** @type {Set<string>} */
  const revisions = new Set();
  /** @type {Set<string>} */
  const completed = new Set();
  for (const { what, revision, taskId } of said.filter(({ kind }) => kind === 'accepted')) {
    assert.ok(!revisions.has(revision), 'two commands were told the same revision');
    revisions.add(revision);
    assert.ok(BigInt(revision) <= last, 'an acknowledged command is in the log');
    const record = records.get(revision);
    if (BigInt(revision) <= first) continue; // trimmed away
    assert.ok(record !== undefined, 'an acknowledged command has a record');
    assert.equal(record.kind, what, `the record of revision ${revision} is the one that was acknowledged`);
    if (what === 'enqueue') assert.equal(record.spec.taskId, taskId);
    if (what === 'start_task' || what === 'complete_task') assert.equal(record.lease.taskId, taskId);
  }
  for (const { what, taskId } of said.filter(({ kind }) => kind === 'accepted')) {
    if (what !== 'complete_task') continue;
    assert.ok(!completed.has(taskId), 'no host was told a second completion');
    completed.add(taskId);
  }
  const inLog = [...records.values()].filter(({ kind }) => kind === 'complete_task');
  assert.equal(
    new Set(inLog.map(({ lease }) => lease.taskId)).size,
    inLog.length,
    'no task is completed twice',
  );
  for (const { taskId } of said.filter(({ kind, what }) => kind === 'accepted' && what === 'enqueue'))
    assert.ok(pool.taskQueue.getTask(taskId) !== null, 'no task is lost');
  for (const { status } of pool.taskQueue.tasks())
    assert.equal(status, 'completed', 'every task is completed in the end');
}
