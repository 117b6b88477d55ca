import type { Storage } from './types.js';

export type * from './types.js';

export interface FileStorageOptions {
  /** Of this storage alone; made if it is missing. On a disk of this machine, not on a network's. */
  directory: string;
  /**
   * `append`, the default: every write is synced before a command settles. `{ everyMs }` (1 to 2^31 - 1, default 1,000): a command
   * settles when the system has the write, which is synced so much later at most; a crash of the process loses nothing,
   * one of the machine what was written since the last sync. `never`: the same, and when it is synced is the system's to
   * choose.
   */
  fsync?: 'append' | 'never' | { everyMs?: number | null | undefined } | null | undefined;
  /** Chapters to keep, the one that is written to among them: 1 to 1,000. Default 2. */
  keepChapters?: number | null | undefined;
  /**
   * Where the lock is, a socket: for a directory whose file system takes none, or, but for Linux, whose path is too long
   * for one. Of this storage alone, and the same for all who open it. Default: the directory itself.
   */
  lockDirectory?: string | null | undefined;
}

/** A machine's journal and snapshots as files of a directory. For Node.js. */
export declare function fileStorage(options: FileStorageOptions): Storage;
