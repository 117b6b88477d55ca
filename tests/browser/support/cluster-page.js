// The page of the test of leasegate/cluster/nats: a host of a cluster, told what to do by name.

import { wsconnect } from '@nats-io/nats-core';
import { createLeasegate } from 'leasegate/inline';
import { joinCluster } from 'leasegate/cluster/nats';

let connection;
let cluster;

const answers = {
  async join({ servers, name }) {
    connection = await wsconnect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    const leasegate = await createLeasegate();
    cluster = await joinCluster({ connection, name, leasegate, rebase: { attempts: 500 } });
    return Number(cluster.pool.revision);
  },

  /** Tasks given and done here, all at once: how many of them it was told are completed. */
  async work({ from, count }) {
    const { pool, results } = cluster;
    const one = async (n) => {
      const taskId = `web-${from + n}`;
      await pool.taskQueue.enqueue({ spec: { taskId, scanId: 's', targetRef: 'x' } });
      const { value: lease } = await pool.assignTask({ taskId, workerId: 'web', leaseTtlSecs: 60 });
      await pool.startTask({ lease });
      const { value } = await pool.completeTask({ lease });
      await results.storeResult({ receipt: value.receipt, bytes: new TextEncoder().encode(taskId) });
      return value.kind === 'completed';
    };
    const all = await Promise.all(Array.from({ length: count }, (_, n) => one(n)));
    return all.filter((done) => done).length;
  },

  reconnect: () => connection.reconnect(),

  async state() {
    await cluster.sync();
    return {
      revision: Number(cluster.pool.revision),
      digest: cluster.pool.stateDigest(),
      results: cluster.results.stateDigest(),
      status: cluster.status().state,
    };
  },

  result: async ({ taskId }) => new TextDecoder().decode(await cluster.results.getResult(taskId)),

  snapshot: async () => Number(await cluster.snapshotNow()),

  async leave() {
    await cluster.close();
    await connection.close();
  },
};

globalThis.ask = async (name, options) => JSON.stringify((await answers[name](options)) ?? null);
globalThis.ready = true;
