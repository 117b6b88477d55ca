import { integerError } from '../boundary/arguments.js';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;

/**
 * The age of a task in logical seconds; never below 0, whatever `now` is.
 * @param {{ createdAt: bigint }} task
 * @param {bigint | number} now
 */
export function taskAgeSecs(task, now) {
  const safe = typeof now === 'bigint' || (typeof now === 'number' && Number.isSafeInteger(now));
  const time = safe ? BigInt(now) : -1n;
  if (time < 0n || time > MAX_U64) throw integerError(now, 'now', MAX_U64);
  return time > task.createdAt ? time - task.createdAt : 0n;
}
