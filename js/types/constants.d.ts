/** Bytes of a task, scan or worker id. */
export declare const MAX_IDENTIFIER_BYTES: 256;
/** UTF-8 bytes of a target reference. */
export declare const MAX_TARGET_REF_BYTES: 1024;
/** Phases (bytes) of one task. */
export declare const MAX_TASK_PHASES: 256;
/** Distinct tags of one worker. */
export declare const MAX_WORKER_TAGS: 5;
/** Basis points that make 100 %. */
export declare const UTILIZATION_BASIS_POINTS: 10000;
/** Ceiling of maxTaskRecords and maxTerminalTasks. */
export declare const MAX_TASK_RECORDS: 65536;
/** Ceiling of maxActiveTasks and maxQueuedTasks. */
export declare const MAX_ACTIVE_TASKS: 16384;
/** Ceiling of maxWorkers. */
export declare const MAX_WORKERS: 4096;
/** Slots of one worker. */
export declare const MAX_WORKER_CAPACITY: 4096;
/** Ceiling of maxLeaseTtlSecs, in seconds. */
export declare const MAX_LEASE_TTL_SECS: 86400;
/** Ceiling of maxTaskTtlSecs, in seconds (31 days). */
export declare const MAX_TASK_TTL_SECS: 2678400;
/** Ceiling of heartbeatTimeoutSecs, in seconds. */
export declare const MAX_HEARTBEAT_TIMEOUT_SECS: 86400;
/** Ceiling of maxRetries. */
export declare const MAX_RETRIES: 32;
/** Ceiling of maxResults. */
export declare const MAX_RESULTS: 65536;
/** Ceiling of maxResultBytes, in bytes (16 MiB). */
export declare const MAX_RESULT_BYTES: 16777216;
/** Ceiling of maxTotalBytes and maxAggregateBytes, in bytes (256 MiB). */
export declare const MAX_TOTAL_RESULT_BYTES: 268435456;
/** Ceiling of maxAggregateItems. */
export declare const MAX_AGGREGATE_ITEMS: 65536;
