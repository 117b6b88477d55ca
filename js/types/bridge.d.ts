import type { Absent, Disposable, U64 } from './common.js';

// Ids are opaque: 1 to 256 bytes of UTF-8 without control characters. An empty optional id or text is an absent one.
// Free texts (type, subtype, failure, message, reason) have at most 4,096 bytes of UTF-8.
//
// Whatever throws with a code has changed nothing. What a promise rejects with may have: FlushGate and
// ReconnectCoordinator say how.

export type IdentifierKind =
  | 'bridge_instance_id'
  | 'environment_id'
  | 'work_id'
  | 'remote_session_id'
  | 'message_id'
  | 'control_request_id'
  | 'tool_use_id'
  | 'delivery_id'
  | 'transport_ack_id';
export type DeliveryState = 'observed' | 'received' | 'processing' | 'processed' | 'failed' | 'cancelled';
export type ControlResolution = 'succeeded' | 'denied' | 'errored' | 'cancelled' | 'superseded';
export type ControlState =
  | 'received'
  | 'validating'
  | 'awaiting_local_action'
  | 'responding'
  | ControlResolution;
export type TransportState =
  | 'new'
  | 'connecting'
  | 'connected'
  | 'reconnect_wait'
  | 'replacing'
  | 'draining'
  | 'closed'
  | 'failed';
export type WorkState =
  | 'observed'
  | 'secret_validated'
  | 'acknowledging'
  | 'owned'
  | 'spawning'
  | 'running'
  | 'completing'
  | 'failing'
  | 'interrupting'
  | 'terminal_reported'
  | 'released'
  | 'unowned';
export type GateState = 'inactive' | 'collecting_history' | 'ready' | 'draining' | 'deactivated' | 'closed';
export type TransportKind = 'hybrid' | 'ccr_sse' | 'websocket' | 'direct_connect' | 'ssh';

// Platforms name it; without their types a signal is what behaves as one.
type GlobalSignal = typeof globalThis extends { AbortSignal: { prototype: infer T } } ? T : SignalLike;
export interface SignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
export type Signal = GlobalSignal;

export interface SignalOptions {
  signal?: Signal | Absent;
}
/** What a sender, snapshot or factory gets beside its subject: the signal of the call that it serves. */
export interface HostOptions {
  readonly signal: Signal | undefined;
}

// --- Identities

/** Any kind is echoed in the error as it is. Errors: invalid_identifier. */
export declare function validateOpaqueId(kind: string, value: string): void;
/** An opaque id of A-Z a-z 0-9 _ - alone. Errors: invalid_identifier. */
export declare function validatePathIdentifier(kind: string, value: string): void;

export interface IdentityTuple {
  bridgeInstance?: string | Absent;
  environment?: string | Absent;
  work?: string | Absent;
  session: string;
  epoch: U64;
  generation: U64;
}
/** Errors: invalid_identifier, invalid_epoch, invalid_generation. */
export declare function validateIdentity(tuple: IdentityTuple): void;

/** What identifies a control request: all four parts. Structural. */
export interface ControlKeyLike {
  request: string;
  session: string;
  /** Digits as well, when it has been through JSON. */
  generation: U64 | string;
  epoch: U64 | string;
}
export interface ControlKey {
  readonly request: string;
  readonly session: string;
  readonly generation: bigint;
  readonly epoch: bigint;
}
/** Errors: invalid_identifier, invalid_control_key. */
export declare function validateControlKey(key: ControlKeyLike): void;

/** Whether a state becomes nothing any more. */
export declare function isTerminal(machine: 'delivery', state: DeliveryState): boolean;
export declare function isTerminal(machine: 'control', state: ControlState): boolean;
export declare function isTerminal(machine: 'transport', state: TransportState): boolean;
export declare function isTerminal(machine: 'work', state: WorkState): boolean;

// --- Fence, cursor, deduper

/** Lets through only what carries the current epoch, which can only rise. */
export interface EpochFence extends Disposable {
  readonly current: bigint;
  /** Errors: stale_epoch, for later epochs as well as earlier ones. */
  check(epoch: U64): void;
  /** Errors: epoch_not_advanced. */
  advance(epoch: U64): void;
}

