// The journal's names, numbers and errors, and which number each command has in a record (docs/journal-format.md).
// The fields of a record are those of the command in the schemas of its contract.

export const name = 'journal';

export const constants = [
  ['JOURNAL_VERSION', 1, 'The one version of journals, records and snapshots that is written and read.'],
  ['MAX_RECORD_BYTES', 32 * 1024 * 1024, 'Bytes of the longest record, framing aside (32 MiB).'],
  ['MAX_JOURNAL_BYTES', 256 * 1024 * 1024, 'Ceiling of the bytes of records that wait to be taken (256 MiB).'],
  ['DEFAULT_JOURNAL_BYTES', 16 * 1024 * 1024, 'Bytes of records that wait to be taken, unless told otherwise (16 MiB).'],
];

// What surrounds the body of a record or snapshot (docs/journal-format.md). For both languages, but not for users.
export const internalConstants = [
  ['FRAME_HEAD_BYTES', 8, 'What stands before a body: its length, and the checksum of these bytes.'],
  ['FRAME_TAIL_BYTES', 4, 'What stands behind a body: its checksum.'],
  ['MAX_HEADER_BYTES', 4096, 'No header of a journal is longer, with all that surrounds it.'],
];

export const enums = {
  JournalForm: ['journal', 'snapshot'],
  JournalContract: ['coordination', 'results'],
  JournalFault: [
    'ends_early',
    'trailing_bytes',
    'record_too_long',
    'integer_not_canonical',
    'integer_out_of_range',
    'unknown_name',
    'text_too_long',
    'list_too_long',
  ],
  SnapshotFault: [
    'limits',
    'counters',
    'worker',
    'worker_order',
    'task',
    'task_order',
    'lease',
    'result',
    'result_order',
    'bounds',
    'invariant',
  ],
};

export const errors = [
  {
    code: 'journal_bad_magic',
    fields: { expected: 'JournalForm' },
    message: 'These bytes are no {expected} of leasegate: they do not begin like one.',
  },
  {
    code: 'journal_unknown_version',
    fields: { version: 'count', supported: 'count' },
    message: 'The format has version {version}; this leasegate reads version {supported}.',
  },
  {
    code: 'journal_wrong_contract',
    fields: { expected: 'JournalContract', actual: 'JournalContract' },
    message: 'The bytes belong to {actual}; {expected} was expected.',
  },
  {
    code: 'journal_truncated',
    fields: { offset: 'count', bytes: 'count' },
    message: 'The last record, at byte {offset}, is cut off: of it there are only {bytes} bytes. All before it is whole.',
  },
  {
    code: 'journal_checksum_mismatch',
    fields: { offset: 'count' },
    message: 'The record at byte {offset} is damaged: its checksum does not fit.',
  },
  {
    code: 'journal_malformed',
    fields: { reason: 'JournalFault', offset: 'count' },
    message: 'What stands at byte {offset} is not as the format has it: {reason}.',
  },
  {
    code: 'journal_unknown_kind',
    fields: { kind: 'count', offset: 'count' },
    message: 'The record at byte {offset} is of the kind {kind}, which this leasegate does not know.',
  },
  {
    code: 'journal_revision_gap',
    fields: { expected: 'u64', actual: 'u64' },
    message: 'The next record has to make revision {expected}, but makes {actual}.',
  },
  {
    code: 'journal_no_effect',
    fields: { revision: 'u64' },
    message: 'The record for revision {revision} changes nothing: its command was done before.',
  },
  {
    code: 'journal_snapshot_required',
    fields: { revision: 'u64' },
    message: 'The journal begins after revision {revision}: it needs a snapshot of that revision or a later one.',
  },
  {
    code: 'journal_limits_differ',
    fields: { name: 'LimitName' },
    message: 'The journal was written under another {name}.',
  },
  {
    code: 'journal_snapshot_invalid',
    fields: { reason: 'SnapshotFault', offset: 'count' },
    message: 'The snapshot, read up to byte {offset}, holds no state that can be: {reason}.',
  },
  {
    code: 'journal_full',
    fields: { limit: 'count' },
    message: 'The journal holds {limit} bytes at most, and they have to be taken first; the command was not applied.',
  },
  {
    code: 'journal_blocked',
    fields: { revision: 'u64' },
    message: 'The sink of the journal has failed at revision {revision}; until the records are taken no command is applied.',
  },
];

export const limits = {};
export const inputs = {};
export const tokens = {};
export const records = {};
export const unions = {};

// What the boundary can be asked for beside the commands: of one machine, then of bytes alone.
export const commands = {};
export const commandHeaders = ['journal/record.hpp'];
export const queries = [
  'attach',
  'take',
  'taken',
  'block',
  'header',
  'apply_batch',
  'state_digest',
  'export_snapshot',
  'release',
];

// A kind is a command for ever: numbers are not used again.
export const kinds = {
  coordination: {
    register_worker: 1,
    reactivate_worker: 2,
    update_worker: 3,
    deregister_worker: 4,
    prune_dead_workers: 5,
    enqueue: 6,
    assign_task: 7,
    assign_next: 8,
    assign_next_available: 9,
    start_task: 10,
    complete_task: 11,
    fail_task: 12,
    cancel_task: 13,
    recover_expired_leases: 14,
    expire_old_tasks: 15,
    renew_lease: 16,
    retire_tasks: 17,
    forget_worker: 18,
  },
  results: {
    store_result: 64,
    remove_results: 65,
  },
};
