import { ERROR_SHAPES } from './generated/errors.js';

const brand = Symbol.for('leasegate.error');

/**
 * What the contract refuses: a stable `code`, typed fields named by the code, and a message for a person.
 * Nothing has changed when one is thrown. Its type in TypeScript is a union that narrows by `code`.
 */
export class LeasegateError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Record<string, unknown>} [fields]
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, fields, options) {
    super(message, options);
    this.code = code;
    if (fields) Object.assign(this, fields);
  }

  toJSON() {
    const fields = Object.entries(this).map(([key, value]) => [
      key,
      typeof value === 'bigint' ? jsonInteger(value) : value,
    ]);
    return { name: this.name, message: this.message, ...Object.fromEntries(fields) };
  }

  /**
   * An error made by the CommonJS build is one to the ES module too, and to another copy of the package.
   * @override
   * @param {unknown} value
   */
  static [Symbol.hasInstance](value) {
    return typeof value === 'object' && value !== null && /** @type {any} */ (value)[brand] === true;
  }
}
Object.defineProperties(LeasegateError.prototype, {
  name: { value: 'LeasegateError', configurable: true, writable: true },
  [brand]: { value: true },
});

/**
 * A number while it is exact, decimal digits above.
 * @param {bigint} value
 */
export function jsonInteger(value) {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
}

/**
 * The error that the core has put into the frame.
 * @param {import('./boundary/frame.js').Frame} frame
 */
export function readError(frame) {
  const { code, fields } = ERROR_SHAPES[frame.getU32()];
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const [name, kind] of fields) {
    if (kind === 'text') values[name] = frame.getText();
    else if (kind === 'text?') values[name] = frame.getText() || null;
    else values[name] = kind === 'count' ? Number(frame.getU64()) : frame.getU64();
  }
  return new LeasegateError(code, frame.getText(), values);
}

/** Where the core could not even be given the command. */
export function outOfMemoryError() {
  return new LeasegateError(
    'out_of_memory',
    'There was not enough memory for the command; nothing has changed.',
    {},
  );
}

/** @param {string} what */
export function disposedError(what) {
  return new LeasegateError('disposed', `This ${what} has been disposed of.`);
}

/** @param {unknown} [cause] */
export function unusableError(cause) {
  return new LeasegateError(
    'instance_unusable',
    'This leasegate instance has failed (most likely out of memory) and refuses every further call. Create a new one.',
    undefined,
    { cause },
  );
}
