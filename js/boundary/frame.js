// The JavaScript side of bindings/base/frame.hpp: arguments are written slot by slot, answers read back in the
// same order. Hot: every command passes through here, so numbers and short ASCII take the shortest way.

import { fromDigits, integerError, textError } from './arguments.js';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
const MAX_U32 = 0xffff_ffff;
/** A byte that is nowhere in UTF-8, and one that is a character by itself. */
const NO_UTF8 = 0xff;
const FILLER = 0x20;
/** Characters up to which a text is short. */
const SHORT_TEXT = 40;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

export class Frame {
  /**
   * @param {WebAssembly.Memory} memory
   * @param {number} slots address of the slots, in bytes
   * @param {number} text address of the text area, in bytes
   */
  constructor(memory, slots, text) {
    this.memory = memory;
    this.slotsAt = slots / 8;
    this.textAt = text;
    this.slot = 0;
    this.text = 0;
    /** Texts of the command that its answer repeats. @type {readonly string[]} */
    this.given = [];
    this.u8 = new Uint8Array(memory.buffer);
    this.u32 = new Uint32Array(memory.buffer);
    this.u64 = new BigUint64Array(memory.buffer);
  }

  /** Memory that has grown has a new buffer, and the views on the old one are empty. */
  attach() {
    this.u8 = new Uint8Array(this.memory.buffer);
    this.u32 = new Uint32Array(this.memory.buffer);
    this.u64 = new BigUint64Array(this.memory.buffer);
  }

  /** Starts the arguments of a call, or the reading of its answer. */
  begin() {
    if (this.u8.length === 0) this.attach();
    this.slot = this.slotsAt;
    this.text = this.textAt;
  }

  // --- Arguments

  /** @param {number} value */
  putSlot(value) {
    this.u32[this.slot * 2] = value;
    this.slot += 1;
  }

  /** @param {unknown} value @param {string} path */
  putU64(value, path) {
    const at = this.slot;
    if (typeof value === 'bigint') {
      if (BigInt.asUintN(64, value) !== value) throw integerError(value, path, MAX_U64);
      this.u64[at] = value;
    } else {
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
        throw integerError(value, path, MAX_U64);
      this.u32[at * 2] = value;
      this.u32[at * 2 + 1] = value / 0x1_0000_0000;
    }
    this.slot = at + 1;
  }

  /** Whether there is one, then the number. @param {unknown} value @param {string} path */
  putOptionalU64(value, path) {
    const given = value !== undefined && value !== null;
    this.putSlot(given ? 1 : 0);
    this.putU64(given ? value : 0, path);
  }

  /** Like putU64, and the digits that JSON made of it. @param {unknown} value @param {string} path */
  putTokenU64(value, path) {
    this.putU64(typeof value === 'string' ? fromDigits(value) : value, path);
  }

