// Records are frozen plain data; what they can do lives on their prototypes, so that structured clone takes them.

import { jsonInteger } from '../errors.js';

const inspectKey = Symbol.for('nodejs.util.inspect.custom');

/** What stands for a value that is not shown. @param {unknown} value */
function sizeOnly(value) {
  return new Hidden(
    value instanceof Uint8Array ? `${value.length} bytes` : `${String(value).length} characters`,
  );
}

class Hidden {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
  [inspectKey]() {
    return `[${this.text}]`;
  }
}

/** @param {unknown} value */
function jsonValue(value) {
  if (typeof value === 'bigint') return jsonInteger(value);
  return value instanceof Uint8Array ? Array.from(value) : value;
}

/**
 * Gives a record class `toJSON` and a readable `inspect` that shows the size of its `secrets` only.
 * @param {Function} Class
 * @param {readonly string[]} secrets
 */
export function defineRecord(Class, secrets) {
  Object.defineProperty(Class.prototype, 'toJSON', {
    value() {
      return Object.fromEntries(Object.entries(this).map(([key, value]) => [key, jsonValue(value)]));
    },
  });
  Object.defineProperty(Class.prototype, inspectKey, {
    /** @param {number} depth @param {any} options @param {(value: unknown, options: unknown) => string} inspect */
    value(depth, options, inspect) {
      if (depth < 0) return `[${Class.name}]`;
      const shown = Object.entries(this).map(([key, value]) => [
        key,
        secrets.includes(key) ? sizeOnly(value) : value,
      ]);
      const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
      return `${Class.name} ${inspect(Object.fromEntries(shown), inner)}`;
    },
  });
}

// Answers are the caller's own, made for one call: freezing them would be a part of its price, and protect nobody.

/** The answer of a command: the revision after it, and its value. */
export class Transition {
  /** @param {bigint} revision @param {unknown} value */
  constructor(revision, value) {
    this.revision = revision;
    this.value = value;
  }
}
defineRecord(Transition, []);

/** The answer of a command that does not throw, when it was accepted. */
export class Accepted {
  /** @param {bigint} revision @param {unknown} value */
  constructor(revision, value) {
    this.ok = true;
    this.revision = revision;
    this.value = value;
  }
}
defineRecord(Accepted, []);

/** The answer of a command that does not throw, when it was refused. */
export class Refused {
  /** @param {Error} error */
  constructor(error) {
    this.ok = false;
    this.error = error;
  }
}
defineRecord(Refused, []);
