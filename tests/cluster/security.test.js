// What a host needs to be allowed, and that nothing secret gets into what it says.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { connect } from '@nats-io/transport-node';
import { joinCluster } from 'leasegate/cluster/nats';
import { startServer } from './support/server.js';

const guide = readFileSync(new URL('../../docs/cluster.md', import.meta.url), 'utf8');
/** The permissions as the guide shows them, for the name `crawl`. */
const shown = /** @type {RegExpExecArray} */ (/```text\n(permissions: [\s\S]*?)```/.exec(guide))[1];
const PASSWORD = 'correct-horse-battery';
const TARGET = 'https://secret.example/token=abc';

describe('accounts and permissions', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-conf-'));
  /** @type {any} */
  let server;
  before(async () => {
    const config = path.join(folder, 'nats.conf');
    writeFileSync(
      config,
      `accounts: {
        A: {
          jetstream: enabled
          users: [
            { user: host, password: "${PASSWORD}", ${shown} }
            { user: nobody, password: "${PASSWORD}", permissions: { publish: { deny: ">" }, subscribe: ["_INBOX.>"] } }
          ]
        }
        B: { jetstream: enabled, users: [ { user: other, password: "${PASSWORD}" } ] }
        PROBE: { users: [ { user: probe } ] }
      }
      no_auth_user: probe`,
    );
    server = await startServer({ args: ['-c', config] });
  });
  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** @param {string} user @param {string} name */
  async function member(user, name) {
    const connection = await connect({ servers: server.url, user, pass: PASSWORD, timeout: 5_000 });
    try {
      const jetstream = { timeout: 1_000 };
      const cluster = await joinCluster({
        connection,
        name,
        rebase: { attempts: 50 },
        jetstream,
        joinTimeoutMs: 5_000,
      });
      return { cluster, leave: () => cluster.close().then(() => connection.close()) };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  it('those of the guide are enough for everything, and for one name only', async () => {
    const { cluster, leave } = await member('host', 'crawl');
    const { pool, results } = cluster;
    await pool.registerWorker({ spec: { workerId: 'w', capacity: 1 } });
    await pool.taskQueue.enqueue({ spec: { taskId: 't', scanId: 's', targetRef: TARGET } });
    const { value: lease } = await pool.assignNext({ workerId: 'w', leaseTtlSecs: 60 });
    await pool.startTask({ lease });
    const { receipt } = (await pool.completeTask({ lease })).value;
    await results?.storeResult({ receipt, bytes: new Uint8Array(300_000) });
    assert.equal((await results?.getResult('t'))?.length, 300_000);
    for (let i = 0; i < 3; i += 1) {
      await cluster.snapshotNow();
      await pool.updateWorker({ workerId: 'w', generation: 1, observation: {} });
    }
    const late = await member('host', 'crawl');
    assert.equal(late.cluster.pool.stateDigest(), pool.stateDigest());
    await results?.removeResults({ taskIds: ['t'] });
    await late.leave();
    await leave();
    await assert.rejects(member('host', 'other'), { code: 'cluster_unavailable', outcome: 'not_sent' });
  });

  it('another account has another cluster of the same name', async () => {
    const { cluster, leave } = await member('other', 'crawl');
    assert.equal(cluster.pool.revision, 0n);
    await leave();
  });

  it('no password and no target reference gets into errors, status or inspect', async () => {
    const refused = await member('nobody', 'crawl').catch((error) => error);
    assert.equal(refused.code, 'cluster_unavailable');
    const { cluster, leave } = await member('host', 'crawl');
    const { pool } = cluster;
    const taken = await pool.try.startTask({
      lease: /** @type {any} */ ({
        taskId: 't',
        workerId: 'w',
        workerGeneration: 1,
        taskGeneration: 0,
        attempt: 1,
        leaseId: 99,
        acquiredAt: 1,
        expiresAt: 2,
      }),
    });
    const said = [
      refused,
      JSON.stringify(refused),
      cluster,
      cluster.status(),
      pool,
      pool.taskQueue.tasks(),
      taken,
    ]
      .map((each) => inspect(each, { depth: 8, showHidden: true }))
      .join('\n');
    assert.ok(!said.includes(PASSWORD));
    assert.ok(!said.includes(TARGET));
    await leave();
  });
});
