// Generated from src/schema by "npm run generate". Do not edit.
// @ts-nocheck


/** The one version of journals, records and snapshots that is written and read. */
export const JOURNAL_VERSION = 1;

/** Bytes of the longest record, framing aside (32 MiB). */
export const MAX_RECORD_BYTES = 33554432;

/** Ceiling of the bytes of records that wait to be taken (256 MiB). */
export const MAX_JOURNAL_BYTES = 268435456;

/** Bytes of records that wait to be taken, unless told otherwise (16 MiB). */
export const DEFAULT_JOURNAL_BYTES = 16777216;

/** What stands before a body: its length, and the checksum of these bytes. */
export const FRAME_HEAD_BYTES = 8;

/** What stands behind a body: its checksum. */
export const FRAME_TAIL_BYTES = 4;

/** No header of a journal is longer, with all that surrounds it. */
export const MAX_HEADER_BYTES = 4096;

export const JournalForm = Object.freeze(['journal', 'snapshot']);

export const JournalContract = Object.freeze(['coordination', 'results']);

export const JournalFault = Object.freeze(['ends_early', 'trailing_bytes', 'record_too_long', 'integer_not_canonical', 'integer_out_of_range', 'unknown_name', 'text_too_long', 'list_too_long']);

export const SnapshotFault = Object.freeze(['limits', 'counters', 'worker', 'worker_order', 'task', 'task_order', 'lease', 'result', 'result_order', 'bounds', 'invariant']);

export const OP_ATTACH = 0;

export const OP_TAKE = 1;

export const OP_TAKEN = 2;

export const OP_BLOCK = 3;

export const OP_HEADER = 4;

export const OP_APPLY_BATCH = 5;

export const OP_STATE_DIGEST = 6;

export const OP_EXPORT_SNAPSHOT = 7;

export const OP_RELEASE = 8;
