// What goes wrong between a machine and what keeps it. Names of files and of records get into an error, their places
// and what is in them do not.

import { LeasegateError } from '../errors.js';

/** Names like ENOSPC, SQLITE_FULL and QuotaExceededError. Anything longer or stranger might be somebody's text. @param {any} cause */
function systemCodeOf(cause) {
  for (const name of [cause?.code, cause?.name])
    if (typeof name === 'string' && name !== 'Error' && /^[A-Z][A-Za-z0-9_]{1,63}$/.test(name)) return name;
  return null;
}

/**
 * @param {string} operation what was under way
 * @param {unknown} cause
 * @returns {LeasegateError} the cause itself, when it is an error of a storage already
 */
export function failedError(operation, cause) {
  if (cause instanceof LeasegateError && /** @type {any} */ (cause).code?.startsWith('storage_'))
    return cause;
  const systemCode = systemCodeOf(cause);
  return new LeasegateError(
    'storage_failed',
    `The storage has failed (${operation}${systemCode === null ? '' : `, ${systemCode}`}). What was not acknowledged may or may not have been kept; open it again to see.`,
    { operation, systemCode },
    { cause },
  );
}

/** @param {unknown} [cause] */
export function lockedError(cause) {
  const options = cause === undefined ? undefined : { cause };
  return new LeasegateError(
    'storage_locked',
    'The storage is open already, here or elsewhere. It takes one at a time.',
    {},
    options,
  );
}

/**
 * @param {'journal' | 'snapshot' | 'gap' | 'database'} reason
 * @param {string} part what is damaged, by its name
 * @param {number | null} offset @param {unknown} [cause]
 */
export function damagedError(reason, part, offset, cause) {
  const place = offset === null ? part : `${part}, at byte ${offset}`;
  return new LeasegateError(
    'storage_damaged',
    `The storage is damaged (${reason}): ${place}. Nothing was changed. Restore it from a copy.`,
    { reason, part, offset },
    cause === undefined ? undefined : { cause },
  );
}

/** @param {number} limit @param {'commands' | 'bytes'} unit */
export function backlogError(limit, unit) {
  return new LeasegateError(
    'durable_backlog_full',
    `As much waits to be written as may: ${limit} ${unit}. The command was not applied; give it again when others have settled.`,
    { limit, unit },
  );
}

/** A call of the storage, whatever it throws. @template T @param {string} operation @param {() => Promise<T>} call @returns {Promise<T>} */
export async function called(operation, call) {
  try {
    return await call();
  } catch (cause) {
    throw failedError(operation, cause);
  }
}
