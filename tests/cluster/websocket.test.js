// Browsers reach a server by WebSocket: here with the class of package ws in the place of theirs.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { wsconnect } from '@nats-io/nats-core';
import { joinCluster } from 'leasegate/cluster/nats';
import { WebSocket } from 'ws';
import { freePort, startServer } from './support/server.js';

it('a host joins by WebSocket', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-ws-'));
  const port = await freePort();
  const config = path.join(folder, 'nats.conf');
  writeFileSync(config, `websocket { host: "127.0.0.1", port: ${port}, no_tls: true }`);
  const server = await startServer({ args: ['-c', config] });
  const before = globalThis.WebSocket;
  globalThis.WebSocket = /** @type {any} */ (WebSocket);
  try {
    const connection = await wsconnect({ servers: `ws://127.0.0.1:${port}` });
    const cluster = await joinCluster({ connection, name: 'web' });
    const { pool } = cluster;
    await pool.registerWorker({ spec: { workerId: 'w', capacity: 1 } });
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        pool.taskQueue.enqueue({ spec: { taskId: `t-${i}`, scanId: 's', targetRef: 'x' } }),
      ),
    );
    assert.equal(pool.revision, 51n);
    assert.equal(await cluster.snapshotNow(), 51n);
    await cluster.close();
    await connection.close();
  } finally {
    globalThis.WebSocket = before;
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
