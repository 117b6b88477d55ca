// Events on their way into the core and out of it.

import { requiredBytes, textError } from '../boundary/arguments.js';
import { MAX_OPAQUE_ID_BYTES, MAX_TEXT_BYTES, OutboundEvent } from '../generated/bridge.js';
import { lengthOf, putBlob } from './blob.js';

/** The largest size that the core can be told of. */
const MAX_CARRIED_BYTES = 0xffff_ffff;
const NO_BYTES = new Uint8Array(0);

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const tagOf = /** @type {any} */ (Object.getOwnPropertyDescriptor(typedArray, Symbol.toStringTag)).get;

/**
 * The caller's bytes themselves while they are a Uint8Array that holds some: copying them runs none of the caller's
 * code, whatever it has put on the object.
 * @param {unknown} payload @param {string} path @returns {Uint8Array}
 */
export function payloadBytes(payload, path) {
  if (payload === undefined || payload === null) return NO_BYTES;
  const plain = tagOf.call(payload) === 'Uint8Array' && lengthOf.call(payload) > 0;
  const bytes = plain ? /** @type {Uint8Array} */ (payload) : requiredBytes(payload, path);
  if (lengthOf.call(bytes) > MAX_CARRIED_BYTES) {
    throw new RangeError(`${path} must be at most ${MAX_CARRIED_BYTES} bytes long`);
  }
  return bytes;
}

/**
 * The events of a history with every property read, so that writing them runs none of the caller's code.
 * @param {unknown} events @param {string} path
 */
export function readHistory(events, path) {
  if (!Array.isArray(events)) throw new TypeError(`${path} must be an array of events`);
  return Array.from(events, (event, index) => {
    const at = () => `${path}[${index}]`;
    if (typeof event !== 'object' || event === null) throw new TypeError(`${at()} must be an object`);
    const { messageId, type, payload } = event;
    if (typeof messageId !== 'string') throw textError(messageId, `${at()}.messageId`);
    if (typeof type !== 'string') throw textError(type, `${at()}.type`);
    try {
      return { messageId, type, payload: payloadBytes(payload, 'payload') };
    } catch (error) {
      throw error instanceof RangeError ? error : payloadError(`${at()}.payload`);
    }
  });
}

/** @param {string} path */
function payloadError(path) {
  return new TypeError(`${path} must be a Uint8Array or an ArrayBuffer, and not lie in a detached buffer`);
}

/**
 * Answers whether the payload lies beside the frame, in the buffer that is to be released.
 * @param {import('../boundary/runtime.js').Runtime} runtime
 * @param {unknown} messageId @param {unknown} type @param {Uint8Array} payload
 */
export function putEvent(runtime, messageId, type, payload) {
  const { frame } = runtime;
  frame.putUtf8(messageId, 'event.messageId', MAX_OPAQUE_ID_BYTES);
  frame.putUtf8(type, 'event.type', MAX_TEXT_BYTES);
  return putBlob(runtime, payload);
}

/** An event that comes out, with a payload of its own. @param {import('../boundary/frame.js').Frame} frame */
export function takeEvent(frame) {
  return new OutboundEvent(frame.getText(), frame.getText(), frame.getPlacedBytes());
}
