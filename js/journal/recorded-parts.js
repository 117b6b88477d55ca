// What the generated readers of recorded commands read by hand.

import { getPlacedBytes } from '../boundary/get.js';
import { OwnershipKind, readQueuedTaskFence, readTaskLease } from '../generated/coordination.js';

const LEASE = OwnershipKind.indexOf('lease');
const decoder = new TextDecoder();

/** @param {import('../boundary/frame.js').Frame} frame @param {number} at @param {any} ids */
export function readOwnership(frame, at, ids) {
  const read = frame.u32[at * 2] === LEASE ? readTaskLease : readQueuedTaskFence;
  return read(frame, at + 1, ids);
}

/** Ids one after the other, a 4-byte size before each. @param {import('../boundary/frame.js').Frame} frame @param {number} at */
export function readIds(frame, at) {
  const count = frame.u32[at * 2];
  const bytes = getPlacedBytes(frame, at + 1);
  const view = new DataView(bytes.buffer);
  let end = 0;
  const ids = Array.from({ length: count }, () => {
    const start = end + 4;
    end = start + view.getUint32(end, true);
    return decoder.decode(bytes.subarray(start, end));
  });
  return Object.freeze(ids);
}
