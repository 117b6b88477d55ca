// How a file becomes a task, and a task a file again.

import { isUtf8 } from 'node:buffer';
import { MAX_LEASE_TTL_SECS, MAX_TARGET_REF_BYTES } from 'leasegate';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Large files first, or the last worker would sit over one while the others have nothing left to do. */
const sizeClasses = /** @type {const} */ ([
  [16 * MiB, 'critical'],
  [MiB, 'high'],
  [64 * KiB, 'normal'],
  [0, 'low'],
]);

/** A lease lasts as long as the slowest disk may need: it is not renewed. */
const SLOWEST_BYTES_A_SECOND = MiB;
const SPARE_SECS = 60;

/** @typedef {import('./walk-tree.mjs').TreeFile} TreeFile */

/** @param {TreeFile} file @param {number} index @returns {import('leasegate').TaskSpec} */
export function taskSpec(file, index) {
  return {
    taskId: taskId(index), // Ids have an alphabet that paths do not keep to.
    scanId: 'checksum-tree',
    targetRef: targetRef(file, index),
    priority: sizeClasses.find(([from]) => file.size >= from)?.[1] ?? 'low',
  };
}

/** @param {number} index */
export function taskId(index) {
  return `file-${index}`;
}

/** @param {{ taskId: string }} task */
export function fileIndex(task) {
  return Number(task.taskId.slice('file-'.length));
}

/** The path while it is text and fits; the pool never looks into it. @param {TreeFile} file @param {number} index */
function targetRef({ path }, index) {
  const scheme = 'path:';
  const fits = isUtf8(path) && scheme.length + path.length <= MAX_TARGET_REF_BYTES;
  return fits ? scheme + path.toString() : `index:${index}`;
}

/** What a reference means. @param {string} reference @param {readonly TreeFile[]} files @returns {Buffer} */
export function resolveTarget(reference, files) {
  const [, scheme, rest] = /** @type {RegExpExecArray} */ (/^(path|index):(.*)$/s.exec(reference));
  return scheme === 'path' ? Buffer.from(rest) : files[Number(rest)].path;
}

/** @param {TreeFile} file */
export function leaseTtlSecs({ size }) {
  return Math.min(SPARE_SECS + Math.ceil(size / SLOWEST_BYTES_A_SECOND), MAX_LEASE_TTL_SECS);
}