  /** @param {unknown} value @param {string} path */
  putU32(value, path) {
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > MAX_U32) {
      throw integerError(value, path, MAX_U32);
    }
    this.putSlot(number);
  }

  /** @param {readonly string[]} names @param {unknown} value @param {string} path */
  putName(names, value, path) {
    const index = names.indexOf(/** @type {string} */ (value));
    if (index < 0) throw new TypeError(`${path} must be one of ${names.join(', ')}`);
    this.putSlot(index);
  }

  /**
   * At most one byte more than `maxBytes`: the core refuses anything longer by the rule's name, however long.
   * @param {unknown} value @param {string} path @param {number} maxBytes
   */
  putText(value, path, maxBytes) {
    if (typeof value !== 'string') throw textError(value, path);
    const { u8, text } = this;
    const size = value.length > maxBytes ? maxBytes + 1 : value.length;
    for (let i = 0; i < size; i += 1) {
      const unit = value.charCodeAt(i);
      if (unit > 0x7f) {
        this.#putUnicode(value, path, maxBytes);
        return;
      }
      u8[text + i] = unit;
    }
    this.putSlot(size);
    this.text = text + size;
  }

  /** @param {string} value @param {string} path @param {number} maxBytes */
  #putUnicode(value, path, maxBytes) {
    if (!isWellFormed(value)) throw textError(value, path);
    const { read, written } = encoder.encodeInto(value, this.u8.subarray(this.text, this.text + maxBytes));
    const size = read < value.length ? maxBytes + 1 : written;
    this.putSlot(size);
    this.text += size;
  }

  /**
   * Like putText, but that a text is well-formed is the core's to say: one that is not arrives as bytes that are no
   * UTF-8, of the same length. One that is too long arrives too long, well-formed or not as a whole.
   * @param {unknown} value @param {string} path @param {number} maxBytes
   */
  putUtf8(value, path, maxBytes) {
    if (typeof value !== 'string') throw textError(value, path);
    const { u8, text } = this;
    const size = value.length;
    if (size > maxBytes) {
      this.#putJudged(value, maxBytes);
      return;
    }
    for (let i = 0; i < size; i += 1) {
      const unit = value.charCodeAt(i);
      if (unit > 0x7f) {
        this.#putJudged(value, maxBytes);
        return;
      }
      u8[text + i] = unit;
    }
    this.putSlot(size);
    this.text = text + size;
  }

  /** @param {string} value @param {number} maxBytes */
  #putJudged(value, maxBytes) {
    const { u8, text } = this;
    const end = text + maxBytes;
    const { read, written } = encoder.encodeInto(value, u8.subarray(text, end));
    const cut = read < value.length;
    if (cut) u8.fill(FILLER, text + written, end + 1);
    if (!isWellFormed(value)) u8[text] = NO_UTF8;
    const size = cut ? maxBytes + 1 : written;
    this.putSlot(size);
    this.text = text + size;
  }

  /** @param {unknown} value @param {string} path */
  putBool(value, path) {
    if (typeof value !== 'boolean') throw new TypeError(`${path} must be a boolean`);
    this.putSlot(value ? 1 : 0);
  }

  /** A safe integer that was looked at before. @param {number} value */
  putMillis(value) {
    const at = this.slot * 2;
    this.u32[at] = value;
    this.u32[at + 1] = value / 0x1_0000_0000;
    this.slot += 1;
  }

  /** Bytes that fit. @param {Uint8Array} bytes @param {number} size theirs */
  putShortBytes(bytes, size) {
    this.u8.set(bytes, this.text);
    this.putSlot(size);
    this.text += size;
  }

  /** @param {Uint8Array} bytes @param {number} maxBytes */
  putBytes(bytes, maxBytes) {
    const size = Math.min(bytes.length, maxBytes + 1);
    this.u8.set(size < bytes.length ? bytes.subarray(0, size) : bytes, this.text);
    this.putSlot(size);
    this.text += size;
  }

  // --- Answers

  getU64() {
    const value = this.u64[this.slot];
    this.slot += 1;
    return value;
  }

  getOptionalU64() {
    const present = this.getBool();
    const value = this.getU64();
    return present ? value : null;
  }

  /** A time, which the host gave as a number. */
  getMillis() {
    const at = this.slot * 2;
    this.slot += 1;
    return this.u32[at] + this.u32[at + 1] * 0x1_0000_0000;
  }

  getOptionalMillis() {
    const present = this.getBool();
    const value = this.getMillis();
    return present ? value : null;
  }

  getU32() {
    const value = this.u32[this.slot * 2];
    this.slot += 1;
    return value;
  }

  getBool() {
    return this.getU32() !== 0;
  }

  /** @template {string} N @param {readonly N[]} names */
  getName(names) {
    return names[this.getU32()];
  }

  /** @template {string} N @param {readonly N[]} names */
  getSet(names) {
    const bits = this.getU32();
    return Object.freeze(names.filter((_, index) => (bits & (1 << index)) !== 0));
  }

  getText() {
    const size = this.getU32();
    const start = this.text;
    this.text = start + size;
    return decode(this.u8, start, size);
  }

  /** A copy of its own. */
  getBytes() {
    const size = this.getU32();
    if (size === 0) return new Uint8Array(0);
    const start = this.text;
    this.text = start + size;
    return this.u8.slice(start, this.text);
  }

  /**
   * Ids come with the key of their text.
   * @param {import('./id-texts.js').IdTexts} known
   */
  getId(known) {
    const at = this.slot * 2;
    const size = this.u32[at];
    const key = this.u32[at + 1];
    const start = this.text;
    this.slot += 1;
    this.text = start + size;
    const text = known.get(key);
    if (text !== undefined) return text;
    const decoded = decode(this.u8, start, size);
    known.set(key, decoded);
    return decoded;
  }

  /** @param {import('./id-texts.js').IdTexts} known */
  getOptionalId(known) {
    return this.getBool() ? this.getId(known) : null;
  }

  /** @param {number} index */
  getGivenText(index) {
    this.text += this.getU32();
    return this.given[index];
  }

  /** @param {import('./id-texts.js').IdTexts} known @param {number} index */
  getGivenId(known, index) {
    const key = this.u32[this.slot * 2 + 1];
    const text = this.getGivenText(index);
    known.set(key, text);
    return text;
  }

  /** A copy of bytes that lie elsewhere in the core's memory. */
  getPlacedBytes() {
    const start = this.getMillis();
    const size = this.getMillis();
    return this.u8.slice(start, start + size);
  }

  /** Text that lies elsewhere in the core's memory. */
  getPlacedText() {
    const start = this.getMillis();
    const size = this.getMillis();
    return size === 0 ? '' : decoder.decode(this.u8.subarray(start, start + size));
  }
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

/** @param {string} text */
export function isWellFormed(text) {
  const native = /** @type {{ isWellFormed?: () => boolean }} */ (/** @type {unknown} */ (text));
  return native.isWellFormed ? native.isWellFormed() : !/\p{Surrogate}/u.test(text);
}
