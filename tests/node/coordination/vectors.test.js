// The recorded runs, through the public API. Every one of their operations can be said in JavaScript, and all of
// their texts are valid UTF-16, so no line is left out.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { Replay } from '../support/replay.js';

const folder = new URL('../../vectors/coordination/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const lg = await createLeasegate();
let played = 0;

for (const file of files) {
  test(`${file}: JavaScript answers every line as recorded`, () => {
    const replay = new Replay(lg);
    const lines = readFileSync(new URL(file, folder), 'utf8').split('\n').filter(Boolean);
    lines.forEach((line, index) => {
      const found = replay.play(JSON.parse(line), index + 1);
      if (found.length > 0)
        assert.fail(`${file}:${index + 1}: ${found.join('\n  ')}\n  command: ${line.slice(0, 400)}`);
    });
    replay.pool.checkInvariants();
    replay.dispose();
    played += lines.length;
  });
}

test('the recordings are complete: 76 files, 17,999 lines', () => {
  assert.equal(files.length, 76);
  assert.equal(played, 17_999);
});
