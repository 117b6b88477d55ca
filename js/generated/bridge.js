// Generated from src/schema by "npm run generate". Do not edit.
// @ts-nocheck

import { object } from '../boundary/arguments.js';
import { getCounter, getMillis, getOptionalMillis, getPlacedText, getText } from '../boundary/get.js';
import { putBool, putMillis, putName, putTokenU64, putU64, putUtf8 } from '../boundary/put.js';
import { defineRecord } from '../boundary/records.js';

/** UTF-8 bytes of an opaque id. */
export const MAX_OPAQUE_ID_BYTES = 256;

/** UTF-8 bytes of a free text: event type, subtype, failure, message, reason. */
export const MAX_TEXT_BYTES = 4096;

/** Bytes of the JSON text that resolves a control request (1 MiB). */
export const MAX_CONTROL_VALUE_BYTES = 1048576;

/** Arrays and objects around one another in a JSON text. */
export const MAX_JSON_DEPTH = 10000;

/** Port of an endpoint. */
export const MAX_PORT = 65535;

/** begin_history, flush_history and drop calls of one gate that are open at a time. */
export const MAX_GATE_CALLS = 65536;

/** recover and close calls of one coordinator that are open at a time. */
export const MAX_RECOVERY_CALLS = 65536;

/** Transports of one coordinator whose close has not settled. */
export const MAX_TRANSPORT_CLOSES = 1024;

/** Default of max_records: delivery tracker, control registry. */
export const DEFAULT_MAX_RECORDS = 65536;

/** Default of max_history: transitions that a lifecycle remembers. */
export const DEFAULT_MAX_HISTORY = 1024;

/** Default of capacity: events that a gate holds. */
export const DEFAULT_GATE_CAPACITY = 100000;

/** Default of max_bytes: payload bytes that a gate holds (64 MiB). */
export const DEFAULT_GATE_MAX_BYTES = 67108864;

/** Default of close_timeout, in milliseconds. */
export const DEFAULT_CLOSE_TIMEOUT_MS = 3000;

export const IdentifierKind = Object.freeze(['bridge_instance_id', 'environment_id', 'work_id', 'remote_session_id', 'message_id', 'control_request_id', 'tool_use_id', 'delivery_id', 'transport_ack_id']);

export const IdentifierReason = Object.freeze(['empty', 'too_long', 'not_utf8', 'control_character', 'unsafe_path']);

export const TextField = Object.freeze(['type', 'subtype', 'failure', 'message', 'reason']);

export const TextReason = Object.freeze(['not_utf8', 'too_long']);

export const DeliveryState = Object.freeze(['observed', 'received', 'processing', 'processed', 'failed', 'cancelled']);

export const ControlState = Object.freeze(['received', 'validating', 'awaiting_local_action', 'responding', 'succeeded', 'denied', 'errored', 'cancelled', 'superseded']);

export const TransportState = Object.freeze(['new', 'connecting', 'connected', 'reconnect_wait', 'replacing', 'draining', 'closed', 'failed']);

export const WorkState = Object.freeze(['observed', 'secret_validated', 'acknowledging', 'owned', 'spawning', 'running', 'completing', 'failing', 'interrupting', 'terminal_reported', 'released', 'unowned']);

export const GateState = Object.freeze(['inactive', 'collecting_history', 'ready', 'draining', 'deactivated', 'closed']);

export const GateUnit = Object.freeze(['events', 'bytes', 'calls']);

export const GateStepKind = Object.freeze(['none', 'send', 'snapshot', 'settle']);

export const GateOutcome = Object.freeze(['open', 'done', 'queued', 'accepted', 'not_accepted', 'failed', 'aborted', 'dropped', 'refused']);

export const SendOutcome = Object.freeze(['accepted', 'not_accepted', 'failed']);

export const TransportKind = Object.freeze(['hybrid', 'ccr_sse', 'websocket', 'direct_connect', 'ssh']);

export const TransportAvailability = Object.freeze(['malformed_configuration', 'build_excluded', 'gate_disabled', 'unconfigured', 'implementation_unavailable']);

