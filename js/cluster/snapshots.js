// Snapshots in the object store, and the trimming behind them. No clock and no lock decides who writes one: the record
// at a multiple of the interval does, and its host is the writer. A snapshot has its place in its name and is never
// written over, so there is nothing that two writers could quarrel about, and no pointer that could get lost.

import { divergedError, unavailableError } from './errors.js';
import { OBJECT_MS, readObject, removeObject } from './objects.js';
import { sameBytes } from './texts.js';
import { withDeadline } from './waiting.js';

/**
 * @typedef {object} Place of a snapshot
 * @property {string} name of the object
 * @property {number} sequence of the last message that is in it
 */

const KEPT = 2;
/** How often snapshots may be replaced while they are read before that is given up. */
const READ_TRIES = 20;

export class Snapshots {
  /**
   * @param {object} options
   * @param {import('./objects.js').Bucket} options.bucket
   * @param {string} options.stream
   * @param {'pool' | 'results'} options.part
   */
  constructor({ bucket, stream, part }) {
    this.bucket = bucket;
    this.stream = stream;
    this.part = part;
  }

  /** What is there, the newest first. @returns {Promise<Place[]>} */
  async list() {
    const { name, jsm } = this.bucket;
    const prefix = `$O.${name}.M.`;
    const info = await jsm.streams.info(`OBJ_${name}`, { subjects_filter: `${prefix}>` });
    const places = [];
    for (const subject of Object.keys(info.state.subjects ?? {})) {
      const object = decoded(subject.slice(prefix.length));
      const [, part, sequence] = /^(pool|results)\.\d+\.(\d{1,15})$/.exec(object) ?? [];
      if (part === this.part) places.push({ name: object, sequence: Number(sequence) });
    }
    return places.sort((a, b) => b.sequence - a.sequence);
  }

  /** @param {Place} place @returns {Promise<{ bytes: Uint8Array, tip: string } | null>} */
  async open({ name }) {
    const info = await withDeadline(this.bucket.store.info(name), OBJECT_MS);
    const bytes = info === null ? null : await readObject(this.bucket, name);
    return bytes && { bytes, tip: info?.metadata?.tip ?? '' };
  }

  /**
   * The newest snapshot of which a machine can be made; null when there is none at all. While hosts put new ones, those
   * that were listed may be gone before they are read: then the list is asked for again.
   * @template T @param {(bytes: Uint8Array) => T} make
   * @returns {Promise<{ made: T, sequence: number, tip: string } | null>}
   */
  async read(make) {
    let places = await this.list();
    for (let tries = 1; ; tries += 1) {
      const { found, cause } = await this.#readFirst(places, make);
      if (found !== null || places.length === 0) return found;
      const [newest] = places;
      places = await this.list();
      if (places[0]?.name === newest.name) throw divergedError(newest.sequence, 'snapshot_invalid', cause);
      if (tries === READ_TRIES) throw unavailableError('jetstream', 'not_sent');
    }
  }

  /** @template T @param {Place[]} places @param {(bytes: Uint8Array) => T} make */
  async #readFirst(places, make) {
    let cause;
    for (const place of places) {
      const opened = await this.open(place);
      if (opened === null) continue;
      try {
        const found = { made: make(opened.bytes), sequence: place.sequence, tip: opened.tip };
        return { found, cause };
      } catch (error) {
        cause = error;
      }
    }
    return { found: null, cause };
  }

  /**
   * Stores a snapshot, reads it back, and only then trims: up to the older of the two that are kept, whose own message
   * stays.
   * @param {Uint8Array} bytes @param {{ sequence: number, tip: string, revision: string }} at
   * @returns {Promise<boolean>} false when a later one was there
   */
  async write(bytes, { sequence, tip, revision }) {
    const [newest] = await this.list();
    if (newest !== undefined && newest.sequence >= sequence) return false;
    const name = `${this.part}.${revision}.${sequence}`;
    await withDeadline(this.bucket.store.putBlob({ name, metadata: { tip } }, bytes), OBJECT_MS);
    const stored = await readObject(this.bucket, name);
    if (stored === null || !sameBytes(stored, bytes)) throw divergedError(sequence, 'snapshot_invalid');
    const places = await this.list();
    if (places.length >= KEPT)
      await this.bucket.jsm.streams.purge(this.stream, { seq: places[KEPT - 1].sequence });
    for (const old of places.slice(KEPT)) await removeObject(this.bucket, old.name);
    return true;
  }
}

/** The client library writes names of objects as base64. Whatever else may be there is no name of ours. @param {string} token */
function decoded(token) {
  try {
    return atob(token.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
