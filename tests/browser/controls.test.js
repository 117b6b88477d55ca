// What the buttons do.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ledger, picture, ready, useChromium } from './support/chromium.js';

const hash = (page) => page.evaluate(() => location.hash);

describe('Controls', () => {
  const demo = useChromium();

  test('Play moves on, pause holds, and the address follows when it stands still', async () => {
    const { page, close } = await demo.open('scenario=normal-day&seed=1&at=10', {
      media: { reducedMotion: 'no-preference' },
    });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForFunction(() => JSON.parse(globalThis.leasegateDemo.picture()).at > 10.5);
    await page.getByRole('button', { name: 'Pause' }).click();
    const { at } = await picture(page);
    await page.waitForTimeout(300);
    assert.equal((await picture(page)).at, at);
    assert.match(await hash(page), new RegExp(`at=${Math.round(at * 1000) / 1000}(&|$)`));
    await close();
  });

  test('Space plays and pauses, arrows step, from anywhere that has no keys of its own', async () => {
    const { page, close } = await demo.open('scenario=normal-day&seed=1&at=10');
    const before = await picture(page);
    await page.keyboard.press('ArrowRight');
    assert.equal(BigInt((await picture(page)).snapshot.revision), BigInt(before.snapshot.revision) + 1n);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await close();
  });

  test('Another seed is another day', async () => {
    const { page, close } = await demo.open('scenario=normal-day&seed=1');
    const first = await ledger(page);
    await page.getByLabel('seed').fill('42');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () =>
        globalThis.leasegateDemo.ready() &&
        globalThis.leasegateDemo.ledger().startsWith('normal-day, seed 42'),
    );
    assert.notEqual(await ledger(page), first);
    await close();
  });

  test('The theme goes round and is remembered', async () => {
    const { page, close } = await demo.open('');
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), 'auto');
    await page.getByRole('button', { name: /^Colours/ }).click();
    await page.getByRole('button', { name: /^Colours/ }).click();
    assert.equal(await theme(), 'dark');
    await page.reload();
    await ready(page);
    assert.equal(await theme(), 'dark');
    await page.getByRole('button', { name: /^Colours/ }).click();
    await close();
  });

  const troubles = [
    ['Three tasks', /21s \| client \| enqueue/],
    ['A critical task', /21s \| client \| enqueue t\d+ .*new, critical/],
    ['A task that fails', /failTask .*requeued/],
    ['A worker', /21s \| host A \| registerWorker eve/],
    ['Kill a worker', /pruneDeadWorkers .*offline/],
    ['Miss heartbeats', /pruneDeadWorkers .*offline/],
    ['Stall a worker', /recoverExpiredLeases .*1 requeued|stale_ownership|lease_expired/],
    ['Two hosts race', /revision_conflict/],
    ['Fill the queue', /queued_task_capacity_reached/],
    ['Slow sender', /21s \| line \| slow/],
    ['Failing sender', /send_not_accepted/],
    ['Drop the connection', /recover .*connected \(epoch 2\)/],
  ];
  for (const [name, trace] of troubles) {
    test(`Trouble: ${name}`, async () => {
      const { page, close } = await demo.open('scenario=normal-day&seed=1&at=20.4');
      const before = await ledger(page);
      await page.getByRole('button', { name, exact: true }).click();
      await page.waitForFunction(
        (old) => globalThis.leasegateDemo.ready() && globalThis.leasegateDemo.ledger() !== old,
        before,
      );
      const after = await ledger(page);
      assert.match(after, trace);
      // What was before it is as it was.
      const past = (text) => text.split('\n').filter((line) => /^1?\d?s|^20s/.test(line));
      assert.deepEqual(past(after), past(before));
      assert.match(await hash(page), /do=21\./);
      await page.getByRole('button', { name: 'take back all 1' }).click();
      await page.waitForFunction(
        (old) => globalThis.leasegateDemo.ready() && globalThis.leasegateDemo.ledger() === old,
        before,
      );
      await close();
    });
  }

  test('Trouble made while it plays does not stop it', async () => {
    const { page, close } = await demo.open('scenario=normal-day&seed=1&at=10');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByRole('button', { name: 'Kill a worker' }).click();
    await page.getByRole('button', { name: 'take back all 1' }).waitFor();
    assert.ok(await page.getByRole('button', { name: 'Pause' }).isVisible());
    await page.waitForFunction(() => JSON.parse(globalThis.leasegateDemo.picture()).at > 12);
    await close();
  });

  test('A worker that is selected is the one that is struck', async () => {
    const { page, close } = await demo.open('scenario=worker-loss&seed=1&at=3.5');
    await page.locator('.worker', { hasText: 'cy' }).click();
    await page.getByRole('button', { name: /Kill a worker/ }).click();
    await page.waitForFunction(() => location.hash.includes('do=4.kill.cy'));
    await close();
  });

  test('A selected row lights up what it touched, everywhere', async () => {
    const { page, close } = await demo.open('scenario=late-worker&seed=1&at=32');
    const refused = page.locator('.row', { hasText: 'stale_ownership' });
    await refused.click();
    assert.equal(await refused.getAttribute('aria-selected'), 'true');
    assert.match(await page.locator('.details').textContent(), /stale_ownership/);
    assert.match(await hash(page), /sel=entry:\d+$/);
    // The row before it in the life of the same lease.
    await page.locator('.filter', { hasText: 'Refused' }).click();
    assert.equal(await page.locator('.row').count(), 1);
    await page.locator('.filter', { hasText: 'All' }).click();
    await page.keyboard.press('Escape');
    assert.doesNotMatch(await hash(page), /sel=/);
    await close();
  });

  test('Events of the gate can be selected, and their task lights up', async () => {
    const { page, close } = await demo.open('scenario=reconnect&seed=1&at=21');
    await page
      .getByRole('button', { name: /^Event e05, history/ })
      .first()
      .click();
    assert.ok((await page.locator('.event.is-chosen').count()) >= 1);
    assert.match(await page.locator('.details').textContent(), /Event e05/);
    await close();
  });
});
