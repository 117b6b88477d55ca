// The comparison that the recorded runs lean on: each kind of difference is found, and named.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences } from './differences.js';

const expected = {
  task_id: 't',
  record_version: 2,
  attempt: 1,
  started_at: null,
  phases: [1, 2],
  lease: { lease_id: '18446744073709551615' },
};
const equal = {
  taskId: 't',
  recordVersion: 2n,
  attempt: 1,
  startedAt: null,
  phases: Uint8Array.of(1, 2),
  lease: { leaseId: 2n ** 64n - 1n },
};

test('an answer that equals the recording has no differences', () => {
  assert.deepEqual(differences(expected, equal, 'ok'), []);
});

for (const [what, change, message] of /** @type {[string, object, string][]} */ ([
  ['another text', { taskId: 'u' }, 'ok.taskId: expected "t", actual "u"'],
  ['a number where a bigint belongs', { recordVersion: 2 }, 'ok.recordVersion: expected "2n", actual 2'],
  ['a bigint where a number belongs', { attempt: 1n }, 'ok.attempt: expected 1, actual "1n"'],
  ['undefined where null belongs', { startedAt: undefined }, 'ok.startedAt: expected null, actual undefined'],
  ['other bytes', { phases: Uint8Array.of(1, 3) }, 'ok.phases: expected [1,2], actual [1,3]'],
  [
    'a nested integer that lost digits',
    { lease: { leaseId: 2n ** 64n } },
    'ok.lease.leaseId: expected "18446744073709551615n", actual "18446744073709551616n"',
  ],
  ['a field too many', { extra: 1 }, 'ok.extra: expected "no such field", actual 1'],
])) {
  test(`${what} is a difference`, () => {
    assert.deepEqual(differences(expected, { ...equal, ...change }, 'ok'), [message]);
  });
}

test('a missing field, a missing item and an item too many are differences', () => {
  const { taskId: _, ...less } = equal;
  assert.deepEqual(differences(expected, less, 'ok'), ['ok.taskId: expected "t", actual undefined']);
  assert.equal(differences([{ a: 1 }, { a: 2 }], [{ a: 1 }], 'ok').length, 2);
  assert.equal(differences([1], [1, 2], 'ok').length, 1);
});
