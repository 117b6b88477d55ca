// The bridge's names, numbers, transition tables and shapes, once for both languages (see coordination.mjs).

export const name = 'bridge';

export const constants = [
  ['MAX_OPAQUE_ID_BYTES', 256, 'UTF-8 bytes of an opaque id.'],
  ['MAX_TEXT_BYTES', 4_096, 'UTF-8 bytes of a free text: event type, subtype, failure, message, reason.'],
  ['MAX_CONTROL_VALUE_BYTES', 1024 * 1024, 'Bytes of the JSON text that resolves a control request (1 MiB).'],
  ['MAX_JSON_DEPTH', 10_000, 'Arrays and objects around one another in a JSON text.'],
  ['MAX_PORT', 65_535, 'Port of an endpoint.'],
  ['MAX_GATE_CALLS', 65_536, 'begin_history, flush_history and drop calls of one gate that are open at a time.'],
  ['MAX_RECOVERY_CALLS', 65_536, 'recover and close calls of one coordinator that are open at a time.'],
  ['MAX_TRANSPORT_CLOSES', 1_024, 'Transports of one coordinator whose close has not settled.'],
  ['DEFAULT_MAX_RECORDS', 65_536, 'Default of max_records: delivery tracker, control registry.'],
  ['DEFAULT_MAX_HISTORY', 1_024, 'Default of max_history: transitions that a lifecycle remembers.'],
  ['DEFAULT_GATE_CAPACITY', 100_000, 'Default of capacity: events that a gate holds.'],
  ['DEFAULT_GATE_MAX_BYTES', 64 * 1024 * 1024, 'Default of max_bytes: payload bytes that a gate holds (64 MiB).'],
  ['DEFAULT_CLOSE_TIMEOUT_MS', 3_000, 'Default of close_timeout, in milliseconds.'],
];

export const enums = {
  IdentifierKind: [
    'bridge_instance_id',
    'environment_id',
    'work_id',
    'remote_session_id',
    'message_id',
    'control_request_id',
    'tool_use_id',
    'delivery_id',
    'transport_ack_id',
  ],
  IdentifierReason: ['empty', 'too_long', 'not_utf8', 'control_character', 'unsafe_path'],
  TextField: ['type', 'subtype', 'failure', 'message', 'reason'],
  TextReason: ['not_utf8', 'too_long'],
  DeliveryState: ['observed', 'received', 'processing', 'processed', 'failed', 'cancelled'],
  ControlState: [
    'received',
    'validating',
    'awaiting_local_action',
    'responding',
    'succeeded',
    'denied',
    'errored',
    'cancelled',
    'superseded',
  ],
  TransportState: ['new', 'connecting', 'connected', 'reconnect_wait', 'replacing', 'draining', 'closed', 'failed'],
  WorkState: [
    'observed',
    'secret_validated',
    'acknowledging',
    'owned',
    'spawning',
    'running',
    'completing',
    'failing',
    'interrupting',
    'terminal_reported',
    'released',
    'unowned',
  ],
  GateState: ['inactive', 'collecting_history', 'ready', 'draining', 'deactivated', 'closed'],
  GateUnit: ['events', 'bytes', 'calls'],
  GateStepKind: ['none', 'send', 'snapshot', 'settle'],
  // `open` is none yet: the ticket settles later.
  GateOutcome: ['open', 'done', 'queued', 'accepted', 'not_accepted', 'failed', 'aborted', 'dropped', 'refused'],
  SendOutcome: ['accepted', 'not_accepted', 'failed'],
  TransportKind: ['hybrid', 'ccr_sse', 'websocket', 'direct_connect', 'ssh'],
  TransportAvailability: [
    'malformed_configuration',
    'build_excluded',
    'gate_disabled',
    'unconfigured',
    'implementation_unavailable',
  ],
  TransportFault: [
    'unknown_kind',
    'not_included',
    'not_enabled',
    'no_endpoint',
    'endpoint_not_utf8',
    'endpoint_character',
    'endpoint_scheme',
    'endpoint_userinfo',
    'endpoint_host',
    'endpoint_port',
    'endpoint_escape',
    'no_factory',
  ],
  ConstructFault: ['factory_failed', 'no_transport', 'wrong_kind'],
  TransportRole: ['replaced', 'late', 'refused', 'final'],
  RecoveryUnit: ['calls', 'closes'],
  RecoveryStepKind: ['none', 'settle', 'abort_attempt', 'close_transport', 'attempt'],
  RecoveryOutcome: ['open', 'recovered', 'failed', 'aborted', 'closed', 'close_failed', 'refused'],
  TransportOffer: ['none', 'fresh', 'known'],
};

