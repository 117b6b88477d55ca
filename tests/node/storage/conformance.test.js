// Every storage does what docs/durability.md and js/storage/types.d.ts say of it. tests/browser has the same for IndexedDB.

import { describe, it } from 'node:test';
import { createLeasegate } from 'leasegate';
import { conformance } from './support/conformance.js';
import { MemoryStorage } from './support/memory-storage.js';
import { freshFolder, skipSqlite, storageIn } from './support/places.js';

const lg = await createLeasegate();

/** @type {[name: string, skip: false | string, place: () => (options?: object) => any][]} */
const storages = [
  [
    'memory',
    false,
    () => {
      const storage = new MemoryStorage({ atomicAppends: false });
      return () => storage;
    },
  ],
  [
    'file',
    false,
    () => {
      const folder = freshFolder();
      return (options) => storageIn('file', folder, options);
    },
  ],
  [
    'file, synced now and then',
    false,
    () => {
      const folder = freshFolder();
      return (options) => storageIn('file', folder, { fsync: { everyMs: 1 }, ...options });
    },
  ],
  [
    'file, never synced',
    false,
    () => {
      const folder = freshFolder();
      return (options) => storageIn('file', folder, { fsync: 'never', ...options });
    },
  ],
  [
    'sqlite',
    skipSqlite,
    () => {
      const folder = freshFolder();
      return (options) => storageIn('sqlite', folder, options);
    },
  ],
  [
    'sqlite, normal',
    skipSqlite,
    () => {
      const folder = freshFolder();
      return (options) => storageIn('sqlite', folder, { synchronous: 'normal', ...options });
    },
  ],
];

for (const [kind, skip, place] of storages) {
  describe(`A storage (${kind})`, { skip }, () => {
    for (const { name, run } of conformance) it(name, () => run({ lg, storage: place() }));
  });
}