export const TransportFault = Object.freeze(['unknown_kind', 'not_included', 'not_enabled', 'no_endpoint', 'endpoint_not_utf8', 'endpoint_character', 'endpoint_scheme', 'endpoint_userinfo', 'endpoint_host', 'endpoint_port', 'endpoint_escape', 'no_factory']);

export const ConstructFault = Object.freeze(['factory_failed', 'no_transport', 'wrong_kind']);

export const TransportRole = Object.freeze(['replaced', 'late', 'refused', 'final']);

export const RecoveryUnit = Object.freeze(['calls', 'closes']);

export const RecoveryStepKind = Object.freeze(['none', 'settle', 'abort_attempt', 'close_transport', 'attempt']);

export const RecoveryOutcome = Object.freeze(['open', 'recovered', 'failed', 'aborted', 'closed', 'close_failed', 'refused']);

export const TransportOffer = Object.freeze(['none', 'fresh', 'known']);

/** What each state may become; a state that becomes nothing is terminal. */
export const DELIVERY_STATE_TRANSITIONS = Object.freeze({
  observed: Object.freeze(['received', 'failed', 'cancelled']),
  received: Object.freeze(['processing', 'processed', 'failed', 'cancelled']),
  processing: Object.freeze(['processed', 'failed', 'cancelled']),
  processed: Object.freeze([]),
  failed: Object.freeze([]),
  cancelled: Object.freeze([]),
});

/** What each state may become; a state that becomes nothing is terminal. */
export const CONTROL_STATE_TRANSITIONS = Object.freeze({
  received: Object.freeze(['validating', 'succeeded', 'denied', 'errored', 'cancelled', 'superseded']),
  validating: Object.freeze(['awaiting_local_action', 'succeeded', 'denied', 'errored', 'cancelled', 'superseded']),
  awaiting_local_action: Object.freeze(['responding', 'succeeded', 'denied', 'errored', 'cancelled', 'superseded']),
  responding: Object.freeze(['succeeded', 'denied', 'errored', 'cancelled', 'superseded']),
  succeeded: Object.freeze([]),
  denied: Object.freeze([]),
  errored: Object.freeze([]),
  cancelled: Object.freeze([]),
  superseded: Object.freeze([]),
});

/** What each state may become; a state that becomes nothing is terminal. */
export const TRANSPORT_STATE_TRANSITIONS = Object.freeze({
  new: Object.freeze(['connecting', 'draining', 'closed']),
  connecting: Object.freeze(['connected', 'reconnect_wait', 'draining', 'failed']),
  connected: Object.freeze(['reconnect_wait', 'replacing', 'draining', 'failed']),
  reconnect_wait: Object.freeze(['connecting', 'replacing', 'draining', 'failed']),
  replacing: Object.freeze(['connecting', 'connected', 'reconnect_wait', 'draining', 'failed']),
  draining: Object.freeze(['closed', 'failed']),
  closed: Object.freeze([]),
  failed: Object.freeze([]),
});

/** What each state may become; a state that becomes nothing is terminal. */
export const WORK_STATE_TRANSITIONS = Object.freeze({
  observed: Object.freeze(['secret_validated', 'unowned']),
  secret_validated: Object.freeze(['acknowledging', 'unowned']),
  acknowledging: Object.freeze(['owned', 'unowned']),
  owned: Object.freeze(['spawning', 'failing', 'interrupting']),
  spawning: Object.freeze(['running', 'failing', 'interrupting']),
  running: Object.freeze(['completing', 'failing', 'interrupting']),
  completing: Object.freeze(['terminal_reported']),
  failing: Object.freeze(['terminal_reported']),
  interrupting: Object.freeze(['terminal_reported']),
  terminal_reported: Object.freeze(['released']),
  released: Object.freeze([]),
  unowned: Object.freeze([]),
});

/** What each state may become; a state that becomes nothing is terminal. */
export const GATE_STATE_TRANSITIONS = Object.freeze({
  inactive: Object.freeze(['collecting_history', 'closed']),
  collecting_history: Object.freeze(['ready', 'deactivated', 'inactive', 'closed']),
  ready: Object.freeze(['draining', 'deactivated', 'inactive', 'closed']),
  draining: Object.freeze(['inactive', 'deactivated', 'closed']),
  deactivated: Object.freeze(['draining', 'collecting_history', 'inactive', 'closed']),
  closed: Object.freeze([]),
});

