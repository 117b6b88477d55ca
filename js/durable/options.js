// What openDurablePool and openDurableAggregator take: every bound has a name, a unit, a default and a range.

import { integerError, object } from '../boundary/arguments.js';
import { MAX_JOURNAL_BYTES } from '../generated/journal.js';

const MIB = 1024 * 1024;

/** No record is longer that has neither a result's bytes nor a list in it. */
export const SMALL_RECORD_BYTES = 4096;

/** Name: default, least, most. @type {Record<string, readonly [number, number, number]>} */
export const BOUNDS = {
  snapshotEveryBytes: [16 * MIB, 1024, 1024 * MIB],
  maxPendingCommands: [10_000, 1, 1_000_000],
  maxPendingBytes: [64 * MIB, SMALL_RECORD_BYTES, MAX_JOURNAL_BYTES],
};

/** @param {unknown} options @returns {any} a copy with every bound, given or default */
export function readDurableOptions(options) {
  /** @type {Record<string, any>} */
  const given = { ...object(options, 'options') };
  for (const name of Object.keys(given)) {
    if (name !== 'storage' && name !== 'limits' && !(name in BOUNDS))
      throw new TypeError(`options.${name} is not an option`);
  }
  if (typeof object(given.storage, 'storage').open !== 'function')
    throw new TypeError('storage must be a storage, as those of leasegate/storage are');
  given.limits = readLimits(given.limits);
  for (const name of Object.keys(BOUNDS)) given[name] = readBound(name, given[name]);
  return given;
}

/** The same shapes for a new storage and for an old one. @param {unknown} limits @returns {Record<string, unknown>} a copy */
function readLimits(limits) {
  if (limits === undefined || limits === null) return {};
  if (Array.isArray(limits)) throw new TypeError('limits must be an object, and not an array');
  return { ...object(limits, 'limits') };
}

/** @param {string} name @param {unknown} value */
function readBound(name, value) {
  const [fallback, least, most] = BOUNDS[name];
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number') throw integerError(value, name, most, least);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${name} must be an integer from ${least} to ${most}`);
  return value;
}
