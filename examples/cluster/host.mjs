// A host process: takes files under leases, hashes them, and stores their digests.

import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { joined } from '../checksum-tree/walk-tree.mjs';
import { HEARTBEAT_MS, join, pause, SLOTS } from './shared.mjs';

const { url, name, folder, host } = JSON.parse(process.argv[2]);
/** Hashing takes no longer; a host that is gone is found out sooner. */
const LEASE_SECS = 600;
const readOnlyFile = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

process.once('disconnect', () => process.exit());
const { cluster } = await join({ url, name });
const { pool, results } = cluster;
cluster.closed.then((error) => {
  if (error === null) return;
  process.stderr.write(`${host}: ${error.message}\n`);
  process.exit(1);
});

const { value: worker } = await pool.registerWorker({ spec: { workerId: host, capacity: SLOTS } });
let { generation } = worker;
setInterval(beat, HEARTBEAT_MS);
for (let slot = 0; slot < SLOTS; slot += 1) work();

/** Also looks after hosts that have fallen silent: any of us may. */
async function beat() {
  const answer = await pool.try.updateWorker({ workerId: host, generation, observation: {} });
  if (!answer.ok && ['worker_unavailable', 'worker_generation_conflict'].includes(answer.error.code)) {
    const current = pool.getWorker(host);
    if (current?.status !== 'offline') return;
    const spec = { workerId: host, capacity: SLOTS };
    const back = await pool.try.reactivateWorker({ expectedGeneration: current.generation, spec });
    if (back.ok) ({ generation } = back.value);
  }
  const silent = pool.getWorkers().some((other) => other.currentTasks > 0 && isSilent(other));
  if (silent) await pool.try.pruneDeadWorkers({});
}

/** @param {import('leasegate').WorkerNode} other */
const isSilent = ({ lastHeartbeat }) => BigInt(Math.floor(Date.now() / 1000)) - lastHeartbeat > 3n;

async function work() {
  for (;;) {
    const taken = await pool.try.assignNext({ workerId: host, leaseTtlSecs: LEASE_SECS });
    if (taken.ok) await hash(taken.value);
    else await pause(50);
  }
}

/** @param {import('leasegate').TaskLease} lease */
async function hash(lease) {
  const started = await pool.try.startTask({ lease });
  if (!started.ok) return; // it has passed to somebody else
  const targetRef = pool.taskQueue.getTask(lease.taskId)?.targetRef ?? '';
  try {
    const sum = createHash('sha256');
    const file = joined(Buffer.from(folder), Buffer.from(targetRef, 'base64url'));
    await pipeline(createReadStream(file, { flags: /** @type {any} */ (readOnlyFile) }), sum);
    const completed = await pool.try.completeTask({ lease });
    if (!completed.ok) return;
    await results?.storeResult({ receipt: completed.value.receipt, bytes: new Uint8Array(sum.digest()) });
  } catch (error) {
    if (/** @type {any} */ (error).code?.startsWith?.('cluster_')) return;
    await pool.try.failTask({ lease });
  }
}