export const MACHINES = Object.freeze({
  delivery: DELIVERY_STATE_TRANSITIONS,
  control: CONTROL_STATE_TRANSITIONS,
  transport: TRANSPORT_STATE_TRANSITIONS,
  work: WORK_STATE_TRANSITIONS,
});

export const OP_VALIDATE_OPAQUE_ID = 0;

export const OP_VALIDATE_PATH_IDENTIFIER = 1;

export const OP_VALIDATE_IDENTITY = 2;

export const OP_VALIDATE_CONTROL_KEY = 3;

export const OP_DELIVERY_OBSERVE = 4;

export const OP_DELIVERY_TRANSITION = 5;

export const OP_DELIVERY_ACKNOWLEDGE = 6;

export const OP_CONTROL_ACCEPT = 7;

export const OP_CONTROL_ADVANCE = 8;

export const OP_CONTROL_RESOLVE = 9;

export const OP_CONTROL_CANCEL = 10;

export const OP_CONTROL_GET = 11;

export const OP_CONTROL_FORGET = 12;

export const OP_CONTROL_CANCEL_ALL = 13;

export const OP_LIFECYCLE_CHANGE = 14;

export const OP_TRANSPORT_CHECK = 15;

export const OP_TRANSPORT_CHECK_BUILT = 16;

export const OP_RECOVERY_RECOVER = 17;

export const OP_RECOVERY_ATTEMPT_SETTLED = 18;

export const OP_FENCE_CURRENT = 19;

export const OP_FENCE_CHECK = 20;

export const OP_FENCE_ADVANCE = 21;

export const OP_CURSOR_SEQUENCE = 22;

export const OP_CURSOR_OBSERVE = 23;

export const OP_DEDUPER_SEEN_OR_ADD = 24;

export const OP_DEDUPER_SIZE = 25;

export const OP_DELIVERY_GET = 26;

export const OP_DELIVERY_FORGET = 27;

export const OP_DELIVERY_SIZE = 28;

export const OP_CONTROL_NEXT = 29;

export const OP_CONTROL_SIZE = 30;

export const OP_LIFECYCLE_STATE = 31;

export const OP_LIFECYCLE_HISTORY = 32;

export const OP_LIFECYCLE_ENTRY = 33;

export const OP_WORK_STATE = 34;

export const OP_WORK_TRANSITION = 35;

export const OP_TRANSPORT_REGISTER = 36;

export const OP_TRANSPORT_FACTORY_FAILED = 37;

export const OP_SEND_NOT_ACCEPTED = 38;

export const OP_CLOSE_TIMEOUT = 39;

export const OP_GATE_STATE = 40;

export const OP_GATE_BEGIN = 41;

export const OP_GATE_RESUME = 42;

export const OP_GATE_HISTORY_BEGIN = 43;

export const OP_GATE_HISTORY_ADD = 44;

export const OP_GATE_HISTORY_INSTALL = 45;

export const OP_GATE_HISTORY_TAKEN = 46;

export const OP_GATE_HISTORY_FAILED = 47;

export const OP_GATE_SUBMIT = 48;

export const OP_GATE_DRAIN = 49;

export const OP_GATE_FLUSH = 50;

export const OP_GATE_DEACTIVATE = 51;

export const OP_GATE_DROP = 52;

export const OP_GATE_STEP = 53;

export const OP_GATE_SENT = 54;

export const OP_GATE_ABORT = 55;

export const OP_GATE_PENDING_FIRST = 56;

export const OP_GATE_PENDING_NEXT = 57;

export const OP_RECOVERY_SEND = 58;

export const OP_RECOVERY_OBSERVE = 59;

export const OP_RECOVERY_CLOSE = 60;

export const OP_RECOVERY_STEP = 61;

export const OP_RECOVERY_ATTEMPT_FAILED = 62;

export const OP_RECOVERY_CLOSE_SETTLED = 63;

