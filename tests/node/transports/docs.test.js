// What docs/transports.md says is so: its code runs and prints what it shows, its tables are those of the code.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { closeCodesOf, reasonOfCloseCode, reasonOfStatus } from '../../../js/transports/errors.js';
import { LIMITS } from '../../../js/transports/options.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(new URL('../../../docs/transports.md', import.meta.url), 'utf8');
const blocks = (language) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))]
    .map((match) => match[1])
    .join('');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -1).split(/ ?\| ?/));

test('the code runs and prints what is shown', () => {
  const program = blocks('js');
  const shown = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(shown, blocks('text'));
});

test('every limit stands there with its default and its range', () => {
  const number = (value) => (value === 2 ** 31 - 1 ? '2^31 - 1' : value.toLocaleString('en-US'));
  for (const [name, [fallback, least, most]] of Object.entries(LIMITS)) {
    const row = rows.find(([first]) => first === `\`${name}\``);
    const usual = fallback === null ? 'none' : number(fallback);
    assert.deepEqual(row?.slice(1, 3), [usual, `${number(least)} to ${number(most)}`], name);
  }
});

test('every reason stands there with its codes and statuses', () => {
  const declared = readFileSync(new URL('../../../js/transports/types.d.ts', import.meta.url), 'utf8');
  const union = declared.split('export type TransportReason =')[1].split(';')[0];
  const reasons = [...union.matchAll(/'(\w+)'/g)].map(([, reason]) => reason);
  assert.ok(reasons.length > 20);
  const received = new Map(reasons.map((reason) => [reason, []]));
  for (let code = 1000; code < 5000; code += 1) received.get(reasonOfCloseCode(code)).push(code);
  for (const reason of reasons) {
    const row = rows.find(([first, , , , status]) => status !== undefined && first.includes(`\`${reason}\``));
    assert.ok(row, reason);
    if (reason === 'other') continue;
    const codes = (row[2].match(/\d+/g) ?? []).map(Number);
    for (const code of codes) if (reason !== 'unreachable') assert.equal(reasonOfCloseCode(code), reason);
    const missing = received.get(reason).filter((code) => !codes.includes(code));
    assert.deepEqual(
      missing.filter((code) => code < 4000),
      [],
      reason,
    );
    for (const status of row[4].match(/\d+/g) ?? []) assert.equal(reasonOfStatus(Number(status)), reason);
    if (row[3] !== '') assert.equal(closeCodesOf(reason)[0], Number(row[3]), reason);
  }
});
