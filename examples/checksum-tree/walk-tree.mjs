// The files of a folder, in path order.
//
// Paths are bytes: a file's name need not be valid UTF-8, and must still be found again.

import { lstat, readdir } from 'node:fs/promises';

/** Folders that hold what others have made. */
export const SKIPPED = ['.git', 'node_modules', 'build', 'dist'];

/**
 * @typedef {{ path: Buffer, size: number }} TreeFile relative to the folder; bytes
 * @typedef {{ path: Buffer, reason: string }} Problem
 * @typedef {object} Tree
 * @property {TreeFile[]} files
 * @property {number} skippedFolders by their name
 * @property {number} others links, sockets, pipes and devices, which are not followed or read
 * @property {Problem[]} problems folders and files that could not be looked at
 */

/**
 * @param {string} folder
 * @param {object} options
 * @param {boolean} [options.everything] skip no folder
 * @param {string | null} [options.leaveOut] the file that will be written
 * @param {AbortSignal} [options.signal]
 * @param {(count: number) => void} [options.onProgress]
 * @returns {Promise<Tree>}
 */
export async function walkTree(folder, { everything = false, leaveOut = null, signal, onProgress }) {
  const root = Buffer.from(folder);
  const written = leaveOut === null ? null : Buffer.from(leaveOut);
  const skipped = new Set(everything ? [] : SKIPPED);
  /** @type {Tree} */
  const tree = { files: [], skippedFolders: 0, others: 0, problems: [] };
  /** @type {Buffer[]} */
  const waiting = [Buffer.alloc(0)];

  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    signal?.throwIfAborted();
    /** @type {Buffer[]} */
    const found = [];
    for (const entry of await entries(root, at, tree)) {
      const child = joined(at, entry.name);
      if (entry.isDirectory()) {
        if (skipped.has(entry.name.toString())) tree.skippedFolders += 1;
        else waiting.push(child);
      } else if (!entry.isFile()) tree.others += 1;
      else if (written === null || !joined(root, child).equals(written)) found.push(child);
    }
    await Promise.all(found.map((file) => measure(root, file, tree)));
    onProgress?.(tree.files.length);
  }
  tree.files.sort((a, b) => Buffer.compare(a.path, b.path));
  return tree;
}

/** @param {Buffer} parent @param {Buffer} child */
export function joined(parent, child) {
  return parent.length === 0 ? child : Buffer.concat([parent, Buffer.from('/'), child]);
}

/** @param {Buffer} root @param {Buffer} at @param {Tree} tree */
async function entries(root, at, tree) {
  try {
    return await readdir(at.length === 0 ? root : joined(root, at), {
      withFileTypes: true,
      encoding: 'buffer',
    });
  } catch (error) {
    tree.problems.push({ path: at, reason: reasonOf(error) });
    return [];
  }
}

/** @param {Buffer} root @param {Buffer} file @param {Tree} tree */
async function measure(root, file, tree) {
  try {
    const { size } = await lstat(joined(root, file));
    tree.files.push({ path: file, size });
  } catch (error) {
    tree.problems.push({ path: file, reason: reasonOf(error) });
  }
}

/** The part of a system error's message that does not repeat the path. @param {unknown} error */
function reasonOf(error) {
  return /** @type {Error} */ (error).message.split(',')[0];
}
