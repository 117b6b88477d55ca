// What has to hold of the page as a whole: for keyboards and screen readers, under a strict policy, with many rows.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { before, describe, test } from 'node:test';
import { scenarios } from '../../web-demo/src/world/scenarios/index.js';
import { picture, useChromium } from './support/chromium.js';

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

describe('The page', () => {
  const demo = useChromium();
  let axe;
  before(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });

  /** What axe finds, said shortly. */
  async function violations(page) {
    await page.evaluate(axe);
    const found = await page.evaluate((tags) => globalThis.axe.run(document, { runOnly: tags }), AXE_TAGS);
    return found.violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
    );
  }

  const moments = [
    'scenario=late-worker&seed=1&at=33&sel=entry:100',
    'scenario=reconnect&seed=1&at=33&sel=event:e10',
    'scenario=revision-race&seed=1&at=30&do=12.fill&sel=worker:bo',
  ];
  for (const hash of moments) {
    for (const colorScheme of ['light', 'dark']) {
      for (const width of [390, 1600]) {
        test(`axe finds nothing: ${hash}, ${colorScheme}, ${width} px`, async () => {
          const { page, close } = await demo.open(hash, { width, height: 900, media: { colorScheme } });
          assert.deepEqual(await violations(page), []);
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            'scrolls sideways',
          );
          await close();
        });
      }
    }
  }

  test('The docs that it links to are there, and axe finds nothing in them', async () => {
    const { page, close } = await demo.open('');
    await page.getByRole('link', { name: 'Docs' }).click();
    await page.locator('h1').waitFor();
    await page.getByRole('link', { name: 'Errors' }).first().click();
    await page.locator('#stale_ownership').waitFor();
    assert.deepEqual(await violations(page), []);
    await close();
  });

  test('Every place in the docs that a story links to is there', async () => {
    for (const { learn } of scenarios) {
      const [page, anchor] = learn.page.split('#');
      const html = await (await fetch(`${demo.server.url}docs/${page}`)).text();
      assert.ok(html.includes('<h1'), page);
      if (anchor) assert.ok(html.includes(`id="${anchor}"`), learn.page);
    }
    for (const code of [
      'errors.html#revision_conflict',
      'errors.html#stale_ownership',
      'bridge.html#stale_epoch',
      'bridge.html#gate_inactive',
    ]) {
      const [page, anchor] = code.split('#');
      assert.ok(
        (await (await fetch(`${demo.server.url}docs/${page}`)).text()).includes(`id="${anchor}"`),
        code,
      );
    }
  });

  test('The timeline is read lease by lease with the keyboard', async () => {
    const { page, close } = await demo.open('scenario=late-worker&seed=1&at=33');
    const timeline = page.getByRole('application', { name: /^Leases of all workers/ });
    await timeline.focus();
    const told = page.locator('.timeline [aria-live]');
    await told.filter({ hasText: /^Task t/ }).waitFor();
    await page.keyboard.press('ArrowUp');
    assert.match(await told.textContent(), /Task t03, .*State: expired\. Worker: ada, generation 1\./);
    assert.ok(await page.locator('.tooltip').isVisible());
    await page.keyboard.press('Enter');
    assert.match(await page.locator('.details').textContent(), /Lease 3 on t03/);
    assert.match(await page.evaluate(() => location.hash), /sel=lease:3/);
    await close();
  });

  test('The ledger is gone through with the keyboard, and Enter goes to the moment of a row', async () => {
    const { page, close } = await demo.open('scenario=late-worker&seed=1&at=33');
    await page.getByRole('listbox').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('PageUp');
    const chosen = page.locator('.row[aria-selected=true]');
    const place = Number(await chosen.getAttribute('aria-posinset'));
    assert.equal(
      await page.getByRole('listbox').getAttribute('aria-activedescendant'),
      await chosen.getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    const { at } = await picture(page);
    assert.ok(at < 33);
    assert.equal(Number(await chosen.getAttribute('aria-posinset')), place);
    assert.equal(Number(await chosen.getAttribute('aria-setsize')), place);
    await close();
  });

  test('5,000 rows and 64 workers: only what is in sight is in the page', async () => {
    const { page, close } = await demo.open('scenario=busy-house&seed=1&at=108');
    const total = await page.locator('.row').last().getAttribute('aria-setsize');
    assert.ok(Number(total) > 5000, `${total} rows`);
    assert.ok((await page.locator('.row').count()) < 40);
    const scroll = page.locator('.ledger-scroll');
    for (const part of [0.5, 0.1, 0.9]) {
      await scroll.evaluate((box, share) => {
        box.scrollTop = box.scrollHeight * share;
      }, part);
      await page.waitForTimeout(100);
      assert.ok((await page.locator('.row').count()) < 40);
      assert.ok(await page.locator('.row').nth(8).isVisible());
    }
    await page.getByRole('button', { name: 'Latest' }).click();
    await page.locator(`.row[aria-posinset="${total}"]`).waitFor();
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2500);
    await close();
  });

  test('The policy is strict, in the header and in the page, and nothing inline is needed', async () => {
    const response = await fetch(demo.server.url);
    const policy = response.headers.get('content-security-policy');
    const html = await response.text();
    for (const part of [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "connect-src 'self'",
    ]) {
      assert.ok(policy.includes(part), part);
      assert.ok(html.includes(part), `${part} in the page`);
    }
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval(?!')|https?:/);
    assert.doesNotMatch(html, /<style|style=|<script(?![^>]*src=)|\son\w+=|https?:\/\//);
    const { page, close } = await demo.open('');
    const evaluated = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.inlineRan = true';
      document.addEventListener('securitypolicyviolation', (event) => {
        globalThis.violated = event.violatedDirective;
      });
      document.body.append(script);
      return new Promise((done) => setTimeout(() => done([globalThis.inlineRan, globalThis.violated]), 50));
    });
    assert.deepEqual(evaluated, [undefined, 'script-src-elem']);
    // That violation was ours.
    await close().catch((error) => assert.match(String(error.message), /Content Security Policy/));
  });

  test('It runs on without a network', async () => {
    const { page, close } = await demo.open('scenario=normal-day&seed=1&at=30');
    await demo.context.setOffline(true);
    await page.locator('[data-scenario="retries"]').click();
    await page.locator('.scenario.is-current', { hasText: 'Retries run out' }).waitFor();
    await page.waitForFunction(
      () => globalThis.leasegateDemo.ready() && globalThis.leasegateDemo.ledger().startsWith('retries'),
    );
    await demo.context.setOffline(false);
    await close();
  });
});
