/// <reference lib="esnext.disposable" />

import type {
  AssignNextAvailableOptions,
  AssignNextOptions,
  AssignTaskOptions,
  Attempt,
  CancellationOutcome,
  CancelTaskOptions,
  CommandOptions,
  CompletionOutcome,
  DeregisterWorkerOptions,
  DistributedLimits,
  EnqueueOptions,
  ExpireOldTasksOptions,
  FailTaskOptions,
  FailureOutcome,
  ForgetWorkerOptions,
  Leasegate,
  LeasegateError,
  LeaseOptions,
  QueuedTask,
  ReactivateWorkerOptions,
  RecoverySummary,
  RegisterWorkerOptions,
  RemoveResultsOptions,
  RenewLeaseOptions,
  ResultLimits,
  RetireTasksOptions,
  ScanTask,
  StartOutcome,
  StateSnapshot,
  StoreOutcome,
  StoreResultOptions,
  TaskLease,
  TaskResult,
  Transition,
  U64,
  UpdateWorkerOptions,
  WorkerNode,
} from 'leasegate';

type Optional<T> = T | null | undefined;

/** Whether a command that another host's command has overtaken is decided anew: how often, or never. */
export type Rebase = false | { readonly attempts: number };

/** What every command of a cluster may name, beside its own arguments. */
export interface ClusterCommandOptions {
  /** The revision that the caller decided on. Absent: whatever is current when it is this command's turn. */
  expectedRevision?: Optional<U64>;
  /** Default: the cluster's. A rebased command expects the current revision each time. */
  rebase?: Optional<Rebase>;
  /** Rejects with the signal's reason. A command that is on its way may be accepted all the same. */
  signal?: Optional<AbortSignal>;
  /** From 1. Default: commandTimeoutMs. Then cluster_unavailable, with the outcome as far as it is known. */
  timeoutMs?: Optional<number>;
}

/** A command's own arguments. The host has the clock, so there is no `now`. */
type Arguments<O extends { expectedRevision: U64 }> = Omit<O, keyof CommandOptions | 'expectedRevision'> &
  ClusterCommandOptions;
type Command<O extends { expectedRevision: U64 }, T> = (options: Arguments<O>) => Promise<Transition<T>>;
type TryCommand<O extends { expectedRevision: U64 }, T> = (options: Arguments<O>) => Promise<Attempt<T>>;

interface Commands {
  registerWorker: [RegisterWorkerOptions, WorkerNode];
  reactivateWorker: [ReactivateWorkerOptions, WorkerNode];
  updateWorker: [UpdateWorkerOptions, WorkerNode];
  deregisterWorker: [DeregisterWorkerOptions, RecoverySummary];
  pruneDeadWorkers: [CommandOptions, RecoverySummary];
  assignTask: [AssignTaskOptions, TaskLease];
  assignNext: [AssignNextOptions, TaskLease];
  assignNextAvailable: [AssignNextAvailableOptions, TaskLease];
  startTask: [LeaseOptions, StartOutcome];
  completeTask: [LeaseOptions, CompletionOutcome];
  failTask: [FailTaskOptions, FailureOutcome];
  cancelTask: [CancelTaskOptions, CancellationOutcome];
  recoverExpiredLeases: [CommandOptions, RecoverySummary];
  expireOldTasks: [ExpireOldTasksOptions, number];
  renewLease: [RenewLeaseOptions, TaskLease];
  retireTasks: [RetireTasksOptions, number];
  forgetWorker: [ForgetWorkerOptions, number];
}

type PoolCommands = { readonly [K in keyof Commands]: Command<Commands[K][0], Commands[K][1]> };
type PoolAttempts = { readonly [K in keyof Commands]: TryCommand<Commands[K][0], Commands[K][1]> };

/**
 * The pool that all hosts share. Commands are those of `WorkerPool`, as promises: one resolves once its record stands
 * in the log and this host has applied everything before it. Reads are of this host's replica, at once, and may lie
 * behind other hosts: `sync()` brings them up to date.
 *
 * Besides the errors of the command: revision_conflict, cluster_unavailable, cluster_closed, cluster_busy,
 * cluster_clock_skew, cluster_record_too_large, cluster_diverged.
 */
