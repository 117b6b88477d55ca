// A disk that is full: a clear error, a pool that takes nothing more, and all that was acknowledged when there is room
// again. With a limit on the size of files, which needs no rights, and on a small disk of its own where we may make one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createLeasegate } from 'leasegate';
import { opener } from './support/openers.js';
import { freshFolder, skipSqlite, storageIn } from './support/places.js';

const lg = await createLeasegate();

/** A disk of a few pages in the folder, or why there is none. @param {string} folder @param {string} size @returns {string | null} */
function mountSmall(folder, size) {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'leasegate-test', folder], {
      stdio: 'ignore',
    });
    return null;
  } catch {
    return 'no small disk can be made here';
  }
}

/** A SQLite database takes pages, for every commit some. @type {[kind: 'file' | 'sqlite', skip: false | string, kib: number][]} */
const kinds = [
  ['file', false, 200],
  ['sqlite', skipSqlite, 2000],
];
for (const [kind, skip, kib] of kinds) {
  describe(`A full disk (${kind})`, { skip }, () => {
    /** @param {any} said @param {string} folder @param {RegExp} systemCode */
    async function look(said, folder, systemCode) {
      assert.equal(said.failed?.code, 'storage_failed', JSON.stringify(said));
      assert.match(said.failed.systemCode, systemCode);
      assert.ok(said.same, 'the next command is refused with the same error');
      assert.ok(said.acknowledged > 100);
      const pool = await lg.openDurablePool({ storage: storageIn(kind, folder) });
      const tasks = pool.taskQueue.tasks().length;
      assert.ok(
        pool.revision >= BigInt(said.acknowledged),
        `${said.acknowledged} was acknowledged, ${pool.revision} is there`,
      );
      assert.ok(pool.revision <= BigInt(said.acknowledged) + 1n);
      assert.equal(BigInt(tasks), pool.revision);
      pool.checkInvariants();
      await pool.pruneDeadWorkers({ expectedRevision: pool.revision, now: 1 });
      await pool.close();
    }

    it('as a file that may not grow: said, and nothing is lost', {
      skip: process.platform === 'win32',
    }, async () => {
      const folder = freshFolder();
      const { said } = await opener(kind, folder, { commands: 16_000, maxFileKib: kib });
      await look(said, folder, /^(EFBIG|SQLITE_(FULL|IOERR\w*))$/);
    });

    it('as a disk without room: said, and nothing is lost', async (t) => {
      const folder = freshFolder();
      const disk = path.join(folder, 'disk');
      mkdirSync(disk);
      const why = mountSmall(disk, `${kib + 200}k`);
      if (why !== null) return t.skip(why);
      try {
        const { said } = await opener(kind, disk, { commands: 16_000 });
        execFileSync('mount', ['-o', 'remount,size=40m', disk]);
        await look(said, disk, /^(ENOSPC|SQLITE_(FULL|IOERR\w*))$/);
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    });
  });
}
