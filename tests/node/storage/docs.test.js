// What docs/durability.md says is so: its code runs and prints what it shows, its bounds and names are those of the code.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BOUNDS } from '../../../js/durable/options.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(new URL('../../../docs/durability.md', import.meta.url), 'utf8');
const blocks = (/** @type {string} */ language) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))]
    .map((match) => match[1])
    .join('');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .slice(2, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

test('the code runs and prints what is shown', () => {
  const shown = execFileSync(process.execPath, ['--input-type=module', '-e', blocks('js')], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(shown, blocks('text'));
});

test('every bound stands there with its default and its range', () => {
  const number = (/** @type {number} */ value) => value.toLocaleString('en-US');
  for (const [name, [fallback, least, most]] of Object.entries(BOUNDS)) {
    const row = rows.find(([first]) => first === `\`${name}\``);
    assert.deepEqual(row?.slice(2, 4), [number(fallback), `${number(least)} to ${number(most)}`], name);
  }
});

test('every entry, every option and every file that is spoken of is there', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const entries = Object.keys(manifest.exports).filter((name) => name.startsWith('./storage/'));
  assert.equal(entries.length, 3);
  for (const entry of entries) assert.ok(page.includes(`\`leasegate/${entry.slice(2)}\``), entry);
  for (const name of ['file', 'sqlite', 'indexeddb']) {
    const declared = readFileSync(new URL(`../../../js/storage/${name}.d.ts`, import.meta.url), 'utf8');
    for (const [, option] of declared.matchAll(/^ {2}(\w+)\??:/gm))
      assert.match(page, new RegExp(`\\b${option}\\b`));
  }
  const files = [...page.matchAll(/\b(?:tests|js)\/[\w/.-]+\.m?js\b/g)].map(([file]) => file);
  assert.ok(files.length >= 3);
  for (const file of files) assert.ok(existsSync(`${root}${file}`), file);
});