/** What one observation did. All false: an older sequence came late. */
export interface Observation {
  readonly previous: bigint;
  readonly current: bigint;
  readonly advanced: boolean;
  readonly duplicate: boolean;
  /** Sequences in between were not seen. The first observation has no gap. */
  readonly gap: boolean;
}

/** The highest sequence that was seen; 0 for none. Seen is not processed: observe before you decode. */
export interface Cursor extends Disposable {
  readonly sequence: bigint;
  /** Errors: invalid_sequence. */
  observe(sequence: U64): Observation;
}

/** Recognises the latest messages by their ids: first in, first out. Absence does not prove novelty. */
export interface Deduper extends Disposable {
  /** True when the id is in the window, which does not make it younger. Errors: invalid_identifier, out_of_memory. */
  seenOrAdd(id: string): boolean;
  readonly size: number;
}
export interface DeduperOptions {
  /** Ids that are remembered: 1 or more. */
  capacity: U64;
}

// --- Delivery tracker

export interface ClockOptions {
  /** Milliseconds since the Unix epoch, an integer. Default Date.now. */
  clock?: (() => number) | Absent;
}
export interface TrackerOptions extends ClockOptions {
  /** Records that are kept: 1 or more. Default DEFAULT_MAX_RECORDS. */
  maxRecords?: U64 | Absent;
}

export interface DeliveryRecord {
  readonly id: string;
  readonly message: string;
  /** 0: unknown. */
  readonly sequence: bigint;
  readonly state: DeliveryState;
  readonly transportAckId: string | null;
  readonly transportAckedAt: number | null;
  /** The last change, a first acknowledgement included. */
  readonly updatedAt: number;
  /** Only of a failed delivery. */
  readonly failure: string | null;
}

/** What became of each delivery, and whether the transport acknowledged it: two independent things. */
export interface DeliveryTracker extends Disposable {
  /** Errors: invalid_identifier, delivery_already_observed, delivery_capacity, out_of_memory. */
  observe(options: { id: string; message: string; sequence?: U64 | Absent }): void;
  /** `failure` is kept only for failed. Errors: delivery_not_found, invalid_transition, invalid_text, out_of_memory. */
  transition(options: { id: string; state: DeliveryState; failure?: string | Absent }): void;
  /**
   * In any state; the same again changes nothing. Errors: invalid_identifier, delivery_not_found,
   * delivery_ack_conflict, out_of_memory.
   */
  acknowledge(options: { id: string; ackId: string }): void;
  get(id: string): DeliveryRecord | null;
  /** Ends a terminal record. Errors: delivery_not_found, delivery_not_terminal. */
  forget(id: string): void;
  readonly size: number;
}

// --- Control registry

interface ControlRecordOf<State extends ControlState, Value, Message> {
  readonly key: ControlKey;
  readonly toolUseId: string | null;
  readonly subtype: string;
  readonly state: State;
  /** JSON text, exactly as it was given. */
  readonly value: Value;
  readonly message: Message;
  readonly updatedAt: number;
}
/** Narrows by `state`. */
export type ControlRecord =
  | ControlRecordOf<Exclude<ControlState, ControlResolution>, null, null>
  | ControlRecordOf<'succeeded', string, string | null>
  | ControlRecordOf<Exclude<ControlResolution, 'succeeded'>, string | null, string>;

export type ResolveOptions =
  | {
      key: ControlKeyLike;
      state: 'succeeded';
      /** JSON text, or its bytes: at most MAX_CONTROL_VALUE_BYTES. */
      value: string | Uint8Array | ArrayBuffer;
      message?: string | Absent;
    }
  | {
      key: ControlKeyLike;
      state: Exclude<ControlResolution, 'succeeded'>;
      value?: string | Uint8Array | ArrayBuffer | Absent;
      message: string;
    };

