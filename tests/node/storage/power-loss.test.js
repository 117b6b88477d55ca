// A machine that loses power, which kill -9 does not try: on a file system that keeps of unsynced bytes any beginning,
// with or without zeros behind it, and of unsynced names each or none, and whose syncs fail now and then.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLeasegate } from 'leasegate';
import { FileSession } from '../../../js/storage/file/session.js';
import { CrashFs } from './support/crash-fs.js';
import { LIMITS, live, randomOf, Twin } from './support/life.js';

const lg = await createLeasegate();
const ROUNDS = Number(process.env.LEASEGATE_POWER_ROUNDS ?? 40);

/** @param {CrashFs} fs @param {any} fsync */
function storageOn(fs, fsync) {
  const settings = { directory: '/pool', lockDirectory: '/pool', keepChapters: 2, fsync };
  const platform = { fs: /** @type {any} */ (fs), lock: fs.lock };
  return { open: (/** @type {any} */ options) => FileSession.open(settings, options, platform) };
}

/**
 * One life: what was told to be durable, and how far the machine had come, when the power failed or a sync did.
 * @param {CrashFs} fs @param {any} pool @param {number} seed @param {(below: number) => number} random
 * @param {{ durable: bigint, applied: bigint }} known
 */
async function lifeOn(fs, pool, seed, random, known) {
  while (pool.failure === null) {
    if (random(120) === 0) fs.fault.sync = 'EIO';
    if (random(120) === 0) fs.fault.write = 'ENOSPC';
    const answers = Array.from({ length: 1 + random(12) }, () => live(pool, seed));
    known.applied = pool.revision;
    if (random(5) === 0) answers.push(pool.flush());
    await Promise.allSettled(
      answers.map(async (answer) => {
        const { revision } = (await answer) ?? { revision: 0n };
        if (revision > known.durable) known.durable = revision;
      }),
    );
  }
}

describe('A machine that loses power at random moments', () => {
  for (const [name, fsync, keepsAll] of /** @type {const} */ ([
    ['every write synced', { policy: 'append', everyMs: 0 }, true],
    ['synced now and then', { policy: 'interval', everyMs: 1 }, false],
    ['never synced', { policy: 'never', everyMs: 0 }, false],
  ])) {
    it(`comes back to a state that was, and to all that was promised (${name})`, async (t) => {
      const seed = Number(process.env.LEASEGATE_SEED ?? Math.floor(Math.random() * 1e9));
      const random = randomOf(seed);
      const found = { seed, lives: 0, commands: 0, torn: 0, failures: 0, early: 0 };
      try {
        for (let run = 0; run < 4; run += 1) {
          const fs = new CrashFs(random);
          const storage = storageOn(fs, fsync);
          let twin = new Twin(lg, seed + run);
          const known = { durable: 0n, applied: 0n };
          for (let round = 0; round < ROUNDS / 4; round += 1) {
            fs.left = 1 + random(300);
            const opening = lg.openDurablePool({ storage, limits: LIMITS, snapshotEveryBytes: 2500 });
            const pool = await Promise.race([opening, fs.dark]);
            if (pool === undefined) {
              found.early += 1;
              fs.restart();
              continue;
            }
            found.lives += 1;
            const { revision } = pool.recovery;
            if (keepsAll)
              assert.ok(revision >= known.durable, `${known.durable} was promised, ${revision} is there`);
            assert.ok(revision <= known.applied, 'no more than was applied');
            if (twin.pool.revision > revision) twin = new Twin(lg, seed + run);
            assert.equal(pool.stateDigest(), twin.digestAt(revision), `the state at ${revision}`);
            if (pool.recovery.cutBytes > 0) found.torn += 1;
            Object.assign(known, { durable: revision, applied: revision });
            await Promise.race([lifeOn(fs, pool, seed + run, random, known), fs.dark]);
            found.commands += Number(known.applied - revision);
            if (pool.failure === null) {
              fs.restart();
              continue;
            }
            // The storage failed while the machine lives on: opened again, it is what can be read.
            found.failures += 1;
            fs.fault.sync = null;
            fs.fault.write = null;
            await Promise.race([pool.close(), fs.dark]);
            if (fs.left <= 0) fs.restart();
          }
        }
      } catch (error) {
        error.message += `\nLEASEGATE_SEED=${seed}`;
        throw error;
      }
      t.diagnostic(JSON.stringify(found));
      assert.ok(found.lives > ROUNDS / 3 && found.commands > ROUNDS, JSON.stringify(found));
    });
  }
});
