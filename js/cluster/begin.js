// Where a host begins: its stream, the machine that the stream is of, and the newest snapshot of it.

import { divergedError, limitsDifferError } from './errors.js';
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

/** @param {Shared} shared @param {Kind} kind @param {unknown} limits @returns {Promise<Beginning>} */
export async function begin(shared, kind, limits) {
  const { js, jsm, bucket, settings } = shared;
  const places = placesOf(shared.name, kind.part);
  const info = await ensureStream(jsm, places, /** @type {any} */ (settings));
  await probeExpectation(js, places);
  const snapshots = new Snapshots({ bucket, stream: places.stream, part: kind.part });
  const start = await startOf(shared, kind, { places, snapshots, limits });
  return { places, created: String(info.created), snapshots, start };
}

/** @param {Shared} shared @param {Kind} kind @param {{ places: import('./texts.js').Places, snapshots: Snapshots, limits: unknown }} options */
async function startOf({ js, jsm, leasegate }, kind, { places, snapshots, limits }) {
  const wanted = limits !== undefined && limits !== null;
  const fresh = kind.make(limits);
  const header = fresh.journalHeader();
  fresh.dispose();
  const genesis = await ensureGenesis(js, jsm, places, header);
  const snapshot = await newestSnapshot(snapshots, kind);
  if (snapshot !== null) {
    if (wanted) compareLimits(leasegate, header, snapshot.settled.journalHeader());
    return snapshot;
  }
  if (genesis === null) throw divergedError(0, 'history_missing');
  if (wanted) compareLimits(leasegate, header, genesis);
  const begun = leasegate.readJournalHeader(genesis);
  const known = { sequence: 1, author: '', bytes: genesis };
  return { settled: kind.make(begun.limits), sequence: 1, tip: '', known };
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
