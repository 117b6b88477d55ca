/// <reference lib="esnext.disposable" />

import type * as bridge from './types/bridge.js';
import type * as constants from './types/constants.js';
import type { Absent, U64 } from './types/common.js';
import type { PoolOptions, TaskQueue, WorkerPool, taskAgeSecs } from './types/coordination.js';
import type { openDurableAggregator, openDurablePool } from './types/durable.js';
import type { LeasegateError } from './types/errors.js';
import type { History, HistoryOptions } from './types/history.js';
import type {
  JournalOptions,
  ResultAggregatorFromBytes,
  readJournalHeader,
  readRecords,
  WorkerPoolFromBytes,
} from './types/journal.js';
import type { AggregatorOptions, ResultAggregator } from './types/results.js';

export type * from './types/bridge.js';
export type * from './types/common.js';
export * from './types/constants.js';
export type * from './types/coordination.js';
export { taskAgeSecs } from './types/coordination.js';
export type * from './types/durable.js';
export type * from './types/errors.js';
export { LeasegateError } from './types/errors.js';
export type * from './types/history.js';
export type * from './types/journal.js';
export type * from './types/results.js';

// Platforms name these; without their types only bytes are offered.
type GlobalUrl = typeof globalThis extends { URL: { prototype: infer T } } ? T : never;
type GlobalModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T : never;

export interface LeasegateOptions {
  /** The Wasm module, when not the one that came with the package: its address, its bytes, or it compiled. */
  wasm?: GlobalUrl | ArrayBuffer | ArrayBufferView | GlobalModule | null | undefined;
  memory?:
    | {
        /** 1 MiB to maximumBytes; rounded up to 64 KiB. Default 1 MiB. */
        initialBytes?: number | null | undefined;
        /** Up to 2 GiB, the default. Reaching it gives `out_of_memory`. */
        maximumBytes?: number | null | undefined;
      }
    | null
    | undefined;
}

/** One isolated instance of the core, with memory of its own. */
export type Leasegate = typeof constants & {
  /** Errors: invalid_limit, count_limit_exceeds_maximum, time_limit_exceeds_maximum, retry_limit_exceeds_maximum, invalid_limit_relationship. */
  readonly WorkerPool: WorkerPoolFromBytes & {
    new (options?: (PoolOptions & JournalOptions) | null): WorkerPool;
    readonly prototype: WorkerPool;
  };
  /** A queue by itself, without workers. Errors: as WorkerPool. */
  readonly TaskQueue: { new (options?: PoolOptions | null): TaskQueue; readonly prototype: TaskQueue };
  /** Errors: invalid_limit, count_limit_exceeds_maximum, invalid_limit_relationship. */
  readonly ResultAggregator: ResultAggregatorFromBytes & {
    new (options?: (AggregatorOptions & JournalOptions) | null): ResultAggregator;
    readonly prototype: ResultAggregator;
  };
  /**
   * Over a pool's journal, which is copied: at most MAX_JOURNAL_BYTES, else a RangeError. Errors: those of
   * `WorkerPool.replay` for a header and a snapshot.
   */
  readonly History: {
    new (journal: Uint8Array | ArrayBuffer, options?: HistoryOptions | Absent): History;
    readonly prototype: History;
  };
  /** Errors: invalid_epoch. */
  readonly EpochFence: { new (initial: U64): bridge.EpochFence; readonly prototype: bridge.EpochFence };
  /** From what was seen before; default 0, nothing. */
  readonly Cursor: { new (sequence?: U64 | Absent): bridge.Cursor; readonly prototype: bridge.Cursor };
  /** Errors: invalid_capacity. */
  readonly Deduper: {
    new (options: bridge.DeduperOptions): bridge.Deduper;
    readonly prototype: bridge.Deduper;
  };
  /** Errors: invalid_capacity. */
  readonly DeliveryTracker: {
    new (options?: bridge.TrackerOptions | Absent): bridge.DeliveryTracker;
    readonly prototype: bridge.DeliveryTracker;
  };
  /** Errors: invalid_capacity. */
  readonly ControlRegistry: {
    new (options?: bridge.TrackerOptions | Absent): bridge.ControlRegistry;
    readonly prototype: bridge.ControlRegistry;
  };
  /** Errors: invalid_capacity. */
  readonly Lifecycle: {
    new (options?: bridge.LifecycleOptions | Absent): bridge.Lifecycle;
    readonly prototype: bridge.Lifecycle;
  };
  /** Errors: invalid_identifier. */
  readonly WorkLifecycle: {
    new (id: string): bridge.WorkLifecycle;
    readonly prototype: bridge.WorkLifecycle;
  };
  /** Errors: invalid_capacity. */
  readonly FlushGate: {
    new (options?: bridge.GateOptions | Absent): bridge.FlushGate;
    readonly prototype: bridge.FlushGate;
  };
  readonly TransportRegistry: {
    new (): bridge.TransportRegistry;
    readonly prototype: bridge.TransportRegistry;
  };
  /** Errors: invalid_identifier, invalid_epoch. */
  readonly ReconnectCoordinator: {
    new <T extends bridge.Transport = bridge.Transport>(
      options: bridge.ReconnectOptions<T>,
    ): bridge.ReconnectCoordinator<T>;
    readonly prototype: bridge.ReconnectCoordinator;
  };
  readonly openDurablePool: typeof openDurablePool;
  readonly openDurableAggregator: typeof openDurableAggregator;
  readonly readJournalHeader: typeof readJournalHeader;
  readonly readRecords: typeof readRecords;
  readonly validateOpaqueId: typeof bridge.validateOpaqueId;
  readonly validatePathIdentifier: typeof bridge.validatePathIdentifier;
  readonly validateIdentity: typeof bridge.validateIdentity;
  readonly validateControlKey: typeof bridge.validateControlKey;
  readonly isTerminal: typeof bridge.isTerminal;
  readonly toWire: typeof bridge.toWire;
  readonly fromWire: typeof bridge.fromWire;
  readonly LeasegateError: typeof LeasegateError;
  readonly taskAgeSecs: typeof taskAgeSecs;
};

/**
 * Loads the core and answers a new instance of it. Rejects with a TypeError or RangeError for wrong options, and with
 * the platform's error when the module cannot be loaded.
 */
export declare function createLeasegate(options?: LeasegateOptions | null): Promise<Leasegate>;
