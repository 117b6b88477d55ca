import type { Storage } from './types.js';

export type * from './types.js';

export interface SqliteStorageOptions {
  /** The database: of this storage alone, made if it is missing, in a directory that is there. */
  file: string;
  /**
   * `full`, the default: every commit is synced. `normal`: a crash of the process loses nothing, one of the machine
   * what was committed since the last checkpoint of the log.
   */
  synchronous?: 'full' | 'normal' | null | undefined;
  /** Chapters to keep, the one that is written to among them: 1 to 1,000. Default 2. */
  keepChapters?: number | null | undefined;
  /** The class of package better-sqlite3. Default: what is installed beside leasegate. */
  Database?: (new (file: string, options: { timeout: number }) => object) | null | undefined;
}

/** A machine's journal and snapshots in a SQLite database. For Node.js, with package better-sqlite3. */
export declare function sqliteStorage(options: SqliteStorageOptions): Storage;
