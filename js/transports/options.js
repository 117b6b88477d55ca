// What users may set: every limit has a name, a unit, a default and a range, and a name that is no option is an error.

import { connectError } from './errors.js';
import { isOpaqueId, readU64 } from './texts.js';

const MIB = 1024 * 1024;
/** The longest time that setTimeout takes. */
const MAX_MS = 2 ** 31 - 1;

/** Name: default, null for none, least, most. @type {Record<string, readonly [number | null, number, number]>} */
export const LIMITS = {
  connectTimeoutMs: [10_000, 1, MAX_MS],
  helloTimeoutMs: [10_000, 1, MAX_MS],
  heartbeatIntervalMs: [15_000, 1, MAX_MS],
  idleTimeoutMs: [45_000, 1, MAX_MS],
  sendTimeoutMs: [30_000, 1, MAX_MS],
  closeTimeoutMs: [1_000, 0, MAX_MS],
  ackDelayMs: [1_000, 0, MAX_MS],
  maxFrameBytes: [4 * MIB, 1024, 256 * MIB],
  maxPendingEvents: [1024, 1, 1_000_000],
  maxPendingBytes: [16 * MIB, 1024, 1024 * MIB],
  highWaterBytes: [1 * MIB, 1, 1024 * MIB],
  windowEvents: [256, 1, 1_000_000],
  windowBytes: [16 * MIB, 1024, 1024 * MIB],
  maxStreams: [10_000, 1, 1_000_000],
  retryMs: [null, 0, MAX_MS],
};

/** What a server is asked and told. */
export const SERVER_HANDLERS = ['welcome', 'onConnect', 'onEvent', 'onAck', 'onClose'];

/**
 * @param {unknown} options
 * @param {readonly string[]} limits names in LIMITS
 * @param {readonly string[]} others names that the caller checks itself
 * @returns {any} a copy with every limit, given or default
 */
export function readOptions(options, limits, others) {
  if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object');
  /** @type {Record<string, unknown>} */
  const given = { ...options };
  for (const name of Object.keys(given)) {
    if (!limits.includes(name) && !others.includes(name))
      throw new TypeError(`options.${name} is not an option`);
  }
  for (const name of limits) given[name] = readLimit(name, given[name]);
  const { heartbeatIntervalMs, idleTimeoutMs } = given;
  if (heartbeatIntervalMs !== undefined && Number(idleTimeoutMs) <= Number(heartbeatIntervalMs)) {
    throw new RangeError('options.idleTimeoutMs must be above options.heartbeatIntervalMs');
  }
  return given;
}

/** @param {string} name @param {unknown} value */
function readLimit(name, value) {
  const [fallback, least, most] = LIMITS[name];
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number') throw new TypeError(`options.${name} must be a number`);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`options.${name} must be an integer from ${least} to ${most}`);
  }
  return value;
}

/** @param {any} options @param {string} name @param {boolean} [required] */
export function checkFunction(options, name, required = false) {
  const value = options[name];
  if (!required && (value === undefined || value === null)) return;
  if (typeof value !== 'function') throw new TypeError(`options.${name} must be a function`);
}

/** @param {unknown} resume @returns {import('./frames.js').ResumePoint} */
export function readResumePoint(resume) {
  if (typeof resume !== 'object' || resume === null)
    throw new TypeError('resume must be an object, of the options or of the config');
  const { session, epoch, cursor } = /** @type {any} */ (resume);
  if (!isOpaqueId(session)) throw new TypeError('resume.session must be an opaque id');
  return {
    session,
    epoch: readU64(epoch, 'resume.epoch', 1n),
    cursor: readU64(cursor ?? 0n, 'resume.cursor', 0n),
  };
}

/**
 * Where to connect. Userinfo leaves the address and becomes a header; what is shown has no query either.
 * @typedef {object} Endpoint
 * @property {string} href
 * @property {string} display
 * @property {string | null} basic what an Authorization header says for the userinfo
 * @property {boolean} safe encrypted, or on this very machine
 */

/**
 * @param {string} kind @param {unknown} endpoint @param {Record<string, boolean>} schemes and whether they encrypt
 * @returns {Endpoint}
 */
export function readEndpoint(kind, endpoint, schemes) {
  const display = displayEndpoint(endpoint);
  const refuse = () => connectError(kind, display, { reason: 'unsupported_endpoint', origin: 'local' });
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) throw refuse();
  const url = new URL(endpoint);
  if (!Object.hasOwn(schemes, url.protocol)) throw refuse();
  let basic = null;
  if (url.username !== '' || url.password !== '') {
    try {
      const userinfo = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
      basic = `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(userinfo)))}`;
    } catch {
      throw refuse();
    }
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  return { href: url.href, display, basic, safe: schemes[url.protocol] || isLoopback(url.hostname) };
}

/** @param {string} host */
function isLoopback(host) {
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}

/** An endpoint as it may be shown: no userinfo, no query, no fragment. @param {unknown} endpoint */
export function displayEndpoint(endpoint) {
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return '(not a URL)';
  const { protocol, host, pathname } = new URL(endpoint);
  return `${protocol}//${host}${host === '' ? '' : pathname}`;
}

/**
 * @typedef {object} Credentials
 * @property {Headers} headers
 * @property {string | null} token
 * @property {boolean} any
 */

/**
 * Asks the host for its token and headers. What these say or throw is repeated nowhere.
 * @param {{ token?: unknown, headers?: unknown }} settings @param {Endpoint} endpoint @param {AbortSignal} signal
 * @returns {Promise<Credentials>}
 */
export async function readCredentials(settings, endpoint, signal) {
  const ask = (/** @type {unknown} */ value) => (typeof value === 'function' ? value({ signal }) : value);
  const token = (await ask(settings.token)) ?? null;
  if (token !== null && typeof token !== 'string') throw new TypeError('token must be a string');
  const headers = new Headers(
    /** @type {HeadersInit | undefined} */ ((await ask(settings.headers)) ?? undefined),
  );
  if (endpoint.basic !== null && !headers.has('authorization')) headers.set('authorization', endpoint.basic);
  return { headers, token, any: token !== null || [...headers].length > 0 };
}
