// What the command line says, word for word. The expected texts are files beside this one; LEASEGATE_REWRITE=1 writes
// what came out instead of comparing: look at the difference before it is committed.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { leasegate, writeFiles } from './support/files.js';

const files = writeFiles(await createLeasegate());
after(() => files.remove());

/** By file: what is asked. @type {Record<string, string[]>} */
const CASES = {
  help: ['--help', 'inspect --help', 'replay --help', 'diff --help', 'explain -h', 'help verify'],
  inspect: [
    'inspect day.journal',
    'inspect header.journal --limits',
    'inspect torn.journal',
    'inspect damaged.journal gap.journal',
    'inspect results.journal at-20.snapshot',
    'inspect directory',
    'inspect longer.journal',
  ],
  'inspect-records': [
    'inspect day.journal --records',
    'inspect results.journal --records',
    'inspect secret.journal --records --json',
    'inspect secret.journal --records --json --show-targets',
    'inspect torn.journal --records --json',
  ],
  'inspect-json': ['inspect damaged.journal at-20.snapshot --json', 'inspect large.journal --json'],
  replay: [
    'replay day.journal',
    'replay day.journal --until 17',
    'replay day.journal --until 0',
    'replay early.journal later.journal',
    'replay directory --until 20 --limit 2',
    'replay kept --limit 0',
    'replay later.journal --snapshot at-20.snapshot --until 21',
    'replay --snapshot at-20.snapshot',
    'replay torn.journal --limit 1',
    'replay damaged.journal --limit 1',
    'replay results.journal',
    'replay secret.journal --show-targets',
    'replay secret.journal --json',
  ],
  diff: [
    'diff 14 18 day.journal',
    'diff 18 14 day.journal',
    'diff 20 20 directory',
    'diff 0 36 early.journal later.journal',
    'diff 34 35 day.journal',
    'diff 30 32 later.journal --snapshot at-20.snapshot',
    'diff 14 15 day.journal --json',
  ],
  explain: [
    'explain failed day.journal',
    'explain leased directory',
    'explain old day.journal',
    'explain urgent day.journal',
    'explain done day.journal',
    'explain fenced day.journal',
    'explain failed later.journal --snapshot at-20.snapshot',
    'explain next torn.journal',
    'explain done damaged.journal --json',
  ],
  verify: [
    'verify day.journal',
    'verify directory',
    'verify early.journal later.journal',
    'verify later.journal --snapshot at-20.snapshot',
    'verify results.journal',
    'verify header.journal',
    'verify torn.journal',
    'verify longer.journal',
    'verify damaged.journal',
    'verify gap.journal',
    'verify wrong',
    'verify day.journal --snapshot at-20.snapshot',
    'verify day.journal --snapshot wrong-20.snapshot',
    'verify early.journal --snapshot at-25.snapshot',
    'verify kept --snapshot at-25.snapshot',
    'verify wrong --snapshot at-25.snapshot',
    'verify gap.journal --snapshot at-20.snapshot',
    'verify later.journal --snapshot at-25.snapshot',
    'verify later.journal --snapshot at-25.snapshot --json',
    'verify later-gap.journal --snapshot at-25.snapshot',
    'replay later-gap.journal --snapshot at-25.snapshot --limit 1',
    'verify later.journal early.journal --snapshot at-20.snapshot',
    'verify early.journal results.journal',
    'verify early-crashed.journal later.journal',
    'verify early-lost.journal later.journal',
    'verify damaged.journal later.journal',
    'verify torn.journal --json',
    `verify day.journal --digest ${'0'.repeat(64)}`,
    `verify day.journal --json --digest ${'A'.repeat(64)}`,
    'verify at-20.snapshot',
    'verify early.journal at-20.snapshot',
  ],
  refused: [
    '',
    'frobnicate',
    'replay',
    'replay --frobnicate day.journal',
    'replay --until',
    'replay --until -5 day.journal',
    'replay --until 99 day.journal',
    'replay --until 99 torn.journal',
    'replay --limit x day.journal',
    'replay missing.journal',
    'replay --snapshot missing.snapshot',
    'replay noise.journal',
    'replay half-header.journal',
    'replay later.journal',
    'replay at-20.snapshot',
    'verify - --snapshot -',
    'inspect - -',
    'verify day.journal --digest 00',
    `verify day.journal --digest ${'g'.repeat(64)}`,
    'replay day.journal --snapshot day.journal',
    'inspect empty',
    'inspect noise.journal',
    'diff 1 day.journal',
    'diff 1 99 day.journal',
    'diff 5 21 later.journal --snapshot at-20.snapshot',
    'diff 1 2 results.journal',
    'explain',
    'explain nobody day.journal',
    'explain no/id day.journal',
    'explain a results.journal',
  ],
};

const folder = new URL('golden/', import.meta.url);

for (const [name, asked] of Object.entries(CASES)) {
  test(`${name}: the command line says what it always said`, async () => {
    let text = '';
    for (const line of asked) {
      const { code, stdout, stderr } = await leasegate(line.split(' ').filter(Boolean), {
        cwd: files.folder,
      });
      const errors = stderr === '' ? '' : `${stderr.trimEnd().replace(/^/gm, '! ')}\n`;
      text += `${`$ leasegate ${line}`.trimEnd()}\n${stdout}${errors}[${code}]\n\n`;
    }
    const file = new URL(`${name}.txt`, folder);
    if (process.env.LEASEGATE_REWRITE) writeFileSync(file, text);
    assert.deepEqual(text.split('\n'), readFileSync(file, 'utf8').split('\n'));
  });
}

test('every expected text belongs to a case', () => {
  assert.ok(existsSync(folder));
  assert.deepEqual(
    readdirSync(folder).sort(),
    Object.keys(CASES)
      .map((name) => `${name}.txt`)
      .sort(),
  );
});
