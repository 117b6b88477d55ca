#!/usr/bin/env node
// What the adapter costs: its commands a second against raw JetStream publishes with the same expectation and size, in
// turns in one run; and how fast a host catches up with 100,000 records.
//
//   node tests/bench/cluster.bench.mjs [--seconds N] [--records N]

import { parseArgs } from 'node:util';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createLeasegate } from 'leasegate';
import { joinCluster } from 'leasegate/cluster/nats';
import { startServer } from '../cluster/support/server.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '2' }, records: { type: 'string', default: '100000' } },
});
const seconds = Number(values.seconds);
const total = Number(values.records);
const ROUNDS = 5;
const IN_FLIGHT = 100;
const limits = {
  maxTaskRecords: 65_536,
  maxTerminalTasks: 65_536,
  maxActiveTasks: 16_384,
  maxQueuedTasks: 16_384,
};

/** @param {(n: number) => Promise<unknown>} step @param {number} width @returns {Promise<number>} steps a second */
async function rate(step, width) {
  const until = performance.now() + seconds * 1000;
  const begun = performance.now();
  let done = 0;
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (performance.now() < until) {
        const mine = next;
        next += 1;
        await step(mine);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - begun) / 1000);
}

const median = (/** @type {number[]} */ all) => [...all].sort((a, b) => a - b)[all.length >> 1];
const show = (/** @type {number} */ n) => Math.round(n).toLocaleString('en-US');

const server = await startServer();
try {
  const connection = await connect({ servers: server.url });
  const cluster = await joinCluster({ connection, name: 'bench', limits, results: false, snapshotEvery: 0 });
  const { pool } = cluster;
  await pool.registerWorker({ spec: { workerId: 'worker-1', capacity: 1 } });
  const heartbeat = () =>
    pool.updateWorker({ workerId: 'worker-1', generation: 1, observation: { cpuBasisPoints: 5000 } });

  // The same size: the heartbeat's record.
  /** @type {Uint8Array[]} */
  const made = [];
  const { WorkerPool } = await createLeasegate();
  const local = new WorkerPool({ limits, journal: ({ bytes }) => made.push(bytes) });
  const now = Math.floor(Date.now() / 1000);
  local.registerWorker({ expectedRevision: 0, now, spec: { workerId: 'worker-1', capacity: 1 } });
  for (let i = 1; i < 300; i += 1)
    local.updateWorker({
      expectedRevision: i,
      now,
      workerId: 'worker-1',
      generation: 1,
      observation: { cpuBasisPoints: 5000 },
    });
  const record = made[299];

  const raw = await connect({ servers: server.url });
  const jsm = await jetstreamManager(raw);
  const js = jetstream(raw);
  await jsm.streams.add({
    name: 'RAW',
    subjects: ['raw.>'],
    storage: 'file',
    discard: 'new',
    deny_delete: true,
    duplicate_window: 120e9,
  });
  let last = 0;
  const publish = () => {
    const lastSequence = last;
    last += 1;
    return js.publish('raw.r.abcdefghijkl-1', record, {
      msgID: `abcdefghijkl-${last}`,
      expect: { lastSequence },
    });
  };

  for (const [name, width] of /** @type {const} */ ([
    ['sequential', 1],
    [`batched (${IN_FLIGHT} in flight)`, IN_FLIGHT],
  ])) {
    await rate(publish, width);
    await rate(heartbeat, width);
    const ratios = [];
    const ours = [];
    const theirs = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const a = await rate(publish, width);
      const b = await rate(heartbeat, width);
      const c = await rate(publish, width);
      theirs.push((a + c) / 2);
      ours.push(b);
      ratios.push(b / ((a + c) / 2));
    }
    console.log(
      `${name}: ${show(median(ours))} commands/s, raw publishes ${show(median(theirs))}/s, ratio ${median(ratios).toFixed(2)} (${ratios.map((r) => r.toFixed(2)).join(' ')})`,
    );
  }

  // Catching up, with a history of that length.
  await cluster.close();
  const history = await joinCluster({
    connection,
    name: 'history',
    limits,
    results: false,
    snapshotEvery: 0,
    maxPending: 10_000,
  });
  await history.pool.registerWorker({ spec: { workerId: 'worker-1', capacity: 1 } });
  const beat = () => history.pool.updateWorker({ workerId: 'worker-1', generation: 1, observation: {} });
  for (let left = total - 1; left > 0; left -= 1_000)
    await Promise.all(Array.from({ length: Math.min(left, 1_000) }, beat));
  const records = Number(history.pool.revision);
  const join = async (/** @type {object} */ more) => {
    const other = await connect({ servers: server.url });
    const leasegate = await createLeasegate();
    const begun = performance.now();
    const late = await joinCluster({
      connection: other,
      name: 'history',
      results: false,
      leasegate,
      ...more,
    });
    const took = performance.now() - begun;
    if (late.pool.stateDigest() !== history.pool.stateDigest()) throw new Error('The replicas differ');
    await late.close();
    await other.close();
    return records / (took / 1000);
  };
  const tail = [];
  for (let i = 0; i < ROUNDS; i += 1) tail.push(await join({ snapshotEvery: 0 }));
  console.log(
    `catch-up of ${show(records)} records, one by one: ${show(median(tail))} records/s (best ${show(Math.max(...tail))})`,
  );

  const bare = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    const begun = performance.now();
    let seen = 0;
    const inbox = `_INBOX.bench${i}`;
    await new Promise((resolve) => {
      raw.subscribe(inbox, {
        callback: () => {
          seen += 1;
          if (seen === records) resolve(null);
        },
      });
      jsm.consumers.add(
        'LEASEGATE_history_pool',
        /** @type {any} */ ({
          deliver_subject: inbox,
          ack_policy: 'none',
          mem_storage: true,
          inactive_threshold: 30e9,
        }),
      );
    });
    bare.push(records / ((performance.now() - begun) / 1000));
  }
  console.log(
    `the same messages through the client library alone: ${show(median(bare))}/s (best ${show(Math.max(...bare))})`,
  );
  await history.close();

  const other = await connect({ servers: server.url });
  const keeper = await joinCluster({ connection: other, name: 'history', results: false });
  await keeper.snapshotNow();
  for (let i = 0; i < 10; i += 1)
    await Promise.all(
      Array.from({ length: 500 }, () =>
        keeper.pool.updateWorker({ workerId: 'worker-1', generation: 1, observation: {} }),
      ),
    );
  const snapped = [];
  const all = Number(keeper.pool.revision);
  for (let i = 0; i < ROUNDS; i += 1) {
    const third = await connect({ servers: server.url });
    const leasegate = await createLeasegate();
    const begun = performance.now();
    const late = await joinCluster({ connection: third, name: 'history', results: false, leasegate });
    snapped.push(all / ((performance.now() - begun) / 1000));
    if (late.pool.stateDigest() !== keeper.pool.stateDigest()) throw new Error('The replicas differ');
    await late.close();
    await third.close();
  }
  console.log(
    `catch-up of ${show(all)} records, by snapshot and 5,000 messages: ${show(median(snapped))} records/s (best ${show(Math.max(...snapped))})`,
  );
  await keeper.close();
  await Promise.all([connection.close(), raw.close(), other.close()]);
} finally {
  await server.stop();
}
