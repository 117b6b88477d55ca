// Each story in a real browser, from its first second to its last.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenarios } from '../../web-demo/src/world/scenarios/index.js';
import { ledger, picture, useChromium } from './support/chromium.js';
import { matchesGolden } from './support/golden.js';

const stories = scenarios.filter(({ free }) => !free);
const FASTEST = '16';

describe('Scenarios in Chromium', () => {
  const demo = useChromium();

  for (const { id, title, seconds, captions } of stories) {
    test(`${title}: plays to its end and gives the expected ledger`, async () => {
      const { page, close } = await demo.open(`scenario=${id}&seed=1`);
      assert.equal(
        await page.locator('.scenario.is-current').textContent(),
        `${stories.findIndex((s) => s.id === id) + 1}${title}`,
      );
      await page.evaluate(() => {
        const text = document.querySelector('.story-text');
        globalThis.told = [text.textContent];
        new MutationObserver(() => globalThis.told.push(text.textContent)).observe(text, {
          characterData: true,
          childList: true,
          subtree: true,
        });
      });
      await page.getByLabel('Speed').selectOption(FASTEST);
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.getByRole('button', { name: 'tell it again' }).waitFor({ timeout: 60_000 });

      const shown = await picture(page);
      assert.equal(shown.at, seconds + 1);
      assert.equal(shown.equal, true);
      await matchesGolden(id, await ledger(page));
      const fingerprints = await page.evaluate(() => globalThis.leasegateDemo.fingerprints());
      assert.equal(shown.fingerprint, fingerprints.at(-1));
      assert.equal(
        await page.locator('[data-fingerprint]').getAttribute('data-fingerprint'),
        shown.fingerprint,
      );
      // Two captions in one frame at this speed may be told as one; the last one is always told.
      const told = new Set(await page.evaluate(() => globalThis.told));
      assert.ok(told.size >= captions.length - 3, `${told.size} of ${captions.length} captions`);
      await close();
    });
  }
});
