// Where a host begins: its stream, the machine that the stream is of, and the newest snapshot of it.

import { divergedError, limitsDifferError, unfitError } from './errors.js';
import { Snapshots } from './snapshots.js';
import { ensureGenesis, ensureStream, probeExpectation } from './stream.js';
import { placesOf } from './texts.js';

/**
 * @typedef {import('./part.js').Shared} Shared
 * @typedef {import('./part.js').Kind} Kind
 * @typedef {{ settled: any, sequence: number, tip: string, known?: import('./feed.js').Known }} Start
 *
 * @typedef {object} Beginning
 * @property {import('./texts.js').Places} places
 * @property {string} created when the stream was made
 * @property {Snapshots} snapshots
 * @property {Start} start
 */

/** @typedef {{ limits: unknown, named: boolean }} Wanted `named`: the limits have to be those that are there */

/** @param {Shared} shared @param {Kind} kind @param {Wanted} wanted @returns {Promise<Beginning>} */
export async function begin(shared, kind, wanted) {
  const { js, jsm, bucket, settings } = shared;
  const places = placesOf(shared.name, kind.part);
  const info = await ensureStream(jsm, places, /** @type {any} */ (settings));
  await probeExpectation(js, places);
  const snapshots = new Snapshots({ bucket, stream: places.stream, part: kind.part });
  const start = await startOf(shared, kind, { places, snapshots, wanted });
  return { places, created: String(info.created), snapshots, start };
}

/** @param {Shared} shared @param {Kind} kind @param {{ places: import('./texts.js').Places, snapshots: Snapshots, wanted: Wanted }} options */
async function startOf({ js, jsm, leasegate }, kind, { places, snapshots, wanted }) {
  const fresh = kind.make(wanted.limits);
  const header = fresh.journalHeader();
  fresh.dispose();
  const genesis = await ensureGenesis(js, jsm, places, header);
  const snapshot = await newestSnapshot(snapshots, kind);
  if (snapshot !== null) {
    if (wanted.named) compareLimits(leasegate, header, snapshot.settled.journalHeader());
    return snapshot;
  }
  if (genesis === null) throw divergedError(0, 'history_missing');
  const settled = begunBy(leasegate, kind, genesis);
  if (settled === null) throw unfitError(places.stream, 'genesis');
  if (wanted.named) compareLimits(leasegate, header, genesis);
  const known = { sequence: 1, author: '', bytes: genesis };
  return { settled, sequence: 1, tip: '', known };
}

/** The machine of a first message; null when that is none of ours. @param {any} leasegate @param {Kind} kind @param {Uint8Array} genesis */
function begunBy(leasegate, kind, genesis) {
  try {
    return kind.make(leasegate.readJournalHeader(genesis).limits);
  } catch {
    return null;
  }
}

/** @param {Snapshots} snapshots @param {Kind} kind @returns {Promise<Start | null>} */
export async function newestSnapshot(snapshots, kind) {
  const found = await snapshots.read((bytes) => kind.fromSnapshot(bytes));
  return found && { settled: found.made, sequence: found.sequence, tip: found.tip };
}

/** @param {any} leasegate @param {Uint8Array} wanted @param {Uint8Array} found */
function compareLimits(leasegate, wanted, found) {
  const ours = leasegate.readJournalHeader(wanted).limits;
  const theirs = leasegate.readJournalHeader(found).limits;
  for (const [name, value] of Object.entries(ours))
    if (theirs[name] !== value) throw limitsDifferError(name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`));
}
