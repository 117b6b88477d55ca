import type { Absent, U64 } from './common.js';
import type {
  CompletionReceipt,
  DistributedLimits,
  Priority,
  QueuedTaskFence,
  TaskLease,
  WorkerPool,
  WorkerStatus,
  WorkerTag,
} from './coordination.js';
import type { LeasegateError } from './errors.js';
import type { ResultAggregator, ResultLimits } from './results.js';

/** What a sink is given after an accepted command: its record, or the records of a whole batch. */
export interface JournalEntry {
  /** A copy of the receiver's own; one record after the other. */
  readonly bytes: Uint8Array;
  /** The revision that the last of them made. */
  readonly revision: bigint;
}

/**
 * Called after every accepted command, in order, before the command answers. Refusals and replays leave no record.
 * It must be synchronous: when it returns, its record counts as written, and a promise counts as a failure. It may read
 * the handle and give it commands, but writes its own entry first: theirs come while it runs. If it throws, the command throws `journal_sink_failed`, also where it
 * was only tried: it was applied, its record is kept for `takeRecords`, and until these are taken every command is
 * refused as `journal_blocked`.
 */
export type JournalSink = (entry: JournalEntry) => NoPromise;

/** Anything that is not awaited. `unknown` would let asynchronous functions through. */
type NoPromise =
  // biome-ignore lint/suspicious/noConfusingVoidType: what functions declared as such answer
  void | undefined | null | boolean | number | bigint | string | symbol | (object & { then?: never });

/** Records are kept until `takeRecords`. */
export interface PulledJournal {
  /**
   * Bytes that may wait: 1 to MAX_JOURNAL_BYTES. Default DEFAULT_JOURNAL_BYTES. A command whose record would not fit is
   * refused as `journal_full`.
   */
  maxBytes?: number | undefined;
}

export interface JournalOptions {
  /** Where the records of accepted commands go; absent: nowhere. */
  journal?: JournalSink | PulledJournal | Absent;
}

/** Why and where a run of records stopped. */
export interface BatchStop {
  /** Of the record, counted from 0. */
  readonly index: number;
  /** Where it begins, in bytes. */
  readonly offset: number;
  /**
   * What the bytes are refused for (`journal_truncated`: they end within a record, as a crash while writing leaves
   * them), `journal_revision_gap`, `journal_no_effect`, or what the command was refused with.
   */
  readonly error: LeasegateError;
}

/** How far a run of records came. What was applied stays applied. */
export interface BatchReport {
  /** Records that were applied. */
  readonly applied: number;
  /** The revision now. */
  readonly revision: bigint;
  /** Where they end, in bytes: what is to be applied next begins there. */
  readonly offset: number;
  /** Null when all was applied up to `untilRevision`, or to the end of the records where that comes first. */
  readonly stopped: BatchStop | null;
}

export interface BatchOptions {
  /** Where to stop; absent: at the end. */
  untilRevision?: U64 | Absent;
}

export interface ReplayOptions extends BatchOptions, JournalOptions {
  /** A state to begin with; records that are in it are passed over. That it is of this journal is for the host to know. */
  snapshot?: Uint8Array | ArrayBuffer | Absent;
}

/** What handles whose commands can be recorded have in common. */
export interface Journaled {
  /**
   * Applies records, each making the next revision, and stops at the first that does not apply. In an array every
   * element has to be exactly one record. Errors: out_of_memory; journal_sink_failed of the handle's own sink. Everything else is in the report.
   */
  applyBatch(
    records: Uint8Array | ArrayBuffer | readonly (Uint8Array | ArrayBuffer)[],
    options?: BatchOptions | Absent,
  ): BatchReport;
  /**
   * The records since the last time, one after the other, those first that a sink did not take; empty when there are
   * none, or nothing is kept. Lifts a block.
   */
  takeRecords(): Uint8Array;
  /** The header of a journal that begins with the next command. Errors: out_of_memory. */
  journalHeader(): Uint8Array;
  /** The SHA-256 of the canonical state, as 64 hexadecimal digits: equal states, equal digests, on every platform. Walks everything. */
  stateDigest(): string;
  /** The whole state as versioned, checksummed, canonical bytes. Walks everything. Errors: out_of_memory. */
  exportSnapshot(): Uint8Array;
}

/** Ways to a pool from bytes. Nothing in them is taken on trust. */
export interface WorkerPoolFromBytes {
  /**
   * Errors: journal_bad_magic, journal_truncated, journal_unknown_version, journal_wrong_contract,
   * journal_checksum_mismatch, journal_malformed, journal_snapshot_invalid, out_of_memory.
   */
  fromSnapshot(snapshot: Uint8Array | ArrayBuffer, options?: JournalOptions | Absent): WorkerPool;
  /**
   * The pool that a journal (its header, then its records) leads to. Where the records end early or one does not apply,
   * the report says so and the pool is as it was before. Errors: those of the header and of fromSnapshot,
   * journal_snapshot_required, journal_limits_differ, journal_revision_gap (the snapshot is later than untilRevision).
   */
  replay(
    journal: Uint8Array | ArrayBuffer,
    options?: ReplayOptions | Absent,
  ): { readonly pool: WorkerPool; readonly report: BatchReport };
}

