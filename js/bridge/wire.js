// Records as the JSON that other implementations of the bridge speak, and back. Shapes only: whether an id, a state's
// place or an endpoint is valid is the core's to say, when the record is used.

import { byteView, integerError, object } from '../boundary/arguments.js';
import { isWellFormed } from '../boundary/put.js';
import { LeasegateError } from '../errors.js';
import * as records from '../generated/bridge.js';
import { fromBase64, toBase64 } from './base64.js';
import { isJson, membersOf } from './exact-json.js';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
/** The last millisecond of the year 9999, beyond which RFC 3339 has no way of writing. */
const MAX_TIME = 253_402_300_799_999;

/** The kind that was asked for, and the field in it. @typedef {{ kind: string, field: string | null }} Where */

/**
 * How values of one type travel. `write` takes what a caller gave and throws when it has the wrong shape; `read`
 * takes the JSON text of a value and answers undefined when it is malformed.
 * @typedef {{ write: (value: any, path: string) => string, read: (json: string, where: Where) => unknown,
 *   isEmpty?: (value: any) => boolean, empty?: unknown }} Codec
 */

/** @type {Codec} */
const text = {
  write(value, path) {
    if (typeof value !== 'string') throw new TypeError(`${path} must be a string`);
    if (!isWellFormed(value)) throw new TypeError(`${path} must be a string without lone surrogates`);
    return JSON.stringify(value);
  },
  read: readText,
  isEmpty: (value) => value === '',
  empty: null,
};

/** @type {Codec} */
const integer = {
  write(value, path) {
    const known = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    if (!known || value < 0 || value > MAX_U64) throw integerError(value, path, MAX_U64);
    return value.toString();
  },
  read: readInteger,
};

/** An integer of which 0 says that there is none. @type {Codec} */
const optionalInteger = { ...integer, isEmpty: (value) => value === 0 || value === 0n, empty: 0n };

/** An integer that JavaScript has as a number. @type {Codec} */
const count = {
  write: integer.write,
  read(json) {
    const value = readInteger(json);
    return value !== undefined && value <= Number.MAX_SAFE_INTEGER ? Number(value) : undefined;
  },
};

/** @type {Codec} */
const bool = {
  write(value, path) {
    if (typeof value !== 'boolean') throw new TypeError(`${path} must be a boolean`);
    return String(value);
  },
  read: (json) => (json === 'true' ? true : json === 'false' ? false : undefined),
};

/** @type {Codec} */
const time = {
  write(value, path) {
    if (!Number.isSafeInteger(value) || value < 0 || value > MAX_TIME) {
      throw integerError(value, path, MAX_TIME);
    }
    return `"${new Date(value).toISOString()}"`;
  },
  read(json) {
    const value = readText(json);
    return typeof value === 'string' ? timeOf(value) : undefined;
  },
  empty: null,
};

/** @type {Codec} */
const payload = {
  write: (value, path) => `"${toBase64(byteView(value, path, Number.MAX_SAFE_INTEGER))}"`,
  read(json) {
    if (json === 'null') return new Uint8Array(0);
    const value = readText(json);
    return typeof value === 'string' ? (fromBase64(value) ?? undefined) : undefined;
  },
  empty: new Uint8Array(0),
};

/** JSON inside the JSON, character by character. @type {Codec} */
const json = {
  write(value, path) {
    const given = typeof value === 'string' ? value : utf8(byteView(value, path, Number.MAX_SAFE_INTEGER));
    if (given === null || !isWellFormed(given) || !isJson(given)) throw new TypeError(`${path} must be JSON`);
    return given;
  },
  read: (source) => (isWellFormed(source) ? source : undefined),
  isEmpty: (value) => value === '' || value?.length === 0,
  empty: null,
};

/** @param {readonly string[]} names @returns {Codec} */
const name = (names) => ({
  write(value, path) {
    if (!names.includes(value)) throw new TypeError(`${path} must be one of ${names.join(', ')}`);
    return `"${value}"`;
  },
  read(source) {
    const value = readText(source);
    return names.includes(/** @type {string} */ (value)) ? value : undefined;
  },
});