export const OP_RECOVERY_CLOSE_FAILED = 64;

export const OP_RECOVERY_TIMEOUT = 65;

export const OP_RECOVERY_ABORT = 66;

export const OP_RECOVERY_STATE = 67;

export const OP_RECOVERY_HISTORY = 68;

export const OP_RECOVERY_ENTRY = 69;

export class ControlKey {
  constructor(request, session, generation, epoch) {
    this.request = request;
    this.session = session;
    this.generation = generation;
    this.epoch = epoch;
    Object.freeze(this);
  }
}
defineRecord(ControlKey, []);

export function readControlKey(f, at, ids) {
  return new ControlKey(getText(f, at), getText(f, at + 1), getCounter(f, at + 2), getCounter(f, at + 3));
}

export class Observation {
  constructor(previous, current, advanced, duplicate, gap) {
    this.previous = previous;
    this.current = current;
    this.advanced = advanced;
    this.duplicate = duplicate;
    this.gap = gap;
    Object.freeze(this);
  }
}
defineRecord(Observation, []);

export function readObservation(f, at, ids) {
  return new Observation(getCounter(f, at), getCounter(f, at + 1), f.u32[at * 2 + 4] !== 0, f.u32[at * 2 + 6] !== 0, f.u32[at * 2 + 8] !== 0);
}

export class DeliveryRecord {
  constructor(id, message, sequence, state, transportAckId, transportAckedAt, updatedAt, failure) {
    this.id = id;
    this.message = message;
    this.sequence = sequence;
    this.state = state;
    this.transportAckId = transportAckId;
    this.transportAckedAt = transportAckedAt;
    this.updatedAt = updatedAt;
    this.failure = failure;
    Object.freeze(this);
  }
}
defineRecord(DeliveryRecord, []);

export function readDeliveryRecord(f, at, ids) {
  return new DeliveryRecord(getText(f, at), getText(f, at + 1), getCounter(f, at + 2), DeliveryState[f.u32[at * 2 + 6]], getText(f, at + 4) || null, getOptionalMillis(f, at + 5), getMillis(f, at + 7), getText(f, at + 8) || null);
}

export class ControlRecord {
  constructor(key, toolUseId, subtype, state, value, message, updatedAt) {
    this.key = key;
    this.toolUseId = toolUseId;
    this.subtype = subtype;
    this.state = state;
    this.value = value;
    this.message = message;
    this.updatedAt = updatedAt;
    Object.freeze(this);
  }
}
defineRecord(ControlRecord, ['value']);

export function readControlRecord(f, at, ids) {
  return new ControlRecord(readControlKey(f, at, ids), getText(f, at + 4) || null, getText(f, at + 5), ControlState[f.u32[at * 2 + 12]], getPlacedText(f, at + 7) || null, getText(f, at + 9) || null, getMillis(f, at + 10));
}

export class LifecycleTransition {
  constructor(from, to, at, reason) {
    this.from = from;
    this.to = to;
    this.at = at;
    this.reason = reason;
    Object.freeze(this);
  }
}
defineRecord(LifecycleTransition, []);

export function readLifecycleTransition(f, at, ids) {
  return new LifecycleTransition(TransportState[f.u32[at * 2]], TransportState[f.u32[at * 2 + 2]], getMillis(f, at + 2), getText(f, at + 3) || null);
}

export class IdentityTuple {
  constructor(bridgeInstance, environment, work, session, epoch, generation) {
    this.bridgeInstance = bridgeInstance;
    this.environment = environment;
    this.work = work;
    this.session = session;
    this.epoch = epoch;
    this.generation = generation;
    Object.freeze(this);
  }
}
defineRecord(IdentityTuple, []);

export class TransportConfig {
  constructor(kind, included, enabled, endpoint) {
    this.kind = kind;
    this.included = included;
    this.enabled = enabled;
    this.endpoint = endpoint;
    Object.freeze(this);
  }
}
defineRecord(TransportConfig, []);

export class CursorPosition {
  constructor(sequence) {
    this.sequence = sequence;
    Object.freeze(this);
  }
}
defineRecord(CursorPosition, []);