export interface ClusterPool extends PoolCommands {
  /** The same commands for hosts that expect refusals: an error of the contract is an answer. */
  readonly try: PoolAttempts;
  readonly taskQueue: {
    readonly enqueue: Command<EnqueueOptions, QueuedTask>;
    readonly try: { readonly enqueue: TryCommand<EnqueueOptions, QueuedTask> };
    peekNext(): QueuedTask | null;
    getTask(taskId: string): ScanTask | null;
    tasks(): ScanTask[];
    snapshot(): StateSnapshot;
  };
  readonly revision: bigint;
  snapshot(): StateSnapshot;
  getWorker(workerId: string): WorkerNode | null;
  getWorkers(): WorkerNode[];
  /** The worker that assignNextAvailable would take at this host's second. Errors: cluster_clock_skew. */
  getAvailableWorker(): WorkerNode | null;
  checkInvariants(): void;
  /** Equal on all hosts at equal revisions. */
  stateDigest(): string;
  exportSnapshot(): Uint8Array;
  journalHeader(): Uint8Array;
}

/** Results that all hosts share: bytes in the object store, receipts and SHA-256 digests in a log of their own. */
export interface ClusterResults {
  readonly try: {
    storeResult(options: Arguments<StoreResultOptions>): Promise<Attempt<StoreOutcome>>;
    removeResults(options: Arguments<RemoveResultsOptions>): Promise<Attempt<number>>;
  };
  storeResult(options: Arguments<StoreResultOptions>): Promise<Transition<StoreOutcome>>;
  removeResults(options: Arguments<RemoveResultsOptions>): Promise<Transition<number>>;
  /** The bytes, once they have proved to be those that were stored. Errors: invalid_task, cluster_result_lost, cluster_unavailable. */
  getResult(taskId: string): Promise<Uint8Array | null>;
  /** All of these, in exactly this order, or an error: those of `ResultAggregator`, and of `getResult`. */
  aggregateResults(taskIds: readonly string[]): Promise<TaskResult[]>;
  readonly revision: bigint;
  readonly resultCount: number;
  stateDigest(): string;
}

export interface ClusterStatus {
  readonly state: 'joining' | 'live' | 'stopped' | 'closed';
  /** Why it has stopped. */
  readonly error: Error | null;
  /** Null after `close()`. */
  readonly revision: bigint | null;
  /** Of the last message of the stream that was applied. */
  readonly sequence: bigint;
  /** Commands of this host without an answer. */
  readonly pending: number;
  /** Commands of this host that were accepted. */
  readonly settled: number;
  /** How often another host's command was faster. */
  readonly conflicts: number;
  /** Commands that were decided anew. */
  readonly rebased: number;
  /** Messages that were passed over because the one that they build on was overtaken. */
  readonly voids: number;
  /** How often the consumer was begun anew. */
  readonly reopened: number;
  readonly snapshotsWritten: number;
  readonly snapshotsFailed: number;
  /** This host's clock against the server's, above 0 when it is ahead; null before it was measured. */
  readonly skewSecs: number | null;
  /** The seconds that other hosts' records carry against the server's clock, by host: samples, about one a second. */
  readonly hosts: { readonly [host: string]: number };
  /** What JetStream last refused a publish with; null while it refuses nothing. 10077: the stream is full. */
  readonly apiCode: number | null;
}

/** A connection of `@nats-io/transport-node`, or of `wsconnect` of `@nats-io/nats-core`. */
export interface NatsConnectionLike {
  publish(subject: string, payload?: Uint8Array | string): void;
  request(subject: string, payload?: Uint8Array | string): Promise<object>;
  subscribe(subject: string): object;
  status(): AsyncIterable<{ readonly type: string }>;
  closed(): Promise<unknown>;
  isClosed(): boolean;
}

