// What a host may set: every limit has a name, a unit, a default and a range, and a name that is no option is an error.

import { abortSignal, optionsOf } from '../boundary/arguments.js';
import { checkName } from './texts.js';

/** Name: default, least, most. @type {Record<string, readonly [number, number, number]>} */
const NUMBERS = {
  replicas: [1, 1, 5],
  maxBytes: [-1, -1, Number.MAX_SAFE_INTEGER],
  dedupeWindowSecs: [120, 1, 86_400],
  maxInFlight: [128, 1, 4_096],
  maxPending: [4_096, 1, 1_000_000],
  commandTimeoutMs: [30_000, 1, 2 ** 31 - 1],
  joinTimeoutMs: [60_000, 1, 2 ** 31 - 1],
  snapshotEvery: [10_000, 0, 1_000_000_000],
};
const MAX_REBASES = 1_000;
const DEFAULT_SKEW_SECS = 5;
const OTHERS = [
  'connection',
  'name',
  'limits',
  'clock',
  'maxSkewSecs',
  'rebase',
  'results',
  'leasegate',
  'inboxPrefix',
  'jetstream',
  'signal',
  'onChange',
];

const systemSeconds = () => Math.floor(Date.now() / 1000);

/** @param {any} given @param {string} name */
function number(given, name) {
  const [fallback, least, most] = NUMBERS[name];
  const value = given[name] ?? fallback;
  if (typeof value !== 'number') throw new TypeError(`options.${name} must be a number`);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`options.${name} must be an integer from ${least} to ${most}`);
  return value;
}

/** How often a command may be decided anew. @param {unknown} rebase @param {number} fallback @param {string} path */
export function readRebase(rebase, fallback, path) {
  if (rebase === undefined || rebase === null) return fallback;
  if (rebase === false) return 0;
  const { attempts } = typeof rebase === 'object' ? optionsOf(rebase, path, ['attempts']) : {};
  if (!Number.isInteger(attempts) || attempts < 0 || attempts > MAX_REBASES)
    throw new TypeError(`${path} must be false, or { attempts } with an integer from 0 to ${MAX_REBASES}`);
  return attempts;
}

const RESULT_LIMITS = ['maxResults', 'maxResultBytes', 'maxAggregateItems'];

/** @param {unknown} given @returns {{ limits?: Record<string, number> } | null} */
function readResults(given) {
  if (given === false) return null;
  const { limits } = optionsOf(given, 'options.results', ['limits']);
  return { limits: optionsOf(limits, 'options.results.limits', RESULT_LIMITS) };
}

/** @param {unknown} given */
function readPrefix(given) {
  if (given === undefined || given === null) return '_INBOX';
  if (typeof given !== 'string' || given === '' || /[\s*>]/.test(given))
    throw new TypeError('options.inboxPrefix must be a subject without wildcards');
  return given;
}

/** The client library writes into what it is given. @param {unknown} given */
const readJetstream = (given) => ({
  ...optionsOf(given, 'options.jetstream', ['domain', 'apiPrefix', 'timeout', 'checkAPI']),
});

/** @param {any} given */
function readLeasegate(given) {
  if (given === undefined || given === null) return null;
  if (typeof given.WorkerPool !== 'function' || typeof given.ResultAggregator !== 'function')
    throw new TypeError('options.leasegate must be an instance of the core, of createLeasegate()');
  return given;
}

/** @param {unknown} options */
export function readOptions(options) {
  if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object');
  /** @type {Record<string, any>} */
  const given = { ...options };
  for (const name of Object.keys(given))
    if (!Object.hasOwn(NUMBERS, name) && !OTHERS.includes(name))
      throw new TypeError(`options.${name} is not an option`);
  const { connection, clock = systemSeconds, maxSkewSecs = DEFAULT_SKEW_SECS, results, onChange } = given;
  if (typeof connection?.publish !== 'function' || typeof connection?.status !== 'function')
    throw new TypeError('options.connection must be a connection of NATS');
  if (typeof clock !== 'function') throw new TypeError('options.clock must be a function');
  if (maxSkewSecs !== null && !(Number.isInteger(maxSkewSecs) && maxSkewSecs >= 1))
    throw new TypeError('options.maxSkewSecs must be a whole number of seconds from 1, or null');
  if (onChange !== undefined && onChange !== null && typeof onChange !== 'function')
    throw new TypeError('options.onChange must be a function');
  return {
    .../** @type {Record<string, number>} */ (
      Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, number(given, name)]))
    ),
    connection,
    name: checkName(given.name, 'options.name'),
    limits: given.limits ?? null,
    clock,
    maxSkewSecs,
    rebase: readRebase(given.rebase, 0, 'options.rebase'),
    results: readResults(results),
    leasegate: readLeasegate(given.leasegate),
    inboxPrefix: readPrefix(given.inboxPrefix),
    jetstream: readJetstream(given.jetstream),
    signal: abortSignal(given.signal, 'options.signal'),
    onChange: onChange ?? null,
  };
}

/** @typedef {ReturnType<typeof readOptions> & Record<string, any>} Settings */
