// The wire protocol: one JSON object a frame, its kind in `frame`, records in the names that every implementation of
// the bridge speaks. docs/transports.md describes it for readers; this file is the one place that writes and reads it.

import { LeasegateError } from '../errors.js';
import { fromBase64, toBase64 } from './base64.js';
import { MalformedJson, parseJson, writeJson } from './json.js';
import { isOpaqueId, isText, isU64 } from './texts.js';

export const PROTOCOL_VERSION = 1n;
/** A token is a text of at most this many characters. */
export const MAX_TOKEN_LENGTH = 16_384;

/** A frame that breaks the protocol. `detail` names the rule, never what was sent. */
export class MalformedFrame extends Error {
  /** @param {string} detail */
  constructor(detail) {
    super(`Malformed frame: ${detail}`);
    this.detail = detail;
  }
}

/** @typedef {{ session: string, epoch: bigint, cursor: bigint }} ResumePoint */
/** @typedef {{ messageId: string, type: string, payload: Uint8Array }} OutboundEvent */
/** @typedef {{ accepted: boolean, queueIdentity: string | null, remoteAckId: string | null, durabilityKnown: boolean }} Acceptance */
/** @typedef {{ frame: 'hello', resume: ResumePoint, token: string | null, windowEvents: number, windowBytes: number }} Hello */
/** @typedef {{ frame: 'welcome', session: string, epoch: bigint }} Welcome */
/** @typedef {{ frame: 'event', sequence: bigint, event: OutboundEvent }} InboundFrame a server's */
/** @typedef {{ frame: 'event', sendId: bigint, event: OutboundEvent }} OutboundFrame a client's */
/** @typedef {{ frame: 'acceptance', sendId: bigint, acceptance: Acceptance }} AcceptanceFrame */
/** @typedef {{ frame: 'ack', sequence: bigint }} AckFrame */
/** @typedef {{ frame: 'ping' | 'pong', pingId: bigint }} PingFrame */
/** @typedef {Hello | OutboundFrame | AckFrame | PingFrame} ClientFrame */
/** @typedef {Welcome | InboundFrame | AcceptanceFrame | PingFrame} ServerFrame */

// Writing

/** @param {{ resume: ResumePoint, token: string | null, windowEvents: number, windowBytes: number }} hello */
export function helloFrame({ resume, token, windowEvents, windowBytes }) {
  return writeJson({
    frame: 'hello',
    version: PROTOCOL_VERSION,
    resume_point: {
      remote_session_id: resume.session,
      previous_epoch: resume.epoch,
      cursor: { observed_sequence: resume.cursor },
    },
    receive_window: { events: BigInt(windowEvents), bytes: BigInt(windowBytes) },
    token: token ?? undefined,
  });
}

/** @param {{ session: string, epoch: bigint }} welcome */
export function welcomeFrame({ session, epoch }) {
  return writeJson({
    frame: 'welcome',
    version: PROTOCOL_VERSION,
    remote_session_id: session,
    worker_epoch: epoch,
  });
}

/**
 * An outbound_event. The bytes are copied out here: the caller may change them afterwards.
 * @param {unknown} event
 */
export function eventRecord(event) {
  const { messageId, type, payload } = checkEvent(event);
  return writeJson({ message_id: messageId, type, payload: toBase64(payload) });
}

/** @param {bigint} sendId @param {string} record of eventRecord */
export const outboundFrame = (sendId, record) => `{"frame":"event","send_id":${sendId},"event":${record}}`;

/** @param {bigint} sequence @param {string} record of eventRecord */
export const inboundFrame = (sequence, record) =>
  `{"frame":"event","sequence":${sequence},"event":${record}}`;

/** @param {bigint} sendId @param {unknown} acceptance */
export function acceptanceFrame(sendId, acceptance) {
  const given = /** @type {Partial<Acceptance> | null | undefined} */ (acceptance) ?? {};
  return writeJson({
    frame: 'acceptance',
    send_id: sendId,
    acceptance: {
      accepted: given.accepted === true,
      queue_identity: given.queueIdentity || undefined,
      remote_ack_id: given.remoteAckId || undefined,
      durability_known: given.durabilityKnown === true,
    },
  });
}

/** @param {bigint} sequence */
export const ackFrame = (sequence) => `{"frame":"ack","sequence":${sequence}}`;

/** @param {'ping' | 'pong'} frame @param {bigint} pingId */
export const pingFrame = (frame, pingId) => `{"frame":"${frame}","ping_id":${pingId}}`;

/** @param {unknown} event @returns {OutboundEvent} */
function checkEvent(event) {
  if (typeof event !== 'object' || event === null) throw new TypeError('event must be an object');
  const { messageId, type, payload } = /** @type {OutboundEvent} */ (event);
  if (typeof messageId !== 'string') throw new TypeError('event.messageId must be a string');
  if (typeof type !== 'string') throw new TypeError('event.type must be a string');
  if (Object.prototype.toString.call(payload) !== '[object Uint8Array]') {
    throw new TypeError('event.payload must be a Uint8Array');
  }
  if (!isOpaqueId(messageId) || type === '' || !isText(type)) {
    throw new LeasegateError('invalid_event', 'An event needs an opaque message id and a type.');
  }
  return { messageId, type, payload };
}

