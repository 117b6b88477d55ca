// Any moment, from any direction, is the same picture; and an address holds it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { picture, ready, seen, useChromium } from './support/chromium.js';

const scrubber = (page) => page.getByRole('slider');

/** Moves the playhead as a pointer on the scrubber would. */
async function seek(page, when) {
  await scrubber(page).evaluate((input, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, when);
  await settled(page);
}

/** Two frames: signals, Preact and the canvas are through by then. */
const settled = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)))),
  );

describe('Moments', () => {
  const demo = useChromium();

  for (const scenario of ['worker-loss', 'reconnect']) {
    test(`${scenario}: scrubbing forth and back gives identical pictures`, async () => {
      const { page, close } = await demo.open(`scenario=${scenario}&seed=3`);
      const moments = [5.5, 17.25, 31.9, 33, 48, 60];
      const first = new Map();
      for (const when of moments) {
        await seek(page, when);
        first.set(when, await seen(page));
      }
      for (const when of [33, 5.5, 60, 17.25, 48, 31.9]) {
        await seek(page, when);
        assert.deepEqual(await seen(page), first.get(when), `at ${when} s`);
      }
      assert.equal(new Set([...first.values()].map(({ pixels }) => pixels)).size, moments.length);
      await close();
    });
  }

  test('Steps go from command to command, and revisions can be gone to', async () => {
    const { page, close } = await demo.open('scenario=normal-day&seed=1&at=20');
    const before = await picture(page);
    await page.getByRole('button', { name: 'One command on' }).click();
    const after = await picture(page);
    assert.equal(BigInt(after.snapshot.revision), BigInt(before.snapshot.revision) + 1n);
    await page.getByRole('button', { name: 'One command back' }).click();
    assert.equal((await picture(page)).fingerprint, before.fingerprint);
    await page.getByLabel('Revision; type one to go there').fill('12');
    await page.keyboard.press('Enter');
    const there = await picture(page);
    assert.equal(there.snapshot.revision, 12);
    assert.equal(there.equal, true);
    assert.match(await scrubber(page).getAttribute('aria-valuetext'), /revision 12, 14 commands$/);
    await scrubber(page).focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await scrubber(page).getAttribute('aria-valuetext'), / 15 commands$/);
    await page.keyboard.press('Home');
    assert.equal((await picture(page)).snapshot.revision, 0);
    await close();
  });

  test('A revision says what it changed, and its records can be chosen', async () => {
    const { page, close } = await demo.open('scenario=late-worker&seed=1&at=33');
    const panel = page.getByRole('region', { name: 'Revision 55' });
    assert.match(await panel.textContent(), /complete_task · \d+ bytes/);
    assert.match(await panel.textContent(), /t07statusrunning → completed/);
    assert.match(await panel.textContent(), /From the empty pool, 55 commands of the journal lead here\./);
    await panel.getByRole('button', { name: 't07' }).click();
    assert.match(await page.locator('.details').textContent(), /Task t07/);
    await page.keyboard.press('Escape');
    await scrubber(page).focus();
    await page.keyboard.press('End');
    await page
      .getByText(/From the state kept at revision 64, \d+ commands of the journal lead here\./)
      .waitFor();
    await page.keyboard.press('Home');
    await page.getByText('A new pool: nothing has happened yet.').waitFor();
    await close();
  });

  test('Why a task is where it is: its life up to the playhead, gone through with the keyboard', async () => {
    const { page, close } = await demo.open('scenario=late-worker&seed=1&at=33&sel=lease:3');
    const life = page.getByRole('region', { name: 'Why is t03 here?' });
    const told = () => life.getByRole('button').allTextContents();
    assert.deepEqual(
      (await told()).map((text) => text.replace(/^\d+ s|r\d+$/g, '')),
      [
        'joins the queue, normal',
        'goes to ada until 12 s, attempt 1',
        'ada starts',
        'the lease of ada ran out: back in the queue, retry 1',
        'goes to bo until 22 s, attempt 2',
        'bo starts',
        'bo completes it',
      ],
    );
    await life.getByRole('button', { name: /the lease of ada ran out/ }).focus();
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal((await told()).length, 4, 'what comes later is not told yet');
    assert.match(await life.locator('[aria-current=step]').textContent(), /the lease of ada ran out/);
    assert.equal((await picture(page)).snapshot.revision, 27);
    assert.ok((await picture(page)).equal);
    await close();
  });

  test('An address shows the same picture in a new page', async () => {
    const { page, close } = await demo.open('scenario=late-worker&seed=9&at=20.5');
    await page.getByRole('button', { name: 'Kill a worker' }).click();
    await ready(page);
    await page.getByRole('button', { name: 'Fill the queue' }).click();
    await ready(page);
    await page.locator('.chip').first().click();
    await settled(page);
    const hash = await page.evaluate(() => location.hash);
    assert.match(hash, /^#scenario=late-worker&seed=9&at=22\.999&do=21\.kill~22\.fill&sel=task:t\d+$/);
    const shown = await seen(page);
    await close();

    const other = await demo.open(hash.slice(1));
    await settled(other.page);
    assert.deepEqual(await seen(other.page), shown);
    await other.close();
  });

  test('A changed address is followed; a malformed one falls back', async () => {
    const { page, close } = await demo.open(
      'scenario=constructor&seed=-1&at=1e9&secs=99999999&do=1.kill.%3Cb%3E&sel=x:y',
    );
    const shown = await picture(page);
    assert.equal(shown.at, 0);
    assert.match(await page.locator('.scenario.is-current').textContent(), /A normal day/);
    await page.evaluate(() => {
      location.hash = '#scenario=retries&seed=2&at=19';
    });
    await page.locator('.scenario.is-current', { hasText: 'Retries run out' }).waitFor();
    await ready(page);
    assert.equal((await picture(page)).at, 19);
    await close();
  });
});
