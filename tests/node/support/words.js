// Names and numbers on their way between the contract's spelling and JavaScript's.

/** @param {string} snake */
export const camel = (snake) => snake.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/**
 * What the contract makes 64 bits wide, written down here once more on purpose: a field that the schema declares too
 * narrow must fail a test. Everything else that is a number has 32 bits.
 */
export const WIDE = new Set([
  'revision',
  'logical_time',
  'generation',
  'worker_generation',
  'task_generation',
  'record_version',
  'lease_id',
  'acquired_at',
  'expires_at',
  'created_at',
  'started_at',
  'completed_at',
  'last_heartbeat',
  'completed_tasks',
  'not_before',
]);

/** The 64-bit fields of an error; those of the results' errors count bytes or items and fit a number. */
export const WIDE_IN_ERRORS = {
  count_limit_exceeds_maximum: ['actual', 'maximum'],
  time_limit_exceeds_maximum: ['actual', 'maximum'],
  retry_limit_exceeds_maximum: ['actual', 'maximum'],
  revision_conflict: ['expected', 'actual'],
  logical_time_regression: ['current', 'proposed'],
  worker_generation_conflict: ['expected', 'actual'],
  task_not_due: ['not_before'],
};

/**
 * An integer of a recording as an argument: above 2^53 - 1 it is recorded as digits.
 * @param {number | string} recorded
 * @param {boolean} asBigInt where both are possible
 */
export function integer(recorded, asBigInt) {
  return typeof recorded === 'string' || asBigInt ? BigInt(recorded) : recorded;
}