/** Control requests of a remote side, from acceptance to resolution. */
export interface ControlRegistry extends Disposable {
  /**
   * Errors: invalid_identifier, invalid_control_key, invalid_subtype, invalid_text, control_already_accepted,
   * control_capacity, out_of_memory.
   */
  accept(options: { key: ControlKeyLike; subtype: string; toolUseId?: string | Absent }): void;
  /** One step on. Errors: invalid_advance, control_not_found, control_terminal, invalid_transition. */
  advance(options: {
    key: ControlKeyLike;
    state: 'validating' | 'awaiting_local_action' | 'responding';
  }): void;
  /**
   * Ends an active request. Errors: invalid_resolution, missing_result_evidence, missing_reason, control_not_found,
   * control_terminal, invalid_value, value_too_large, invalid_text, out_of_memory.
   */
  resolve(options: ResolveOptions): void;
  /** Resolves as cancelled. Errors: missing_reason, control_not_found, control_terminal, invalid_text, out_of_memory. */
  cancel(options: { key: ControlKeyLike; reason: string }): void;
  /** Cancels every active request; ordered by request, session, generation, epoch. Errors: invalid_text, out_of_memory. */
  cancelAll(reason?: string | Absent): ControlRecord[];
  get(key: ControlKeyLike): ControlRecord | null;
  /** Ends a terminal record. Errors: control_not_found, control_not_terminal. */
  forget(key: ControlKeyLike): void;
  readonly size: number;
}

// --- Lifecycles

export interface LifecycleOptions extends ClockOptions {
  /** Transitions that are remembered: 1 or more. Default DEFAULT_MAX_HISTORY. */
  maxHistory?: U64 | Absent;
}
export interface LifecycleTransition {
  readonly from: TransportState;
  readonly to: TransportState;
  readonly at: number;
  readonly reason: string | null;
}
/** The life of a transport. */
export interface Lifecycle extends Disposable {
  readonly state: TransportState;
  /** Errors: invalid_transition, invalid_text, out_of_memory. */
  transition(options: { to: TransportState; reason?: string | Absent }): void;
  /** The latest transitions, oldest first. */
  readonly history: LifecycleTransition[];
  /** Older transitions that are remembered no more. */
  readonly droppedHistory: number;
}
/** The life of one piece of work. Work that was only observed is not owned before its acknowledgement. */
export interface WorkLifecycle extends Disposable {
  readonly id: string;
  readonly state: WorkState;
  readonly owned: boolean;
  /** Errors: invalid_transition. */
  transition(to: WorkState): void;
}

// --- Events and senders

export interface OutboundEventLike {
  messageId: string;
  type: string;
  /** Copied in. */
  payload?: Uint8Array | ArrayBuffer | Absent;
}
export interface OutboundEvent {
  readonly messageId: string;
  readonly type: string;
  /** A copy of its own. */
  readonly payload: Uint8Array;
}
/** Local evidence. Nothing but `accepted: true` says that an event was taken. */
export interface Acceptance {
  readonly accepted: boolean;
  readonly queueIdentity: string | null;
  readonly remoteAckId: string | null;
  readonly durabilityKnown: boolean;
}
export interface AcceptanceLike {
  accepted: boolean;
  queueIdentity?: string | Absent;
  remoteAckId?: string | Absent;
  durabilityKnown?: boolean | Absent;
}
type Awaitable<T> = T | PromiseLike<T>;
export type Send = (event: OutboundEvent, options: HostOptions) => Awaitable<AcceptanceLike>;
/** A synchronous throw is a rejection; one that answers nothing did not accept. */
export type Sender = Send | { send: Send };

export interface SubmitResult {
  /** Whether it went into the queue: the acceptance then says nothing. */
  readonly queued: boolean;
  readonly acceptance: Acceptance;
}

// --- Flush gate

export interface GateOptions {
  /** Events that are held: 1 or more. Default DEFAULT_GATE_CAPACITY. */
  capacity?: U64 | Absent;
  /** Bytes of their payloads: 1 or more. Default DEFAULT_GATE_MAX_BYTES. */
  maxBytes?: U64 | Absent;
}
export type Snapshot = (options: HostOptions) => Awaitable<readonly OutboundEventLike[]>;

/**
 * A frozen history reaches the sender before any live event, and sends never overlap or overtake. Everything that
 * fails with a code rejects; a signal that aborts rejects with its reason, a sender that fails with that very error.
 * While it sends, a sender may call any method, but must not await what settles after its own send: a submit on an
 * inactive gate, beginHistory, flushHistory, drop, or a drain that it starts.
 */