export class OutboundEvent {
  constructor(messageId, type, payload) {
    this.messageId = messageId;
    this.type = type;
    this.payload = payload;
    Object.freeze(this);
  }
}
defineRecord(OutboundEvent, ['payload']);

export class Acceptance {
  constructor(accepted, queueIdentity, remoteAckId, durabilityKnown) {
    this.accepted = accepted;
    this.queueIdentity = queueIdentity;
    this.remoteAckId = remoteAckId;
    this.durabilityKnown = durabilityKnown;
    Object.freeze(this);
  }
}
defineRecord(Acceptance, []);

export class SubmitResult {
  constructor(queued, acceptance) {
    this.queued = queued;
    this.acceptance = acceptance;
    Object.freeze(this);
  }
}
defineRecord(SubmitResult, []);

export class ResumePoint {
  constructor(session, epoch, cursor) {
    this.session = session;
    this.epoch = epoch;
    this.cursor = cursor;
    Object.freeze(this);
  }
}
defineRecord(ResumePoint, []);

export class CloseEvidence {
  constructor(dropped, remoteDurabilityKnown) {
    this.dropped = dropped;
    this.remoteDurabilityKnown = remoteDurabilityKnown;
    Object.freeze(this);
  }
}
defineRecord(CloseEvidence, []);

export function readGivenDeliveryRecord(f, at, ids) {
  return new DeliveryRecord(f.given[0], getText(f, at + 1), getCounter(f, at + 2), DeliveryState[f.u32[at * 2 + 6]], getText(f, at + 4) || null, getOptionalMillis(f, at + 5), getMillis(f, at + 7), getText(f, at + 8) || null);
}

export function readGivenControlRecord(f, at, ids) {
  return new ControlRecord(new ControlKey(f.given[0], f.given[1], getCounter(f, at + 2), getCounter(f, at + 3)), getText(f, at + 4) || null, getText(f, at + 5), ControlState[f.u32[at * 2 + 12]], getPlacedText(f, at + 7) || null, getText(f, at + 9) || null, getMillis(f, at + 10));
}

export function writeValidateOpaqueId(f, options) {
  const { kind: kind, value: value } = object(options, 'options');
  f.begin();
  const { slotsAt: at } = f;
  const text1 = putUtf8(f, at, f.textAt, kind, 'kind', MAX_TEXT_BYTES);
  putUtf8(f, at + 1, text1, value, 'value', MAX_OPAQUE_ID_BYTES);
}

export function writeValidatePathIdentifier(f, options) {
  const { kind: kind, value: value } = object(options, 'options');
  f.begin();
  const { slotsAt: at } = f;
  const text1 = putUtf8(f, at, f.textAt, kind, 'kind', MAX_TEXT_BYTES);
  putUtf8(f, at + 1, text1, value, 'value', MAX_OPAQUE_ID_BYTES);
}

export function writeValidateIdentity(f, options) {
  const { tuple: tuple } = object(options, 'options');
  const { bridgeInstance: tuple_bridgeInstance, environment: tuple_environment, work: tuple_work, session: tuple_session, epoch: tuple_epoch, generation: tuple_generation } = object(tuple, 'tuple');
  f.begin();
  const { slotsAt: at, u64 } = f;
  const text1 = putUtf8(f, at, f.textAt, tuple_bridgeInstance ?? '', 'tuple.bridgeInstance', MAX_OPAQUE_ID_BYTES);
  const text2 = putUtf8(f, at + 1, text1, tuple_environment ?? '', 'tuple.environment', MAX_OPAQUE_ID_BYTES);
  const text3 = putUtf8(f, at + 2, text2, tuple_work ?? '', 'tuple.work', MAX_OPAQUE_ID_BYTES);
  putUtf8(f, at + 3, text3, tuple_session, 'tuple.session', MAX_OPAQUE_ID_BYTES);
  if (typeof tuple_epoch === 'bigint' && BigInt.asUintN(64, tuple_epoch) === tuple_epoch) u64[at + 4] = tuple_epoch;
  else putU64(f, at + 4, tuple_epoch, 'tuple.epoch');
  if (typeof tuple_generation === 'bigint' && BigInt.asUintN(64, tuple_generation) === tuple_generation) u64[at + 5] = tuple_generation;
  else putU64(f, at + 5, tuple_generation, 'tuple.generation');
}

