// docs/cluster.md names what is there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { connect } from '@nats-io/transport-node';
import { joinCluster } from 'leasegate/cluster/nats';
import { startServer } from './support/server.js';

const read = (/** @type {string} */ file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const guide = read('docs/cluster.md');

describe('docs/cluster.md', { timeout: 60_000 }, () => {
  /** @type {any} */
  let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  it('has a quick start that runs', async () => {
    const [, code] = /** @type {RegExpExecArray} */ (/```js\n([\s\S]*?)```/.exec(guide));
    const body = code.replace(/^import .*$/gm, '').replace('nats://localhost:4222', server.url);
    const Run = Object.getPrototypeOf(async () => {}).constructor;
    await new Run('connect', 'joinCluster', body)(connect, joinCluster);
  });

  it('names every option, every field of the status and every member', async () => {
    const types = read('js/cluster/nats.d.ts');
    const [, options] = /** @type {RegExpExecArray} */ (
      /interface ClusterOptions \{([\s\S]*?)\n\}/.exec(types)
    );
    for (const [, name] of options.matchAll(/^ {2}(\w+)\??:/gm))
      assert.ok(guide.includes(`\`${name}\``), name);
    const connection = await connect({ servers: server.url });
    const cluster = await joinCluster({ connection, name: 'docs' });
    for (const name of Object.keys(cluster.status())) assert.ok(guide.includes(`\`${name}\``), name);
    for (const name of ['sync', 'close', 'closed', 'snapshotNow', 'status'])
      assert.match(guide, new RegExp(`\`(cluster\\.)?${name}[(\`]`), name);
    await cluster.close();
    await connection.close();
  });
});
