// leasegate/storage/indexeddb where it is at home: what every storage has to do, one tab at a time, and tabs that are
// closed at any moment.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { conformance } from '../node/storage/support/conformance.js';
import { startChromium } from './support/chromium.js';
import { firefoxPath, startFirefox } from './support/firefox.js';
import { openPage, pageOf, scriptAt, serve } from './support/page.js';

const READY = `new Promise((resolve) => {
  (function look() { globalThis.ready ? resolve(true) : setTimeout(look, 20); })();
})`;

let site;
before(async () => {
  site = await serve(await pageOf(scriptAt('storage-page.js')));
});
after(() => site?.close());

describe('Storage in Chromium', () => {
  let browser;
  before(async () => {
    browser = await startChromium();
  });
  after(() => browser?.close());

  const openTab = (prepare) => openPage(browser, site.address, prepare);

  /** The browser lets go of the lock of a closed tab in its own time. */
  async function opened(ask, name) {
    const end = Date.now() + 10_000;
    for (;;) {
      const said = await ask('open', { name });
      if (said.code !== 'storage_locked' || Date.now() > end) return said;
    }
  }

  for (const durability of ['strict', 'relaxed']) {
    for (const [index, { name }] of conformance.entries()) {
      test(`IndexedDB, ${durability}: ${name}`, async () => {
        const { page, ask } = await openTab();
        assert.equal(await ask('conforms', { index, durability }), null);
        await page.close();
      });
    }
  }

  test('a second tab is refused while the first is there, and welcome when it has gone', async () => {
    const [first, second] = [await openTab(), await openTab()];
    assert.deepEqual(await first.ask('open', { name: 'tabs' }), { revision: 0 });
    for (let times = 0; times < 2; times += 1)
      assert.deepEqual(await second.ask('open', { name: 'tabs' }), { code: 'storage_locked' });
    assert.deepEqual(await second.ask('open', { name: 'other' }), { revision: 0 });
    await second.ask('close');
    await first.page.close();
    assert.deepEqual(await opened(second.ask, 'tabs'), { revision: 0 });
    await second.page.close();
  });

  test('tabs that are closed at any moment lose nothing that was acknowledged', async () => {
    const seed = Math.floor(Math.random() * 1e9);
    let acknowledged = 0;
    for (let round = 0; round < 6; round += 1) {
      const { page, ask } = await openTab();
      await page.exposeFunction('told', (revision) => {
        acknowledged = Math.max(acknowledged, revision);
      });
      const { revision } = await opened(ask, 'killed');
      assert.ok(
        revision >= acknowledged,
        `seed ${seed}: ${acknowledged} was acknowledged, ${revision} is there`,
      );
      assert.equal(await ask('equalsTwin', { seed }), true, `seed ${seed}, revision ${revision}`);
      await ask('live', { seed });
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 150));
      await page.close();
    }
    assert.ok(acknowledged > 6, `${acknowledged} commands`);
  });

  test('a lock that is taken away ends the pool', async () => {
    const { page, ask } = await openTab();
    assert.deepEqual(await ask('stolen', { name: 'stolen' }), ['storage_locked', 'storage_locked']);
    await page.close();
  });

  test('without a secure context there is no lock, which is said', async () => {
    const { page, ask } = await openTab((opened) =>
      opened.addInitScript(() =>
        Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined }),
      ),
    );
    assert.deepEqual(await ask('open', { name: 'insecure' }), { code: 'storage_failed', systemCode: null });
    await page.close();
  });
});

describe('Storage in Firefox', { skip: firefoxPath === null && 'there is no Firefox here' }, () => {
  let firefox;
  before(async () => {
    firefox = await startFirefox();
  });
  after(() => firefox?.close());

  async function openTab() {
    const page = await firefox.open(site.address);
    await page.run(READY);
    return async (question, options = {}) =>
      JSON.parse(await page.run(`globalThis.ask(${JSON.stringify(question)}, ${JSON.stringify(options)})`));
  }

  test('does what every storage has to do', async () => {
    const ask = await openTab();
    for (const [index, { name }] of conformance.entries())
      assert.equal(await ask('conforms', { index, durability: 'strict' }), null, name);
  });

  test('refuses a second tab', async () => {
    const [first, second] = [await openTab(), await openTab()];
    assert.deepEqual(await first('open', { name: 'tabs' }), { revision: 0 });
    assert.deepEqual(await second('open', { name: 'tabs' }), { code: 'storage_locked' });
    await first('close');
    assert.deepEqual(await second('open', { name: 'tabs' }), { revision: 0 });
  });
});