export function writeValidateControlKey(f, options) {
  const { key: key } = object(options, 'options');
  const { request: key_request, session: key_session, generation: key_generation, epoch: key_epoch } = object(key, 'key');
  f.begin();
  const { slotsAt: at, u64 } = f;
  const text1 = putUtf8(f, at, f.textAt, key_request, 'key.request', MAX_OPAQUE_ID_BYTES);
  putUtf8(f, at + 1, text1, key_session, 'key.session', MAX_OPAQUE_ID_BYTES);
  if (typeof key_generation === 'bigint' && BigInt.asUintN(64, key_generation) === key_generation) u64[at + 2] = key_generation;
  else putTokenU64(f, at + 2, key_generation, 'key.generation');
  if (typeof key_epoch === 'bigint' && BigInt.asUintN(64, key_epoch) === key_epoch) u64[at + 3] = key_epoch;
  else putTokenU64(f, at + 3, key_epoch, 'key.epoch');
}

export function writeDeliveryObserve(f, options, now) {
  const { id: id, message: message, sequence: sequence } = object(options, 'options');
  f.begin();
  const { slotsAt: at } = f;
  const text1 = putUtf8(f, at, f.textAt, id, 'id', MAX_OPAQUE_ID_BYTES);
  putUtf8(f, at + 1, text1, message, 'message', MAX_OPAQUE_ID_BYTES);
  putU64(f, at + 2, sequence ?? 0, 'sequence');
  putMillis(f, at + 3, now);
}

export function writeDeliveryTransition(f, options, now) {
  const { id: id, state: state, failure: failure } = object(options, 'options');
  f.begin();
  const { slotsAt: at } = f;
  const text1 = putUtf8(f, at, f.textAt, id, 'id', MAX_OPAQUE_ID_BYTES);
  putName(f, at + 1, DeliveryState, state, 'state');
  putUtf8(f, at + 2, text1, failure ?? '', 'failure', MAX_TEXT_BYTES);
  putMillis(f, at + 3, now);
}

export function writeDeliveryAcknowledge(f, options, now) {
  const { id: id, ackId: ackId } = object(options, 'options');
  f.begin();
  const { slotsAt: at } = f;
  const text1 = putUtf8(f, at, f.textAt, id, 'id', MAX_OPAQUE_ID_BYTES);
  putUtf8(f, at + 1, text1, ackId, 'ackId', MAX_OPAQUE_ID_BYTES);
  putMillis(f, at + 2, now);
}

export function writeControlAccept(f, options, now) {
  const { key: key, subtype: subtype, toolUseId: toolUseId } = object(options, 'options');
  const { request: key_request, session: key_session, generation: key_generation, epoch: key_epoch } = object(key, 'key');
  f.begin();
  const { slotsAt: at, u64 } = f;
  const text1 = putUtf8(f, at, f.textAt, key_request, 'key.request', MAX_OPAQUE_ID_BYTES);
  const text2 = putUtf8(f, at + 1, text1, key_session, 'key.session', MAX_OPAQUE_ID_BYTES);
  if (typeof key_generation === 'bigint' && BigInt.asUintN(64, key_generation) === key_generation) u64[at + 2] = key_generation;
  else putTokenU64(f, at + 2, key_generation, 'key.generation');
  if (typeof key_epoch === 'bigint' && BigInt.asUintN(64, key_epoch) === key_epoch) u64[at + 3] = key_epoch;
  else putTokenU64(f, at + 3, key_epoch, 'key.epoch');
  const text3 = putUtf8(f, at + 4, text2, subtype, 'subtype', MAX_TEXT_BYTES);
  putUtf8(f, at + 5, text3, toolUseId ?? '', 'toolUseId', MAX_OPAQUE_ID_BYTES);
  putMillis(f, at + 6, now);
}

