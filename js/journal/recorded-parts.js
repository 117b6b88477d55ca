// What the generated readers of recorded commands read by hand.

import { OwnershipKind, readQueuedTaskFence, readTaskLease } from '../generated/coordination.js';

const LEASE = OwnershipKind.indexOf('lease');
const decoder = new TextDecoder();

/** @param {import('../boundary/frame.js').Frame} frame @param {any} ids */
export function readOwnership(frame, ids) {
  return frame.getU32() === LEASE ? readTaskLease(frame, ids) : readQueuedTaskFence(frame, ids);
}

/** Ids one after the other, a 4-byte size before each. @param {import('../boundary/frame.js').Frame} frame */
export function readIds(frame) {
  const count = frame.getU32();
  const bytes = frame.getPlacedBytes();
  const view = new DataView(bytes.buffer);
  let at = 0;
  const ids = Array.from({ length: count }, () => {
    const start = at + 4;
    at = start + view.getUint32(at, true);
    return decoder.decode(bytes.subarray(start, at));
  });
  return Object.freeze(ids);
}
