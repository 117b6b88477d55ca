// A few of the rounds; `npm run cluster` plays hundreds.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { joinCluster } from 'leasegate/cluster/nats';
import { Rounds } from './support/rounds.js';
import { startServer, startServers } from './support/server.js';

const seed = Number(process.env.LEASEGATE_CLUSTER_SEED ?? 1);

describe('host processes on one server', { timeout: 300_000 }, () => {
  /** @type {any} */
  let server;
  /** @type {Rounds} */
  let rounds;
  before(async () => {
    server = await startServer();
    rounds = new Rounds({ server });
  });
  after(async () => {
    await rounds?.stop();
    await server?.stop();
  });

  /** @type {readonly (readonly [import('./support/rounds.js').Fault, string])[]} */
  const faults = [
    ['together', 'submit at once'],
    ['kill', 'are killed at any moment'],
    ['stop', 'sleep past their leases and wake up'],
    ['server', 'outlive a server that is killed and comes back'],
    ['cut', 'lose the connection'],
    ['silence', 'are cut off without knowing it'],
  ];
  for (const [index, [fault, what]] of faults.entries()) {
    it(`${what}: nothing is lost, nothing is done twice, all are equal`, async () => {
      await rounds.play({ seed: seed + index, fault });
    });
  }

  it('have met conflicts and compared digests on the way', () => {
    assert.ok(rounds.sum.conflicts > 0);
    assert.ok(rounds.sum.digests > 300);
  });
});

describe('host processes on three servers', { timeout: 300_000 }, () => {
  /** @type {any} */
  let servers;
  /** @type {Rounds} */
  let rounds;
  before(async () => {
    servers = await startServers();
    rounds = new Rounds({ servers });
  });
  after(async () => {
    await rounds?.stop();
    await servers?.stop();
  });

  it('outlive the leader of their stream', async () => {
    await rounds.play({ seed, fault: 'leader' });
  });

  it('notice that their stream was replaced by another', async () => {
    for (const written of [0, 2]) {
      const name = `replaced-${written}`;
      const connection = await connect({ servers: servers.urls, reconnectTimeWait: 50 });
      const other = await connect({ servers: servers.urls });
      const member = (/** @type {any} */ of) =>
        joinCluster({
          connection: of,
          name,
          replicas: 3,
          results: false,
          limits: { maxWorkers: written + 1 },
        });
      const enqueue = (/** @type {any} */ { pool }, /** @type {string} */ taskId) =>
        pool.taskQueue.enqueue({ spec: { taskId, scanId: 's', targetRef: 'x' } });
      const a = await member(connection);
      for (let i = 0; i < written; i += 1) await enqueue(a, `t-${i}`);
      const jsm = await jetstreamManager(other);
      await jsm.streams.delete(`LEASEGATE_${name}_pool`);
      const b = await joinCluster({
        connection: other,
        name,
        replicas: 3,
        results: false,
        limits: { maxWorkers: written + 5 },
      });
      for (let i = 0; i < 3; i += 1) await enqueue(b, `u-${i}`);
      await connection.reconnect();
      const error = /** @type {any} */ (await a.closed);
      assert.equal(error.code, 'cluster_diverged');
      assert.equal(error.reason, 'record_differs');
      for (const each of [a, b]) await each.close();
      for (const each of [connection, other]) await each.close();
    }
  });
});
