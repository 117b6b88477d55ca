// Bytes of any number on their way into the core: in the frame while they are few, else in the buffer beside it.
// Each function answers whether they lie beside the frame, in the buffer that is then to be released.

import { isWellFormed } from '../boundary/put.js';
import { outOfMemoryError } from '../errors.js';

/** What has room in the frame beside the longest texts of a command. */
const INLINE_BYTES = 8 * 1024;
/** The most bytes that a character of JavaScript becomes. */
const BYTES_A_UNIT = 3;

const encoder = new TextEncoder();
/** A byte that is nowhere in UTF-8: what stands for a text with lone surrogates. */
const NO_UTF8 = Uint8Array.of(0xff);

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
/** The length of a typed array, whatever its owner has put on it. @type {() => number} */
export const lengthOf = /** @type {any} */ (Object.getOwnPropertyDescriptor(typedArray, 'length')).get;

/** @param {import('../boundary/runtime.js').Runtime} runtime @param {Uint8Array} bytes */
export function putBlob(runtime, bytes) {
  const { frame } = runtime;
  const size = lengthOf.call(bytes);
  if (size <= INLINE_BYTES) {
    frame.putSlot(0);
    frame.putShortBytes(bytes, size);
    return false;
  }
  // Without the buffer the core would take for the bytes whatever lies where it is not.
  if (!runtime.putPayload(size, (memory, at) => memory.set(bytes, at))) throw outOfMemoryError();
  frame.putSlot(1);
  frame.putSlot(size);
  return true;
}

/** @param {import('../boundary/runtime.js').Runtime} runtime @param {string} text */
export function putTextBlob(runtime, text) {
  if (text.length * BYTES_A_UNIT > INLINE_BYTES) {
    return putBlob(runtime, isWellFormed(text) ? encoder.encode(text) : NO_UTF8);
  }
  runtime.frame.putSlot(0);
  runtime.frame.putUtf8(text, 'text', INLINE_BYTES);
  return false;
}
