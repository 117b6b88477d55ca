// What the clerk and the hosts agree on.

import { MAX_RESULTS, MAX_TASK_RECORDS } from 'leasegate';
import { joinCluster } from 'leasegate/cluster/nats';
import { connect } from '@nats-io/transport-node';

/** Files that one host hashes at a time. */
export const SLOTS = 4;
/** A host that has not been heard of for so long has lost what it held. */
const HEARTBEAT_TIMEOUT_SECS = 3;
export const HEARTBEAT_MS = 1_000;
/** Tasks that wait or are in hand at most. */
export const MAX_ACTIVE = 2_048;

/** @param {{ url: string, name: string }} where */
export async function join({ url, name }) {
  const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  const cluster = await joinCluster({
    connection,
    name,
    rebase: { attempts: 1_000 }, // whoever was overtaken decides anew
    limits: {
      maxTaskRecords: MAX_TASK_RECORDS,
      maxTerminalTasks: MAX_TASK_RECORDS,
      maxActiveTasks: MAX_ACTIVE,
      maxQueuedTasks: MAX_ACTIVE,
      heartbeatTimeoutSecs: HEARTBEAT_TIMEOUT_SECS,
    },
    results: { limits: { maxResults: MAX_RESULTS, maxResultBytes: 32, maxAggregateItems: MAX_RESULTS } },
  });
  return {
    cluster,
    async leave() {
      await cluster.close();
      await connection.close();
    },
  };
}

/** Task ids: the file's place in the list, and how often it was given out as a new task. @param {number} index @param {number} turn */
export const taskId = (index, turn) => `file-${index}.${turn}`;

/** @param {string} id */
export const fileIndex = (id) => Number(/^file-(\d+)\./.exec(id)?.[1]);

export const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
