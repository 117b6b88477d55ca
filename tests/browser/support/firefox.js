// Just enough of WebDriver BiDi to open a page in the Firefox that Debian has, which Playwright's own client is not
// made for.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';

const START_MS = 60_000;
const candidates = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** The path of a Firefox, if there is one. */
export const firefoxPath = candidates.find((path) => path && existsSync(path)) ?? null;

/** Starts Firefox; `open` gives a page whose `run` evaluates an expression that may be a promise. */
export async function startFirefox() {
  const profile = await mkdtemp(join(tmpdir(), 'leasegate-firefox-'));
  const browser = spawn(
    firefoxPath,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    {
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  const address = await listening(browser);
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const call = caller(socket);
  await call('session.new', { capabilities: {} });
  return {
    async open(url) {
      const { context } = await call('browsingContext.create', { type: 'tab' });
      await call('browsingContext.navigate', { context, url, wait: 'complete' });
      return {
        async run(expression) {
          const answer = await call('script.evaluate', {
            expression,
            target: { context },
            awaitPromise: true,
          });
          if (answer.type !== 'success') throw new Error(answer.exceptionDetails.text);
          return answer.result.value;
        },
      };
    },
    async close() {
      await call('browser.close', {}).catch(() => {});
      socket.close();
      browser.kill();
      await ended;
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Firefox says on its error output where it listens. */
function listening(browser) {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => {
      browser.kill();
      reject(new Error(`Firefox did not start: ${text}`));
    }, START_MS);
    browser.stderr.on('data', (part) => {
      text += part;
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[1]);
    });
    browser.once('error', reject);
    browser.once('exit', () => reject(new Error(`Firefox ended: ${text}`)));
  });
}

function caller(socket) {
  const waiting = new Map();
  let last = 0;
  socket.on('message', (data) => {
    const { id, type, result, message } = JSON.parse(data);
    const call = waiting.get(id);
    if (!call) return;
    waiting.delete(id);
    if (type === 'error') call.reject(new Error(message));
    else call.resolve(result);
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
}