// What each state may become; a state that is missing here is terminal. Code, tests and demo read these tables.
const controlResolutions = ['succeeded', 'denied', 'errored', 'cancelled', 'superseded'];
export const transitions = {
  DeliveryState: {
    observed: ['received', 'failed', 'cancelled'],
    received: ['processing', 'processed', 'failed', 'cancelled'],
    processing: ['processed', 'failed', 'cancelled'],
  },
  ControlState: {
    received: ['validating', ...controlResolutions],
    validating: ['awaiting_local_action', ...controlResolutions],
    awaiting_local_action: ['responding', ...controlResolutions],
    responding: controlResolutions,
  },
  TransportState: {
    new: ['connecting', 'draining', 'closed'],
    connecting: ['connected', 'reconnect_wait', 'draining', 'failed'],
    connected: ['reconnect_wait', 'replacing', 'draining', 'failed'],
    reconnect_wait: ['connecting', 'replacing', 'draining', 'failed'],
    replacing: ['connecting', 'connected', 'reconnect_wait', 'draining', 'failed'],
    draining: ['closed', 'failed'],
  },
  WorkState: {
    observed: ['secret_validated', 'unowned'],
    secret_validated: ['acknowledging', 'unowned'],
    acknowledging: ['owned', 'unowned'],
    owned: ['spawning', 'failing', 'interrupting'],
    spawning: ['running', 'failing', 'interrupting'],
    running: ['completing', 'failing', 'interrupting'],
    completing: ['terminal_reported'],
    failing: ['terminal_reported'],
    interrupting: ['terminal_reported'],
    terminal_reported: ['released'],
  },
  // A drain of an empty queue passes through draining within one step, and drop may empty any state but closed.
  GateState: {
    inactive: ['collecting_history', 'closed'],
    collecting_history: ['ready', 'deactivated', 'inactive', 'closed'],
    ready: ['draining', 'deactivated', 'inactive', 'closed'],
    draining: ['inactive', 'deactivated', 'closed'],
    deactivated: ['draining', 'collecting_history', 'inactive', 'closed'],
  },
};

/** The machines of isTerminal. */
export const machines = {
  delivery: 'DeliveryState',
  control: 'ControlState',
  transport: 'TransportState',
  work: 'WorkState',
};

