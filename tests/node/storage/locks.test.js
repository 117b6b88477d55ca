// One at a time: whoever comes second is refused while the first one lives, in the same process and in another, and is
// welcome when the first one has gone, however it went.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLeasegate } from 'leasegate';
import { fileStorage } from 'leasegate/storage/file';
import { opener } from './support/openers.js';
import { freshFolder, skipSqlite, storageIn } from './support/places.js';

const lg = await createLeasegate();
const LOCK_CHILD = fileURLToPath(new URL('./support/lock-child.mjs', import.meta.url));
const opening = { onFailure() {} };

for (const [kind, skip] of /** @type {const} */ ([
  ['file', false],
  ['sqlite', skipSqlite],
])) {
  describe(`The lock of a storage (${kind})`, { skip }, () => {
    it('refuses another process while its owner lives, and outlives no kill -9', async () => {
      const folder = freshFolder();
      const owner = await opener(kind, folder);
      assert.deepEqual(owner.said, { open: 0 });
      for (let times = 0; times < 2; times += 1) {
        const second = await opener(kind, folder);
        assert.equal(second.said.refused.code, 'storage_locked');
      }
      await assert.rejects(lg.openDurablePool({ storage: storageIn(kind, folder) }), {
        code: 'storage_locked',
      });
      await owner.kill();
      const pool = await lg.openDurablePool({ storage: storageIn(kind, folder) });
      const third = await opener(kind, folder);
      assert.equal(third.said.refused.code, 'storage_locked');
      await pool.close();
      const last = await opener(kind, folder);
      assert.deepEqual(last.said, { open: 0 });
      await last.close();
    });

    it('lets in one of many who come at once', async () => {
      const folder = freshFolder();
      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.allSettled(
          Array.from({ length: 8 }, () => storageIn(kind, folder).open(opening)),
        );
        const open = answers.filter(({ status }) => status === 'fulfilled');
        assert.ok(open.length <= 1, `${open.length} are in`);
        for (const answer of answers)
          if (answer.status === 'rejected') assert.equal(answer.reason.code, 'storage_locked');
        for (const answer of open) await answer.value.close();
      }
      await (await storageIn(kind, folder).open(opening)).close();
    });
  });
}

describe('The lock of a directory', () => {
  it('takes away the sockets of those who have gone, and nothing else', async () => {
    const folder = freshFolder();
    for (let times = 0; times < 2; times += 1) await (await opener('file', folder)).kill();
    const directory = path.join(folder, 'pool');
    writeFileSync(path.join(directory, 'notes.txt'), 'mine');
    const session = await storageIn('file', folder).open(opening);
    assert.equal(readdirSync(directory).filter((name) => name.startsWith('lock-')).length, 1);
    await session.close();
    assert.deepEqual(readdirSync(directory), ['00000000000000000000.journal', 'notes.txt']);
  });

  it('takes away what a crash left of one that was not finished, and no directory', async () => {
    const directory = path.join(freshFolder(), 'pool');
    mkdirSync(path.join(directory, 'lock-0123456789abcdef'), { recursive: true });
    mkdirSync(path.join(directory, 'lock-0123456789abcdef.new'));
    const unfinished = path.join(directory, 'lock-fedcba9876543210.new');
    const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', script, unfinished]), 'close');
    assert.ok(readdirSync(directory).includes(path.basename(unfinished)));
    // One that listens is on its way to be a lock.
    const server = createServer();
    const coming = 'lock-00000000000000aa.new';
    await new Promise((resolve) => server.listen(path.join(directory, coming), () => resolve(null)));
    const session = await fileStorage({ directory }).open(opening);
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.includes('.new') || name.includes('cdef')),
      [coming, 'lock-0123456789abcdef', 'lock-0123456789abcdef.new'],
    );
    await session.close();
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(readdirSync(directory), ['lock-0123456789abcdef', 'lock-0123456789abcdef.new']);
  });

  it('is one process’s at a time, however many want it, take it and die with it', async () => {
    const folder = freshFolder();
    const end = Date.now() + 3000;
    const found = { taken: 0, died: 0 };
    const another = async () => {
      while (Date.now() < end) {
        const args = [LOCK_CHILD, folder, path.join(folder, 'mark'), String(end - Date.now())];
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
        let said = '';
        child.stdout.on('data', (part) => {
          said += part;
        });
        child.stderr.on('data', (part) => {
          said += part;
        });
        const [code, signal] = await once(child, 'close');
        if (signal === 'SIGKILL') found.died += 1;
        else assert.equal(code, 0, said);
        found.taken += Number(said) || 1;
      }
    };
    await Promise.all([another(), another(), another()]);
    assert.ok(found.died > 0 && found.taken > 5, JSON.stringify(found));
  });

  it('is there too where paths are longer than the address of a socket', {
    skip: process.platform !== 'linux',
  }, async () => {
    const directory = path.join(
      freshFolder(),
      ...Array.from({ length: 6 }, (_, index) => `${index}`.repeat(40)),
    );
    const session = await fileStorage({ directory }).open(opening);
    await assert.rejects(fileStorage({ directory }).open(opening), { code: 'storage_locked' });
    await session.close();
    assert.deepEqual(readdirSync(directory), []);
  });

  it('can be in another directory', async () => {
    const folder = freshFolder();
    const options = { directory: path.join(folder, 'pool'), lockDirectory: path.join(folder, 'lock') };
    const session = await fileStorage(options).open(opening);
    assert.equal(readdirSync(options.lockDirectory).length, 1);
    await assert.rejects(fileStorage(options).open(opening), { code: 'storage_locked' });
    // Of one storage alone: another one finds it taken.
    const other = { ...options, directory: path.join(folder, 'other') };
    await assert.rejects(fileStorage(other).open(opening), { code: 'storage_locked' });
    await session.close();
    await (await fileStorage(other).open(opening)).close();
  });

  it('is not given while somebody answers whose name is like a lock’s', async () => {
    const directory = path.join(freshFolder(), 'pool');
    mkdirSync(directory);
    const server = createServer();
    await new Promise((resolve) =>
      server.listen(path.join(directory, 'lock-0123456789abcdef'), () => resolve(null)),
    );
    await assert.rejects(fileStorage({ directory }).open(opening), { code: 'storage_locked' });
    await new Promise((resolve) => server.close(resolve));
    await (await fileStorage({ directory }).open(opening)).close();
  });
});