export function writeControlAdvance(f, options, now) {
  const { key: key, state: state } = object(options, 'options');
  const { request: key_request, session: key_session, generation: key_generation, epoch: key_epoch } = object(key, 'key');
  f.begin();
  const { slotsAt: at, u64 } = f;
  const text1 = putUtf8(f, at, f.textAt, key_request, 'key.request', MAX_OPAQUE_ID_BYTES);
  putUtf8(f, at + 1, text1, key_session, 'key.session', MAX_OPAQUE_ID_BYTES);
  if (typeof key_generation === 'bigint' && BigInt.asUintN(64, key_generation) === key_generation) u64[at + 2] = key_generation;
  else putTokenU64(f, at + 2, key_generation, 'key.generation');
  if (typeof key_epoch === 'bigint' && BigInt.asUintN(64, key_epoch) === key_epoch) u64[at + 3] = key_epoch;
  else putTokenU64(f, at + 3, key_epoch, 'key.epoch');
  putName(f, at + 4, ControlState, state, 'state');
  putMillis(f, at + 5, now);
}

export function writeControlResolve(f, options, now, carry) {
  const { key: key, state: state, value: value, message: message } = object(options, 'options');
  const { request: key_request, session: key_session, generation: key_generation, epoch: key_epoch } = object(key, 'key');
  f.begin();
  const { slotsAt: at, u64 } = f;
  const text1 = putUtf8(f, at, f.textAt, key_request, 'key.request', MAX_OPAQUE_ID_BYTES);
  const text2 = putUtf8(f, at + 1, text1, key_session, 'key.session', MAX_OPAQUE_ID_BYTES);
  if (typeof key_generation === 'bigint' && BigInt.asUintN(64, key_generation) === key_generation) u64[at + 2] = key_generation;
  else putTokenU64(f, at + 2, key_generation, 'key.generation');
  if (typeof key_epoch === 'bigint' && BigInt.asUintN(64, key_epoch) === key_epoch) u64[at + 3] = key_epoch;
  else putTokenU64(f, at + 3, key_epoch, 'key.epoch');
  putName(f, at + 4, ControlState, state, 'state');
  f.slot = at + 5;
  f.text = text2;
  carry(value, 'value');
  putUtf8(f, at + 7, f.text, message ?? '', 'message', MAX_TEXT_BYTES);
  putMillis(f, at + 8, now);
}

export function writeControlCancel(f, options, now) {
  const { key: key, reason: reason } = object(options, 'options');
  const { request: key_request, session: key_session, generation: key_generation, epoch: key_epoch } = object(key, 'key');
  f.begin();
  const { slotsAt: at, u64 } = f;
  const text1 = putUtf8(f, at, f.textAt, key_request, 'key.request', MAX_OPAQUE_ID_BYTES);
  const text2 = putUtf8(f, at + 1, text1, key_session, 'key.session', MAX_OPAQUE_ID_BYTES);
  if (typeof key_generation === 'bigint' && BigInt.asUintN(64, key_generation) === key_generation) u64[at + 2] = key_generation;
  else putTokenU64(f, at + 2, key_generation, 'key.generation');
  if (typeof key_epoch === 'bigint' && BigInt.asUintN(64, key_epoch) === key_epoch) u64[at + 3] = key_epoch;
  else putTokenU64(f, at + 3, key_epoch, 'key.epoch');
  putUtf8(f, at + 4, text2, reason ?? '', 'reason', MAX_TEXT_BYTES);
  putMillis(f, at + 5, now);
}

export function writeControlGet(f, options) {
  const { key: key } = object(options, 'options');
  const { request: key_request, session: key_session, generation: key_generation, epoch: key_epoch } = object(key, 'key');
  f.begin();
  const { slotsAt: at, u64 } = f;
  const text1 = putUtf8(f, at, f.textAt, key_request, 'key.request', MAX_OPAQUE_ID_BYTES);
  putUtf8(f, at + 1, text1, key_session, 'key.session', MAX_OPAQUE_ID_BYTES);
  if (typeof key_generation === 'bigint' && BigInt.asUintN(64, key_generation) === key_generation) u64[at + 2] = key_generation;
  else putTokenU64(f, at + 2, key_generation, 'key.generation');
  if (typeof key_epoch === 'bigint' && BigInt.asUintN(64, key_epoch) === key_epoch) u64[at + 3] = key_epoch;
  else putTokenU64(f, at + 3, key_epoch, 'key.epoch');
  const { given } = f;
  given[0] = key_request;
  given[1] = key_session;
}

