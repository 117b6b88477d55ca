// A host process of the rounds: joins, gives work, does work, and tells its parent what it was answered. It may be
// killed or stopped at any moment.

import { connect } from '@nats-io/transport-node';
import { createLeasegate } from 'leasegate';
import { joinCluster } from 'leasegate/cluster/nats';
import { random } from './sim.js';

/** Ten logical seconds pass in one, the same for all: 1,000 s into the era at `epochMs`. */
const FASTER = 10;
const LEASE_SECS = 3;

const say = (/** @type {object} */ message) => process.send?.(message);
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
const leasegate = await createLeasegate();

process.on('disconnect', () => process.exit());
process.on('message', (/** @type {any} */ message) => {
  if (message.kind === 'round')
    round(message).catch((error) => say({ kind: 'failed', error: explained(error) }));
  if (message.kind === 'finish') finishing = true;
  if (message.kind === 'more') wanted += message.tasks;
});
let finishing = false;
/** Tasks that this host is to give. */
let wanted = 0;
say({ kind: 'ready' });

/** @param {any} error */
function explained(error) {
  const causes = [];
  for (let each = error; each; each = each.cause) causes.push(`${each.code ?? ''} ${each.stack ?? each}`);
  return causes.join('\ncaused by ');
}

/** @param {any} options */
async function joined(options, orders) {
  for (let tries = 0; ; tries += 1) {
    const connection = await connect({
      servers: orders.servers,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 50,
      reconnectJitter: 50,
      pingInterval: 1_000,
      maxPingOut: 2,
      waitOnFirstConnect: true,
    });
    try {
      return { connection, cluster: await joinCluster({ ...options, connection }) };
    } catch (error) {
      await connection.close();
      if (tries === 60 || /** @type {any} */ (error).code !== 'cluster_unavailable') throw error;
      await pause(250);
    }
  }
}

/** What a host does in a round: gives tasks, does others, beats and sweeps, until all is done or it has left. */
class Life {
  given = 0;
  alive = true;
  ended = false;

  /** @param {any} cluster @param {any} orders @param {() => number} clock logical seconds */
  constructor(cluster, orders, clock) {
    this.pool = cluster.pool;
    this.orders = orders;
    this.clock = clock;
    this.chance = random(orders.seed);
    this.spec = { workerId: `worker-${orders.id}`, capacity: 8 };
    cluster.closed.then((/** @type {Error | null} */ error) => {
      if (error !== null) say({ kind: 'failed', error: explained(error) });
      this.ended = true;
    });
  }

  async run() {
    await this.command('register_worker', () => this.pool.registerWorker({ spec: this.spec }));
    await Promise.all([this.give(), this.sweep(), ...Array.from({ length: 3 }, () => this.work())]);
  }

  /** Refusals are answers; what is unknown is asked again. @param {string} what @param {() => Promise<any>} give @param {object} [about] */
  async command(what, give, about = {}) {
    for (;;) {
      try {
        const { revision, value } = await give();
        const replay = String(value?.kind ?? '').startsWith('already');
        const leaseId = String(value?.leaseId ?? '');
        if (!replay) say({ kind: 'accepted', what, revision: String(revision), ...about, leaseId });
        return { value, error: null };
      } catch (error) {
        const { code } = /** @type {any} */ (error);
        if (this.ended || code === 'cluster_closed') return { value: null, error };
        if (code === 'cluster_unavailable' || code === 'revision_conflict') continue;
        if (code === undefined || code.startsWith('cluster_') || code.startsWith('journal_')) throw error;
        return { value: null, error };
      }
    }
  }

  async give() {
    while (!finishing || this.given < wanted) {
      if (this.given === wanted) {
        say({ kind: 'given' });
        while (!finishing && this.given === wanted) await pause(10);
        continue;
      }
      const taskId = `task-${this.orders.id}-${this.given + 1}`;
      const spec = { taskId, scanId: 'round', targetRef: `target ${this.given + 1}` };
      const { error } = await this.command('enqueue', () => this.pool.taskQueue.enqueue({ spec }), {
        taskId,
      });
      if (error !== null && /** @type {any} */ (error).code !== 'task_already_exists') throw error;
      this.given += 1;
      if (this.chance() < 0.5) await pause(this.chance() * 4);
    }
  }

