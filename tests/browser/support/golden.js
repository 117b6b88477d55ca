// Expected ledgers are files beside the tests. LEASEGATE_REWRITE=1 writes what came out instead of comparing: look at
// the difference before it is committed.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const folder = new URL('../golden/', import.meta.url);

/** @param {string} name @param {string} actual */
export async function matchesGolden(name, actual) {
  const file = new URL(`${name}.txt`, folder);
  if (process.env.LEASEGATE_REWRITE) {
    await mkdir(folder, { recursive: true });
    await writeFile(file, actual);
    return;
  }
  const expected = await readFile(file, 'utf8');
  // Line by line: the first difference says more than two long texts.
  const [want, got] = [expected.split('\n'), actual.split('\n')];
  const at = want.findIndex((line, i) => line !== got[i]);
  if (at >= 0) assert.equal(got[at], want[at], `${name}.txt, line ${at + 1}`);
  assert.equal(got.length, want.length, `${name}.txt: number of lines`);
}
