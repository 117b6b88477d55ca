// What the classes of the bridge share: making an object of the core, the host's clock, and limits.

import { integerError, object } from '../boundary/arguments.js';
import { Port } from '../boundary/port.js';
import { readError, unusableError } from '../errors.js';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;

/**
 * A new object of the core, from the arguments that `write` puts into the frame.
 * @param {import('../boundary/runtime.js').Runtime} runtime
 * @param {string} name of the binding class, and what errors call it
 * @param {(frame: import('../boundary/frame.js').Frame) => void} write
 */
export function openPort(runtime, name, write) {
  if (runtime.failure !== null) throw unusableError(runtime.failure);
  runtime.frame.begin();
  write(runtime.frame);
  let native;
  try {
    native = runtime.core[name].create();
  } catch (cause) {
    runtime.failure = cause;
    throw unusableError(cause);
  }
  runtime.frame.answer();
  if (native === null) throw readError(runtime.frame);
  return new Port(runtime, native, name);
}

const NO_OPTIONS = Object.freeze({});

/** The given options, or none. @param {unknown} options @returns {any} */
export function optional(options) {
  return options === undefined || options === null ? NO_OPTIONS : object(options, 'options');
}

/**
 * A limit, given or default. One below 0 is no better than 0, which the core refuses.
 * @param {unknown} value @param {number} fallback @param {string} path
 */
export function limit(value, fallback, path) {
  if (value === undefined || value === null) return fallback;
  const known = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  if (!known || value > MAX_U64) throw integerError(value, path, MAX_U64);
  if (value < 0) return 0;
  return value;
}

/**
 * The host's time, checked at every look.
 * @param {unknown} clock
 * @returns {() => number} milliseconds since the Unix epoch
 */
export function hostClock(clock) {
  if (clock === undefined || clock === null) return Date.now;
  if (typeof clock !== 'function') throw new TypeError('clock must be a function');
  return () => {
    const now = clock();
    if (typeof now === 'number' && Number.isSafeInteger(now) && now >= 0) return now;
    throw new TypeError('clock() must return the milliseconds since the Unix epoch, an integer from 0');
  };
}

/** @param {unknown} value @param {string} path @returns {(...given: any[]) => any} */
export function callable(value, path) {
  if (typeof value !== 'function') throw new TypeError(`${path} must be a function`);
  return /** @type {(...given: any[]) => any} */ (value);
}

/** An error of the core with what only JavaScript holds. @param {any} error @param {Record<string, unknown>} fields */
export function withHostFields(error, { cause, ...fields }) {
  if (cause !== undefined) {
    Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true });
  }
  return Object.assign(error, fields);
}
