// A few of the rounds; `npm run cluster` plays hundreds.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
});
