// Arguments, each into its slot. Hot: every command passes through here, so numbers and short ASCII take the shortest
// way. A text lies in the row of texts; its slot holds its size and, above that, where it begins.

import { fromDigits, integerError, textError } from './arguments.js';

/** @typedef {import('./frame.js').Frame} Frame */

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
const MAX_U32 = 0xffff_ffff;
/** Where nothing is kept. */
export const NO_PLACE = 0xffff_ffff;
/** What one in the upper half of a slot's first word is worth: where a text begins. */
const PLACE = 0x1_0000;
/** A byte that is nowhere in UTF-8, and one that is a character by itself. */
const NO_UTF8 = 0xff;
const FILLER = 0x20;

/** Characters from which a text is long. */
const LONG_TEXT = 48;

const encoder = new TextEncoder();

/** @param {Frame} f @param {number} at @param {number} value */
export function putSlot(f, at, value) {
  f.u32[at * 2] = value;
}

/** @param {Frame} f @param {number} at @param {unknown} value @param {string} path */
export function putU64(f, at, value, path) {
  if (typeof value === 'bigint') {
    if (BigInt.asUintN(64, value) !== value) throw integerError(value, path, MAX_U64);
    f.u64[at] = value;
    return;
  }
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw integerError(value, path, MAX_U64);
  putMillis(f, at, value);
}

/** A safe integer that was looked at before. @param {Frame} f @param {number} at @param {number} value */
export function putMillis(f, at, value) {
  const { u32 } = f;
  u32[at * 2] = value;
  u32[at * 2 + 1] = value / 0x1_0000_0000;
}

/** Whether there is one, then the number. @param {Frame} f @param {number} at @param {unknown} value @param {string} path */
export function putOptionalU64(f, at, value, path) {
  const given = value !== undefined && value !== null;
  putSlot(f, at, given ? 1 : 0);
  putU64(f, at + 1, given ? value : 0, path);
}

/** Like putU64, and the digits that JSON made of it. @param {Frame} f @param {number} at @param {unknown} value @param {string} path */
export function putTokenU64(f, at, value, path) {
  putU64(f, at, typeof value === 'string' ? fromDigits(value) : value, path);
}

/** @param {Frame} f @param {number} at @param {unknown} value @param {string} path */
export function putU32(f, at, value, path) {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > MAX_U32) {
    throw integerError(value, path, MAX_U32);
  }
  f.u32[at * 2] = number;
}

/** @param {Frame} f @param {number} at @param {unknown} value @param {string} path */
export function putBool(f, at, value, path) {
  if (typeof value !== 'boolean') throw new TypeError(`${path} must be a boolean`);
  putSlot(f, at, value ? 1 : 0);
}

/** @param {Frame} f @param {number} at @param {readonly string[]} names @param {unknown} value @param {string} path */
export function putName(f, at, names, value, path) {
  for (let index = 0; index < names.length; index += 1) {
    if (names[index] === value) {
      putSlot(f, at, index);
      return;
    }
  }
  throw new TypeError(`${path} must be one of ${names.join(', ')}`);
}

/** @param {Frame} f @param {number} at @param {number} text where it begins @param {number} size @returns {number} its end */
function place(f, at, text, size) {
  f.u32[at * 2] = size + (text - f.textAt) * PLACE;
  return text + size;
}

/**
 * At most one byte more than `maxBytes`: the core refuses anything longer by the rule's name, however long.
 * @param {Frame} f @param {number} at @param {number} text @param {unknown} value @param {string} path @param {number} maxBytes
 */
export function putText(f, at, text, value, path, maxBytes) {
  if (typeof value !== 'string') throw textError(value, path);
  if (value.length > LONG_TEXT && value.length <= maxBytes)
    return putLong(f, at, text, value, path, maxBytes);
  const { u8 } = f;
  const size = value.length > maxBytes ? maxBytes + 1 : value.length;
  for (let i = 0; i < size; i += 1) {
    const unit = value.charCodeAt(i);
    if (unit > 0x7f) return putUnicode(f, at, text, value, path, maxBytes);
    u8[text + i] = unit;
  }
  f.u32[at * 2] = size + (text - f.textAt) * PLACE;
  return text + size;
}

/**
 * The platform's encoder is quicker from some length on, if it is given a view that is there already.
 * @param {Frame} f @param {number} at @param {number} text @param {string} value @param {string} path @param {number} maxBytes
 */
function putLong(f, at, text, value, path, maxBytes) {
  const { view, start } = f.viewFrom(text);
  const { read, written } = encoder.encodeInto(value, view);
  // Either alone can be a coincidence: the view may have ended before the text did.
  return read === value.length && written === read
    ? place(f, at, start, written)
    : putUnicode(f, at, text, value, path, maxBytes);
}

/** @param {Frame} f @param {number} at @param {number} text @param {string} value @param {string} path @param {number} maxBytes */
function putUnicode(f, at, text, value, path, maxBytes) {
  if (!isWellFormed(value)) throw textError(value, path);
  const { read, written } = encoder.encodeInto(value, f.u8.subarray(text, text + maxBytes));
  return place(f, at, text, read < value.length ? maxBytes + 1 : written);
}

/**
 * Like putText, but that a text is well-formed is the core's to say: one that is not arrives as bytes that are no
 * UTF-8, of the same length. One that is too long arrives too long, well-formed or not as a whole.
 * @param {Frame} f @param {number} at @param {number} text @param {unknown} value @param {string} path @param {number} maxBytes
 */
export function putUtf8(f, at, text, value, path, maxBytes) {
  if (typeof value !== 'string') throw textError(value, path);
  const { u8 } = f;
  const size = value.length;
  if (size > maxBytes) return putJudged(f, at, text, value, maxBytes);
  for (let i = 0; i < size; i += 1) {
    const unit = value.charCodeAt(i);
    if (unit > 0x7f) return putJudged(f, at, text, value, maxBytes);
    u8[text + i] = unit;
  }
  f.u32[at * 2] = size + (text - f.textAt) * PLACE;
  return text + size;
}

/** @param {Frame} f @param {number} at @param {number} text @param {string} value @param {number} maxBytes */
function putJudged(f, at, text, value, maxBytes) {
  const { u8 } = f;
  const end = text + maxBytes;
  const { read, written } = encoder.encodeInto(value, u8.subarray(text, end));
  const cut = read < value.length;
  if (cut) u8.fill(FILLER, text + written, end + 1);
  if (!isWellFormed(value)) u8[text] = NO_UTF8;
  return place(f, at, text, cut ? maxBytes + 1 : written);
}

/** Bytes that fit. @param {Frame} f @param {number} at @param {number} text @param {Uint8Array} bytes @param {number} size theirs */
export function putShortBytes(f, at, text, bytes, size) {
  if (size > 0) f.u8.set(bytes, text);
  return place(f, at, text, size);
}

/** @param {Frame} f @param {number} at @param {number} text @param {Uint8Array} bytes @param {number} maxBytes */
export function putBytes(f, at, text, bytes, maxBytes) {
  const size = Math.min(bytes.length, maxBytes + 1);
  return putShortBytes(f, at, text, size < bytes.length ? bytes.subarray(0, size) : bytes, size);
}

/** @param {string} text */
export function isWellFormed(text) {
  const native = /** @type {{ isWellFormed?: () => boolean }} */ (/** @type {unknown} */ (text));
  return native.isWellFormed ? native.isWellFormed() : !/\p{Surrogate}/u.test(text);
}