/** Ways to an aggregator from bytes: as those to a pool. */
export interface ResultAggregatorFromBytes {
  fromSnapshot(snapshot: Uint8Array | ArrayBuffer, options?: JournalOptions | Absent): ResultAggregator;
  replay(
    journal: Uint8Array | ArrayBuffer,
    options?: ReplayOptions | Absent,
  ): { readonly aggregator: ResultAggregator; readonly report: BatchReport };
}

// --- Looking into journals

interface HeaderFields<C, L> {
  readonly contract: C;
  /** Of the machine that the journal is of. */
  readonly limits: { readonly [K in keyof L]: number };
  /** The revision after which the journal begins. */
  readonly base: bigint;
  /** Bytes of the header: the records begin behind it. */
  readonly size: number;
}

/** What a journal begins with. Narrow by `contract`. */
export type JournalHeader =
  | HeaderFields<'coordination', DistributedLimits>
  | HeaderFields<'results', ResultLimits>;

/** One record of a journal. */
export interface JournalRecord {
  /** Counted from 0 where the reading began. */
  readonly index: number;
  /** Where it begins and its length, in bytes. */
  readonly offset: number;
  readonly size: number;
  /** The revision that it made; its command expected the one before. */
  readonly revision: bigint;
  readonly command: JournalCommand;
}

export interface RecordedTaskSpec {
  readonly taskId: string;
  readonly scanId: string;
  /** Opaque; not shown by `inspect`. */
  readonly targetRef: string;
  readonly phases: Uint8Array;
  readonly priority: Priority;
}

export interface RecordedWorkerSpec {
  readonly workerId: string;
  readonly capacity: number;
  readonly cpuBasisPoints: number;
  readonly memoryBasisPoints: number;
  readonly networkBasisPoints: number;
  readonly tags: readonly WorkerTag[];
}

export interface RecordedWorkerObservation {
  readonly status: WorkerStatus;
  readonly cpuBasisPoints: number;
  readonly memoryBasisPoints: number;
  readonly networkBasisPoints: number;
}

interface Recorded<K> {
  readonly kind: K;
}
interface RecordedAt<K> extends Recorded<K> {
  readonly now: bigint;
}
interface OfWorker {
  readonly workerId: string;
  readonly generation: bigint;
}
interface UnderLease {
  readonly lease: TaskLease;
}

/** A recorded command, as it was given. Narrow by `kind`. */
export type JournalCommand =
  | (RecordedAt<'register_worker'> & { readonly spec: RecordedWorkerSpec })
  | (RecordedAt<'reactivate_worker'> & {
      readonly expectedGeneration: bigint;
      readonly spec: RecordedWorkerSpec;
    })
  | (RecordedAt<'update_worker'> & OfWorker & { readonly observation: RecordedWorkerObservation })
  | (RecordedAt<'deregister_worker'> & OfWorker)
  | RecordedAt<'prune_dead_workers'>
  | (RecordedAt<'enqueue'> & { readonly spec: RecordedTaskSpec })
  | (RecordedAt<'assign_task'> & {
      readonly taskId: string;
      readonly workerId: string;
      readonly leaseTtlSecs: bigint;
    })
  | (RecordedAt<'assign_next'> & { readonly workerId: string; readonly leaseTtlSecs: bigint })
  | (RecordedAt<'assign_next_available'> & { readonly leaseTtlSecs: bigint })
  | (RecordedAt<'start_task'> & UnderLease)
  | (RecordedAt<'complete_task'> & UnderLease)
  | (RecordedAt<'fail_task'> & UnderLease & { readonly retryAfterSecs: bigint | null })
  | (RecordedAt<'cancel_task'> & { readonly ownership: TaskLease | QueuedTaskFence })
  | RecordedAt<'recover_expired_leases'>
  | (RecordedAt<'expire_old_tasks'> & { readonly taskTtlSecs: bigint })
  | (RecordedAt<'renew_lease'> & UnderLease & { readonly leaseTtlSecs: bigint })
  | (RecordedAt<'retire_tasks'> & { readonly terminalBefore: bigint; readonly limit: bigint })
  | (RecordedAt<'forget_worker'> & OfWorker)
  | (Recorded<'store_result'> & { readonly receipt: CompletionReceipt; readonly bytes: Uint8Array })
  | (Recorded<'remove_results'> & { readonly taskIds: readonly string[] });

/**
 * The header of a journal, read from its first bytes. Errors: journal_bad_magic, journal_truncated,
 * journal_unknown_version, journal_checksum_mismatch, journal_malformed.
 */
export declare function readJournalHeader(journal: Uint8Array | ArrayBuffer): JournalHeader;

/**
 * The records in `records`, from `offset` on (default 0; a journal's begin behind its header), one after the other.
 * Throws at the first that cannot be read: journal_truncated, journal_checksum_mismatch, journal_malformed,
 * journal_unknown_version, journal_unknown_kind.
 */
export declare function readRecords(
  records: Uint8Array | ArrayBuffer,
  options?: { offset?: number | undefined } | Absent,
): Generator<JournalRecord, void, void>;
