// What the plain coordinator throws: a code and its fields, like a LeasegateError.

export class PlainError extends Error {
  /** @param {string} code @param {Record<string, unknown>} [fields] */
  constructor(code, fields) {
    super(fields === undefined ? code : `${code}: ${Object.values(fields).join(', ')}`);
    this.code = code;
    if (fields !== undefined) Object.assign(this, fields);
  }
}

/** @param {string} code @param {Record<string, unknown>} [fields] @returns {never} */
export function refuse(code, fields) {
  throw new PlainError(code, fields);
}
