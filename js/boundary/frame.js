// The JavaScript side of bindings/base/frame.hpp: two blocks of memory, one for the arguments of a call and one for its
// answer. Generated code knows where each value lies (put.js and get.js); code written by hand walks the slots in
// order, with the methods here.

import * as get from './get.js';
import * as put from './put.js';

/** Where views of the texts may begin, and how long they are. */
const VIEW_STEP = 64;
const VIEW_BYTES = 1024;

export class Frame {
  /**
   * @param {WebAssembly.Memory} memory
   * @param {{ slots: number, text: number, answerSlots: number, answerText: number }} addresses in bytes
   */
  constructor(memory, addresses) {
    this.memory = memory;
    this.slotsAt = addresses.slots / 8;
    this.textAt = addresses.text;
    this.answersAt = addresses.answerSlots / 8;
    this.answerTextAt = addresses.answerText;
    /** @type {{ start: number, view: Uint8Array }[]} */
    this.views = [];
    /** Where the next value goes, or comes from. */
    this.slot = 0;
    this.text = 0;
    /** Texts of the command that its answer repeats. @type {string[]} */
    this.given = ['', '', ''];
    this.u8 = new Uint8Array(memory.buffer);
    this.u32 = new Uint32Array(memory.buffer);
    this.u64 = new BigUint64Array(memory.buffer);
  }

  /** A place for a text, at `text` or a little later, and the view of it. @param {number} text */
  viewFrom(text) {
    const index = Math.ceil((text - this.textAt) / VIEW_STEP);
    let known = this.views[index];
    if (known === undefined) {
      const start = this.textAt + index * VIEW_STEP;
      known = { start, view: this.u8.subarray(start, start + VIEW_BYTES) };
      this.views[index] = known;
    }
    return known;
  }

  /** Memory that has grown has a new buffer, and the views on the old one are empty. */
  attach() {
    this.views = [];
    this.u8 = new Uint8Array(this.memory.buffer);
    this.u32 = new Uint32Array(this.memory.buffer);
    this.u64 = new BigUint64Array(this.memory.buffer);
  }

  /** Starts the arguments of a call. */
  begin() {
    if (this.u8.length === 0) this.attach();
    this.slot = this.slotsAt;
    this.text = this.textAt;
  }

  /** Starts the reading of an answer. */
  answer() {
    if (this.u8.length === 0) this.attach();
    this.slot = this.answersAt;
  }

  // --- Arguments

  /** @param {number} value */
  putSlot(value) {
    put.putSlot(this, this.slot, value);
    this.slot += 1;
  }

  /** @param {unknown} value @param {string} path */
  putU64(value, path) {
    put.putU64(this, this.slot, value, path);
    this.slot += 1;
  }

  /** @param {unknown} value @param {string} path */
  putU32(value, path) {
    put.putU32(this, this.slot, value, path);
    this.slot += 1;
  }

  /** @param {unknown} value @param {string} path @param {number} maxBytes */
  putText(value, path, maxBytes) {
    this.text = put.putText(this, this.slot, this.text, value, path, maxBytes);
    this.slot += 1;
  }

  /** @param {unknown} value @param {string} path @param {number} maxBytes */
  putUtf8(value, path, maxBytes) {
    this.text = put.putUtf8(this, this.slot, this.text, value, path, maxBytes);
    this.slot += 1;
  }

  /** @param {readonly string[]} names @param {unknown} value @param {string} path */
  putName(names, value, path) {
    put.putName(this, this.slot, names, value, path);
    this.slot += 1;
  }

  /** A safe integer that was looked at before. @param {number} value */
  putMillis(value) {
    put.putMillis(this, this.slot, value);
    this.slot += 1;
  }

  /** Bytes that fit. @param {Uint8Array} bytes @param {number} size theirs */
  putShortBytes(bytes, size) {
    this.text = put.putShortBytes(this, this.slot, this.text, bytes, size);
    this.slot += 1;
  }

  // --- Answers

  getU64() {
    const value = this.u64[this.slot];
    this.slot += 1;
    return value;
  }

  /** A time, a number or a size, which stays below 2^53. */
  getMillis() {
    const value = get.getMillis(this, this.slot);
    this.slot += 1;
    return value;
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

  getText() {
    const text = get.getText(this, this.slot);
    this.slot += 1;
    return text;
  }

  /** A copy of its own. */
  getBytes() {
    const bytes = get.getBytes(this, this.slot);
    this.slot += 1;
    return bytes;
  }

  /** A copy of bytes that lie elsewhere in the core's memory. */
  getPlacedBytes() {
    const bytes = get.getPlacedBytes(this, this.slot);
    this.slot += 2;
    return bytes;
  }
}
