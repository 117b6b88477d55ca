// The names and numbers of the contract that users meet, without what only the boundary needs.

export {
  MAX_ACTIVE_TASKS,
  MAX_HEARTBEAT_TIMEOUT_SECS,
  MAX_IDENTIFIER_BYTES,
  MAX_LEASE_TTL_SECS,
  MAX_RETRIES,
  MAX_TARGET_REF_BYTES,
  MAX_TASK_PHASES,
  MAX_TASK_RECORDS,
  MAX_TASK_TTL_SECS,
  MAX_WORKER_CAPACITY,
  MAX_WORKER_TAGS,
  MAX_WORKERS,
  UTILIZATION_BASIS_POINTS,
} from './generated/coordination.js';
export {
  MAX_AGGREGATE_ITEMS,
  MAX_RESULT_BYTES,
  MAX_RESULTS,
  MAX_TOTAL_RESULT_BYTES,
} from './generated/results.js';