  async work() {
    const { workerId } = this.spec;
    while (this.alive) {
      const { value: lease, error } = await this.command('assign_next', () =>
        this.pool.assignNext({ workerId, leaseTtlSecs: LEASE_SECS }),
      );
      if (lease !== null) {
        await this.workOn(lease);
        continue;
      }
      if (/** @type {any} */ (error).code === 'worker_unavailable') await this.beat();
      await pause(5 + this.chance() * 10);
    }
  }

  /** @param {any} lease */
  async workOn(lease) {
    const { taskId } = lease;
    const { slowMs, workMs } = this.orders;
    const held = { taskId, leaseId: String(lease.leaseId) };
    say({ kind: 'holds', ...held });
    const started = await this.command('start_task', () => this.pool.startTask({ lease }), { taskId });
    if (slowMs > 0) {
      if (started.error === null) say({ kind: 'works', ...held });
      await pause(slowMs * (1 + this.chance()));
    } else if (this.chance() < 0.5) await pause(this.chance() * workMs);
    const step = started.error === null ? 'complete' : 'start';
    const complete = () => this.pool.completeTask({ lease });
    const done = started.error ?? (await this.command('complete_task', complete, { taskId })).error;
    say({ kind: 'done', step, ...held, refused: done === null ? null : /** @type {any} */ (done).code });
  }

  async beat() {
    const { pool, spec } = this;
    const { workerId } = spec;
    const worker = pool.getWorker(workerId);
    if (worker === null) return;
    const { generation } = worker;
    if (worker.status === 'offline')
      await this.command('reactivate_worker', () =>
        pool.reactivateWorker({ expectedGeneration: generation, spec }),
      );
    else
      await this.command('update_worker', () => pool.updateWorker({ workerId, generation, observation: {} }));
  }

  async sweep() {
    const { pool } = this;
    while (this.alive) {
      await pause(100 + this.chance() * 100);
      await this.beat();
      const now = BigInt(this.clock());
      const stale = pool.taskQueue
        .tasks()
        .some((/** @type {any} */ { lease }) => lease !== null && lease.expiresAt <= now);
      if (stale) await this.command('recover_expired_leases', () => pool.recoverExpiredLeases({}));
      if (finishing && this.given === wanted && pool.snapshot().activeTasks === 0) this.alive = false;
      if (this.ended) this.alive = false;
    }
  }
}

/** @param {any} orders */
async function round(orders) {
  finishing = false;
  wanted = orders.tasks;
  const clock = () => 1_000 + Math.floor(((Date.now() - orders.epochMs) * FASTER) / 1_000);
  const now = () => ({ revision: String(cluster.pool.revision), digest: cluster.pool.stateDigest() });
  const { connection, cluster } = await joined(
    {
      name: orders.name,
      replicas: orders.replicas,
      limits: { maxRetries: 32, heartbeatTimeoutSecs: 15, maxLeaseTtlSecs: 60, maxWorkers: 64 },
      clock,
      maxSkewSecs: null,
      rebase: { attempts: 500 },
      results: false,
      snapshotEvery: orders.snapshotEvery,
      maxInFlight: orders.maxInFlight,
      commandTimeoutMs: 20_000,
      leasegate,
      // By now it may have changed again: the revision and the digest of one moment.
      onChange: () => say({ kind: 'digest', ...now() }),
    },
    orders,
  );
  await new Life(cluster, orders, clock).run();
  await cluster.sync();
  say({ kind: 'finished', ...now(), status: plain(cluster.status()) });
  // The parent compares once all have finished; what others still do afterwards comes in too.
  while (finishing) await pause(10);
  await cluster.sync();
  cluster.pool.checkInvariants();
  say({ kind: 'final', ...now() });
  await cluster.close();
  await connection.close();
}

process.on('message', (/** @type {any} */ message) => {
  if (message.kind === 'compare') finishing = false;
});

/** @param {any} status */
const plain = (status) =>
  JSON.parse(JSON.stringify(status, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
