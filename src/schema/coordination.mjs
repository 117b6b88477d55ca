// The coordinator's names, numbers and shapes, once for both languages.
// `npm run generate` turns this into src/coordination/*.gen.hpp, bindings/coordination/*.gen.hpp
// and js/generated/coordination.js. Types are explained in scripts/generate.mjs.

export const name = 'coordination';

export const constants = [
  ['MAX_IDENTIFIER_BYTES', 256, 'Bytes of a task, scan or worker id.'],
  ['MAX_TARGET_REF_BYTES', 1024, 'UTF-8 bytes of a target reference.'],
  ['MAX_TASK_PHASES', 256, 'Phases (bytes) of one task.'],
  ['MAX_WORKER_TAGS', 5, 'Distinct tags of one worker.'],
  ['UTILIZATION_BASIS_POINTS', 10_000, 'Basis points that make 100 %.'],
  ['MAX_TASK_RECORDS', 65_536, 'Ceiling of max_task_records and max_terminal_tasks.'],
  ['MAX_ACTIVE_TASKS', 16_384, 'Ceiling of max_active_tasks and max_queued_tasks.'],
  ['MAX_WORKERS', 4_096, 'Ceiling of max_workers.'],
  ['MAX_WORKER_CAPACITY', 4_096, 'Slots of one worker.'],
  ['MAX_LEASE_TTL_SECS', 86_400, 'Ceiling of max_lease_ttl_secs, in seconds.'],
  ['MAX_TASK_TTL_SECS', 2_678_400, 'Ceiling of max_task_ttl_secs, in seconds (31 days).'],
  ['MAX_HEARTBEAT_TIMEOUT_SECS', 86_400, 'Ceiling of heartbeat_timeout_secs, in seconds.'],
  ['MAX_RETRIES', 32, 'Ceiling of max_retries.'],
];

export const enums = {
  Priority: ['low', 'normal', 'high', 'critical'],
  TaskStatus: ['queued', 'leased', 'running', 'completed', 'failed', 'cancelled', 'expired'],
  WorkerStatus: ['healthy', 'busy', 'degraded', 'offline'],
  WorkerTag: ['linux', 'windows', 'gpu', 'internal', 'external'],
  StartKind: ['started', 'already_running'],
  CompletionKind: ['completed', 'already_completed'],
  FailureKind: ['requeued', 'retry_exhausted'],
  CancellationKind: ['cancelled', 'already_cancelled'],
  OwnershipKind: ['none', 'fence', 'lease'],
  Operation: ['complete', 'fail'],
  LimitName: [
    'max_task_records',
    'max_active_tasks',
    'max_queued_tasks',
    'max_terminal_tasks',
    'max_workers',
    'max_retries',
    'max_lease_ttl_secs',
    'max_task_ttl_secs',
    'heartbeat_timeout_secs',
    'max_results',
    'max_result_bytes',
    'max_total_bytes',
    'max_aggregate_items',
    'max_aggregate_bytes',
    'lease_ttl_secs',
    'task_ttl_secs',
    'retire_limit',
  ],
  LimitRelationship: [
    'active_tasks_exceed_task_records',
    'queued_tasks_exceed_active_tasks',
    'terminal_tasks_exceed_task_records',
    'terminal_tasks_below_active_tasks',
    'lease_ttl_exceeds_limit',
    'task_ttl_exceeds_limit',
    'result_bytes_exceed_total_bytes',
    'renewal_not_later',
    'retry_delay_exceeds_limit',
  ],
  CounterName: [
    'revision',
    'lease_id',
    'attempt',
    'record_version',
    'task_generation',
    'worker_generation',
    'completed_tasks',
    'enqueue_ordinal',
    'lease_deadline',
    'result_revision',
    'not_before',
  ],
  InvalidTask: [
    'task_id_empty',
    'task_id_too_long',
    'task_id_unsafe',
    'scan_id_empty',
    'scan_id_too_long',
    'scan_id_unsafe',
    'target_ref_empty',
    'target_ref_too_long',
    'too_many_phases',
    'task_command_id_invalid',
  ],
  InvalidWorker: [
    'worker_id_invalid',
    'capacity_zero',
    'capacity_exceeds_maximum',
    'utilization_exceeds_maximum',
    'too_many_tags',
    'offline_requires_deregister_or_prune',
    'worker_command_id_invalid',
  ],
  Invariant: [
    'task_index',
    'task_counts',
    'task_lifecycle',
    'queue_order',
    'age_order',
    'lease_token',
    'lease_deadlines',
    'worker_index',
    'worker_tasks',
    'worker_ranking',
    'heartbeat_order',
    'bounds',
    'waiting_order',
    'terminal_order',
    'worker_names',
  ],
};

