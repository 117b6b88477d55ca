// Shapes of arguments that C++ could not even receive. What the contract has a code for is not checked here.

/** @param {unknown} value @param {string} path @returns {any} */
export function object(value, path) {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${path} must be an object`);
  return value;
}

/**
 * Options, absent or an object. A name that is none of them is a slip of the pen, not something to pass over.
 * @param {unknown} value @param {string} path @param {readonly string[]} names @returns {any}
 */
export function optionsOf(value, path, names) {
  if (value === undefined || value === null) return {};
  for (const name of Object.keys(object(value, path)))
    if (!names.includes(name)) throw new TypeError(`${path}.${name} is not an option`);
  return value;
}

/**
 * What aborts, and can be left again: else it would throw where an answer is told, and others wait for the same.
 * @param {unknown} signal @param {string} [path] @returns {AbortSignal | null}
 */
export function abortSignal(signal, path = 'signal') {
  if (signal === undefined || signal === null) return null;
  const { aborted, addEventListener, removeEventListener } = /** @type {any} */ (signal);
  const heard = typeof addEventListener === 'function' && typeof removeEventListener === 'function';
  if (typeof aborted !== 'boolean' || !heard) throw new TypeError(`${path} must be an AbortSignal`);
  return /** @type {AbortSignal} */ (signal);
}

/** @param {unknown} value @param {string} path @param {bigint | number} maximum @param {number} [minimum] */
export function integerError(value, path, maximum, minimum = 0) {
  const wanted = typeof maximum === 'bigint' ? 'a bigint or a safe integer' : 'an integer';
  const range = `${path} must be ${wanted} from ${minimum} to ${maximum}`;
  if (value === undefined) return new TypeError(`${range}, but is missing`);
  return typeof value === 'number' || typeof value === 'bigint'
    ? new RangeError(range)
    : new TypeError(range);
}

/** Canonical digits as `toJSON` writes what no number holds. */
const LARGE_DIGITS = /^[1-9][0-9]{15,19}$/;

/** The integer that such digits are, so that records survive JSON; anything else stays what it is. @param {unknown} value */
export function fromDigits(value) {
  if (typeof value !== 'string' || !LARGE_DIGITS.test(value)) return value;
  const integer = BigInt(value);
  return integer > Number.MAX_SAFE_INTEGER ? integer : value;
}

/** Never repeats the text: it may be an id that nobody has validated. @param {unknown} value @param {string} path */
export function textError(value, path) {
  if (value === undefined) return new TypeError(`${path} must be a string, but is missing`);
  return new TypeError(
    `${path} must be a string${typeof value === 'string' ? ' without lone surrogates' : ''}`,
  );
}

// A subclass or an own property may answer `length` with code of the caller's, and with a lie. These cannot.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const intrinsic = (/** @type {any} */ prototype, /** @type {PropertyKey} */ name) => {
  const { get } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, name));
  return (/** @type {unknown} */ value) => Reflect.apply(/** @type {() => any} */ (get), value, []);
};
const tagOf = intrinsic(typedArray, Symbol.toStringTag);
const bufferOf = intrinsic(typedArray, 'buffer');
const byteOffsetOf = intrinsic(typedArray, 'byteOffset');
const lengthOf = intrinsic(typedArray, 'length');
const byteLengthOf = intrinsic(ArrayBuffer.prototype, 'byteLength');

const NO_BYTES = new Uint8Array(0);

/**
 * A plain view on the caller's bytes, which runs none of the caller's code any more.
 * @param {unknown} value Uint8Array, ArrayBuffer or array of bytes; absent means none
 * @param {string} path
 * @param {number} maxBytes an array is read to one byte more than this
 * @returns {Uint8Array}
 */
export function byteView(value, path, maxBytes) {
  if (value === undefined || value === null) return NO_BYTES;
  if (tagOf(value) === 'Uint8Array') return viewOf(value, path); // by its tag: one of another realm too
  if (isArrayBuffer(value)) return new Uint8Array(checkAttached(value, path));
  if (Array.isArray(value)) {
    const length = Math.min(value.length, maxBytes + 1);
    return Uint8Array.from({ length }, (_, index) => checkByte(value[index], path));
  }
  throw new TypeError(`${path} must be a Uint8Array, an ArrayBuffer or an array of bytes`);
}

/** The same, but neither absent nor an array. @param {unknown} value @param {string} path */
export function requiredBytes(value, path) {
  if (tagOf(value) === 'Uint8Array' || isArrayBuffer(value)) return byteView(value, path, 0);
  throw new TypeError(`${path} must be a Uint8Array or an ArrayBuffer`);
}

/** @param {unknown} value @param {string} path */
function viewOf(value, path) {
  const length = lengthOf(value);
  if (length === 0) checkAttached(bufferOf(value), path);
  return length === 0 ? new Uint8Array(0) : new Uint8Array(bufferOf(value), byteOffsetOf(value), length);
}

/** @param {unknown} value @returns {value is ArrayBuffer} */
function isArrayBuffer(value) {
  try {
    byteLengthOf(value);
    return true;
  } catch {
    return false;
  }
}

/** @template {ArrayBufferLike} B @param {B} buffer @param {string} path @returns {B} */
function checkAttached(buffer, path) {
  if (buffer.byteLength > 0) return buffer;
  try {
    new Uint8Array(buffer); // The one portable question: only a detached buffer refuses.
  } catch {
    throw new TypeError(`${path} lies in a detached buffer`);
  }
  return buffer;
}

/** @param {unknown} byte @param {string} path */
function checkByte(byte, path) {
  if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255) {
    throw new RangeError(`${path} must hold integers from 0 to 255`);
  }
  return byte;
}

/**
 * The set of `names` that the iterable holds, as bits.
 * @param {readonly string[]} names @param {unknown} values @param {string} path
 */
export function setBits(names, values, path) {
  if (values === undefined || values === null) return 0;
  if (typeof values !== 'object' || typeof (/** @type {any} */ (values)[Symbol.iterator]) !== 'function') {
    throw new TypeError(`${path} must be an iterable of names, and not a string`);
  }
  let bits = 0;
  for (const value of /** @type {Iterable<unknown>} */ (values)) {
    const index = names.indexOf(/** @type {string} */ (value));
    if (index < 0) throw new TypeError(`${path} must hold only ${names.join(', ')}`);
    bits |= 1 << index;
  }
  return bits;
}

/**
 * Every limit, given or default. A name that is no limit is a slip of the pen, not something to pass over.
 * @param {import('./frame.js').Frame} frame
 * @param {readonly (readonly [string, number, number])[]} table
 * @param {unknown} limits
 */
export function putLimits(frame, table, limits) {
  /** @type {Record<string, unknown>} */
  const given = limits === undefined || limits === null ? {} : { ...object(limits, 'limits') };
  for (const name of Object.keys(given)) {
    if (!table.some(([known]) => known === name)) throw new TypeError(`limits.${name} is not a limit`);
  }
  frame.begin();
  for (const [name, fallback] of table) frame.putU64(given[name] ?? fallback, `limits.${name}`);
}