export interface ClusterOptions {
  /** Yours, with its servers, credentials and TLS; it stays open when the host leaves. In browsers `wsconnect`. */
  connection: NatsConnectionLike;
  /** 1 to 64 letters, digits and hyphens. All hosts of the same name share one coordinator. */
  name: string;
  /** Those of the pool. The first host decides; whoever names others is refused (cluster_limits_differ). Absent: what is there, else the defaults. */
  limits?: Optional<Partial<DistributedLimits>>;
  /** The host's time in whole Unix seconds. Default: the system's. */
  clock?: (() => U64) | undefined;
  /** How far this host's clock may be from the server's before its commands are refused, from 1; null: not compared. Default 5. */
  maxSkewSecs?: number | null | undefined;
  /** Of commands that do not say it themselves. 0 to 1,000 attempts. Default false. */
  rebase?: Optional<Rebase>;
  /** Limits of the results; `maxTotalBytes` and `maxAggregateBytes` are not counted. False: no results, no stream for them. */
  results?: Optional<
    | false
    | {
        readonly limits?: Optional<
          Partial<Pick<ResultLimits, 'maxResults' | 'maxResultBytes' | 'maxAggregateItems'>>
        >;
      }
  >;
  /** Copies that the servers keep of the streams and the bucket that this host makes: 1 to 5. Streams that are there must have as many. Default 1. */
  replicas?: Optional<number>;
  /** The most that the stream may hold, in bytes; then commands wait and fail. Default -1: no limit but the server's. */
  maxBytes?: Optional<number>;
  /** How long the server knows message ids again, in seconds: 1 to 86,400. Default 120. */
  dedupeWindowSecs?: Optional<number>;
  /** A snapshot is put every so many messages, up to 1,000,000,000, and the stream trimmed behind the one before; 0: never. Default 10,000. */
  snapshotEvery?: Optional<number>;
  /** Commands of this host that are on their way at a time: 1 to 4,096. Default 128. */
  maxInFlight?: Optional<number>;
  /** Commands of this host without an answer: 1 to 1,000,000. Default 4,096. Reached: cluster_busy. */
  maxPending?: Optional<number>;
  /** How long a command waits for its answer: 1 to 2^31 - 1. Default 30,000. Then cluster_unavailable. */
  commandTimeoutMs?: Optional<number>;
  /** How long joining may take: 1 to 2^31 - 1. Default 60,000. Then cluster_unavailable. */
  joinTimeoutMs?: Optional<number>;
  /** Where answers and messages come in; as the connection's own, where that has one. Default `_INBOX`. */
  inboxPrefix?: Optional<string>;
  /** For JetStream's client: a domain, an API prefix, a timeout. */
  jetstream?: Optional<{ domain?: string; apiPrefix?: string; timeout?: number; checkAPI?: boolean }>;
  /** An instance of the core, for platforms where one has to be made from a module. Default: one of its own. */
  leasegate?: Optional<Leasegate>;
  /** Gives the joining up. */
  signal?: Optional<AbortSignal>;
  /** Told after this host's replica has changed, at most once for each message. What it throws is not caught. */
  onChange?: Optional<(change: { readonly part: 'pool' | 'results'; readonly revision: bigint }) => void>;
}

/** One host's membership. */
export interface Cluster extends AsyncDisposable {
  readonly name: string;
  /** Of this membership: random, new with every join. */
  readonly host: string;
  readonly pool: ClusterPool;
  /** Null when they were not asked for. */
  readonly results: ClusterResults | null;
  /** Resolves when this host has left: with null after `close()`, else with what ended it. Never rejects. */
  readonly closed: Promise<LeasegateError | null>;
  status(): ClusterStatus;
  /** Resolves once this host has applied everything that stands in the log by now. Errors: cluster_unavailable, cluster_closed, cluster_diverged. */
  sync(options?: { readonly signal?: Optional<AbortSignal> }): Promise<void>;
  /** Puts a snapshot now, and trims the stream behind the one before. Answers the pool's revision in it. Errors: cluster_unavailable. */
  snapshotNow(): Promise<bigint>;
  /** Takes no more commands, waits up to 2 s for those on their way, and leaves. Repeated calls do nothing. */
  close(): Promise<void>;
}

/**
 * Joins the cluster of that name, which begins with its first host. Resolves once this host is up to date. Rejects
 * with a TypeError or RangeError for wrong options, the signal's reason, cluster_unavailable, cluster_stream_unfit,
 * cluster_limits_differ, cluster_diverged, the errors of limits, and of snapshots as the `cause` of cluster_diverged.
 */
export declare function joinCluster(
  options: ClusterOptions & { results?: Optional<Exclude<ClusterOptions['results'], false>> },
): Promise<Cluster & { readonly results: ClusterResults }>;
export declare function joinCluster(options: ClusterOptions): Promise<Cluster>;
