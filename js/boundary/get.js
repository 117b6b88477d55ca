// Answers, each out of its slot. Hot, like put.js: what a host has been given before is given again, not made anew.

/** @typedef {import('./frame.js').Frame} Frame */
/** @typedef {import('./id-texts.js').IdTexts} IdTexts */

/** Characters up to which a text is short. */
const SHORT_TEXT = 40;
const SIZE = 0xffff;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** @type {Uint8Array | null} */
let emptyBytes = null;

/** One for all: it holds nothing that could be changed, and memory of WebAssembly's is not detached by a transfer. */
function noBytes() {
  emptyBytes ??= Object.preventExtensions(new Uint8Array(new WebAssembly.Memory({ initial: 0 }).buffer));
  return emptyBytes;
}

/** A time, a number or a size, which stays below 2^53. @param {Frame} f @param {number} at */
export function getMillis({ u32 }, at) {
  return u32[at * 2] + u32[at * 2 + 1] * 0x1_0000_0000;
}

/** @param {Frame} f @param {number} at */
export function getOptionalMillis(f, at) {
  return f.u32[at * 2] === 0 ? null : getMillis(f, at + 1);
}

/** Places for bigints that came out: a power of two. */
const COUNTERS = 1024;
const counterKeys = new Float64Array(COUNTERS).fill(-1);
const counters = new Array(COUNTERS).fill(0n);

/**
 * A counter or a time that comes out again and again: making a bigint costs more than finding the one made last.
 * Above 2^53 - 1 no key is exact, and none is kept.
 * @param {Frame} f @param {number} at @returns {bigint}
 */
export function getCounter(f, at) {
  const { u32 } = f;
  const low = u32[at * 2];
  const place = low & (COUNTERS - 1);
  const key = low + u32[at * 2 + 1] * 0x1_0000_0000;
  return counterKeys[place] === key ? counters[place] : newCounter(f, at, place, key);
}

/** @param {Frame} f @param {number} at @param {number} place @param {number} key */
function newCounter(f, at, place, key) {
  const value = f.u64[at];
  if (key <= Number.MAX_SAFE_INTEGER) {
    counterKeys[place] = key;
    counters[place] = value;
  }
  return value;
}

/** @param {Frame} f @param {number} at */
export function getOptionalCounter(f, at) {
  return f.u32[at * 2] === 0 ? null : getCounter(f, at + 1);
}

/** The names whose bits are set. @template {string} N @param {Frame} f @param {number} at @param {readonly N[]} names */
export function getSet(f, at, names) {
  const bits = f.u32[at * 2];
  return Object.freeze(names.filter((_, index) => (bits & (1 << index)) !== 0));
}

/** @param {Frame} f @param {number} at */
export function getText(f, at) {
  const word = f.u32[at * 2];
  return decode(f.u8, f.answerTextAt + (word >>> 16), word & SIZE);
}

/** A copy of its own. @param {Frame} f @param {number} at */
export function getBytes(f, at) {
  const word = f.u32[at * 2];
  const size = word & SIZE;
  if (size === 0) return noBytes();
  const start = f.answerTextAt + (word >>> 16);
  return f.u8.slice(start, start + size);
}

/**
 * Ids come with the key of their text, which is decoded once a key, not once an answer.
 * @param {Frame} f @param {number} at @param {IdTexts} known
 */
export function getId(f, at, known) {
  const key = f.u32[at * 2 + 1];
  const text = known.get(key);
  if (text !== undefined) return text;
  const decoded = getText(f, at);
  known.set(key, decoded);
  return decoded;
}

/** @param {Frame} f @param {number} at @param {IdTexts} known */
export function getOptionalId(f, at, known) {
  return f.u32[at * 2] === 0 ? null : getId(f, at + 1, known);
}

/** An id that the command has named. @param {Frame} f @param {number} at @param {IdTexts} known @param {string} text */
export function getGivenId(f, at, known, text) {
  known.set(f.u32[at * 2 + 1], text);
  return text;
}

/** A copy of bytes that lie elsewhere in the core's memory. @param {Frame} f @param {number} at */
export function getPlacedBytes(f, at) {
  const start = getMillis(f, at);
  return f.u8.slice(start, start + getMillis(f, at + 1));
}

/** Text that lies elsewhere in the core's memory. @param {Frame} f @param {number} at */
export function getPlacedText(f, at) {
  const start = getMillis(f, at);
  const size = getMillis(f, at + 1);
  return size === 0 ? '' : decoder.decode(f.u8.subarray(start, start + size));
}

/** Rows of characters, one a length: what short texts are made of. */
const rows = Array.from({ length: SHORT_TEXT + 1 }, (_, size) => new Array(size).fill(0));

/** The short text of each length that came last: types, kinds and sessions come again and again. */
const latest = rows.map((row) => String.fromCharCode.apply(null, row));

/**
 * Short ASCII, as ids are, without the detour through the platform's decoder.
 * @param {Uint8Array} u8 @param {number} start @param {number} size
 */
function decode(u8, start, size) {
  if (size > SHORT_TEXT) return decoder.decode(u8.subarray(start, start + size));
  const known = latest[size];
  let left = size; // from the end, where ids differ
  while (left > 0 && known.charCodeAt(left - 1) === u8[start + left - 1]) left -= 1;
  if (left === 0) return known;
  const row = rows[size];
  for (let i = 0; i < size; i += 1) {
    const byte = u8[start + i];
    if (byte > 0x7f) return decoder.decode(u8.subarray(start, start + size));
    row[i] = byte;
  }
  const text = String.fromCharCode.apply(null, row);
  latest[size] = text;
  return text;
}