// Kinds of fields beside coordination.mjs's: `label` is a caller's word that need not be known, cut to 256 bytes;
// `id?` is absent when the id was not valid; `state` is a name of any machine, the same machine for all of one error.
// `host` names the fields that JavaScript adds because only it holds them.
export const errors = [
  {
    code: 'invalid_identifier',
    fields: { kind: 'IdentifierKind', reason: 'IdentifierReason' },
    message: 'The {kind} is not valid: {reason}. Ids are 1 to 256 bytes of UTF-8 without control characters.',
  },
  {
    code: 'invalid_labelled_identifier',
    as: 'invalid_identifier',
    fields: { kind: 'label', reason: 'IdentifierReason' },
    message: 'The identifier is not valid: {reason}. Ids are 1 to 256 bytes of UTF-8 without control characters.',
  },
  {
    code: 'invalid_text',
    fields: { field: 'TextField', reason: 'TextReason' },
    message: 'The text {field} is not valid: {reason}. Texts are at most 4,096 bytes of UTF-8.',
  },
  { code: 'invalid_epoch', fields: {}, message: 'An epoch must not be 0.' },
  { code: 'invalid_generation', fields: {}, message: 'A generation must not be 0.' },
  { code: 'invalid_sequence', fields: {}, message: 'A sequence that was observed is not 0.' },
  { code: 'invalid_capacity', fields: {}, message: 'A capacity or limit must be 1 or more.' },
  {
    code: 'stale_epoch',
    fields: { got: 'u64', active: 'u64' },
    message: 'Epoch {got} is not the active one, which is {active}.',
  },
  {
    code: 'epoch_not_advanced',
    fields: { got: 'u64', current: 'u64' },
    message: 'Epoch {got} does not come after the current one, which is {current}.',
  },
  {
    code: 'delivery_already_observed',
    fields: { id: 'id' },
    message: 'Delivery {id} was observed before.',
  },
  {
    code: 'delivery_capacity',
    fields: { limit: 'count' },
    message: 'All {limit} delivery records (max_records) are in use; forget some that are terminal.',
  },
  { code: 'delivery_not_found', fields: { id: 'id?' }, message: 'No such delivery: {id}.' },
  {
    code: 'invalid_state_transition',
    as: 'invalid_transition',
    fields: { from: 'state', to: 'state' },
    message: 'There is no transition from {from} to {to}.',
  },
  {
    code: 'delivery_ack_conflict',
    fields: { id: 'id' },
    message: 'Delivery {id} was acknowledged by the transport under another id.',
  },
  {
    code: 'delivery_not_terminal',
    fields: { id: 'id', state: 'DeliveryState' },
    message: 'Delivery {id} is {state}; only a terminal record can be forgotten.',
  },
  {
    code: 'invalid_control_key',
    fields: {},
    message: 'A control key needs a generation and an epoch of 1 or more.',
  },
  { code: 'invalid_subtype', fields: {}, message: 'A control request needs a subtype.' },
  { code: 'control_already_accepted', fields: {}, message: 'A control request was accepted under this key before.' },
  {
    code: 'control_capacity',
    fields: { limit: 'count' },
    message: 'All {limit} control records (max_records) are in use; forget some that are terminal.',
  },
  {
    code: 'invalid_advance',
    fields: { to: 'ControlState' },
    message: 'A control request cannot be advanced to {to}.',
  },
  { code: 'invalid_resolution', fields: { to: 'ControlState' }, message: 'A control request cannot be resolved as {to}.' },
  {
    code: 'missing_result_evidence',
    fields: {},
    message: 'A control request that succeeded needs a JSON text as its value.',
  },
  { code: 'missing_reason', fields: {}, message: 'A control request that did not succeed needs a message that says why.' },
  { code: 'control_not_found', fields: {}, message: 'No control request was accepted under this key.' },
  {
    code: 'control_terminal',
    fields: { state: 'ControlState' },
    message: 'The control request is {state} already.',
  },
  { code: 'invalid_value', fields: {}, message: 'The value is not a JSON text.' },
  { code: 'value_too_large', fields: { limit: 'count' }, message: 'The value has more than {limit} bytes.' },
  {
    code: 'control_not_terminal',
    fields: { state: 'ControlState' },
    message: 'The control request is {state}; only a terminal record can be forgotten.',
  },
  { code: 'invalid_event', fields: {}, message: 'An event needs a type.' },
  { code: 'gate_closed', fields: {}, message: 'The gate is closed.' },
  {
    code: 'gate_active',
    fields: { state: 'GateState' },
    message: 'The gate is {state}; a history is begun on an inactive gate and resumed on a deactivated one.',
  },
  { code: 'gate_inactive', fields: { state: 'GateState' }, message: 'The gate is {state} and does not allow this.' },
  {
    code: 'gate_capacity',
    fields: { limit: 'count', unit: 'GateUnit' },
    message: 'The gate holds at most {limit} {unit}.',
  },
  {
    code: 'send_not_accepted',
    fields: {},
    host: ['acceptance'],
    message: 'The sender did not accept the event.',
  },
  {
    code: 'stale_step',
    fields: {},
    message: 'The step is unknown or settled already; nothing has changed.',
  },
  { code: 'unknown_transport_kind', fields: {}, message: 'There is no such kind of transport.' },
  {
    code: 'transport_already_registered',
    fields: { kind: 'TransportKind' },
    message: 'A factory for {kind} is registered already.',
  },
  {
    code: 'transport_unavailable',
    fields: { kind: 'label', state: 'TransportAvailability', reason: 'TransportFault' },
    message: 'The transport is not available: {state} ({reason}).',
  },
  {
    code: 'transport_construct_failed',
    fields: { kind: 'TransportKind', reason: 'ConstructFault' },
    host: ['cause', 'evidence', 'error'],
    message: 'The factory for {kind} made no transport of that kind: {reason}.',
  },
  { code: 'recovery_closed', fields: {}, message: 'The coordinator is closed or closing.' },
  { code: 'recovering', fields: {}, message: 'No transport is connected; a recovery is in flight or due.' },
  { code: 'no_transport', fields: {}, message: 'The attempt gave no usable transport.' },
  { code: 'close_timeout', fields: {}, message: 'The transport did not close in time.' },
  {
    code: 'recovery_capacity',
    fields: { limit: 'count', unit: 'RecoveryUnit' },
    message: 'The coordinator waits for {limit} {unit} already.',
  },
];

