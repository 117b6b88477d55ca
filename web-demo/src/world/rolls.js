// Chance, repeatable: every roll is a function of the seed and of what is rolled for. There is no stream of random
// numbers to fall out of step, so trouble made by hand leaves the rest of the day as it was.

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A number in [0, 1) for this seed and key: FNV-1a, then MurmurHash3's finalizer to spread neighbouring keys. */
export function roll(seed, key) {
  const text = `${seed}/${key}`;
  let h = FNV_OFFSET;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), FNV_PRIME);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** A whole number from `min` to `max`, both included. */
export function rollBetween(seed, key, min, max) {
  return min + Math.floor(roll(seed, key) * (max - min + 1));
}

/** One of the items. */
export function rollOne(seed, key, items) {
  return items[Math.floor(roll(seed, key) * items.length)];
}
