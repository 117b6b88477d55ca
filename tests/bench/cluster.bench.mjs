#!/usr/bin/env node
// What the adapter costs: its commands a second against raw JetStream publishes with the same expectation and size, in
// turns in one run; and how fast a host catches up with 100,000 records.
//
//   node tests/bench/cluster.bench.mjs [--seconds N] [--records N]

import { parseArgs } from 'node:util';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { createLeasegate } from 'leasegate';
import { joinCluster } from 'leasegate/cluster/nats';
import { startServer } from '../cluster/support/server.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '0.25' }, records: { type: 'string', default: '100000' } },
});
const seconds = Number(values.seconds);
const total = Number(values.records);
const ROUNDS = 5;
const TURNS = 40;
const IN_FLIGHT = 100;
/** The default of joinCluster. */
const SNAPSHOT_EVERY = 10_000;
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

/** As the adapter's own. @type {any} */
const RAW = {
  name: 'RAW',
  subjects: ['raw.>'],
  storage: 'file',
  discard: 'new',
  deny_delete: true,
  duplicate_window: 120e9,
};

const median = (/** @type {number[]} */ all) => [...all].sort((a, b) => a - b)[all.length >> 1];
const quartiles = (/** @type {number[]} */ all) =>
  [1, 3].map((n) => [...all].sort((a, b) => a - b)[(all.length * n) >> 2].toFixed(2)).join(' and ');
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
  await jsm.streams.add(RAW);
  let last = 0;
  const publish = () => {
    const lastSequence = last;
    last += 1;
    return js.publish('raw.r.abcdefghijkl-1', record, {
      msgID: `abcdefghijkl-${last}`,
      expect: { lastSequence },
    });
  };

  // The least that a publish can cost: the same message, and an answer that nobody waits for but this map.
  await jsm.streams.add({ ...RAW, name: 'BARE', subjects: ['bare.>'] });
  /** @type {Map<string, () => void>} */
  const waiting = new Map();
  raw.subscribe('_INBOX.bare.*', {
    callback: (error, message) => {
      if (error !== null || JSON.parse(message.string()).error) throw error ?? new Error(message.string());
      waiting.get(message.subject)?.();
      waiting.delete(message.subject);
    },
  });
  let lastBare = 0;
  const bare = () =>
    new Promise((resolve) => {
      const said = headers();
      said.append('Nats-Msg-Id', `abcdefghijkl-${lastBare + 1}`);
      said.append('Nats-Expected-Last-Sequence', String(lastBare));
      lastBare += 1;
      const reply = `_INBOX.bare.${lastBare}`;
      waiting.set(reply, () => resolve(null));
      raw.publish('bare.r.abcdefghijkl-1', record, { headers: said, reply });
    });

  for (const [name, width] of /** @type {const} */ ([
    ['sequential', 1],
    [`batched (${IN_FLIGHT} in flight)`, IN_FLIGHT],
  ])) {
    for (const step of [publish, heartbeat, bare]) for (let i = 0; i < 6; i += 1) await rate(step, width);
    // Short turns, each of ours between two of theirs: what else the machine does hits both alike.
    const ratios = [];
    const ours = [];
    const theirs = [await rate(publish, width)];
    const least = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      ours.push(await rate(heartbeat, width));
      theirs.push(await rate(publish, width));
      ratios.push((2 * ours[turn]) / (theirs[turn] + theirs[turn + 1]));
      if (turn % 4 === 0) least.push(await rate(bare, width));
    }
    console.log(
      `${name}: ${show(median(ours))} commands/s, raw publishes ${show(median(theirs))}/s, ratio ${median(ratios).toFixed(2)} (half of ${TURNS} turns between ${quartiles(ratios)})`,
    );
    console.log(`  without the client library's own way of publishing: ${show(median(least))}/s`);
  }

  await cluster.close();

  /**
   * A coordinator with its history, written as any host writes it.
   * @param {string} name @param {object} options
   */
  async function written(name, options) {
    const host = await joinCluster({ connection, name, ...options });
    await host.pool.registerWorker({ spec: { workerId: 'worker-1', capacity: 1 } });
    /** @param {number} records */
    const write = async (records) => {
      for (let left = records; left > 0; left -= 1_000)
        await Promise.all(
          Array.from({ length: Math.min(left, 1_000) }, () =>
            host.pool.updateWorker({ workerId: 'worker-1', generation: 1, observation: {} }),
          ),
        );
    };
    await write(total - 1);
    return { host, write };
  }

  /** A new host: from the call of joinCluster until it is where the others are. @param {any} host @param {object} [options] */
  async function catchUps(host, options) {
    const rates = [];
    for (let i = 0; i < ROUNDS; i += 1) {
      const other = await connect({ servers: server.url });
      const leasegate = await createLeasegate();
      const begun = performance.now();
      const late = await joinCluster({ connection: other, name: host.name, leasegate, ...options });
      rates.push(Number(late.pool.revision) / ((performance.now() - begun) / 1000));
      if (late.pool.stateDigest() !== host.pool.stateDigest()) throw new Error('The replicas differ');
      await late.close();
      await other.close();
    }
    return rates;
  }

  /** Every message of a stream through the client library, with which nothing is done. @param {string} stream */
  async function bareReads(stream) {
    const { state } = await jsm.streams.info(stream);
    const rates = [];
    for (let i = 0; i < ROUNDS; i += 1) {
      const reader = await connect({ servers: server.url });
      const begun = performance.now();
      let seen = 0;
      await new Promise((resolve) => {
        reader.subscribe('_INBOX.bench', {
          callback: () => {
            seen += 1;
            if (seen === state.messages) resolve(null);
          },
        });
        jsm.consumers.add(
          stream,
          /** @type {any} */ ({
            deliver_subject: '_INBOX.bench',
            ack_policy: 'none',
            mem_storage: true,
            inactive_threshold: 30e9,
          }),
        );
      });
      rates.push(state.messages / ((performance.now() - begun) / 1000));
      await reader.close();
    }
    return rates;
  }

  /** @param {string} what @param {number[]} rates */
  const told = (what, rates) =>
    console.log(
      `${what}: ${show(median(rates))} records/s (${show(Math.min(...rates))} to ${show(Math.max(...rates))})`,
    );

  // Everything as it is by default, snapshots too.
  const usual = await written('usual', {});
  told(`catch-up, defaults, ${show(total)} records`, await catchUps(usual.host));
  const tail = SNAPSHOT_EVERY - 100;
  await usual.write(tail);
  const all = `catch-up, defaults, ${show(total + tail)} records, the last ${show(tail)} behind the snapshot`;
  told(all, await catchUps(usual.host));
  console.log(`(${usual.host.status().snapshotsWritten} snapshots were written)`);
  await usual.host.close();

  const whole = { results: false, snapshotEvery: 0 };
  const log = await written('log', whole);
  told(`catch-up, no snapshot at all, ${show(total)} records`, await catchUps(log.host, whole));
  told('the same messages through the client library alone', await bareReads('LEASEGATE_log_pool'));
  await log.host.close();
  await Promise.all([connection.close(), raw.close()]);
} finally {
  await server.stop();
}
