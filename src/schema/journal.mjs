// The journal's names, numbers and errors, and which number each command has in a record (docs/journal-format.md).
// The fields of a record are those of the command in the schemas of its contract.

export const name = 'journal';

/** The core's own: nothing of it crosses the boundary's frame but its errors. */
export const core = true;

export const constants = [
  ['JOURNAL_VERSION', 1, 'The one version of journals, records and snapshots that is written and read.'],
  ['MAX_RECORD_BYTES', 32 * 1024 * 1024, 'Bytes of the longest record, framing aside (32 MiB).'],
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
    fields: { offset: 'u64', bytes: 'u64' },
    message: 'The last record, at byte {offset}, is cut off: of it there are only {bytes} bytes. All before it is whole.',
  },
  {
    code: 'journal_checksum_mismatch',
    fields: { offset: 'u64' },
    message: 'The record at byte {offset} is damaged: its checksum does not fit.',
  },
  {
    code: 'journal_malformed',
    fields: { reason: 'JournalFault', offset: 'u64' },
    message: 'What stands at byte {offset} is not as the format has it: {reason}.',
  },
  {
    code: 'journal_unknown_kind',
    fields: { kind: 'count', offset: 'u64' },
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
    fields: { reason: 'SnapshotFault', offset: 'u64' },
    message: 'The snapshot, read up to byte {offset}, holds no state that can be: {reason}.',
  },
  {
    code: 'journal_full',
    fields: { limit: 'count' },
    message: 'The journal holds {limit} bytes that nobody has taken yet; the command was not applied.',
  },
];

export const limits = {};
export const inputs = {};
export const tokens = {};

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
