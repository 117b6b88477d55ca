import type { Storage } from '../storage/types.js';
import type { SignalOptions } from './bridge.js';
import type { Absent } from './common.js';
import type { DistributedLimits, TaskQueue, WorkerPool } from './coordination.js';
import type { LeasegateError } from './errors.js';
import type { ResultAggregator, ResultLimits } from './results.js';

interface DurableBounds {
  /** Where the journal and the snapshots are kept. One handle at a time. */
  storage: Storage;
  /**
   * Bytes of records after which a snapshot is taken and a new chapter begun, or as many as the last snapshot had, if
   * that is more: 1,024 to 1 GiB. Default 16 MiB.
   */
  snapshotEveryBytes?: number | Absent;
  /** Commands that may wait until they are durable: 1 to 1,000,000. Default 10,000. Reached: durable_backlog_full. */
  maxPendingCommands?: number | Absent;
  /**
   * Bytes of records that may wait for the write under way: 4,096 to MAX_JOURNAL_BYTES. Default 64 MiB. A record that
   * has no room is refused: durable_backlog_full. For results at least 4,096 and the larger of maxResultBytes and 258
   * for each of maxResults, so that every record has room once the others are written: else a RangeError.
   */
  maxPendingBytes?: number | Absent;
}

export interface DurablePoolOptions extends DurableBounds {
  /** Of a storage that is new. Else those that are named have to be what they were: journal_limits_differ. */
  limits?: Partial<DistributedLimits> | Absent;
}

export interface DurableAggregatorOptions extends DurableBounds {
  /** Of a storage that is new. Else those that are named have to be what they were: journal_limits_differ. */
  limits?: Partial<ResultLimits> | Absent;
}

/** How long a caller waits. Aborted before the call: nothing is applied. Aborted later: what was applied stays. */
export type Waiting = SignalOptions;

/** The same commands, answered when they are durable. They are applied in the call, as ever. */
type Durably<Commands> = {
  readonly [Name in keyof Commands]: Commands[Name] extends (options: infer Options) => infer Answer
    ? (options: Options, waiting?: Waiting | Absent) => Promise<Answer>
    : never;
};

/** What was found when the storage was opened. Frozen. */
export interface Recovery {
  /** The state that the storage held. */
  readonly revision: bigint;
  /** Of the snapshot that it was made from; null: from the beginning. */
  readonly snapshotRevision: bigint | null;
  /** Records that were applied after it. */
  readonly applied: number;
  /** Bytes that a crash had left of a record, at the very end: cut away. They were never acknowledged. */
  readonly cutBytes: number;
  /** Snapshots that are damaged or missing, by their names, newest first: an older one was taken, and more records. */
  readonly passedOver: readonly string[];
}

/** What durable handles have in common. */
export interface DurableHandle {
  readonly recovery: Recovery;
  /** Of the state that reads see: all that was applied, durable or not. */
  readonly revision: bigint;
  /** All up to here is as durable as the storage was asked for. */
  readonly durableRevision: bigint;
  /** Why no command is taken any more; null while they are. */
  readonly failure: LeasegateError | null;
  stateDigest(): string;
  exportSnapshot(): Uint8Array;
  /** Resolves when all that was applied before is on the disk, whatever the storage was asked for. */
  flush(waiting?: Waiting | Absent): Promise<void>;
  /** The same, and a snapshot is taken and a new chapter begun, unless the last one is of this state. */
  checkpoint(waiting?: Waiting | Absent): Promise<void>;
  /**
   * Takes no further command, writes what waits, makes it durable, and lets go of storage and memory. Rejects when that
   * fails; not when the handle had failed before. Every call gets the same promise.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

type PoolCommands = Pick<
  WorkerPool,
  | 'registerWorker'
  | 'reactivateWorker'
  | 'updateWorker'
  | 'deregisterWorker'
  | 'pruneDeadWorkers'
  | 'assignTask'
  | 'assignNext'
  | 'assignNextAvailable'
  | 'startTask'
  | 'completeTask'
  | 'failTask'
  | 'cancelTask'
  | 'recoverExpiredLeases'
  | 'expireOldTasks'
  | 'renewLease'
  | 'retireTasks'
  | 'forgetWorker'
>;

/**
 * A WorkerPool that keeps what it has answered. A command is applied in the call; its promise settles when all that had
 * been applied by then is as durable as the storage was asked for. That holds for refusals too, and for commands that
 * are recognised as sent again: nobody is told what a crash could take back. Reads are of the applied state, at once.
 *
 * Besides what the pool's own commands are refused with: durable_backlog_full, which has changed nothing, and
 * storage_failed, after which every command is refused with the same error.
 */
export interface DurablePool
  extends DurableHandle,
    Durably<PoolCommands>,
    Pick<WorkerPool, 'getAvailableWorker' | 'getWorker' | 'getWorkers' | 'snapshot' | 'checkInvariants'> {
  readonly taskQueue: DurableTaskQueue;
  /** Refusals are answered, not thrown. The end of the handle is thrown here too: storage_failed, disposed. */
  readonly try: Durably<WorkerPool['try']>;
}

export interface DurableTaskQueue
  extends Durably<Pick<TaskQueue, 'enqueue'>>,
    Pick<TaskQueue, 'peekNext' | 'getTask' | 'tasks' | 'snapshot'> {
  readonly try: Durably<TaskQueue['try']>;
}

/** A ResultAggregator that keeps what it has answered, as a DurablePool does. */
export interface DurableAggregator
  extends DurableHandle,
    Durably<Pick<ResultAggregator, 'storeResult' | 'removeResults'>>,
    Pick<ResultAggregator, 'aggregateResults' | 'getResult' | 'resultCount' | 'totalBytes'> {
  readonly try: Durably<ResultAggregator['try']>;
}

/**
 * The pool that the storage holds, or a new one. Errors: storage_locked, storage_failed, storage_damaged,
 * journal_limits_differ, journal_wrong_contract, journal_unknown_version, journal_unknown_kind, out_of_memory, and those
 * of WorkerPool.
 */
export declare function openDurablePool(options: DurablePoolOptions): Promise<DurablePool>;

/** The same for results. Errors: as openDurablePool, and those of ResultAggregator. */
export declare function openDurableAggregator(options: DurableAggregatorOptions): Promise<DurableAggregator>;
