// The coordinator that leasegate is measured against answers as leasegate does: it plays the same recordings.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { PlainError } from '../../bench/plain/errors.mjs';
import { PlainWorkerPool } from '../../bench/plain/worker-pool.mjs';
import { Replay } from '../support/replay.js';

const folder = new URL('../../vectors/coordination/', import.meta.url);
const lg = await createLeasegate();

/** Results are not part of the comparison: leasegate's own play their part of the recordings. */
const AnyError = {
  /** @param {unknown} value */
  [Symbol.hasInstance]: (value) => value instanceof PlainError || value instanceof lg.LeasegateError,
};
const plain = {
  WorkerPool: PlainWorkerPool,
  ResultAggregator: lg.ResultAggregator,
  LeasegateError: AnyError,
};

for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
  test(`${file}: the plain coordinator answers every line as recorded`, () => {
    const replay = new Replay(plain);
    const lines = readFileSync(new URL(file, folder), 'utf8').split('\n').filter(Boolean);
    lines.forEach((line, index) => {
      const found = replay.play(JSON.parse(line), index + 1);
      if (found.length > 0) assert.fail(`${file}:${index + 1}: ${found.join('\n  ')}\n  command: ${line}`);
    });
    replay.dispose();
  });
}
