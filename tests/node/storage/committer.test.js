// The writer by itself, where a machine would have to be out of memory at a certain moment.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LeasegateError } from 'leasegate';
import { Committer } from '../../../js/durable/committer.js';
import { MemoryStorage } from './support/memory-storage.js';

it('a snapshot that finds no memory is put off: what is written stays in the chapter, and only who asked for it is told', async () => {
  const storage = new MemoryStorage();
  const session = await storage.open({ onFailure: assert.fail });
  await session.beginChapter({ base: 0n, snapshot: null, header: Uint8Array.of(1) });
  let waiting = 0;
  const machine = {
    revision: 0n,
    room: false,
    accept() {
      machine.revision += 1n;
      waiting += 100;
    },
    takeRecords() {
      const bytes = new Uint8Array(waiting);
      waiting = 0;
      return bytes;
    },
    exportSnapshot() {
      if (!machine.room) throw new LeasegateError('out_of_memory', 'no room', {});
      return new Uint8Array(50);
    },
    journalHeader: () => Uint8Array.of(1),
    dispose() {},
  };
  const bounds = { snapshotEveryBytes: 1000, maxPendingCommands: 100, maxPendingBytes: 10_000 };
  const committer = new Committer('DurablePool', machine, session, bounds, { snapshotBytes: 0, damaged: [] });
  const write = async () => {
    machine.accept();
    await committer.settled(null);
  };
  for (let turn = 0; turn < 15; turn += 1) await write();
  assert.equal(committer.failure, null);
  assert.deepEqual([...storage.chapters.keys()], [0n]);
  const asked = assert.rejects(committer.barrier(true, null), { code: 'out_of_memory' });
  await Promise.all([asked, committer.barrier(false, null)]);
  machine.room = true;
  for (let turn = 0; turn < 20; turn += 1) await write();
  const bases = [...storage.chapters.keys()];
  assert.equal(bases.length, 2, `${bases}`);
  assert.equal(committer.durableRevision, 35n);
  await committer.close();
});
