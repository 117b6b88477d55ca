// What can go wrong between two machines, and its names. Texts that came from the other side, endpoints' userinfo and
// queries, headers and tokens never get into an error: only names and numbers of this file do.

import { LeasegateError } from '../errors.js';

const brand = Symbol.for('leasegate.transport_error');

/** An error of a transport. Also a LeasegateError; its type narrows by `code`. */
export class TransportError extends LeasegateError {
  /**
   * @override
   * @param {unknown} value
   */
  static [Symbol.hasInstance](value) {
    return typeof value === 'object' && value !== null && /** @type {any} */ (value)[brand] === true;
  }
}
Object.defineProperties(TransportError.prototype, {
  name: { value: 'TransportError', configurable: true, writable: true },
  [brand]: { value: true },
});

/** Close codes and what they say. 4000 + n says what the HTTP status n says. */
const CLOSE_REASONS = new Map([
  [1000, 'normal'],
  [1001, 'going_away'],
  [1002, 'protocol_error'],
  [1003, 'protocol_error'],
  [1005, 'normal'],
  [1006, 'abnormal'],
  [1007, 'protocol_error'],
  [1008, 'policy'],
  [1009, 'too_big'],
  [1010, 'protocol_error'],
  [1011, 'remote_failure'],
  [1012, 'going_away'],
  [1013, 'overloaded'],
  [1014, 'abnormal'],
  [1015, 'abnormal'],
]);

const STATUS_REASONS = new Map([
  [400, 'protocol_error'],
  [401, 'unauthorized'],
  [403, 'policy'],
  [404, 'unknown_session'],
  [408, 'idle_timeout'],
  [409, 'stale_epoch'],
  [410, 'cursor_lost'],
  [413, 'too_big'],
  [429, 'overloaded'],
  [500, 'remote_failure'],
  [502, 'remote_failure'],
  [503, 'overloaded'],
  [504, 'send_timeout'],
]);

/** Why a server does not welcome a client, and the HTTP status that says so. */
export const REFUSALS = Object.freeze({
  protocol_error: 400,
  unauthorized: 401,
  policy: 403,
  unknown_session: 404,
  stale_epoch: 409,
  cursor_lost: 410,
  too_big: 413,
  overloaded: 429,
  remote_failure: 500,
});

/** @param {number} code */
export function reasonOfCloseCode(code) {
  return CLOSE_REASONS.get(code) ?? STATUS_REASONS.get(code - 4000) ?? 'other';
}

/** @param {number} status */
export function reasonOfStatus(status) {
  return STATUS_REASONS.get(status) ?? (status >= 500 ? 'remote_failure' : 'other');
}

/** With which code a side closes, and what a browser may say instead: it can send 1000 and 3000 to 4999 only. */
const CLOSE_CODES = new Map([
  ['going_away', [1001, 1000]],
  ['protocol_error', [1002, 4400]],
  ['policy', [1008, 4403]],
  ['too_big', [1009, 4413]],
  ['remote_failure', [1011, 4500]],
  ['overloaded', [1013, 4429]],
  ['handler_failed', [1011, 4500]],
  ['unauthorized', [4401, 4401]],
  ['unknown_session', [4404, 4404]],
  ['idle_timeout', [4408, 4408]],
  ['stale_epoch', [4409, 4409]],
  ['cursor_lost', [4410, 4410]],
  ['send_timeout', [4504, 4504]],
]);

/** @param {string} reason */
export function closeCodesOf(reason) {
  return CLOSE_CODES.get(reason) ?? [1000, 1000];
}

/**
 * Why a connection ended.
 * @typedef {object} Ending
 * @property {string} reason
 * @property {'local' | 'remote'} origin which side found the reason
 * @property {number} [closeCode] of the WebSocket
 * @property {number} [status] of HTTP
 * @property {string} [systemCode] ECONNREFUSED and the like
 * @property {string} [detail] which rule a frame or a stream broke
 * @property {unknown} [cause] only what the host's own handler threw
 */

/** @param {Ending} ending */
function fieldsOf({ reason, origin, closeCode, status, systemCode, detail }) {
  /** @type {Record<string, unknown>} */
  const fields = { reason, origin };
  if (closeCode !== undefined) fields.closeCode = closeCode;
  if (status !== undefined) fields.status = status;
  if (systemCode !== undefined) fields.systemCode = systemCode;
  if (detail !== undefined) fields.detail = detail;
  return fields;
}

/** @param {Ending} ending */
function inWords({ reason, origin, closeCode, status, systemCode, detail }) {
  const more = [
    detail,
    closeCode !== undefined && `close code ${closeCode}`,
    status !== undefined && `HTTP status ${status}`,
    systemCode,
  ].filter(Boolean);
  const which = origin === 'local' ? 'this side' : 'the other side';
  return `${reason}${more.length > 0 ? ` (${more.join(', ')})` : ''}, found by ${which}`;
}

/** @param {Ending} ending @returns {ErrorOptions | undefined} */
const optionsOf = (ending) => (ending.cause === undefined ? undefined : { cause: ending.cause });

/** @param {string} kind @param {string} endpoint as displayEndpoint gives it @param {Ending} ending */
export function connectError(kind, endpoint, ending) {
  const message = `The ${kind} transport could not connect to ${endpoint}: ${inWords(ending)}.`;
  const fields = { kind, endpoint, ...fieldsOf(ending) };
  return new TransportError('transport_connect_failed', message, fields, optionsOf(ending));
}

/** @param {string} kind @param {Ending} ending */
export function closedError(kind, ending) {
  const message = `The ${kind} transport is closed: ${inWords(ending)}.`;
  return new TransportError('transport_closed', message, { kind, ...fieldsOf(ending) }, optionsOf(ending));
}

/** @param {string} kind @param {number} limit @param {'events' | 'bytes'} unit */
export function capacityError(kind, limit, unit) {
  const message = `The ${kind} transport holds as much as it may: ${limit} ${unit} without an answer.`;
  return new TransportError('transport_capacity', message, { kind, limit, unit });
}

/** @param {string} kind @param {number} actual @param {number} limit */
export function tooLargeError(kind, actual, limit) {
  const message = `The event makes a frame of ${actual} bytes; the ${kind} transport sends at most ${limit}.`;
  return new TransportError('transport_message_too_large', message, { kind, actual, limit });
}

/** Names like ECONNREFUSED. Anything longer or stranger might be somebody's text. @param {unknown} value */
export function systemCodeOf(value) {
  const code = /** @type {any} */ (value)?.code ?? /** @type {any} */ (value)?.cause?.code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined;
}
