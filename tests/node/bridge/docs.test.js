// The guide to the bridge: its code runs and prints what it shows, and it names every error.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { errors } from '../../../src/schema/bridge.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guide = readFileSync(path.join(root, 'docs/bridge.md'), 'utf8');
const blocks = (/** @type {string} */ language) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))]
    .map(([, text]) => text)
    .join('');

test('the code of the guide prints what the guide shows', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-bridge-'));
  try {
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules', 'leasegate'), 'junction');
    writeFileSync(path.join(folder, 'guide.mjs'), blocks('js'));
    const { stdout, stderr, status } = spawnSync(process.execPath, ['guide.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.equal(stdout, blocks('text'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the guide names every error of the bridge with its fields', () => {
  const rows = guide.split('\n').filter((line) => line.startsWith('| `'));
  for (const { code, as, fields } of errors) {
    const named = rows.find((row) => row.split(' | ')[0].includes(`\`${as ?? code}\``));
    assert.ok(named, `${as ?? code} is not in the table`);
    for (const field of Object.keys(fields))
      assert.ok(named.includes(`\`${field}\``), `${as ?? code}: ${field}`);
  }
});
