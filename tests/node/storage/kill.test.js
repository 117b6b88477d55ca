// kill -9 at random moments, for a few seconds; `npm run kill -- --rounds 300` goes on for as long as it is told to.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { killAndLook } from './support/killing.js';
import { freshFolder, skipSqlite } from './support/places.js';

const SPAN_MS = 5000;

describe('A process that is killed at random moments', () => {
  for (const [kind, skip] of /** @type {const} */ ([
    ['file', false],
    ['sqlite', skipSqlite],
  ])) {
    it(`loses no acknowledged command and leaves none half applied (${kind})`, { skip }, async (t) => {
      const end = Date.now() + SPAN_MS;
      const seed = Math.floor(Math.random() * 1e9);
      const found = await killAndLook({ kind, folder: freshFolder(), seed, goesOn: () => Date.now() < end });
      t.diagnostic(JSON.stringify({ kind, seed, ...found }));
      assert.ok(found.rounds > 2 && found.acknowledged > 10, JSON.stringify(found));
    });
  }
});
