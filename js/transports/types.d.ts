/// <reference lib="esnext.disposable" />

import type { Signal } from '../types/bridge.js';
import type { U64 } from '../types/common.js';

/** A token, headers: the value, or what gives it whenever one is needed. */
export type Provided<T> = T | ((context: { readonly signal: Signal }) => T | Promise<T>);

type Optional<T> = T | null | undefined;

export interface OutboundEvent {
  /** An opaque id: 1 to 256 bytes of UTF-8 without control characters. */
  readonly messageId: string;
  /** 1 to 4,096 bytes of UTF-8. */
  readonly type: string;
  readonly payload: Uint8Array;
}

export interface InboundEvent {
  /** From 1. In the order of the wire; whether it is new is for a Cursor and a Deduper to say. */
  readonly sequence: bigint;
  readonly event: OutboundEvent;
}

/** What the server answered to an event. Frozen. */
export interface Acceptance {
  readonly accepted: boolean;
  readonly queueIdentity: string | null;
  readonly remoteAckId: string | null;
  readonly durabilityKnown: boolean;
}

/** What is known when a transport is closed. Frozen. */
export interface CloseEvidence {
  /** Exactly how many sends were taken and have no answer, those included whose caller aborted once they were on their way. */
  readonly dropped: number;
  /** At least one send was accepted, every accepted one with durabilityKnown, and none was dropped. */
  readonly remoteDurabilityKnown: boolean;
}

/** Where to go on: what a ReconnectCoordinator hands to an attempt. */
export interface ResumePoint {
  readonly session: string;
  readonly epoch: U64;
  readonly cursor?: Optional<U64>;
}

/** What `TransportRegistry.build` hands to a factory. */
export interface TransportConfig {
  readonly kind?: string;
  readonly endpoint?: Optional<string>;
  /** Goes before the option of the same name. */
  readonly resume?: Optional<ResumePoint>;
}

/** For `TransportRegistry.register(kind, factory)`. */
export type TransportFactory<T> = (
  config: TransportConfig,
  context?: Optional<{ readonly signal?: Optional<Signal> }>,
) => Promise<T>;

/** What both transports are. Nothing of an endpoint, a header or a token is ever in it. */
export interface ConnectedTransport<K extends string> {
  readonly kind: K;
  readonly session: string;
  /** What the server has given in its welcome: what `{ transport, epoch }` of an attempt needs. */
  readonly epoch: bigint;
  /** Sends without an answer. */
  readonly pendingSends: number;
  /**
   * Resolves with the server's answer, which may be `accepted: false`. Checked in this order: TypeError, invalid_event,
   * transport_closed, the signal's reason, transport_message_too_large, transport_capacity. Rejects with
   * transport_closed when the connection ends first, and with the signal's reason when that aborts first: an event that
   * was on its way by then may have arrived all the same.
   */
  send(event: OutboundEvent, options?: Optional<{ readonly signal?: Optional<Signal> }>): Promise<Acceptance>;
  /**
   * Refuses further sends, waits for the answers that are due, and closes. An abort of the signal ends the waiting and
   * the connection. Never rejects; every call gets the same evidence.
   */
  close(options?: Optional<{ readonly signal?: Optional<Signal> }>): Promise<CloseEvidence>;
  [Symbol.asyncDispose](): Promise<CloseEvidence>;
}

/** Why a connection could not be made, or has ended. */
export type TransportReason =
  // before a connection
  | 'unsupported_endpoint'
  | 'insecure_credentials'
  | 'credentials_failed'
  | 'headers_unsupported'
  | 'no_websocket'
  | 'timeout'
  | 'unreachable'
  // the end of one
  | 'closed_locally'
  | 'normal'
  | 'going_away'
  | 'abnormal'
  | 'protocol_error'
  | 'too_big'
  | 'policy'
  | 'unauthorized'
  | 'unknown_session'
  | 'stale_epoch'
  | 'cursor_lost'
  | 'overloaded'
  | 'remote_failure'
  | 'handler_failed'
  | 'idle_timeout'
  | 'send_timeout'
  | 'other';