// Reading

/** @param {string} text @returns {ServerFrame} */
export function readServerFrame(text) {
  const { frame, record } = open(text);
  switch (frame) {
    case 'welcome':
      return readWelcome(record);
    case 'event':
      return { frame, sequence: count(record, 'sequence', 1n), event: readEvent(record.event) };
    case 'acceptance':
      return { frame, sendId: count(record, 'send_id', 1n), acceptance: readAcceptance(record.acceptance) };
    case 'ping':
    case 'pong':
      return { frame, pingId: count(record, 'ping_id', 0n) };
    default:
      throw new MalformedFrame('unknown_frame');
  }
}

/** @param {string} text @returns {ClientFrame} */
export function readClientFrame(text) {
  const { frame, record } = open(text);
  switch (frame) {
    case 'hello':
      return readHello(record);
    case 'event':
      return { frame, sendId: count(record, 'send_id', 1n), event: readEvent(record.event) };
    case 'ack':
      return { frame, sequence: count(record, 'sequence', 1n) };
    case 'ping':
    case 'pong':
      return { frame, pingId: count(record, 'ping_id', 0n) };
    default:
      throw new MalformedFrame('unknown_frame');
  }
}

/** @param {string} text */
function open(text) {
  /** @type {unknown} */
  let value;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof MalformedJson) throw new MalformedFrame('not_json');
    throw error;
  }
  const record = object(value, 'not_an_object');
  return { frame: record.frame, record };
}

/** @param {Record<string, unknown>} record @returns {Welcome} */
function readWelcome(record) {
  checkVersion(record);
  return {
    frame: 'welcome',
    session: id(record, 'remote_session_id'),
    epoch: count(record, 'worker_epoch', 1n),
  };
}

/** @param {Record<string, unknown>} record @returns {Hello} */
function readHello(record) {
  checkVersion(record);
  const point = object(record.resume_point, 'resume_point');
  const cursor = object(point.cursor, 'cursor');
  const window = object(record.receive_window, 'receive_window');
  const token = record.token ?? null;
  if (token !== null && (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH)) {
    throw new MalformedFrame('token');
  }
  return {
    frame: 'hello',
    resume: {
      session: id(point, 'remote_session_id'),
      epoch: count(point, 'previous_epoch', 1n),
      cursor: count(cursor, 'observed_sequence', 0n),
    },
    token,
    windowEvents: small(window, 'events'),
    windowBytes: small(window, 'bytes'),
  };
}

/** @param {unknown} value @returns {OutboundEvent} */
function readEvent(value) {
  const record = object(value, 'event');
  const { type, payload } = record;
  if (!isText(type) || type === '') throw new MalformedFrame('type');
  const bytes = typeof payload === 'string' ? fromBase64(payload) : null;
  if (bytes === null) throw new MalformedFrame('payload');
  return Object.freeze({ messageId: id(record, 'message_id'), type, payload: bytes });
}

/** @param {unknown} value @returns {Acceptance} */
function readAcceptance(value) {
  const record = object(value, 'acceptance');
  return Object.freeze({
    accepted: flag(record, 'accepted'),
    queueIdentity: optionalText(record, 'queue_identity'),
    remoteAckId: optionalText(record, 'remote_ack_id'),
    durabilityKnown: flag(record, 'durability_known'),
  });
}

/** @param {Record<string, unknown>} record */
function checkVersion(record) {
  if (record.version !== PROTOCOL_VERSION) throw new MalformedFrame('version');
}

/** @param {unknown} value @param {string} detail */
function object(value, detail) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new MalformedFrame(detail);
  return /** @type {Record<string, unknown>} */ (value);
}

/** @param {Record<string, unknown>} record @param {string} name @param {bigint} minimum */
function count(record, name, minimum) {
  const value = record[name];
  if (!isU64(value) || value < minimum) throw new MalformedFrame(name);
  return value;
}

/** @param {Record<string, unknown>} record @param {string} name */
function small(record, name) {
  const value = count(record, name, 1n);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}

/** @param {Record<string, unknown>} record @param {string} name */
function id(record, name) {
  const value = record[name];
  if (!isOpaqueId(value)) throw new MalformedFrame(name);
  return value;
}

/** @param {Record<string, unknown>} record @param {string} name */
function flag(record, name) {
  const value = record[name];
  if (typeof value !== 'boolean') throw new MalformedFrame(name);
  return value;
}

/** An empty text is an absent one. @param {Record<string, unknown>} record @param {string} name */
function optionalText(record, name) {
  const value = record[name] ?? '';
  if (!isText(value)) throw new MalformedFrame(name);
  return value === '' ? null : value;
}
