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
/** UTF-8 bytes of an opaque id. */
export declare const MAX_OPAQUE_ID_BYTES: 256;
/** UTF-8 bytes of a free text: event type, subtype, failure, message, reason. */
export declare const MAX_TEXT_BYTES: 4096;
/** Bytes of the JSON text that resolves a control request (1 MiB). */
export declare const MAX_CONTROL_VALUE_BYTES: 1048576;
/** Arrays and objects around one another in a JSON text. */
export declare const MAX_JSON_DEPTH: 10000;
/** Port of an endpoint. */
export declare const MAX_PORT: 65535;
/** beginHistory, flushHistory and drop calls of one gate that are open at a time. */
export declare const MAX_GATE_CALLS: 65536;
/** recover and close calls of one coordinator that are open at a time. */
export declare const MAX_RECOVERY_CALLS: 65536;
/** Transports of one coordinator whose close has not settled. */
export declare const MAX_TRANSPORT_CLOSES: 1024;
/** Default of maxRecords: delivery tracker, control registry. */
export declare const DEFAULT_MAX_RECORDS: 65536;
/** Default of maxHistory: transitions that a lifecycle remembers. */
export declare const DEFAULT_MAX_HISTORY: 1024;
/** Default of capacity: events that a gate holds. */
export declare const DEFAULT_GATE_CAPACITY: 100000;
/** Default of maxBytes: payload bytes that a gate holds (64 MiB). */
export declare const DEFAULT_GATE_MAX_BYTES: 67108864;
/** Default of closeTimeoutMs. */
export declare const DEFAULT_CLOSE_TIMEOUT_MS: 3000;
/** The one version of journals, records and snapshots that is written and read. */
export declare const JOURNAL_VERSION: 1;
/** Bytes of the longest record, framing aside (32 MiB). */
export declare const MAX_RECORD_BYTES: 33554432;
/** Ceiling of the bytes of records that wait to be taken (256 MiB). */
export declare const MAX_JOURNAL_BYTES: 268435456;
/** Bytes of records that wait to be taken, unless told otherwise (16 MiB). */
export declare const DEFAULT_JOURNAL_BYTES: 16777216;
