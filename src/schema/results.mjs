// The result aggregator's names, numbers and shapes, once for both languages (see coordination.mjs).

export const name = 'results';

export const constants = [
  ['MAX_RESULTS', 65_536, 'Ceiling of max_results.'],
  ['MAX_RESULT_BYTES', 16 * 1024 * 1024, 'Ceiling of max_result_bytes, in bytes (16 MiB).'],
  ['MAX_TOTAL_RESULT_BYTES', 256 * 1024 * 1024, 'Ceiling of max_total_bytes and max_aggregate_bytes, in bytes (256 MiB).'],
  ['MAX_AGGREGATE_ITEMS', 65_536, 'Ceiling of max_aggregate_items.'],
];

export const enums = {
  StoreKind: ['stored', 'already_stored'],
};

export const errors = [
  {
    code: 'conflicting_result',
    fields: { task_id: 'id' },
    message: 'A different result is stored for task {task_id} under the same receipt.',
  },
  {
    code: 'mismatched_result_receipt',
    fields: { task_id: 'id' },
    message: 'A result is stored for task {task_id} under another receipt.',
  },
  {
    code: 'result_too_large',
    fields: { actual: 'count', limit: 'count' },
    message: 'The result has {actual} bytes; max_result_bytes is {limit}.',
  },
  {
    code: 'result_capacity_reached',
    fields: { limit: 'count' },
    message: '{limit} results (max_results) are stored already.',
  },
  {
    code: 'total_result_bytes_exceeded',
    fields: { actual: 'count', limit: 'count' },
    message: 'The stored results would have {actual} bytes; max_total_bytes is {limit}.',
  },
  {
    code: 'aggregate_item_limit_exceeded',
    fields: { actual: 'count', limit: 'count' },
    message: '{actual} results were asked for at once; at most {limit} are allowed.',
  },
  {
    code: 'duplicate_aggregate_task',
    fields: { task_id: 'id' },
    message: 'Task {task_id} was asked for more than once.',
  },
  { code: 'missing_result', fields: { task_id: 'id' }, message: 'No result is stored for task {task_id}.' },
  {
    code: 'aggregate_bytes_exceeded',
    fields: { actual: 'count', limit: 'count' },
    message: 'The results asked for have {actual} bytes or more; max_aggregate_bytes is {limit}.',
  },
];

export const limits = {
  ResultLimits: [
    ['max_results', 1_024, 'MAX_RESULTS', 'Stored results.'],
    ['max_result_bytes', 1024 * 1024, 'MAX_RESULT_BYTES', 'Bytes of one result.'],
    ['max_total_bytes', 16 * 1024 * 1024, 'MAX_TOTAL_RESULT_BYTES', 'Bytes of all stored results.'],
    ['max_aggregate_items', 1_024, 'MAX_AGGREGATE_ITEMS', 'Results of one aggregate.'],
    ['max_aggregate_bytes', 16 * 1024 * 1024, 'MAX_TOTAL_RESULT_BYTES', 'Bytes of one aggregate.'],
  ],
};

export const inputs = {};
export const tokens = {};
export const records = {};

export const unions = {
  StoreOutcome: { enum: 'StoreKind', kinds: { stored: [], already_stored: [] } },
};

// The bytes travel in the payload buffer beside the frame.
export const commands = {
  store_result: [
    ['expected_revision', 'u64'],
    ['receipt', 'CompletionReceipt'],
    ['bytes', 'payload'],
  ],
};

// The ids travel in the payload buffer, as those of aggregate_begin do, so the boundary reads this one by hand.
export const listCommands = {
  remove_results: [
    ['expected_revision', 'u64'],
    ['task_ids', 'list:MAX_AGGREGATE_ITEMS'],
  ],
};

export const queries = ['aggregate_begin', 'aggregate_next', 'get_result', 'result_stats', 'remove_results'];
