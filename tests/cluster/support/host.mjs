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

/** @param {any} orders */
async function round(orders) {
  finishing = false;
  wanted = orders.tasks;
  let given = 0;
  const chance = random(orders.seed);
  const clock = () => 1_000 + Math.floor(((Date.now() - orders.epochMs) * FASTER) / 1_000);
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
      onChange: () =>
        say({ kind: 'digest', revision: String(cluster.pool.revision), digest: cluster.pool.stateDigest() }),
    },
    orders,
  );
  const { pool } = cluster;
  let ended = false;
  cluster.closed.then((error) => {
    if (error !== null) say({ kind: 'failed', error: explained(error) });
    ended = true;
  });

  /** Refusals are answers; what is unknown is asked again. @param {string} what @param {() => Promise<any>} give @param {object} [about] */
  async function command(what, give, about = {}) {
    for (;;) {
      try {
        const { revision, value } = await give();
        const replay = String(value?.kind ?? '').startsWith('already');
        if (!replay)
          say({
            kind: 'accepted',
            what,
            revision: String(revision),
            ...about,
            leaseId: String(value?.leaseId ?? ''),
          });
        return { value, error: null };
      } catch (error) {
        const { code } = /** @type {any} */ (error);
        if (ended || code === 'cluster_closed') return { value: null, error };
        if (code === 'cluster_unavailable' || code === 'revision_conflict') continue;
        if (code === undefined || code.startsWith('cluster_') || code.startsWith('journal_')) throw error;
        return { value: null, error };
      }
    }
  }

  const workerId = `worker-${orders.id}`;
  await command('register_worker', () => pool.registerWorker({ spec: { workerId, capacity: 8 } }));
  let alive = true;

  async function give() {
    while (!finishing || given < wanted) {
      if (given === wanted) {
        say({ kind: 'given' });
        while (!finishing && given === wanted) await pause(10);
        continue;
      }
      const taskId = `task-${orders.id}-${given + 1}`;
      const spec = { taskId, scanId: 'round', targetRef: `target ${given + 1}` };
      const { error } = await command('enqueue', () => pool.taskQueue.enqueue({ spec }), { taskId });
      if (error !== null && /** @type {any} */ (error).code !== 'task_already_exists') throw error;
      given += 1;
      if (chance() < 0.5) await pause(chance() * 4);
    }
  }

  async function work() {
    while (alive) {
      const { value: lease, error } = await command('assign_next', () =>
        pool.assignNext({ workerId, leaseTtlSecs: LEASE_SECS }),
      );
      if (lease === null) {
        const { code } = /** @type {any} */ (error);
        if (code === 'worker_unavailable') await beat();
        await pause(5 + chance() * 10);
        continue;
      }
      const { taskId } = lease;
      const about = { taskId };
      const held = { taskId, leaseId: String(lease.leaseId) };
      say({ kind: 'holds', ...held });
      const started = await command('start_task', () => pool.startTask({ lease }), about);
      if (orders.slowMs > 0) {
        if (started.error === null) say({ kind: 'works', ...held });
        await pause(orders.slowMs * (1 + chance()));
      } else if (chance() < 0.5) await pause(chance() * orders.workMs);
      const step = started.error === null ? 'complete' : 'start';
      const done =
        started.error ?? (await command('complete_task', () => pool.completeTask({ lease }), about)).error;
      say({ kind: 'done', step, ...held, refused: done === null ? null : /** @type {any} */ (done).code });
    }
  }

  async function beat() {
    const worker = pool.getWorker(workerId);
    if (worker === null) return;
    const { generation } = worker;
    if (worker.status === 'offline')
      await command('reactivate_worker', () =>
        pool.reactivateWorker({ expectedGeneration: generation, spec: { workerId, capacity: 8 } }),
      );
    else await command('update_worker', () => pool.updateWorker({ workerId, generation, observation: {} }));
  }

  async function sweep() {
    while (alive) {
      await pause(100 + chance() * 100);
      await beat();
      const now = BigInt(clock());
      const stale = pool.taskQueue.tasks().some(({ lease }) => lease !== null && lease.expiresAt <= now);
      if (stale) await command('recover_expired_leases', () => pool.recoverExpiredLeases({}));
      if (finishing && given === wanted && pool.snapshot().activeTasks === 0) alive = false;
      if (ended) alive = false;
    }
  }

  const crew = Array.from({ length: 3 }, work);
  await Promise.all([give(), sweep(), ...crew]);
  await cluster.sync();
  const { revision } = pool;
  say({
    kind: 'finished',
    revision: String(revision),
    digest: pool.stateDigest(),
    status: plain(cluster.status()),
  });
  // The parent compares once all have finished; what others still do afterwards comes in too.
  while (finishing) await pause(10);
  await cluster.sync();
  pool.checkInvariants();
  say({ kind: 'final', revision: String(pool.revision), digest: pool.stateDigest() });
  await cluster.close();
  await connection.close();
}

process.on('message', (/** @type {any} */ message) => {
  if (message.kind === 'compare') finishing = false;
});

/** @param {any} status */
const plain = (status) =>
  JSON.parse(JSON.stringify(status, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