/** A cursor inside another record: its position alone. @type {Codec} */
const position = {
  write: (value, path) => `{"observed_sequence":${integer.write(value, path)}}`,
  read(source) {
    const member = membersOf(source)?.get('observed_sequence');
    return member === undefined ? undefined : readInteger(member);
  },
};

/** @param {string} kind @returns {Codec} */
const nested = (kind) => ({
  write: (value, path) => write(kind, value, path),
  read: (source, where) => read(kind, source, where),
});

/**
 * Per kind: the record that comes out, and its fields in the order of that record: name here, name there, type, and
 * whether it may be left out.
 * @type {Record<string, { record: new (...values: any[]) => object, fields: [string, string, Codec, boolean?][] }>}
 */
const KINDS = {
  outbound_event: {
    record: records.OutboundEvent,
    fields: [
      ['messageId', 'message_id', text],
      ['type', 'type', text],
      ['payload', 'payload', payload, true],
    ],
  },
  acceptance: {
    record: records.Acceptance,
    fields: [
      ['accepted', 'accepted', bool],
      ['queueIdentity', 'queue_identity', text, true],
      ['remoteAckId', 'remote_ack_id', text, true],
      ['durabilityKnown', 'durability_known', bool],
    ],
  },
  close_evidence: {
    record: records.CloseEvidence,
    fields: [
      ['dropped', 'dropped', count],
      ['remoteDurabilityKnown', 'remote_durability_known', bool],
    ],
  },
  identity_tuple: {
    record: records.IdentityTuple,
    fields: [
      ['bridgeInstance', 'bridge_instance_id', text, true],
      ['environment', 'environment_id', text, true],
      ['work', 'work_id', text, true],
      ['session', 'remote_session_id', text],
      ['epoch', 'worker_epoch', integer],
      ['generation', 'surface_generation', integer],
    ],
  },
  control_key: {
    record: records.ControlKey,
    fields: [
      ['request', 'request_id', text],
      ['session', 'remote_session_id', text],
      ['generation', 'surface_generation', integer],
      ['epoch', 'worker_epoch', integer],
    ],
  },
  control_record: {
    record: records.ControlRecord,
    fields: [
      ['key', 'key', nested('control_key')],
      ['toolUseId', 'tool_use_id', text, true],
      ['subtype', 'subtype', text],
      ['state', 'state', name(records.ControlState)],
      ['value', 'value', json, true],
      ['message', 'message', text, true],
      ['updatedAt', 'updated_at', time],
    ],
  },
  cursor: { record: records.CursorPosition, fields: [['sequence', 'observed_sequence', integer]] },
  observation: {
    record: records.Observation,
    fields: [
      ['previous', 'previous', integer],
      ['current', 'current', integer],
      ['advanced', 'advanced', bool],
      ['duplicate', 'duplicate', bool],
      ['gap', 'gap', bool],
    ],
  },
  delivery_evidence: {
    record: records.DeliveryRecord,
    fields: [
      ['id', 'delivery_id', text],
      ['message', 'message_id', text],
      ['sequence', 'observed_sequence', optionalInteger, true],
      ['state', 'state', name(records.DeliveryState)],
      ['transportAckId', 'transport_ack_id', text, true],
      ['transportAckedAt', 'transport_acked_at', time, true],
      ['updatedAt', 'updated_at', time],
      ['failure', 'failure', text, true],
    ],
  },
  transition: {
    record: records.LifecycleTransition,
    fields: [
      ['from', 'from', name(records.TransportState)],
      ['to', 'to', name(records.TransportState)],
      ['at', 'at', time],
      ['reason', 'reason', text, true],
    ],
  },
  submit_result: {
    record: records.SubmitResult,
    fields: [
      ['queued', 'queued', bool],
      ['acceptance', 'acceptance', nested('acceptance')],
    ],
  },
  resume_point: {
    record: records.ResumePoint,
    fields: [
      ['session', 'remote_session_id', text],
      ['epoch', 'previous_epoch', integer],
      ['cursor', 'cursor', position],
    ],
  },
  transport_config: {
    record: records.TransportConfig,
    fields: [
      ['kind', 'kind', text],
      ['included', 'included', bool],
      ['enabled', 'enabled', bool],
      ['endpoint', 'endpoint', text, true],
    ],
  },
};

