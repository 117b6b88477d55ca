// Rounds: host processes work on one coordinator while something goes wrong; afterwards the log is read by itself, and
// everything that any host was told has to be in it.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { jetstreamManager } from '@nats-io/jetstream';
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

  /** @param {string} kind @param {number} [ms] @returns {Promise<any>} what it said first of that kind */
  async heard(kind, ms = ROUND_MS) {
    const find = () => this.said.find((each) => each.kind === kind || each.kind === 'failed');
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
    this.sum = { records: 0, voids: 0, conflicts: 0, late: 0, recovered: 0, digests: 0 };
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
      workMs: fault === 'stop' ? 60 : 20,
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
        host.tell({ ...orders, id: `${i}`, seed: seed * 10 + i, servers });
      });
      await this.#harm(fault, chance, hosts, dead, orders, proxy);
      await this.#finish(hosts);
      await this.#check(name, hosts, dead, fault);
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
    await hosts[0].heard('accepted');
    await pause(chance() * 400);
    if (fault === 'kill') {
      const [victim] = hosts.splice(Math.floor(chance() * 3), 1);
      await victim.kill();
      dead.push(victim);
      await pause(chance() * 200);
      const other = await this.#take();
      other.tell({ ...orders, id: `again-${this.count}`, seed: Math.floor(chance() * 1e9) });
      hosts.push(other);
    } else if (fault === 'stop') {
      await hosts[0].heard('holds');
      hosts[0].child.kill('SIGSTOP');
      await pause(500 + chance() * 500); // leases are 0.3 s
      hosts[0].child.kill('SIGCONT');
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
      await pause(300 + chance() * 700);
      proxy.heal();
    }
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

  /** @param {string} name @param {HostProcess[]} hosts @param {HostProcess[]} dead @param {Fault} fault */
  async #check(name, hosts, dead, fault) {
    const finals = await Promise.all(hosts.map((host) => host.heard('final')));
    const said = [...hosts, ...dead].flatMap((host) => host.said);
    const connection = await connect({ servers: this.urls });
    try {
      const log = await patiently(() => readLog(connection, name));
      for (const { revision, digest } of finals) {
        assert.equal(revision, String(log.revision), 'all replicas have come to the end');
        assert.equal(digest, log.digests.get(revision), 'all replicas are equal');
      }
      for (const { revision, digest } of said.filter(({ kind }) => kind === 'digest')) {
        if (!log.digests.has(revision)) continue; // trimmed away
        assert.equal(digest, log.digests.get(revision), `all replicas are equal at revision ${revision}`);
        this.sum.digests += 1;
      }
      checkAccepted(said, log);
      const late = said.filter(({ kind, refused }) => kind === 'done' && refused !== null);
      this.sum.late += late.length;
      this.sum.records += Number(log.revision);
      for (const host of hosts) {
        const { status } = host.said.find(({ kind }) => kind === 'finished');
        this.sum.voids = Math.max(this.sum.voids, status.voids);
        this.sum.conflicts += status.conflicts;
      }
      if (fault === 'stop') this.sum.recovered += 1;
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

/**
 * The log by itself: what is in force, and the digest at every revision. From a snapshot on, if it has been trimmed.
 * @param {import('@nats-io/nats-core').NatsConnection} connection @param {string} name
 */
async function readLog(connection, name) {
  const { Objm } = await import('@nats-io/obj');
  const { jetstream } = await import('@nats-io/jetstream');
  const leasegate = await createLeasegate();
  const jsm = await jetstreamManager(connection);
  const stream = `LEASEGATE_${name}_pool`;
  const { state } = await jsm.streams.info(stream);
  let pool = null;
  let tip = '';
  let from = 1;
  if (state.first_seq > 1) {
    const store = await new Objm(jetstream(connection)).open(`leasegate_${name}`);
    const bucket = { name: `leasegate_${name}`, store, jsm };
    const snapshots = new Snapshots({ bucket, stream, part: 'pool' });
    // The oldest that can be read: old servers have been seen to lose parts of objects with their leader.
    let opened = null;
    for (const place of (await snapshots.list()).reverse()) {
      if (place.sequence + 1 < state.first_seq) continue; // about to be removed: the stream is trimmed already
      opened = await snapshots.open(place);
      from = place.sequence + 1;
      if (opened !== null) break;
    }
    assert.ok(opened !== null, 'a snapshot can be read');
    pool = leasegate.WorkerPool.fromSnapshot(opened.bytes);
    tip = opened.tip;
  }
  /** @type {Map<string, string>} */
  const digests = new Map();
  /** @type {Map<string, any>} */
  const records = new Map();
  for (let seq = from; seq <= state.last_seq; seq += 1) {
    const message = await jsm.streams.getMessage(stream, { seq });
    assert.ok(message !== null, `the stream has no gap at ${seq} of ${state.first_seq} to ${state.last_seq}`);
    const { subject, data } = message;
    if (pool === null) {
      const { limits } = leasegate.readJournalHeader(data);
      pool = new leasegate.WorkerPool({ limits });
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
    revision: pool.revision,
    digests,
    records,
    async remove() {
      await jsm.streams.delete(stream);
      await jsm.streams.delete(`OBJ_leasegate_${name}`).catch(() => {});
    },
  };
}

/** @param {any[]} said @param {Awaited<ReturnType<typeof readLog>>} log */
function checkAccepted(said, { pool, records, revision: last }) {
  /** @type {Set<string>} */
  const revisions = new Set();
  /** @type {Set<string>} */
  const completed = new Set();
  for (const { what, revision, taskId } of said.filter(({ kind }) => kind === 'accepted')) {
    assert.ok(!revisions.has(revision), 'two commands were told the same revision');
    revisions.add(revision);
    assert.ok(BigInt(revision) <= last, 'an acknowledged command is in the log');
    const record = records.get(revision);
    if (record === undefined) continue; // trimmed away
    assert.equal(record.kind, what, `the record of revision ${revision} is the one that was acknowledged`);
    if (what === 'enqueue') assert.equal(record.spec.taskId, taskId);
    if (what === 'start_task' || what === 'complete_task') assert.equal(record.lease.taskId, taskId);
    if (what === 'complete_task') {
      assert.ok(!completed.has(taskId), 'no task is completed twice');
      completed.add(taskId);
    }
  }
  for (const { taskId } of said.filter(({ kind, what }) => kind === 'accepted' && what === 'enqueue')) {
    const task = pool.taskQueue.getTask(taskId);
    assert.ok(task !== null, 'no task is lost');
    assert.equal(task.status, 'completed', 'every task is completed in the end');
  }
}
