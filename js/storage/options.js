// What the adapters take, checked alike.

/**
 * @param {unknown} options @param {readonly string[]} names of all options @param {string} [at] where they stand
 * @returns {Record<string, any>} a copy
 */
export function readStorageOptions(options, names, at = 'options') {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${at} must be an object`);
  const given = { ...options };
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) throw new TypeError(`${at}.${name} is not an option`);
  }
  return given;
}

/** @param {unknown} value @param {string} path @returns {string} */
export function requiredText(value, path) {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${path} must be a string that is not empty`);
  return value;
}

/** @param {unknown} value @param {string} path @param {number} fallback @param {number} least @param {number} most @returns {number} */
export function boundedInteger(value, path, fallback, least, most) {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number') throw new TypeError(`${path} must be a number`);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${path} must be an integer from ${least} to ${most}`);
  return value;
}

/**
 * Where what is kept begins: the newest chapters are, and a damaged one is none to fall back on. Its journal is kept
 * where an older chapter needs it.
 * @param {readonly bigint[]} bases rising @param {readonly bigint[]} damaged @param {number} keepChapters
 */
export function oldestKept(bases, damaged, keepChapters) {
  const sound = bases.filter((base) => !damaged.includes(base));
  return sound[Math.max(0, sound.length - keepChapters)];
}

/** Chapters that are kept: the one that is written to, and those to fall back on. @param {unknown} value */
export const keptChapters = (value) => boundedInteger(value, 'options.keepChapters', 2, 1, 1000);