export const limits = {};

export const inputs = {
  IdentityTuple: [
    ['bridge_instance', 'id:bridge_instance_id', ''],
    ['environment', 'id:environment_id', ''],
    ['work', 'id:work_id', ''],
    ['session', 'id:remote_session_id'],
    ['epoch', 'u64'],
    ['generation', 'u64'],
  ],
};

// Goes both ways.
export const tokens = {
  ControlKey: [
    ['request', 'id:control_request_id'],
    ['session', 'id:remote_session_id'],
    ['generation', 'u64'],
    ['epoch', 'u64'],
  ],
};

// `id:KIND` is a text that is an identifier of that kind: its own type in C++, a string in JavaScript.
export const records = {
  Observation: [
    ['previous', 'u64'],
    ['current', 'u64'],
    ['advanced', 'bool'],
    ['duplicate', 'bool'],
    ['gap', 'bool'],
  ],
  DeliveryRecord: [
    ['id', 'id:delivery_id'],
    ['message', 'id:message_id'],
    ['sequence', 'u64'],
    ['state', 'DeliveryState'],
    ['transport_ack_id', 'id:transport_ack_id?'],
    ['transport_acked_at', 'millis?'],
    ['updated_at', 'millis'],
    ['failure', 'text?'],
  ],
  ControlRecord: [
    ['key', 'ControlKey'],
    ['tool_use_id', 'id:tool_use_id?'],
    ['subtype', 'text'],
    ['state', 'ControlState'],
    ['value', 'placed?', 'secret'],
    ['message', 'text?'],
    ['updated_at', 'millis'],
  ],
  LifecycleTransition: [
    ['from', 'TransportState'],
    ['to', 'TransportState'],
    ['at', 'millis'],
    ['reason', 'text?'],
  ],
};

// Records that only JavaScript makes: C++ hands out their parts.
export const hostRecords = {
  IdentityTuple: inputs.IdentityTuple,
  TransportConfig: [
    ['kind', 'text'],
    ['included', 'bool'],
    ['enabled', 'bool'],
    ['endpoint', 'text?'],
  ],
  CursorPosition: [['sequence', 'u64']],
  OutboundEvent: [
    ['message_id', 'id:message_id'],
    ['type', 'text'],
    ['payload', 'bytes', 'secret'],
  ],
  Acceptance: [
    ['accepted', 'bool'],
    ['queue_identity', 'text?'],
    ['remote_ack_id', 'text?'],
    ['durability_known', 'bool'],
  ],
  SubmitResult: [
    ['queued', 'bool'],
    ['acceptance', 'Acceptance'],
  ],
  ResumePoint: [
    ['session', 'id:remote_session_id'],
    ['epoch', 'u64'],
    ['cursor', 'u64'],
  ],
  CloseEvidence: [
    ['dropped', 'count'],
    ['remote_durability_known', 'bool'],
  ],
};

export const unions = {};

// The commands are structs of the boundary: the core takes their parts. These headers name the parts' types.
export const commandHeaders = [
  'bridge/control_registry.hpp',
  'bridge/cursor.hpp',
  'bridge/delivery_tracker.hpp',
  'bridge/lifecycle.hpp',
  'bridge/reconnect_coordinator.hpp',
  'bridge/transport_registry.hpp',
];

