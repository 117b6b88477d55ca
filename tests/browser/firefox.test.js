// Another engine, the same fingerprints: what Firefox records equals the ledgers that Chromium and Node are held to.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { scenarios } from '../../web-demo/src/world/scenarios/index.js';
import { firefoxPath, startFirefox } from './support/firefox.js';
import { matchesGolden } from './support/golden.js';
import { serveDemo } from './support/server.js';

const READY = `new Promise((resolve, reject) => {
  const started = Date.now();
  (function look() {
    if (globalThis.leasegateDemo?.ready()) resolve(true);
    else if (Date.now() - started > 30000) reject(new Error('not ready'));
    else setTimeout(look, 50);
  })();
})`;

describe('Scenarios in Firefox', { skip: firefoxPath === null && 'there is no Firefox here' }, () => {
  let server;
  let firefox;
  before(async () => {
    server = await serveDemo();
    firefox = await startFirefox();
  });
  after(async () => {
    await firefox?.close();
    await server?.close();
  });

  for (const { id, title, free } of scenarios) {
    if (free) continue;
    test(`${title}: the same ledger and the same fingerprints`, async () => {
      const page = await firefox.open(`${server.url}#scenario=${id}&seed=1&at=30`);
      await page.run(READY);
      await matchesGolden(id, await page.run('globalThis.leasegateDemo.ledger()'));
      const shown = JSON.parse(await page.run('globalThis.leasegateDemo.picture()'));
      assert.equal(shown.equal, true);
      assert.equal(shown.at, 30);
    });
  }
});
