import type { LeasegateError } from '../types/errors.js';

/**
 * A place for one machine's journal and snapshots: what openDurablePool and openDurableAggregator take. The adapters of
 * leasegate/storage are such places, and so is whatever else keeps to what is said here. All bytes are opaque to it.
 *
 * What it holds is a sequence of chapters. A chapter has a base, which is a revision; a snapshot of the state at its
 * base, unless that is 0; and a journal, which is a header and the records after the base. A chapter's journal ends
 * where the next chapter begins.
 *
 * Only one session may be open at a time, whatever process or tab it is in.
 */
export interface Storage {
  /**
   * Rejects with storage_locked, storage_failed or storage_damaged. A session that lacks any of what is said below is a
   * TypeError of who opens the pool.
   */
  open(options: StorageOpenOptions): Promise<StorageSession>;
}

export interface StorageOpenOptions {
  /**
   * To be told at most once, of a failure that no call was waiting for: a sync in the background, a lock that was lost.
   * Every later call of the session rejects.
   */
  readonly onFailure: (error: LeasegateError) => void;
}

export interface Chapter {
  readonly base: bigint;
  /** What an error calls the snapshot, a file's name for one; null: there is none. */
  readonly snapshot: string | null;
  /** What an error calls the journal; null: a crash came before it. */
  readonly journal: string | null;
}

export interface NewChapter {
  readonly base: bigint;
  /** Null only for the base 0. */
  readonly snapshot: Uint8Array | null;
  readonly header: Uint8Array;
  /**
   * Bases of chapters that were found damaged. They are not counted among those that are kept: they go when the sound
   * ones before them go, since those need their journals. Absent: none.
   */
  readonly damaged?: readonly bigint[];
}

/** Records as they were accepted, one after the other: one write, and one sync. */
export interface RecordGroup {
  readonly bytes: Uint8Array;
  /** That the last of them made. Rises from group to group. */
  readonly revision: bigint;
}

/**
 * One open storage. Its calls come one at a time, except close, which may come whenever another has failed. A call that
 * rejects has failed for good: nothing but close is called after it, and none of it is tried again.
 */
export interface StorageSession {
  /** What was there when it was opened, bases rising. */
  readonly chapters: readonly Chapter[];
  /**
   * Whether a crash leaves of a group all or nothing. If not, it may leave any beginning of it, or a beginning and then
   * zeros, and truncateJournal is needed. Anything else that it leaves is told as damage.
   */
  readonly atomicAppends: boolean;
  readSnapshot(base: bigint): Promise<Uint8Array>;
  /** Header and records. */
  readJournal(base: bigint): Promise<Uint8Array>;
  /** Cuts the journal of the last chapter to so many bytes, durably. */
  truncateJournal?(base: bigint, size: number): Promise<void>;
  /**
   * Makes all that was appended durable, then begins a chapter: durably, whatever else was asked for, and all of it or,
   * after a crash, nothing that matters. Only then may old chapters go. Takes the place of a chapter with the same base
   * that has no records. Groups are appended to it from now on.
   */
  beginChapter(chapter: NewChapter): Promise<void>;
  /** To the last chapter. Resolves when the group is as durable as the storage was asked for. */
  append(group: RecordGroup): Promise<void>;
  /** Resolves when all that was appended is durable, whatever the storage was asked for. */
  sync(): Promise<void>;
  /** Lets go of everything, the lock last. Syncs nothing. May be called again. */
  close(): Promise<void>;
}
