// leasegate/cluster/nats in a browser: a page is a host beside one in Node, on one server, and they have one state.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from '@nats-io/transport-node';
import { joinCluster } from 'leasegate/cluster/nats';
import { freePort, program, startServer } from '../cluster/support/server.js';
import { startChromium } from './support/chromium.js';
import { openPage, pageOf, scriptAt, serve } from './support/page.js';

const skip = program === undefined && 'THERE IS NO nats-server HERE: no browser has joined a cluster';
if (skip) console.error(`\n*** ${skip} ***\n`);

/** How nats-server 2.9 answers the end of a WebSocket: not a leasegate's matter, and not the page's. */
const BY_SERVER = /^WebSocket connection to .* broken close frame/;

describe('a cluster with a browser in it', { skip, timeout: 120_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-web-'));
  let server;
  let site;
  let browser;
  let servers;

  before(async () => {
    const port = await freePort();
    const config = path.join(folder, 'nats.conf');
    writeFileSync(config, `websocket { host: "127.0.0.1", port: ${port}, no_tls: true }`);
    server = await startServer({ args: ['-c', config] });
    servers = `ws://127.0.0.1:${port}`;
    const page = await pageOf({
      ...scriptAt('cluster-page.js'),
      external: ['node:crypto'], // as docs/cluster.md says
    });
    site = await serve(page);
    browser = await startChromium();
  });
  after(async () => {
    await browser?.close();
    site?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A page, what it answers, and what it has complained about. */
  async function openHost() {
    const complaints = [];
    const { page, ask } = await openPage(browser, site.address, async (opened) => {
      opened.on('pageerror', (error) => complaints.push(String(error.stack)));
      opened.on('console', (message) => {
        const text = message.text();
        if (['error', 'warning'].includes(message.type()) && !BY_SERVER.test(text)) complaints.push(text);
      });
    });
    return { page, ask, complaints };
  }

  it('gives commands beside Node, stores results, comes back, and has the same digests', async () => {
    const connection = await connect({ servers: server.url });
    const cluster = await joinCluster({ connection, name: 'web', rebase: { attempts: 500 } });
    const { pool, results } = cluster;
    await pool.registerWorker({ spec: { workerId: 'web', capacity: 50 } });
    const { page, ask, complaints } = await openHost();
    assert.equal(await ask('join', { servers, name: 'web' }), 1);

    const here = async () => {
      for (let n = 0; n < 40; n += 1)
        await pool.taskQueue.enqueue({ spec: { taskId: `node-${n}`, scanId: 's', targetRef: 'x' } });
    };
    const [done] = await Promise.all([ask('work', { from: 0, count: 20 }), here()]);
    assert.equal(done, 20);
    await ask('reconnect');
    assert.equal(await ask('work', { from: 20, count: 5 }), 5);

    const there = await ask('state');
    await cluster.sync();
    assert.equal(there.revision, 1 + 40 + 25 * 4);
    assert.equal(there.digest, pool.stateDigest());
    assert.equal(there.results, results.stateDigest());
    assert.equal(new TextDecoder().decode((await results.getResult('web-7')) ?? undefined), 'web-7');
    assert.equal(await ask('result', { taskId: 'web-21' }), 'web-21');

    // A snapshot that a browser has put is one for everybody.
    assert.equal(await ask('snapshot'), there.revision);
    const late = await joinCluster({ connection, name: 'web' });
    assert.equal(late.pool.stateDigest(), there.digest);
    await late.close();

    await ask('leave');
    await page.close();
    assert.deepEqual(complaints, []);
    await cluster.close();
    await connection.close();
  });

  it('goes on when a page is closed in the middle of its work', async () => {
    const connection = await connect({ servers: server.url });
    const cluster = await joinCluster({ connection, name: 'gone', rebase: { attempts: 500 } });
    const { pool } = cluster;
    await pool.registerWorker({ spec: { workerId: 'web', capacity: 50 } });
    const { page, ask } = await openHost();
    await ask('join', { servers, name: 'gone' });
    const lost = ask('work', { from: 0, count: 50 }).catch(() => null);
    while (pool.revision < 20n) await new Promise((resolve) => setTimeout(resolve, 5));
    await page.close();
    await lost;
    await pool.taskQueue.enqueue({ spec: { taskId: 'after', scanId: 's', targetRef: 'x' } });
    pool.checkInvariants();
    const other = await openHost();
    await other.ask('join', { servers, name: 'gone' });
    await cluster.sync();
    const { digest } = await other.ask('state');
    assert.equal(digest, pool.stateDigest());
    assert.deepEqual(other.complaints, []);
    await other.page.close();
    await cluster.close();
    await connection.close();
  });
});