export interface FlushGate extends Disposable {
  readonly state: GateState;
  /** Copies, in order. */
  readonly pending: OutboundEvent[];
  readonly pendingCount: number;
  readonly pendingBytes: number;
  /** Waits for a direct send in flight. Errors: gate_closed, gate_active, gate_capacity, out_of_memory. */
  beginHistory(options?: SignalOptions | Absent): Promise<void>;
  /**
   * In front of what was collected; all of it or nothing. Errors: gate_closed, gate_inactive, invalid_identifier,
   * invalid_event, invalid_text, gate_capacity, out_of_memory.
   */
  installHistory(events: readonly OutboundEventLike[]): void;
  /**
   * Sent at once while the gate is inactive, in call order; queued otherwise, for the drain's sender.
   * One that fails is not kept: its caller holds the event. Errors: invalid_identifier, invalid_event, invalid_text,
   * gate_closed, gate_capacity, send_not_accepted, out_of_memory.
   */
  submit(event: OutboundEventLike, sender: Sender, options?: SignalOptions | Absent): Promise<SubmitResult>;
  /**
   * Sends head after head; each is removed only once accepted. A head that fails stays, and the gate is deactivated.
   * A signal that aborts deactivates it as well. Errors: gate_closed, gate_inactive, gate_capacity, send_not_accepted,
   * out_of_memory.
   */
  drain(sender: Sender, options?: SignalOptions | Absent): Promise<void>;
  /**
   * beginHistory or, with `resume`, resumeHistory; the snapshot; its installation into that very collection; drain.
   * What fails or aborts before the installation leaves the state as it is, normally collecting, with all that was
   * collected. Errors: those of these four.
   */
  flushHistory(
    snapshot: Snapshot,
    sender: Sender,
    options?: (SignalOptions & { resume?: boolean | Absent }) | Absent,
  ): Promise<void>;
  /** Keeps the queue for a replacement transport. A running drain stops after the send in flight. */
  deactivate(): void;
  /** Collects again, the queue kept. Errors: gate_closed, gate_active. */
  resumeHistory(): void;
  /**
   * Empties the queue and closes the gate, or makes it inactive. Resolves to exactly how many events were lost.
   * Errors: gate_capacity, out_of_memory.
   */
  drop(options?: { close?: boolean | Absent } | Absent): Promise<number>;
}

// --- Transports

export interface CloseEvidence {
  readonly dropped: number;
  readonly remoteDurabilityKnown: boolean;
}
export interface CloseEvidenceLike {
  dropped: U64;
  remoteDurabilityKnown: boolean;
}
export interface Transport {
  readonly kind?: TransportKind;
  send: Send;
  /** Without evidence nothing was dropped, and nothing is known. */
  close(options: HostOptions): Awaitable<CloseEvidenceLike | Absent> | PromiseLike<void>;
}
export interface TransportConfig {
  kind: string;
  included?: boolean | Absent;
  enabled?: boolean | Absent;
  endpoint?: string | Absent;
}
export type TransportFactory<T extends Transport = Transport> = (
  config: TransportConfig,
  options: HostOptions,
) => Awaitable<T>;

/** Which kinds of transports can be built, and by whom. */
export interface TransportRegistry extends Disposable {
  /** Errors: unknown_transport_kind, transport_already_registered. */
  register(kind: TransportKind, factory: TransportFactory): void;
  /** Errors: transport_unavailable, transport_construct_failed. */
  build<T extends Transport = Transport>(
    config: TransportConfig & { readonly [more: string]: unknown },
    options?: SignalOptions | Absent,
  ): Promise<T>;
}

// --- Reconnects

export interface ResumePoint {
  readonly session: string;
  readonly epoch: bigint;
  readonly cursor: bigint;
}
/** Must not await recover of its own coordinator. Nothing, or no transport, is `no_transport`. */
export type RecoveryAttempt<T extends Transport = Transport> = (
  resume: ResumePoint,
  options: { readonly signal: Signal },
) => Awaitable<{ transport: T | Absent; epoch: U64 } | Absent>;

export interface Recovered<T extends Transport = Transport> {
  readonly transport: T;
  readonly epoch: bigint;
}
export type ClosedTransport<T extends Transport = Transport> =
  | {
      readonly transport: T;
      readonly role: 'replaced' | 'late' | 'refused' | 'final';
      readonly evidence: CloseEvidence;
    }
  | {
      readonly transport: T;
      readonly role: 'replaced' | 'late' | 'refused' | 'final';
      /** What its close failed with. */
      readonly error: unknown;
    };

