// Generated from src/schema by "npm run generate". Do not edit.
// @ts-nocheck

import { defineRecord } from '../boundary/records.js';
import { MAX_IDENTIFIER_BYTES } from './coordination.js';

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

export const GateOutcome = Object.freeze(['done', 'queued', 'accepted', 'not_accepted', 'failed', 'aborted', 'dropped', 'refused']);

export const SendOutcome = Object.freeze(['accepted', 'not_accepted', 'failed']);

export const TransportKind = Object.freeze(['hybrid', 'ccr_sse', 'websocket', 'direct_connect', 'ssh']);

export const TransportAvailability = Object.freeze(['malformed_configuration', 'build_excluded', 'gate_disabled', 'unconfigured', 'implementation_unavailable']);

export const TransportFault = Object.freeze(['unknown_kind', 'not_included', 'not_enabled', 'no_endpoint', 'endpoint_not_utf8', 'endpoint_character', 'endpoint_scheme', 'endpoint_userinfo', 'endpoint_host', 'endpoint_port', 'endpoint_escape', 'no_factory']);

export const ConstructFault = Object.freeze(['factory_failed', 'no_transport', 'wrong_kind']);

export const TransportRole = Object.freeze(['replaced', 'late', 'refused', 'final']);

export const RecoveryUnit = Object.freeze(['calls', 'closes']);

export const RecoveryStepKind = Object.freeze(['none', 'settle', 'abort_attempt', 'close_transport', 'attempt']);

export const RecoveryOutcome = Object.freeze(['recovered', 'failed', 'aborted', 'closed', 'close_failed', 'refused']);

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

export function readControlKey(f, ids) {
  return new ControlKey(f.getText(), f.getText(), f.getU64(), f.getU64());
}

export function putControlKey(f, read, path) {
  f.putText(read.request, `${path}.request`, MAX_IDENTIFIER_BYTES);
  f.putText(read.session, `${path}.session`, MAX_IDENTIFIER_BYTES);
  f.putTokenU64(read.generation, `${path}.generation`);
  f.putTokenU64(read.epoch, `${path}.epoch`);
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

export function readObservation(f, ids) {
  return new Observation(f.getU64(), f.getU64(), f.getBool(), f.getBool(), f.getBool());
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

export function readDeliveryRecord(f, ids) {
  return new DeliveryRecord(f.getText(), f.getText(), f.getU64(), f.getName(DeliveryState), f.getText() || null, f.getOptionalU64(), f.getU64(), f.getText() || null);
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
defineRecord(ControlRecord, []);

export function readControlRecord(f, ids) {
  return new ControlRecord(readControlKey(f, ids), f.getText() || null, f.getText(), f.getName(ControlState), f.getText() || null, f.getText() || null, f.getU64());
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

export function readLifecycleTransition(f, ids) {
  return new LifecycleTransition(f.getName(TransportState), f.getName(TransportState), f.getU64(), f.getText() || null);
}

export class OutboundEvent {
  constructor(messageId, type, payload) {
    this.messageId = messageId;
    this.type = type;
    this.payload = payload;
    Object.freeze(this);
  }
}
defineRecord(OutboundEvent, []);

export function readOutboundEvent(f, ids) {
  return new OutboundEvent(f.getText(), f.getText(), f.getBytes());
}

export class ResumePoint {
  constructor(session, epoch, cursor) {
    this.session = session;
    this.epoch = epoch;
    this.cursor = cursor;
    Object.freeze(this);
  }
}
defineRecord(ResumePoint, []);

export function readResumePoint(f, ids) {
  return new ResumePoint(f.getText(), f.getU64(), f.getU64());
}

export class CloseEvidence {
  constructor(dropped, remoteDurabilityKnown) {
    this.dropped = dropped;
    this.remoteDurabilityKnown = remoteDurabilityKnown;
    Object.freeze(this);
  }
}
defineRecord(CloseEvidence, []);

export function readCloseEvidence(f, ids) {
  return new CloseEvidence(f.getU64(), f.getBool());
}
