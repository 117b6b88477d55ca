// A static server for one folder, on the loopback only. Nothing but files inside the folder leaves it.

import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, sep } from 'node:path';

/** The same as in the page's own <meta>, and what only a header can say. */
const CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
};

/**
 * Serves `folder` below `prefix` ("/" or "/some/path/").
 * @param {string} folder
 * @param {{ port?: number, prefix?: string }} [options] port 0: a free one
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveFolder(folder, { port = 0, prefix = '/' } = {}) {
  const root = await realpath(folder);
  const server = createServer((request, response) => {
    answer(root, prefix, request, response).catch(() => fail(response, 500, 'The server failed.'));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}${prefix}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * @param {string} root
 * @param {string} prefix
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(root, prefix, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return fail(response, 405, 'Only GET and HEAD.');
  const file = await fileFor(root, prefix, request.url ?? '/');
  if (!file) return fail(response, 404, 'Not found.');
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-security-policy': CSP,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  });
  if (request.method === 'HEAD') return response.end();
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

/**
 * The file that an address means, if it lies inside the folder once all links are followed.
 * @param {string} root
 * @param {string} prefix
 * @param {string} url
 */
async function fileFor(root, prefix, url) {
  try {
    const path = decodeURIComponent(url.split(/[?#]/)[0]);
    if (!path.startsWith(prefix) || path.includes('\0')) return null;
    let file = await realpath(join(root, path.slice(prefix.length)));
    if ((await stat(file)).isDirectory()) file = await realpath(join(file, 'index.html'));
    return file.startsWith(root + sep) && (await stat(file)).isFile() ? file : null;
  } catch {
    return null;
  }
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {string} text */
function fail(response, status, text) {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}