export interface ReconnectOptions<T extends Transport = Transport> extends ClockOptions {
  session: string;
  epoch: U64;
  cursor?: U64 | Absent;
  /** Connected, and the coordinator's from here on. */
  transport?: T | Absent;
  /** When it aborts, the coordinator closes. */
  signal?: Signal | Absent;
  /** The longest that `close` waits, and each close of a transport: 0 to 2^31 - 1. Default DEFAULT_CLOSE_TIMEOUT_MS. */
  closeTimeoutMs?: number | Absent;
  /** Once a transport, when its close settles, also after close has ended. What it throws is ignored. */
  onTransportClosed?: ((closed: ClosedTransport<T>) => void) | Absent;
}

/** One owner of the installed transport; one live recovery at a time; an epoch that only moves forward. */
export interface ReconnectCoordinator<T extends Transport = Transport> {
  readonly state: TransportState;
  readonly epoch: bigint;
  readonly cursor: bigint;
  readonly history: LifecycleTransition[];
  /**
   * Joins the recovery in flight, or starts one with this attempt. A signal that aborts leaves alone: the flight goes
   * on. Errors: recovery_closed, no_transport, epoch_not_advanced, recovery_capacity, invalid_text; the attempt's own.
   */
  recover(
    reason: string | Absent,
    attempt: RecoveryAttempt<T>,
    options?: SignalOptions | Absent,
  ): Promise<Recovered<T>>;
  /** Errors: recovery_closed, recovering, stale_epoch, invalid_identifier, invalid_event, invalid_text, send_not_accepted. */
  send(epoch: U64, event: OutboundEventLike, options?: SignalOptions | Absent): Promise<Acceptance>;
  /** In every state. Errors: invalid_sequence. */
  observeSequence(sequence: U64): Observation;
  /**
   * Ends everything; every call gets the same evidence of the installed transport. A signal that aborts stops the
   * waiting, not the close. Errors: close_timeout, recovery_capacity; the error of that transport's close.
   */
  close(options?: SignalOptions | Absent): Promise<CloseEvidence>;
  [Symbol.asyncDispose](): Promise<void>;
}

// --- The wire

export interface CursorPosition {
  readonly sequence: bigint;
}
/** What fromWire answers for each kind. */
export interface WireRecords {
  outbound_event: OutboundEvent;
  acceptance: Acceptance;
  close_evidence: CloseEvidence;
  identity_tuple: {
    readonly bridgeInstance: string | null;
    readonly environment: string | null;
    readonly work: string | null;
    readonly session: string;
    readonly epoch: bigint;
    readonly generation: bigint;
  };
  control_key: ControlKey;
  control_record: ControlRecord;
  cursor: CursorPosition;
  observation: Observation;
  delivery_evidence: DeliveryRecord;
  transition: LifecycleTransition;
  submit_result: SubmitResult;
  resume_point: ResumePoint;
  transport_config: {
    readonly kind: string;
    readonly included: boolean;
    readonly enabled: boolean;
    readonly endpoint: string | null;
  };
}
export type WireKind = keyof WireRecords;
/** What toWire takes: the record, or an object with its fields. Optional fields may be absent, integers be numbers. */
export type WireInput<K extends WireKind> = {
  [F in keyof WireRecords[K] as null extends WireRecords[K][F] ? never : F]: WireValue<WireRecords[K][F]>;
} & {
  [F in keyof WireRecords[K] as null extends WireRecords[K][F] ? F : never]?:
    | WireValue<WireRecords[K][F]>
    | undefined;
};
type WireValue<T> = T extends bigint
  ? U64
  : T extends object
    ? T extends Uint8Array
      ? Uint8Array | ArrayBuffer
      : { readonly [F in keyof T]: WireValue<T[F]> }
    : T;

/** The JSON that other implementations of the bridge speak. Wrong shapes are TypeErrors and RangeErrors. */
export declare function toWire<K extends WireKind>(kind: K, record: WireInput<K>): string;
/** Integers keep every digit; what is not known is passed over. Errors: malformed_wire. */
export declare function fromWire<K extends WireKind>(kind: K, text: string): WireRecords[K];
