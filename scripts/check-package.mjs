// What the package promises before anyone installs it: publint and attw find nothing, and it is small.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bin = path.join(root, 'node_modules', '.bin');

// Bytes, gzip, of the Wasm module and its glue, with everything in it.
const budget = 90_000;
const sizes = ['dist/leasegate.wasm', 'dist/core/leasegate-core.js'].map((file) => {
  const bytes = readFileSync(path.join(root, file));
  return { file, bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
});
for (const { file, bytes, gzip } of sizes) console.log(`${file}: ${bytes} bytes, ${gzip} gzip`);
const total = sizes.reduce((sum, { gzip }) => sum + gzip, 0);
console.log(`together ${total} of ${budget} bytes gzip`);
if (total > budget) throw new Error('The Wasm module and its glue are over their budget');

/** @type {(tool: string, ...args: string[]) => void} */
const run = (tool, ...args) => {
  try {
    execFileSync(path.join(bin, tool), args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  } catch {
    throw new Error(`${tool} found something in the package`);
  }
};
run('publint', '--strict');
// By the rules from before "exports" (node10) require('leasegate') works, the rest does not exist. leasegate/inline,
// the cluster, the transports and the storages are ES modules only.
const attw = ['--pack', '.', '--profile', 'node16', '--format', 'ascii', '--no-emoji'];
const esm = [
  './inline',
  './cluster/nats',
  './storage/file',
  './storage/indexeddb',
  './storage/sqlite',
  './transports/server',
  './transports/sse',
  './transports/websocket',
];
run('attw', ...attw, '--exclude-entrypoints', ...esm, './leasegate.wasm');
run('attw', ...attw, '--entrypoints', ...esm, '--ignore-rules', 'cjs-resolves-to-esm');
