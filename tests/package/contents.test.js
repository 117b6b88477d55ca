// What is in the tarball: what users need and nothing else, and nothing about the machine that made it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pack, root } from './support/consumer.js';

const { folder, tarball, files } = await pack();
after(() => rm(folder, { recursive: true }));
execFileSync('tar', ['-xzf', tarball, '-C', folder]);
const manifest = JSON.parse(readFileSync(path.join(folder, 'package', 'package.json'), 'utf8'));
const textOf = (name) => readFileSync(path.join(folder, 'package', name), 'latin1');

const ALLOWED = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^docs\/([a-z-]+\.md|benchmarks\/[a-z-]+\.svg)$/,
  /^js\/([a-z0-9-]+\/)*[a-z0-9-]+(\.node|\.web|\.workerd)?\.js$/,
  /^js\/([a-z0-9-]+\/)*[a-z0-9-]+\.d\.ts$/,
  /^dist\/leasegate\.wasm$/,
  /^dist\/core\/leasegate-core\.js$/,
  /^dist\/inline\/wasm-base64\.js$/,
  /^dist\/cjs\/([a-z0-9-]+\/)*[a-z0-9-]+(\.cjs|\.d\.cts)$/,
];

test('the tarball holds only files of the kinds that users need', () => {
  const others = files.filter((name) => !ALLOWED.some((pattern) => pattern.test(name)));
  assert.deepEqual(others, []);
  assert.deepEqual(
    files.filter(
      (name) => !name.startsWith('docs/') && /test|bench|fuzz|vectors|\.map$|\.tmp$|\.mjs$|\.cpp$/.test(name),
    ),
    [],
  );
});

test('the tarball holds the licence, the README, every entry and everything that these import', () => {
  const entries = JSON.stringify(manifest.exports).match(/\.\/(js|dist)\/[^"]+/g) ?? [];
  assert.ok(entries.length >= 8);
  const wanted = new Set([
    'package.json',
    'README.md',
    'LICENSE',
    ...entries.map((entry) => path.normalize(entry)),
  ]);
  for (const name of wanted) {
    assert.ok(files.includes(name), `${name} is missing`);
    if (!/\.(js|d\.c?ts)$/.test(name)) continue; // dist/cjs/index.cjs is one file
    const text = textOf(name).replace(/\/\*\*.*?\*\//gs, ''); // types in comments are nobody's import
    for (const [, target] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
      const file = path.join(path.dirname(name), target);
      const declared = /\.d\.c?ts$/.test(name);
      wanted.add(declared ? file.replace(/\.(c?)js$/, '.d.$1ts') : file);
    }
  }
  assert.ok(wanted.size > 25, `${wanted.size} files are reached`);
});

test('no file tells of the machine that made it, nor points to a source map', () => {
  for (const name of files) {
    const text = textOf(name);
    for (const place of [root.slice(0, -1), homedir(), 'emsdk/', '.cache/leasegate', 'sourceMappingURL']) {
      const mayBeNamed = place === '.cache/leasegate' || place === 'emsdk/' || homedir() === '/';
      if (mayBeNamed && name === 'README.md') continue;
      assert.ok(!text.includes(place), `${name} holds ${place}`);
    }
  }
});

test('the package has no dependencies and no side effects, and runs no script at installation', () => {
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.sideEffects, false);
  for (const hook of ['preinstall', 'install', 'postinstall', 'prepare'])
    assert.equal(manifest.scripts?.[hook], undefined);
  for (const peer of Object.keys(manifest.peerDependencies ?? {})) {
    assert.equal(manifest.peerDependenciesMeta[peer].optional, true, peer);
  }
});

test('in every set of conditions the types come first', () => {
  const visit = (/** @type {any} */ conditions) => {
    if (typeof conditions !== 'object') return;
    const names = Object.keys(conditions);
    assert.ok(!names.includes('types') || names[0] === 'types', names.join());
    assert.ok(!names.includes('default') || names.at(-1) === 'default', names.join());
    Object.values(conditions).forEach(visit);
  };
  visit(manifest.exports);
  assert.deepEqual(Object.keys(manifest.exports['.']), ['workerd', 'node', 'browser', 'default']);
});