export function writeControlForget(f, options) {
  const { key: key } = object(options, 'options');
  const { request: key_request, session: key_session, generation: key_generation, epoch: key_epoch } = object(key, 'key');
  f.begin();
  const { slotsAt: at, u64 } = f;
  const text1 = putUtf8(f, at, f.textAt, key_request, 'key.request', MAX_OPAQUE_ID_BYTES);
  putUtf8(f, at + 1, text1, key_session, 'key.session', MAX_OPAQUE_ID_BYTES);
  if (typeof key_generation === 'bigint' && BigInt.asUintN(64, key_generation) === key_generation) u64[at + 2] = key_generation;
  else putTokenU64(f, at + 2, key_generation, 'key.generation');
  if (typeof key_epoch === 'bigint' && BigInt.asUintN(64, key_epoch) === key_epoch) u64[at + 3] = key_epoch;
  else putTokenU64(f, at + 3, key_epoch, 'key.epoch');
}

export function writeControlCancelAll(f, options, now) {
  const { reason: reason } = object(options, 'options');
  f.begin();
  const { slotsAt: at } = f;
  putUtf8(f, at, f.textAt, reason ?? '', 'reason', MAX_TEXT_BYTES);
  putMillis(f, at + 1, now);
}

export function writeLifecycleChange(f, options, now) {
  const { to: to, reason: reason } = object(options, 'options');
  f.begin();
  const { slotsAt: at } = f;
  putName(f, at, TransportState, to, 'to');
  putUtf8(f, at + 1, f.textAt, reason ?? '', 'reason', MAX_TEXT_BYTES);
  putMillis(f, at + 2, now);
}

export function writeTransportCheck(f, options, carry) {
  const { kind: kind, included: included, enabled: enabled, endpoint: endpoint } = object(options, 'options');
  f.begin();
  const { slotsAt: at } = f;
  const text1 = putUtf8(f, at, f.textAt, kind, 'kind', MAX_TEXT_BYTES);
  putBool(f, at + 1, included ?? false, 'included');
  putBool(f, at + 2, enabled ?? false, 'enabled');
  f.slot = at + 3;
  f.text = text1;
  carry(endpoint, 'endpoint');
}

export function writeTransportCheckBuilt(f, options) {
  const { kind: kind, present: present, built: built } = object(options, 'options');
  f.begin();
  const { slotsAt: at } = f;
  putName(f, at, TransportKind, kind, 'kind');
  putBool(f, at + 1, present, 'present');
  putUtf8(f, at + 2, f.textAt, built, 'built', MAX_TEXT_BYTES);
}

export function writeRecoveryRecover(f, options, now) {
  const { reason: reason, aborted: aborted } = object(options, 'options');
  f.begin();
  const { slotsAt: at } = f;
  putUtf8(f, at, f.textAt, reason ?? '', 'reason', MAX_TEXT_BYTES);
  putBool(f, at + 1, aborted, 'aborted');
  putMillis(f, at + 2, now);
}

export function writeRecoveryAttemptSettled(f, options, now) {
  const { flight: flight, offer: offer, transport: transport, epoch: epoch } = object(options, 'options');
  f.begin();
  const { slotsAt: at, u64 } = f;
  if (typeof flight === 'bigint' && BigInt.asUintN(64, flight) === flight) u64[at] = flight;
  else putU64(f, at, flight, 'flight');
  putName(f, at + 1, TransportOffer, offer, 'offer');
  if (typeof transport === 'bigint' && BigInt.asUintN(64, transport) === transport) u64[at + 2] = transport;
  else putU64(f, at + 2, transport, 'transport');
  if (typeof epoch === 'bigint' && BigInt.asUintN(64, epoch) === epoch) u64[at + 3] = epoch;
  else putU64(f, at + 3, epoch, 'epoch');
  putMillis(f, at + 4, now);
}
