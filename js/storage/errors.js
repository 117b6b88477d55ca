// What goes wrong between a machine and what keeps it. Names of files and of records get into an error, their places
// and what is in them do not.

import { LeasegateError } from '../errors.js';

/**
 * Codes like ENOSPC and SQLITE_FULL, and the browsers' names, like QuotaExceededError. Anything longer or stranger might
 * be somebody's text, and the name of any other error says nothing about the system.
 * @param {any} cause
 */
function systemCodeOf(cause) {
  if (typeof cause?.code === 'string') return /^[A-Z][A-Z0-9_]{1,63}$/.test(cause.code) ? cause.code : null;
  const isBrowsers = typeof DOMException === 'function' && cause instanceof DOMException;
  return isBrowsers && /^[A-Z][A-Za-z0-9]{1,63}$/.test(cause.name) ? cause.name : null;
}

/** What comes before anything is read or written. */
const OPENING = new Set(['open', 'lock']);

/**
 * @param {string} operation what was under way
 * @param {unknown} cause
 * @param {string} [part] what could not be opened, by its name
 * @returns {LeasegateError} the cause itself, when it is an error of a storage already
 */
export function failedError(operation, cause, part) {
  if (cause instanceof LeasegateError && /** @type {any} */ (cause).code?.startsWith('storage_'))
    return cause;
  const systemCode = systemCodeOf(cause);
  const what = `${operation}${systemCode === null ? '' : `, ${systemCode}`}${part === undefined ? '' : `: ${part}`}`;
  return new LeasegateError(
    'storage_failed',
    OPENING.has(operation)
      ? `The storage could not be opened (${what}). Nothing that it holds was changed; the cause says why.`
      : `The storage has failed (${what}). What was not acknowledged may or may not have been kept; open it again to see.`,
    { operation, systemCode },
    { cause },
  );
}

/** @param {string} part by its name */
export function foreignError(part) {
  return new LeasegateError(
    'storage_failed',
    `The storage could not be opened: ${part} is of something else, or of a newer leasegate. It was left as it is.`,
    { operation: 'open', systemCode: null },
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

/**
 * A call of the storage, whatever it throws.
 * @template T @param {string} operation @param {() => Promise<T>} call @param {string} [part] @returns {Promise<T>}
 */
export async function called(operation, call, part) {
  try {
    return await call();
  } catch (cause) {
    throw failedError(operation, cause, part);
  }
}
