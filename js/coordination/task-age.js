import { fromDigits, integerError, object } from '../boundary/arguments.js';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;

/**
 * The age of a task in logical seconds; never below 0, whatever `now` is.
 * @param {{ createdAt: bigint }} task may have been through JSON
 * @param {bigint | number} now
 */
export function taskAgeSecs(task, now) {
  const createdAt = integer(fromDigits(object(task, 'task').createdAt), 'task.createdAt');
  const time = integer(now, 'now');
  return time > createdAt ? time - createdAt : 0n;
}

/** @param {unknown} value @param {string} path */
function integer(value, path) {
  const safe = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  const result = safe ? BigInt(value) : -1n;
  if (result < 0n || result > MAX_U64) throw integerError(value, path, MAX_U64);
  return result;
}
