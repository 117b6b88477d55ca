import type { Absent, Disposable, U64 } from './common.js';
import type {
  CompletionReceipt,
  Priority,
  QueuedTask,
  ScanTask,
  StateSnapshot,
  TaskStatus,
  WorkerNode,
  WorkerPool,
} from './coordination.js';
import type { BatchReport, JournalCommand, JournalRecord } from './journal.js';

export interface HistoryOptions {
  /** The state to begin with: needed where the journal begins later than its pool did. */
  snapshot?: Uint8Array | ArrayBuffer | Absent;
  /** Commands from one kept state to the next: at most so many are done again to reach a revision. 1 to 2^28, default 256. */
  interval?: number | Absent;
  /**
   * States that are kept at most: 1 to 65,536. Default 64. When there would be more, every second one is given up and
   * `interval` doubles: a longer history takes no more memory, but more commands to reach a revision.
   */
  maxSnapshots?: number | Absent;
  /** Bytes of them, likewise: 1 to MAX_JOURNAL_BYTES. Default 64 MiB. */
  maxSnapshotBytes?: number | Absent;
}

/** Everything that a pool held at one revision. Frozen. */
export interface HistoryState {
  /** Revision, logical time, counts. */
  readonly snapshot: StateSnapshot;
  /** By id, bytewise. */
  readonly tasks: readonly ScanTask[];
  /** By id, bytewise. */
  readonly workers: readonly WorkerNode[];
  /** The task that was to be assigned next. */
  readonly next: QueuedTask | null;
}

/** One counter that changed. */
export type ChangedCounter = {
  readonly [F in keyof StateSnapshot]: {
    readonly field: F;
    readonly before: StateSnapshot[F];
    readonly after: StateSnapshot[F];
  };
}[keyof StateSnapshot];

/** One record that is in both states, and in which fields it differs: `before[field]`, `after[field]`. */
export interface ChangedRecord<T, F> {
  readonly before: T;
  readonly after: T;
  /** Never empty. */
  readonly fields: readonly F[];
}

export interface RecordsDiff<T, F> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
  readonly changed: readonly ChangedRecord<T, F>[];
}

/** What is different between two revisions. Frozen; everything by id. */
export interface HistoryDiff {
  readonly from: bigint;
  readonly to: bigint;
  readonly counters: readonly ChangedCounter[];
  /** `ownership` follows from other fields and is not told. */
  readonly tasks: RecordsDiff<ScanTask, Exclude<keyof ScanTask, 'ownership' | 'taskId'>>;
  readonly workers: RecordsDiff<WorkerNode, Exclude<keyof WorkerNode, 'workerId'>>;
}

interface HappenedTo<K> {
  readonly kind: K;
  readonly revision: bigint;
  /** The logical second. */
  readonly now: bigint;
  /** The kind of the command that did it. */
  readonly command: JournalCommand['kind'];
}
interface Held {
  readonly workerId: string;
  readonly workerGeneration: bigint;
  readonly leaseId: bigint;
  readonly attempt: number;
}

/** Why a lease ended without success. */
export type LossReason = 'reported_failed' | 'lease_expired' | 'worker_deregistered' | 'worker_silent';

/** One thing that happened to a task. Narrow by `kind`. */
export type TaskEvent =
  | (HappenedTo<'enqueued'> & { readonly scanId: string; readonly priority: Priority })
  /** Its delay is over: it stands in the queue. */
  | (HappenedTo<'due'> & { readonly notBefore: bigint })
  | (HappenedTo<'leased'> & Held & { readonly expiresAt: bigint })
  | (HappenedTo<'started'> & Held)
  | (HappenedTo<'renewed'> & Held & { readonly expiresAt: bigint; readonly expiredBefore: bigint })
  /** The lease is gone and the task waits again, as a new generation. */
  | (HappenedTo<'requeued'> &
      Held & {
        readonly reason: LossReason;
        readonly taskGeneration: bigint;
        readonly retryCount: number;
        /** Absent: not delayed. */
        readonly notBefore: bigint | null;
      })
  | (HappenedTo<'completed'> & Held & { readonly receipt: CompletionReceipt })
  /** Without a retry left. */
  | (HappenedTo<'failed'> & Held & { readonly reason: LossReason; readonly retryCount: number })
  | (HappenedTo<'cancelled'> & { readonly from: TaskStatus; readonly workerId: string | null })
  | (HappenedTo<'expired'> & {
      readonly from: TaskStatus;
      readonly workerId: string | null;
      readonly ageSecs: bigint;
    })
  /** Forgotten: its id may be used again, and then `enqueued` follows. */
  | (HappenedTo<'retired'> & { readonly from: TaskStatus });

/** The life of a task, as far as the history knows it. Frozen. */
export interface TaskStory {
  readonly taskId: string;
  /** As it was where the history begins; null if it was not there yet. */
  readonly present: ScanTask | null;
  /** In order. Empty with `present` null: there never was such a task. */
  readonly events: readonly TaskEvent[];
  /** As it is at the last revision; null if it is not there. */
  readonly task: ScanTask | null;
}

/**
 * The states of a pool's journal. Reading the journal once keeps a state every `interval` commands; any revision is
 * reached from the nearest one before it. Handles hold memory of the core: dispose of them.
 *
 * A `revision` outside of `revisions` is a RangeError that names it.
 */
export interface History extends Disposable {
  /**
   * How far the journal came. Where it is torn, damaged, or a record does not apply, `stopped` says so and the history
   * ends before.
   */
  readonly report: BatchReport;
  /** The first is that of the snapshot or 0, before any record. */
  readonly revisions: { readonly first: bigint; readonly last: bigint };
  /** As given, or doubled since. */
  readonly interval: number;
  /** States that are kept. */
  readonly snapshots: number;

  /**
   * More records, as a sink is given them; copied. What does not apply is no part of the history, and the report says
   * why. At most MAX_JOURNAL_BYTES altogether, else a RangeError. Errors: out_of_memory, with nothing changed.
   */
  append(records: Uint8Array | ArrayBuffer): BatchReport;
  /** The state after the command that made `revision`. Reads all tasks and workers. */
  at(revision: U64): HistoryState;
  /** Its digest: that of a pool's `stateDigest`. */
  digestAt(revision: U64): string;
  /** A pool of its own in that state, without a journal, to try what would have been. The caller's to dispose of. */
  poolAt(revision: U64): WorkerPool;
  /** The record that made `revision`; null for the first. Offsets are those in the journal. */
  recordAt(revision: U64): JournalRecord | null;
  /** The records that made the revisions from `from` to `to`, both included; default all. */
  records(
    options?: { from?: U64 | Absent; to?: U64 | Absent } | Absent,
  ): Generator<JournalRecord, void, void>;
  /** What has to change in the state at `a` to make it that at `b`, earlier or later. */
  diff(a: U64, b: U64): HistoryDiff;
  /**
   * Everything that happened to a task, in order; also what sweeps did to it, whose records do not name it. Goes through
   * all records once. Errors: invalid_task.
   */
  explain(taskId: string): TaskStory;
}
