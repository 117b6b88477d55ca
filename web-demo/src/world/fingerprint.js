import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const LANES = 8;

/** SHA-256 by record. Records are frozen, so one that lives through many revisions is hashed once. */
const digests = new WeakMap();

/** A record's canonical form is its own JSON, whose keys have a fixed order and whose integers are exact. */
function digestOf(record) {
  let digest = digests.get(record);
  if (!digest) {
    const bytes = sha256(utf8ToBytes(JSON.stringify(record)));
    digest = new Uint32Array(bytes.buffer, bytes.byteOffset, LANES);
    digests.set(record, digest);
  }
  return digest;
}

/**
 * The fingerprint of everything a pool holds: SHA-256 over its snapshot and over the sum of the digests of all worker
 * and task records. A sum, lane by lane, so that one changed record costs two additions and no walk over the rest.
 */
export class Fingerprint {
  #sum = new Uint32Array(LANES);

  /** @param {object | null} before @param {object | null} after */
  replace(before, after) {
    const minus = before && digestOf(before);
    const plus = after && digestOf(after);
    for (let i = 0; i < LANES; i += 1) this.#sum[i] += (plus ? plus[i] : 0) - (minus ? minus[i] : 0);
  }

  /** @param {object} snapshot @returns {string} 64 hexadecimal digits */
  with(snapshot) {
    return bytesToHex(
      sha256
        .create()
        .update(utf8ToBytes(JSON.stringify(snapshot)))
        .update(new Uint8Array(this.#sum.buffer))
        .digest(),
    );
  }
}
