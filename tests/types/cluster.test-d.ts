// Compiled, never run: what compiles here is a promise, and every @ts-expect-error is one too.

import {
  LeasegateError,
  type CompletionOutcome,
  type QueuedTask,
  type TaskLease,
  type Transition,
  type WorkerNode,
} from 'leasegate';
import {
  joinCluster,
  type Cluster,
  type ClusterOptions,
  type ClusterStatus,
  type NatsConnectionLike,
} from 'leasegate/cluster/nats';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): T | undefined => undefined;

declare const connection: NatsConnectionLike;
const options: ClusterOptions = {
  connection,
  name: 'crawl',
  limits: { maxWorkers: 16, maxRetries: 2n },
  clock: () => Math.floor(Date.now() / 1000),
  maxSkewSecs: null,
  rebase: { attempts: 10 },
  results: { limits: { maxResultBytes: 1024 } },
  replicas: 3,
  snapshotEvery: 0,
  signal: AbortSignal.timeout(1000),
  onChange: ({ part, revision }) => {
    yes<Same<typeof part, 'pool' | 'results'>>();
    yes<Same<typeof revision, bigint>>();
  },
};
// @ts-expect-error: without a connection there is no cluster
joinCluster({ name: 'crawl' });
// @ts-expect-error: not an option
joinCluster({ connection, name: 'crawl', retries: 3 });

const cluster: Cluster = await joinCluster(options);
const { pool } = cluster;

yes<Same<Awaited<ReturnType<typeof pool.registerWorker>>, Transition<WorkerNode>>>();
await pool.registerWorker({ spec: { workerId: 'w', capacity: 1 }, rebase: false });
const queued: Transition<QueuedTask> = await pool.taskQueue.enqueue({
  spec: { taskId: 't', scanId: 's', targetRef: 'r' },
  expectedRevision: pool.revision,
  timeoutMs: 100,
});
const { value: lease } = await pool.assignNext({ workerId: 'w', leaseTtlSecs: 60 });
yes<Same<typeof lease, TaskLease>>();
await pool.recoverExpiredLeases({});
// @ts-expect-error: the host has the clock
await pool.recoverExpiredLeases({ now: 3 });
// @ts-expect-error: no lease
await pool.completeTask({});
yes<Same<ReturnType<typeof pool.getWorker>, WorkerNode | null>>();

const attempt = await pool.try.completeTask({ lease });
if (attempt.ok) {
  yes<Same<typeof attempt.value, CompletionOutcome>>();
  if (cluster.results) {
    await cluster.results.storeResult({ receipt: attempt.value.receipt, bytes: new Uint8Array(1) });
    const bytes: Uint8Array | null = await cluster.results.getResult(queued.value.taskId);
    bytes?.length;
  }
} else if (attempt.error.code === 'cluster_unavailable') {
  yes<Same<typeof attempt.error.outcome, 'not_sent' | 'unknown'>>();
}

const status: ClusterStatus = cluster.status();
yes<Same<typeof status.skewSecs, number | null>>();
const why = await cluster.closed;
if (why instanceof LeasegateError && why.code === 'cluster_diverged')
  yes<Same<typeof why.sequence, bigint>>();
await cluster.sync({ signal: AbortSignal.timeout(5) });
await using left = cluster;
yes<Same<ReturnType<typeof left.close>, Promise<void>>>();

// Unless results may be absent, they are there.
const whole = await joinCluster({ connection, name: 'crawl', rebase: { attempts: 3 } });
await whole.results.getResult('t');
const without = await joinCluster({ connection, name: 'crawl', results: false });
// @ts-expect-error: perhaps null
await without.results.getResult('t');
await whole.sync({ signal: undefined });
