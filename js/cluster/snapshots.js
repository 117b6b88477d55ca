// Snapshots in the object store, and the trimming behind them. No clock and no lock decides who writes one: the record
// that crosses a multiple of the interval does, and its host is the writer. Two writers of one revision write the same
// bytes, and the pointer moves forward only.

import { divergedError } from './errors.js';
import { OBJECT_MS, readObject, writeObject } from './objects.js';
import { withDeadline } from './waiting.js';

/**
 * @typedef {object} Place of a snapshot
 * @property {string} name of the object
 * @property {number} sequence of the last message that is in it
 * @property {string} tip the author of that message, if it is in force
 * @property {string} revision
 */

const KEPT = 2;

export class Snapshots {
  /**
   * @param {object} options
   * @param {import('./objects.js').Bucket} options.bucket
   * @param {string} options.stream
   * @param {'pool' | 'results'} options.part
   */
  constructor({ bucket, stream, part }) {
    this.bucket = bucket;
    this.store = bucket.store;
    this.stream = stream;
    this.part = part;
    this.pointer = `${part}.latest`;
  }

  /** The snapshots that are kept, the newest first, and the pointer's own revision. @returns {Promise<{ places: Place[], revision: number }>} */
  async latest() {
    const info = await withDeadline(this.store.info(this.pointer), OBJECT_MS);
    if (info === null || info.deleted) return { places: [], revision: info?.revision ?? 0 };
    return { places: readPlaces(info.metadata?.snapshots), revision: info.revision };
  }

  /**
   * The newest snapshot of which a machine can be made; null when there is none at all.
   * @template T @param {(bytes: Uint8Array) => T} make @returns {Promise<{ made: T, place: Place } | null>}
   */
  async read(make) {
    const { places } = await this.latest();
    let cause;
    for (const place of places) {
      const bytes = await readObject(this.bucket, place.name);
      if (bytes === null) continue; // one that was just replaced may be gone before it is read
      try {
        return { made: make(bytes), place };
      } catch (error) {
        cause = error;
      }
    }
    if (places.length > 0) throw divergedError(places[0].sequence, 'snapshot_invalid', cause);
    return null;
  }

  /**
   * Stores a snapshot, reads it back, moves the pointer to it, and only then trims: up to the older of the two that
   * are kept, whose own message stays.
   * @param {Uint8Array} bytes @param {Omit<Place, 'name'>} at
   * @returns {Promise<boolean>} false when a later one was there
   */
  async write(bytes, at) {
    const before = await this.latest();
    if (before.places.length > 0 && before.places[0].sequence >= at.sequence) return false;
    const name = `${this.part}.${at.revision}.${at.sequence}`;
    await writeObject(this.bucket, name, bytes);
    const stored = await readObject(this.bucket, name);
    if (stored === null || !equal(stored, bytes)) throw divergedError(at.sequence, 'snapshot_invalid');
    const places = [{ ...at, name }, ...before.places];
    const kept = places.slice(0, KEPT);
    const metadata = { snapshots: JSON.stringify(kept) };
    try {
      await withDeadline(
        this.store.putBlob({ name: this.pointer, metadata }, new Uint8Array(0), {
          previousRevision: before.revision,
        }),
        OBJECT_MS,
      );
    } catch (error) {
      await this.#discard(name); // another host has moved it meanwhile, most likely: its snapshot is as good
      throw error;
    }
    if (kept.length === KEPT)
      await this.bucket.jsm.streams.purge(this.stream, { seq: kept[KEPT - 1].sequence });
    for (const old of places.slice(KEPT)) await this.store.delete(old.name);
    return true;
  }

  /** Not if the pointer has come to name it. @param {string} name */
  async #discard(name) {
    const { places } = await this.latest();
    if (!places.some((place) => place.name === name)) await this.store.delete(name);
  }
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const equal = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Whatever somebody may have put there. @param {string | undefined} text @returns {Place[]} */
function readPlaces(text) {
  try {
    const places = JSON.parse(text ?? '[]');
    return places.filter(
      (/** @type {any} */ place) =>
        typeof place.name === 'string' &&
        Number.isSafeInteger(place.sequence) &&
        place.sequence > 0 &&
        typeof place.tip === 'string' &&
        typeof place.revision === 'string',
    );
  } catch {
    return [];
  }
}