// Listed in the order in which a command checks them, as far as one order fits all commands.
export const errors = [
  { code: 'invalid_limit', fields: { name: 'LimitName' }, message: '{name} must not be 0.' },
  {
    code: 'count_limit_exceeds_maximum',
    fields: { name: 'LimitName', actual: 'u64', maximum: 'u64' },
    message: '{name} is {actual}, but leasegate allows at most {maximum}.',
  },
  {
    code: 'time_limit_exceeds_maximum',
    fields: { name: 'LimitName', actual: 'u64', maximum: 'u64' },
    message: '{name} is {actual} seconds, but leasegate allows at most {maximum}.',
  },
  {
    code: 'retry_limit_exceeds_maximum',
    fields: { actual: 'u64', maximum: 'u64' },
    message: 'max_retries is {actual}, but leasegate allows at most {maximum}.',
  },
  {
    code: 'invalid_limit_relationship',
    fields: { reason: 'LimitRelationship' },
    message: 'These limits, or this length and its limit, do not go together: {reason}.',
  },
  {
    code: 'invalid_task',
    fields: { reason: 'InvalidTask' },
    message:
      'The task is not valid: {reason}. Ids are 1 to 256 bytes of A-Z a-z 0-9 . _ : - and a target_ref has 1 to 1,024 bytes.',
  },
  {
    code: 'invalid_worker',
    fields: { reason: 'InvalidWorker' },
    message:
      'The worker is not valid: {reason}. Ids are 1 to 256 bytes of A-Z a-z 0-9 . _ : -, the capacity is 1 to 4,096 and utilizations are 0 to 10,000 basis points.',
  },
  {
    code: 'revision_conflict',
    fields: { expected: 'u64', actual: 'u64' },
    message: 'The command expected revision {expected}, but the current one is {actual}. Read the state again and decide anew.',
  },
  {
    code: 'logical_time_regression',
    fields: { current: 'u64', proposed: 'u64' },
    message: 'Logical time is {current} already; {proposed} lies before it.',
  },
  {
    code: 'counter_exhausted',
    fields: { counter: 'CounterName' },
    message: 'The counter {counter} would pass its maximum.',
  },
  {
    code: 'task_already_exists',
    fields: { task_id: 'id' },
    message: 'Task {task_id} exists already; an id is free again only when its task has ended and was retired.',
  },
  {
    code: 'task_record_capacity_reached',
    fields: { limit: 'count' },
    message: 'All {limit} task records (max_task_records) are in use.',
  },
  {
    code: 'active_task_capacity_reached',
    fields: { limit: 'count' },
    message: '{limit} tasks (max_active_tasks) are active already.',
  },
  {
    code: 'queued_task_capacity_reached',
    fields: { limit: 'count' },
    message: 'The queue has room for {limit} tasks (max_queued_tasks) and would overflow.',
  },
  {
    code: 'terminal_capacity_reserved',
    fields: { limit: 'count' },
    message: 'The {limit} terminal records (max_terminal_tasks) are taken or reserved for active tasks.',
  },
  {
    code: 'worker_already_exists',
    fields: { worker_id: 'id' },
    message: 'Worker {worker_id} is registered already; reactivate it if it is offline.',
  },
  {
    code: 'worker_capacity_reached',
    fields: { limit: 'count' },
    message: 'All {limit} worker records (max_workers, offline ones included) are in use.',
  },
  { code: 'no_queued_task', fields: {}, message: 'No task is queued.' },
  {
    code: 'no_available_worker',
    fields: {},
    message: 'No worker is healthy, fresh and has a free slot.',
  },
  { code: 'task_not_found', fields: { task_id: 'id' }, message: 'There is no task {task_id}.' },
  {
    code: 'task_not_queued',
    fields: { task_id: 'id', status: 'TaskStatus' },
    message: 'Task {task_id} is {status}, not queued.',
  },
  {
    code: 'task_not_due',
    fields: { task_id: 'id', not_before: 'u64' },
    message: 'Task {task_id} waits for its retry and can be assigned from second {not_before} on.',
  },
  { code: 'worker_not_found', fields: { worker_id: 'id' }, message: 'There is no worker {worker_id}.' },
  {
    code: 'worker_generation_conflict',
    fields: { expected: 'u64', actual: 'u64' },
    message: 'The command expected worker generation {expected}, but the current one is {actual}.',
  },
  {
    code: 'worker_unavailable',
    fields: { worker_id: 'id' },
    message: 'Worker {worker_id} is not in a state that allows this (work goes to workers that are healthy and fresh, and only offline ones come back or are forgotten).',
  },
  {
    code: 'worker_at_capacity',
    fields: { worker_id: 'id' },
    message: 'Worker {worker_id} has no free slot.',
  },
  {
    code: 'stale_ownership',
    fields: { task_id: 'id' },
    message: 'The lease or fence given for task {task_id} is not its current one. Its owner has changed; drop the work.',
  },
  {
    code: 'lease_expired',
    fields: { task_id: 'id' },
    message: 'The lease on task {task_id} has expired.',
  },
  {
    code: 'invalid_task_transition',
    as: 'invalid_transition',
    fields: { task_id: 'id', status: 'TaskStatus', operation: 'Operation' },
    message: 'Task {task_id} is {status}: {operation} needs it to be running.',
  },
  {
    code: 'state_invariant',
    fields: { reason: 'Invariant' },
    message: 'The state contradicts itself: {reason}. This is a bug of leasegate.',
  },
  {
    code: 'out_of_memory',
    fields: {},
    message: 'There was not enough memory for the command; nothing has changed.',
  },
];

