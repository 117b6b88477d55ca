import type { Storage } from './types.js';

export type * from './types.js';

export interface IndexedDbStorageOptions {
  /** Of the database: of this storage alone, and of the page's origin. */
  name: string;
  /** Of each write. Default `strict`: it settles when the browser says that it is on the disk. */
  durability?: 'strict' | 'relaxed' | null | undefined;
  /** Chapters to keep, the one that is written to among them: 1 to 1,000. Default 2. */
  keepChapters?: number | null | undefined;
}

/** A machine's journal and snapshots in a database of the browser's. Needs a secure context, for its lock. */
export declare function indexedDbStorage(options: IndexedDbStorageOptions): Storage;
