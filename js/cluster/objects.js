// Reading from the object store: an object's chunks are messages of the bucket's stream, asked for one by one. The
// client library's own way makes a consumer for each object, and waits for ever if that one delivers nothing.

import { withDeadline } from './waiting.js';

/** For one request to the object store; putting a large object is one. */
export const OBJECT_MS = 60_000;

/**
 * @typedef {object} Bucket
 * @property {string} name
 * @property {import('@nats-io/obj').ObjectStore} store
 * @property {import('@nats-io/jetstream').JetStreamManager} jsm
 */

/**
 * The bytes as they are there; null when the object, or a part of it, is not. Whoever asks knows what they must be.
 * @param {Bucket} bucket @param {string} object @returns {Promise<Uint8Array<ArrayBuffer> | null>}
 */
export async function readObject({ name, store, jsm }, object) {
  const info = await withDeadline(store.info(object), OBJECT_MS);
  if (info === null || info.deleted) return null;
  const subject = `$O.${name}.C.${info.nuid}`;
  /** @type {Uint8Array[]} */
  const chunks = [];
  let seq = 1;
  for (let i = 0; i < info.chunks; i += 1) {
    const message = await jsm.streams.getMessage(
      `OBJ_${name}`,
      /** @type {any} */ ({ seq, next_by_subj: subject }),
    );
    if (message === null) return null;
    chunks.push(message.data);
    seq = message.seq + 1;
  }
  return joined(chunks);
}

/** @param {Uint8Array[]} chunks */
function joined(chunks) {
  const whole = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** @param {Bucket} bucket @param {string} object @param {Uint8Array} bytes */
export function writeObject({ store }, object, bytes) {
  return withDeadline(store.putBlob({ name: object }, bytes), OBJECT_MS);
}

/**
 * Leaves no description of what is no more, unlike the client library. By subject: after a purge by sequence, old
 * servers do not know any more which subjects are left.
 * @param {Bucket} bucket @param {string} object
 */
export async function removeObject({ name, store, jsm }, object) {
  const info = await withDeadline(store.info(object), OBJECT_MS);
  if (info === null) return;
  const described = btoa(object).replaceAll('+', '-').replaceAll('/', '_');
  for (const filter of [`$O.${name}.C.${info.nuid}`, `$O.${name}.M.${described}`])
    await jsm.streams.purge(`OBJ_${name}`, { filter });
}