export interface TransportEnding {
  readonly kind: 'websocket' | 'ccr_sse';
  readonly reason: TransportReason;
  /** Which side found the reason: `protocol_error` of `local` says that the other side broke the protocol. */
  readonly origin: 'local' | 'remote';
  /** Of the WebSocket. */
  readonly closeCode?: number;
  /** Of HTTP. */
  readonly status?: number;
  /** ECONNREFUSED and the like. */
  readonly systemCode?: string;
  /** Which rule a frame or a stream broke. Never what was in it. */
  readonly detail?: string;
}

/** The fields of every code. */
export type TransportErrorFields =
  | ({
      readonly code: 'transport_connect_failed';
      /** Without userinfo, query and fragment. */
      readonly endpoint: string;
    } & TransportEnding)
  | ({ readonly code: 'transport_closed' } & TransportEnding)
  | {
      readonly code: 'transport_capacity';
      readonly kind: 'websocket' | 'ccr_sse';
      readonly limit: number;
      readonly unit: 'events' | 'bytes';
    }
  | {
      readonly code: 'transport_message_too_large';
      readonly kind: 'websocket' | 'ccr_sse';
      readonly actual: number;
      readonly limit: number;
    };

/** An error of a transport. `cause` is set only for handler_failed: what the host's own handler threw. */
export type TransportError = Error & TransportErrorFields & { toJSON(): object };

/** Each of them is `instanceof LeasegateError` too. */
export declare const TransportError: {
  readonly prototype: TransportError;
  [Symbol.hasInstance](value: unknown): value is TransportError;
};

/** Told once when a connection that was made has ended, `close()` included (`closed_locally`). Frozen. */
export interface TransportClosed<T> {
  readonly transport: T;
  readonly reason: TransportReason;
  readonly origin: 'local' | 'remote';
  readonly error: TransportError;
}

/** What both factories take. A name that is no option is a TypeError, a limit out of its range a RangeError. */
export interface TransportOptions<T> {
  /** Where to go on, unless the config says it; a function is asked before each connection. */
  resume?: ResumePoint | (() => ResumePoint | Promise<ResumePoint>) | null | undefined;
  /** One event at a time, in order; the next waits for a promise. An event is acknowledged once this is done. What it throws ends the connection (handler_failed). */
  onEvent: (inbound: InboundEvent) => unknown;
  /** What it throws is ignored. */
  onClose?: Optional<(closed: TransportClosed<T>) => unknown>;
  /** Sent in the hello frame, or as a Bearer token. At most 16,384 characters. */
  token?: Optional<Provided<Optional<string>>>;
  headers?: Optional<Provided<Optional<Record<string, string> | [string, string][]>>>;
  /** Default false: token, headers and userinfo go over an unencrypted connection to this machine only. */
  allowInsecureCredentials?: Optional<boolean>;
  /** Until the server's welcome, 1 to 2^31 - 1. Default 10,000. */
  connectTimeoutMs?: Optional<number>;
  /** Silence of the server that ends the connection, 1 to 2^31 - 1; of a WebSocket, above heartbeatIntervalMs. Default 45,000. */
  idleTimeoutMs?: Optional<number>;
  /** The longest wait for an answer; then the connection ends. 1 to 2^31 - 1. Default 30,000. */
  sendTimeoutMs?: Optional<number>;
  /** The largest frame in either direction, as UTF-8. 1 KiB to 256 MiB, default 4 MiB. */
  maxFrameBytes?: Optional<number>;
  /** Sends without an answer, 1 to 1,000,000. Default 1,024. Reached: transport_capacity. */
  maxPendingEvents?: Optional<number>;
  /** The bytes of their frames, 1 KiB to 1 GiB. Default 16 MiB. Reached: transport_capacity. */
  maxPendingBytes?: Optional<number>;
}
