// One Chromium for a test file, with a fresh profile, and pages of the demo that fail a test when anything goes wrong in
// them.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { serveDemo } from './server.js';

const ARGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const READY_MS = 30_000;

/** Starts Chromium with a profile that is gone when it is closed. */
export async function startChromium(options = {}) {
  const profile = await mkdtemp(join(tmpdir(), 'leasegate-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ARGS,
    ...options,
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts the server and the browser around the tests of a file. */
export function useChromium() {
  const demo = {};
  let browser;
  before(async () => {
    demo.server = await serveDemo();
    browser = await startChromium({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    demo.context = browser.context;
  });
  after(async () => {
    await browser?.close();
    await demo.server?.close();
  });

  /**
   * A page of the demo. `close` asserts that nothing was complained about and that nothing came from elsewhere.
   * @param {string} [hash] @param {{ width?: number, height?: number, media?: object }} [options]
   */
  demo.open = async (hash = '', { width = 1280, height = 900, media } = {}) => {
    const page = await demo.context.newPage();
    const complaints = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.stack));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(demo.server.url) && !url.startsWith('data:')) complaints.push(`asked for ${url}`);
    });
    await page.setViewportSize({ width, height });
    if (media) await page.emulateMedia(media);
    await page.goto(demo.server.url + (hash && `#${hash}`));
    await ready(page);
    return {
      page,
      async close() {
        await page.close();
        assert.deepEqual(complaints, []);
      },
    };
  };
  return demo;
}

/** Waits until what was asked for is shown. */
export async function ready(page) {
  await page.waitForFunction(() => globalThis.leasegateDemo?.ready(), null, { timeout: READY_MS });
}

/** The moment that is shown, as data. */
export async function picture(page) {
  return JSON.parse(await page.evaluate(() => globalThis.leasegateDemo.picture()));
}

export const ledger = (page) => page.evaluate(() => globalThis.leasegateDemo.ledger());

/** Everything that can be seen: the texts, where the events stand, and the pixels of the timeline. */
export function seen(page) {
  return page.evaluate(() => ({
    text: document.querySelector('main').textContent,
    places: [...document.querySelectorAll('.event, .row')].map((element) => [
      element.textContent,
      element.getAttribute('style'),
    ]),
    machine: document.querySelector('.machine')?.getAttribute('aria-label'),
    pixels: document.querySelector('.timeline-canvas').toDataURL(),
    picture: globalThis.leasegateDemo.picture(),
  }));
}
