// Shows the web demo: builds it when something is newer than the last build, serves it on a free loopback port, prints
// the address, and opens it where there is a desktop.
//
//   node scripts/demo.mjs [--port N] [--no-open] [--build]

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serveFolder } from './demo-server.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'web-demo/dist');
const SOURCES = ['web-demo', 'js', 'dist', 'docs', 'README.md'];

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'no-open': { type: 'boolean' },
    build: { type: 'boolean' },
  },
});

if (!existsSync(join(root, 'dist/leasegate.wasm'))) {
  console.error('The demo shows what is built, and nothing is built yet: npm run build');
  process.exit(1);
}
if (values.build || newest(SOURCES) > timeOf(join(built, 'index.html'))) await build();
const { url } = await serveFolder(built, { port: Number(values.port) });
console.log(`leasegate demo: ${url}\nStop with Ctrl+C.`);
if (!values['no-open'] && hasDesktop()) open(url);

async function build() {
  const { build: viteBuild } = await import('vite');
  await viteBuild({ configFile: join(root, 'web-demo/vite.config.mjs'), logLevel: 'warn' });
}

/** @param {string[]} places */
function newest(places) {
  let time = 0;
  for (const place of places) {
    for (const file of filesUnder(join(root, place))) time = Math.max(time, timeOf(file));
  }
  return time;
}

/** @param {string} place @returns {string[]} */
function filesUnder(place) {
  if (place === built) return [];
  try {
    if (!statSync(place).isDirectory()) return [place];
    return readdirSync(place).flatMap((name) => filesUnder(join(place, name)));
  } catch {
    return [];
  }
}

/** @param {string} file */
function timeOf(file) {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function hasDesktop() {
  if (process.env.CI || !process.stdout.isTTY) return false;
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** @param {string} address */
function open(address) {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['explorer.exe', address]
        : ['xdg-open', address];
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
