// The limits of a pool: defaults, ceilings, and the order in which they are checked.

import { u64 } from './arguments.mjs';
import { refuse } from './errors.mjs';

/** @type {readonly (readonly [string, string, number, number])[]} */
const TABLE = [
  ['maxTaskRecords', 'max_task_records', 4096, 65_536],
  ['maxActiveTasks', 'max_active_tasks', 1024, 16_384],
  ['maxQueuedTasks', 'max_queued_tasks', 1024, 16_384],
  ['maxTerminalTasks', 'max_terminal_tasks', 4096, 65_536],
  ['maxWorkers', 'max_workers', 256, 4096],
  ['maxRetries', 'max_retries', 3, 32],
  ['maxLeaseTtlSecs', 'max_lease_ttl_secs', 3600, 86_400],
  ['maxTaskTtlSecs', 'max_task_ttl_secs', 86_400, 2_678_400],
  ['heartbeatTimeoutSecs', 'heartbeat_timeout_secs', 60, 86_400],
];
const COUNTS = TABLE.slice(0, 5);
const RETRIES = TABLE[5];
const TIMES = TABLE.slice(6);

/** @param {any} given */
export function checkedLimits(given) {
  /** @type {Record<string, bigint>} */
  const limits = {};
  for (const [name, , fallback] of TABLE) limits[name] = u64(given?.[name] ?? fallback, `limits.${name}`);
  const notZero = (/** @type {(typeof TABLE)[number]} */ [name, snake]) => {
    if (limits[name] === 0n) refuse('invalid_limit', { name: snake });
  };
  const within = (
    /** @type {(typeof TABLE)[number]} */ [name, snake, , maximum],
    /** @type {string} */ code,
  ) => {
    if (limits[name] > BigInt(maximum))
      refuse(code, { name: snake, actual: limits[name], maximum: BigInt(maximum) });
  };
  for (const row of COUNTS) notZero(row);
  for (const row of COUNTS) within(row, 'count_limit_exceeds_maximum');
  for (const row of TIMES) within(row, 'time_limit_exceeds_maximum');
  if (limits.maxRetries > BigInt(RETRIES[3]))
    refuse('retry_limit_exceeds_maximum', { actual: limits.maxRetries, maximum: BigInt(RETRIES[3]) });
  for (const row of TIMES) notZero(row);
  const relation = (/** @type {boolean} */ holds, /** @type {string} */ reason) => {
    if (!holds) refuse('invalid_limit_relationship', { reason });
  };
  relation(limits.maxActiveTasks <= limits.maxTaskRecords, 'active_tasks_exceed_task_records');
  relation(limits.maxQueuedTasks <= limits.maxActiveTasks, 'queued_tasks_exceed_active_tasks');
  relation(limits.maxTerminalTasks <= limits.maxTaskRecords, 'terminal_tasks_exceed_task_records');
  relation(limits.maxTerminalTasks >= limits.maxActiveTasks, 'terminal_tasks_below_active_tasks');
  return {
    maxTaskRecords: Number(limits.maxTaskRecords),
    maxActiveTasks: Number(limits.maxActiveTasks),
    maxQueuedTasks: Number(limits.maxQueuedTasks),
    maxTerminalTasks: Number(limits.maxTerminalTasks),
    maxWorkers: Number(limits.maxWorkers),
    maxRetries: Number(limits.maxRetries),
    maxLeaseTtlSecs: limits.maxLeaseTtlSecs,
    maxTaskTtlSecs: limits.maxTaskTtlSecs,
    heartbeatTimeoutSecs: limits.heartbeatTimeoutSecs,
  };
}