/**
 * The JSON text of a record.
 * @param {string} kind @param {object} record
 */
export function toWire(kind, record) {
  checkKind(kind);
  return write(kind, record, kind);
}

/**
 * The record of a JSON text. What it does not know it passes over.
 * @param {string} kind @param {string} source
 */
export function fromWire(kind, source) {
  checkKind(kind);
  if (typeof source !== 'string') throw new TypeError('text must be a string');
  const where = { kind, field: null };
  if (!isJson(source)) throw malformed(where);
  return read(kind, source, where);
}

/** @param {string} kind */
function checkKind(kind) {
  if (!Object.hasOwn(KINDS, kind)) {
    throw new TypeError(`kind must be one of ${Object.keys(KINDS).join(', ')}`);
  }
}

/** @param {string} source JSON @returns {string | undefined} */
function readText(source) {
  const value = source[0] === '"' ? JSON.parse(source) : undefined;
  return typeof value === 'string' && isWellFormed(value) ? value : undefined;
}

/** @param {string} source JSON @returns {bigint | undefined} */
function readInteger(source) {
  if (!/^(?:0|[1-9][0-9]{0,19})$/.test(source)) return undefined;
  const value = BigInt(source);
  return value <= MAX_U64 ? value : undefined;
}

/** @param {string} kind @param {any} record @param {string} path */
function write(kind, record, path) {
  object(record, path);
  const members = [];
  for (const [here, there, codec, optional] of KINDS[kind].fields) {
    const value = record[here];
    const absent = value === undefined || value === null;
    if (absent && codec === payload) members.push(`"${there}":""`);
    else if (!(optional && (absent || codec.isEmpty?.(value)))) {
      members.push(`"${there}":${codec.write(value, `${path}.${here}`)}`);
    }
  }
  return `{${members.join()}}`;
}

/** @param {string} kind @param {string} source JSON @param {Where} where */
function read(kind, source, where) {
  const members = membersOf(source);
  if (members === null) throw malformed(where);
  const { record: Class, fields } = KINDS[kind];
  const values = fields.map(([, there, codec, optional]) => {
    const member = members.get(there);
    const absent = member === undefined || member === 'null' || member === '""';
    if (optional && absent) return codec.empty;
    const inner = { kind: where.kind, field: where.field === null ? there : `${where.field}.${there}` };
    const value = member === undefined ? undefined : codec.read(member, inner);
    if (value === undefined) throw malformed(inner);
    return value;
  });
  return new Class(...values);
}

/** @param {Where} where */
function malformed({ kind, field }) {
  const what = field === null ? 'is not a JSON object' : `has no proper ${field}`;
  return new LeasegateError('malformed_wire', `The ${kind} ${what}.`, { kind, field });
}

/** @param {Uint8Array} bytes */
function utf8(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|([+-])(?:([01]\d|2[0-3]):([0-5]\d)))$/;

/** Milliseconds since the Unix epoch; what is finer is cut off. Undefined when it is no time of RFC 3339. @param {string} value */
function timeOf(value) {
  const parts = value.length <= 64 ? RFC_3339.exec(value) : null;
  if (parts === null) return undefined;
  const [, date, clock, fraction, , sign, hours, minutes] = parts;
  const local = Date.parse(`${date}T${clock}Z`);
  // Days that no month has are days of the next to some platforms.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 19) !== `${date}T${clock}`)
    return undefined;
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000;
  const utc = local + Number((fraction ?? '').slice(0, 3).padEnd(3, '0')) - (sign === '-' ? -offset : offset);
  return utc >= 0 && utc <= MAX_TIME ? utc : undefined;
}