const key = ['key', 'ControlKey'];
const now = ['now', 'now'];
const deliveryId = ['id', 'id:delivery_id'];

export const commands = {
  validate_opaque_id: [
    ['kind', 'utf8:MAX_TEXT_BYTES'],
    ['value', 'utf8:MAX_OPAQUE_ID_BYTES'],
  ],
  validate_path_identifier: [
    ['kind', 'utf8:MAX_TEXT_BYTES'],
    ['value', 'utf8:MAX_OPAQUE_ID_BYTES'],
  ],
  validate_identity: [['tuple', 'IdentityTuple']],
  validate_control_key: [key],
  delivery_observe: [deliveryId, ['message', 'id:message_id'], ['sequence', 'u64:Sequence', 0], now],
  delivery_transition: [deliveryId, ['state', 'DeliveryState'], ['failure', 'utf8:MAX_TEXT_BYTES', ''], now],
  delivery_acknowledge: [deliveryId, ['ack_id', 'id:transport_ack_id'], now],
  control_accept: [key, ['subtype', 'utf8:MAX_TEXT_BYTES'], ['tool_use_id', 'id:tool_use_id', ''], now],
  control_advance: [key, ['state', 'ControlState'], now],
  control_resolve: [key, ['state', 'ControlState'], ['value', 'blob'], ['message', 'utf8:MAX_TEXT_BYTES', ''], now],
  control_cancel: [key, ['reason', 'utf8:MAX_TEXT_BYTES', ''], now],
  control_get: [key],
  control_forget: [key],
  control_cancel_all: [['reason', 'utf8:MAX_TEXT_BYTES', ''], now],
  lifecycle_change: [['to', 'TransportState'], ['reason', 'utf8:MAX_TEXT_BYTES', ''], now],
  transport_check: [
    ['kind', 'utf8:MAX_TEXT_BYTES'],
    ['included', 'bool', false],
    ['enabled', 'bool', false],
    ['endpoint', 'blob'],
  ],
  transport_check_built: [
    ['kind', 'TransportKind'],
    ['present', 'bool'],
    ['built', 'utf8:MAX_TEXT_BYTES'],
  ],
  recovery_recover: [['reason', 'utf8:MAX_TEXT_BYTES', ''], ['aborted', 'bool'], now],
  recovery_attempt_settled: [
    ['flight', 'u64:FlightId'],
    ['offer', 'TransportOffer'],
    ['transport', 'u64:TransportId'],
    ['epoch', 'u64:Epoch'],
    now,
  ],
};

export const echoes = {
  delivery_get: { record: 'DeliveryRecord', from: [], texts: ['id'] },
  control_get: { record: 'ControlRecord', from: [], texts: ['key.request', 'key.session'] },
};

export const queries = [
  'fence_current',
  'fence_check',
  'fence_advance',
  'cursor_sequence',
  'cursor_observe',
  'deduper_seen_or_add',
  'deduper_size',
  'delivery_get',
  'delivery_forget',
  'delivery_size',
  'control_next',
  'control_size',
  'lifecycle_state',
  'lifecycle_history',
  'lifecycle_entry',
  'work_state',
  'work_transition',
  'transport_register',
  'transport_factory_failed',
  'send_not_accepted',
  'close_timeout',
  'gate_state',
  'gate_begin',
  'gate_resume',
  'gate_history_begin',
  'gate_history_add',
  'gate_history_install',
  'gate_history_taken',
  'gate_history_failed',
  'gate_submit',
  'gate_drain',
  'gate_flush',
  'gate_deactivate',
  'gate_drop',
  'gate_step',
  'gate_sent',
  'gate_abort',
  'gate_pending_first',
  'gate_pending_next',
  'recovery_send',
  'recovery_observe',
  'recovery_close',
  'recovery_step',
  'recovery_attempt_failed',
  'recovery_close_settled',
  'recovery_close_failed',
  'recovery_timeout',
  'recovery_abort',
  'recovery_state',
  'recovery_history',
  'recovery_entry',
];
