// What can be wrong, and how a program is told of it.

import { LeasegateError } from '../errors.js';
import { printable } from './texts.js';

/** Exit codes. They are part of the command line's contract: docs/journal.md lists them. */
export const SOUND = 0;
export const WRONG_USE = 1;
export const DAMAGED = 2;
export const CUT_OFF = 3;
export const NOT_THERE = 4;
export const UNCHECKED = 5;

/** Arguments that lead nowhere, files that cannot be read. */
export class UseError extends Error {
  /** @param {string} message @param {number} [code] */
  constructor(message, code = WRONG_USE) {
    super(message);
    this.exitCode = code;
  }
}

/** @param {LeasegateError} error */
export function codeOf({ code }) {
  if (code === 'journal_truncated') return CUT_OFF;
  if (code === 'journal_snapshot_required' || code === 'invalid_task') return WRONG_USE;
  return DAMAGED;
}

/** What is wrong with a file as a whole. @param {string} name @param {LeasegateError} error */
export const inFile = (name, error) =>
  new UseError(`${printable(name)}: ${error.code}: ${error.message}`, codeOf(error));

/**
 * The same error where its bytes are a part of a whole.
 * @param {LeasegateError} error @param {number} base where the part begins @param {number} [dropped] bytes of the last record that are not in the part
 */
export function moved(error, base, dropped = 0) {
  const { code, message, name: _, ...fields } = /** @type {any} */ (error).toJSON();
  if (fields.offset === undefined) return error;
  const offset = base + fields.offset - dropped;
  /** @type {Record<string, unknown>} */
  const there = { ...fields, offset };
  let text = message.replace(/byte \d+/, `byte ${offset}`);
  if (fields.bytes !== undefined) {
    there.bytes = fields.bytes + dropped;
    text = text.replace(/only \d+ bytes/, `only ${there.bytes} bytes`);
  }
  return new LeasegateError(code, text, there);
}

/** What stands for a report's error in JSON. @param {LeasegateError | null} error @param {string | null} file */
export function problemJson(error, file) {
  if (error === null) return null;
  const { name: _, stack: __, ...fields } = /** @type {any} */ (error).toJSON();
  return { file, ...fields };
}
