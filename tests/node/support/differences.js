// A recorded answer against what JavaScript said, field by field.

import { camel, WIDE } from './words.js';

/**
 * Every place where they differ, as `path: expected ..., actual ...`.
 * @param {unknown} expected as recorded: snake_case, integers above 2^53 - 1 as digits
 * @param {unknown} actual as JavaScript answers: camelCase, 64-bit integers as bigint
 * @param {string} path
 * @param {ReadonlySet<string>} wide names of the fields that must be bigint
 * @returns {string[]}
 */
export function differences(expected, actual, path, wide = WIDE) {
  if (Array.isArray(expected)) {
    if (actual instanceof Uint8Array) return bytesDifference(expected, actual, path);
    if (!Array.isArray(actual)) return [line(path, expected, actual)];
    const found = expected.flatMap((item, index) =>
      differences(item, actual[index], `${path}[${index}]`, wide),
    );
    if (actual.length !== expected.length) found.push(line(`${path}.length`, expected.length, actual.length));
    return found;
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return [line(path, expected, actual)];
    const names = new Map(Object.keys(expected).map((name) => [camel(name), name]));
    const found = [];
    for (const [name, recorded] of names) {
      const value = /** @type {any} */ (actual)[name];
      found.push(
        ...fieldDifferences(
          recorded,
          /** @type {any} */ (expected)[recorded],
          value,
          `${path}.${name}`,
          wide,
        ),
      );
    }
    for (const name of Object.keys(actual)) {
      if (!names.has(name))
        found.push(line(`${path}.${name}`, 'no such field', /** @type {any} */ (actual)[name]));
    }
    return found;
  }
  return Object.is(expected, actual) ? [] : [line(path, expected, actual)];
}

/** @param {string} name @param {unknown} expected @param {unknown} actual @param {string} path @param {ReadonlySet<string>} wide */
function fieldDifferences(name, expected, actual, path, wide) {
  if (wide.has(name) && expected !== null) {
    return actual === BigInt(/** @type {string} */ (expected))
      ? []
      : [line(path, BigInt(/** @type {string} */ (expected)), actual)];
  }
  return differences(expected, actual, path, wide);
}

/** @param {number[]} expected @param {Uint8Array} actual @param {string} path */
function bytesDifference(expected, actual, path) {
  return expected.join() === actual.join() ? [] : [line(path, expected, [...actual])];
}

/** @param {string} path @param {unknown} expected @param {unknown} actual */
function line(path, expected, actual) {
  return `${path}: expected ${show(expected)}, actual ${show(actual)}`;
}

/** @param {unknown} value */
function show(value) {
  return (
    JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? String(value)
  );
}
