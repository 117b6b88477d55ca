// The server of npm start gives out what lies in its folder, and nothing else.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { serveFolder } from '../../scripts/demo-server.mjs';

describe('The demo server', () => {
  let folder;
  let server;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leasegate-server-'));
    await mkdir(join(folder, 'site/docs'), { recursive: true });
    await writeFile(join(folder, 'secret.txt'), 'secret');
    await writeFile(join(folder, 'site/index.html'), 'start');
    await writeFile(join(folder, 'site/docs/index.html'), 'docs');
    await writeFile(join(folder, 'site/a.wasm'), '');
    await writeFile(join(folder, 'site/a.js'), '');
    await symlink(join(folder, 'secret.txt'), join(folder, 'site/link.txt'));
    server = await serveFolder(join(folder, 'site'), { prefix: '/sub/' });
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** As it stands: fetch would tidy the path up. */
  const get = (path, method = 'GET') =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      request({ hostname, port, path, method }, (response) => {
        let text = '';
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
      })
        .on('error', reject)
        .end();
    });

  test('gives files with their types and the policy', async () => {
    assert.equal((await get('/sub/')).text, 'start');
    assert.equal((await get('/sub/docs/')).text, 'docs');
    assert.equal((await get('/sub/a.wasm')).headers['content-type'], 'application/wasm');
    const { headers } = await get('/sub/a.js?x');
    assert.match(headers['content-type'], /^text\/javascript/);
    assert.match(headers['content-security-policy'], /^default-src 'none'/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  for (const path of [
    '/sub/../secret.txt',
    '/sub/%2e%2e/secret.txt',
    '/sub/..%2fsecret.txt',
    '/sub/docs/../../secret.txt',
    '/sub/link.txt',
    '/sub/%00',
    '/sub/%zz',
    '/secret.txt',
    '/sub/none',
    '//etc/passwd',
  ]) {
    test(`refuses ${path}`, async () => {
      const { status, text } = await get(path);
      assert.equal(status, 404);
      assert.doesNotMatch(text, /secret|root/);
    });
  }

  test('is what scripts/demo.mjs starts: it prints the address and serves until it is stopped', async () => {
    const script = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url));
    const demo = spawn(process.execPath, [script, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => demo.once('exit', resolve));
    const url = await new Promise((resolve, reject) => {
      let text = '';
      demo.stdout.on('data', (part) => {
        text += part;
        const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(text);
        if (found) resolve(found[0]);
      });
      demo.once('exit', () => reject(new Error(`ended: ${text}`)));
    });
    assert.match(await (await fetch(url)).text(), /<div id="app">/);
    demo.kill();
    await ended;
  });

  test('takes no other method', async () => {
    assert.equal((await get('/sub/', 'POST')).status, 405);
  });
});