export const limits = {
  DistributedLimits: [
    ['max_task_records', 4_096, 'MAX_TASK_RECORDS', 'Task records of any status.'],
    ['max_active_tasks', 1_024, 'MAX_ACTIVE_TASKS', 'Queued, leased and running tasks.'],
    ['max_queued_tasks', 1_024, 'MAX_ACTIVE_TASKS', 'Queued tasks.'],
    ['max_terminal_tasks', 4_096, 'MAX_TASK_RECORDS', 'Completed, failed, cancelled and expired tasks.'],
    ['max_workers', 256, 'MAX_WORKERS', 'Worker records, offline ones included.'],
    ['max_retries', 3, 'MAX_RETRIES', 'Requeues of one task; 0 means that a task runs once.', 0],
    ['max_lease_ttl_secs', 3_600, 'MAX_LEASE_TTL_SECS', 'Longest lease, in seconds.'],
    ['max_task_ttl_secs', 86_400, 'MAX_TASK_TTL_SECS', 'Longest task age that a sweep may name, and longest delay of a retry, in seconds.'],
    ['heartbeat_timeout_secs', 60, 'MAX_HEARTBEAT_TIMEOUT_SECS', 'Age from which a heartbeat is stale, in seconds.'],
  ],
};

export const inputs = {
  TaskSpec: [
    ['task_id', 'text:MAX_IDENTIFIER_BYTES'],
    ['scan_id', 'text:MAX_IDENTIFIER_BYTES'],
    ['target_ref', 'text:MAX_TARGET_REF_BYTES'],
    ['phases', 'bytes:MAX_TASK_PHASES', 'empty'],
    ['priority', 'Priority', 'normal'],
  ],
  WorkerSpec: [
    ['worker_id', 'text:MAX_IDENTIFIER_BYTES'],
    ['capacity', 'u32'],
    ['cpu_basis_points', 'u32', 0],
    ['memory_basis_points', 'u32', 0],
    ['network_basis_points', 'u32', 0],
    ['tags', 'set:WorkerTag', 'empty'],
  ],
  WorkerObservation: [
    ['status', 'WorkerStatus', 'healthy'],
    ['cpu_basis_points', 'u32', 0],
    ['memory_basis_points', 'u32', 0],
    ['network_basis_points', 'u32', 0],
  ],
};

// Tokens go both ways; records only come out.
export const tokens = {
  TaskLease: [
    ['task_id', 'task'],
    ['worker_id', 'worker'],
    ['worker_generation', 'u64'],
    ['task_generation', 'u64'],
    ['attempt', 'u32'],
    ['lease_id', 'u64'],
    ['acquired_at', 'u64'],
    ['expires_at', 'u64'],
    ['place', 'place:task_id'],
  ],
  QueuedTaskFence: [
    ['task_id', 'task'],
    ['task_generation', 'u64'],
    ['record_version', 'u64'],
  ],
  CompletionReceipt: [
    ['task_id', 'task'],
    ['task_generation', 'u64'],
    ['attempt', 'u32'],
    ['lease_id', 'u64'],
    ['worker_id', 'worker'],
    ['worker_generation', 'u64'],
    ['record_version', 'u64'],
  ],
};

