import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { test } from 'node:test';
import { runForLeaks } from '../../bench/leak.mjs';

setFlagsFromString('--expose-gc');
globalThis.gc ??= runInNewContext('gc');

// npm run bench:leak does ten million.
test('cycles that retire what has ended hold what they held', async () => {
  const { looks, growth } = await runForLeaks(100_000);
  assert.ok(looks.length >= 5);
  assert.equal(growth.leaks, false, JSON.stringify(looks));
});
