// All files, however many: a pool retains every task it was given, so more files than it has records for are hashed
// by several pools, one after the other.

import { MAX_TASK_RECORDS } from 'leasegate';
import { Host } from './host.mjs';

/**
 * @typedef {import('./host.mjs').Loss} Loss
 * @typedef {object} Hashed
 * @property {(Uint8Array | null)[]} digests one a file, null where it could not be read
 * @property {import('./walk-tree.mjs').Problem[]} problems
 * @property {number} bytes
 * @property {number} retries
 * @property {number} refused results that came too late
 * @property {bigint} revisions of all pools
 * @property {number} pools
 */

/**
 * @param {import('leasegate').Leasegate} leasegate
 * @param {string} folder
 * @param {import('./walk-tree.mjs').TreeFile[]} files
 * @param {object} options
 * @param {number} options.workers
 * @param {boolean} options.loseAWorker
 * @param {number} [options.filesPerPool]
 * @param {AbortSignal} [options.signal]
 * @param {(event: import('./host.mjs').HostEvent) => void} [options.onEvent]
 * @param {(progress: import('./host.mjs').Progress) => void} [options.onProgress]
 * @returns {Promise<Hashed>}
 */
export async function hashFiles(leasegate, folder, files, options) {
  const { filesPerPool = MAX_TASK_RECORDS, signal, onEvent = () => {}, onProgress = () => {} } = options;
  /** @type {Hashed} */
  const all = { digests: [], problems: [], bytes: 0, retries: 0, refused: 0, revisions: 0n, pools: 0 };
  for (let from = 0; from < files.length; from += filesPerPool) {
    const host = new Host(leasegate, folder, files.slice(from, from + filesPerPool), {
      workers: options.workers,
      loseAWorker: options.loseAWorker && from === 0,
      onEvent,
      onProgress: (part) => {
        const before = { files: from - all.problems.length, failed: all.problems.length, bytes: all.bytes };
        onProgress({
          ...part,
          total: files.length,
          done: before.files + part.done,
          failed: before.failed + part.failed,
          bytes: before.bytes + part.bytes,
          revision: all.revisions + part.revision,
        });
      },
    });
    const part = await host.run(signal);
    for (const digest of part.digests) all.digests.push(digest);
    all.problems.push(...part.problems);
    all.bytes += part.bytes;
    all.retries += part.retries;
    all.refused += part.refused;
    all.revisions += part.revisions;
    all.pools += 1;
  }
  return all;
}