export const records = {
  ScanTask: [
    ['task_id', 'task'],
    ['scan_id', 'text'],
    ['target_ref', 'text', 'secret'],
    ['phases', 'bytes'],
    ['status', 'TaskStatus'],
    ['priority', 'Priority'],
    ['created_at', 'u64'],
    ['started_at', 'u64?'],
    ['completed_at', 'u64?'],
    ['retry_count', 'u32'],
    ['attempt', 'u32'],
    ['task_generation', 'u64'],
    ['record_version', 'u64'],
    ['assigned_to', 'worker?'],
    ['lease', 'TaskLease?'],
    ['not_before', 'u64?'],
    ['ownership', 'ownership'],
  ],
  WorkerNode: [
    ['worker_id', 'worker'],
    ['generation', 'u64'],
    ['status', 'WorkerStatus'],
    ['capacity', 'u32'],
    ['current_tasks', 'u32'],
    ['completed_tasks', 'u64'],
    ['last_heartbeat', 'u64'],
    ['cpu_basis_points', 'u32'],
    ['memory_basis_points', 'u32'],
    ['network_basis_points', 'u32'],
    ['tags', 'set:WorkerTag'],
    ['effective_capacity', 'derived'],
    ['available_slots', 'derived'],
  ],
  StateSnapshot: [
    ['revision', 'u64'],
    ['logical_time', 'u64'],
    ['task_records', 'u32'],
    ['active_tasks', 'u32'],
    ['queued_tasks', 'u32'],
    ['terminal_tasks', 'u32'],
    ['workers', 'u32'],
  ],
  RecoverySummary: [
    ['workers_affected', 'u32'],
    ['tasks_requeued', 'u32'],
    ['tasks_failed', 'u32'],
  ],
};

export const unions = {
  StartOutcome: {
    enum: 'StartKind',
    kinds: { started: [['record_version', 'u64']], already_running: [['record_version', 'u64']] },
  },
  CompletionOutcome: {
    enum: 'CompletionKind',
    kinds: { completed: [['receipt', 'CompletionReceipt']], already_completed: [['receipt', 'CompletionReceipt']] },
  },
  FailureOutcome: {
    enum: 'FailureKind',
    kinds: {
      requeued: [
        ['task_generation', 'u64'],
        ['retry_count', 'u32'],
        ['record_version', 'u64'],
      ],
      retry_exhausted: [
        ['retry_count', 'u32'],
        ['record_version', 'u64'],
      ],
    },
  },
  CancellationOutcome: {
    enum: 'CancellationKind',
    kinds: { cancelled: [['record_version', 'u64']], already_cancelled: [['record_version', 'u64']] },
  },
};

const fenced = [
  ['expected_revision', 'u64'],
  ['now', 'u64'],
];
const taskId = ['task_id', 'text:MAX_IDENTIFIER_BYTES'];
const workerId = ['worker_id', 'text:MAX_IDENTIFIER_BYTES'];
const leaseTtl = ['lease_ttl_secs', 'u64'];
const lease = ['lease', 'TaskLease'];

// Every state-changing command: its arguments, in the order in which they cross the boundary.
export const commands = {
  register_worker: [...fenced, ['spec', 'WorkerSpec']],
  reactivate_worker: [...fenced, ['expected_generation', 'u64'], ['spec', 'WorkerSpec']],
  update_worker: [...fenced, workerId, ['generation', 'u64'], ['observation', 'WorkerObservation']],
  deregister_worker: [...fenced, workerId, ['generation', 'u64']],
  prune_dead_workers: fenced,
  enqueue: [...fenced, ['spec', 'TaskSpec']],
  assign_task: [...fenced, taskId, workerId, leaseTtl],
  assign_next: [...fenced, workerId, leaseTtl],
  assign_next_available: [...fenced, leaseTtl],
  start_task: [...fenced, lease],
  complete_task: [...fenced, lease],
  fail_task: [...fenced, lease, ['retry_after_secs', 'u64?']],
  cancel_task: [...fenced, ['ownership', 'ownership']],
  recover_expired_leases: fenced,
  expire_old_tasks: [...fenced, ['task_ttl_secs', 'u64']],
  renew_lease: [...fenced, lease, leaseTtl],
  retire_tasks: [...fenced, ['terminal_before', 'u64'], ['limit', 'u64']],
  forget_worker: [...fenced, workerId, ['generation', 'u64']],
};

// Answers that repeat texts of their command: JavaScript has those already.
export const echoes = {
  enqueue: { record: 'ScanTask', from: ['spec'], texts: ['task_id', 'scan_id', 'target_ref'] },
};

// Reads, and the steps of reads that answer with many records.
export const queries = [
  'peek_next',
  'get_task',
  'get_worker',
  'get_available_worker',
  'snapshot',
  'revision',
  'check_invariants',
  'list_tasks',
  'list_workers',
  'next_task',
  'next_worker',
];
