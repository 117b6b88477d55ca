import type { Acceptance, OutboundEvent, TransportError, TransportReason } from './types.js';

export type {
  Acceptance,
  OutboundEvent,
  TransportEnding,
  TransportErrorFields,
  TransportReason,
} from './types.js';
export { TransportError } from './types.js';

/** Why a client is not welcome. It learns this, as a close code or an HTTP status, and nothing else. */
export type RefusalReason =
  | 'protocol_error'
  | 'unauthorized'
  | 'policy'
  | 'unknown_session'
  | 'stale_epoch'
  | 'cursor_lost'
  | 'too_big'
  | 'overloaded'
  | 'remote_failure';

/** For `welcome`: `throw refuse('unauthorized')`. */
export declare function refuse(reason: RefusalReason): Error;

/** Where a client wants to go on. Frozen. */
export interface ClientResumePoint {
  readonly session: string;
  /** The client's epoch so far: answer a higher one. */
  readonly epoch: bigint;
  /** The last sequence that it has seen; 0: none. */
  readonly cursor: bigint;
}

export interface Client<Request = unknown> {
  readonly resume: ClientResumePoint;
  readonly token: string | null;
  /** The HTTP request, for WebSockets only if the handler was given it. */
  readonly request: Request;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** One client's connection. */
export interface Peer {
  readonly kind: 'websocket' | 'ccr_sse';
  readonly session: string;
  readonly epoch: bigint;
  readonly resume: ClientResumePoint | null;
  /** The highest sequence that the client has handled, on this connection. */
  readonly ackedSequence: bigint;
  /** Events that wait for room in the connection or in the client's window. */
  readonly pendingEvents: number;
  /**
   * Resolves once the event is in the connection. Sequences rise (RangeError). Rejects with transport_closed,
   * transport_message_too_large or transport_capacity.
   */
  send(inbound: { readonly sequence: bigint | number; readonly event: OutboundEvent }): Promise<void>;
  /** Ends the connection with the close code of the reason; an event stream just ends. Default normal. */
  close(reason?: TransportReason): Promise<void>;
  /** Breaks the connection. */
  terminate(): void;
}

export interface PeerClosed {
  readonly peer: Peer;
  readonly reason: TransportReason;
  readonly origin: 'local' | 'remote';
  readonly error: TransportError;
}

type Optional<T> = T | null | undefined;

export interface ServerOptions<Request = unknown> {
  /** Answers the client's new epoch, or throws `refuse(reason)`. */
  welcome: (
    client: Client<Request>,
  ) => { readonly epoch: bigint | number } | Promise<{ readonly epoch: bigint | number }>;
  /** One event of a client at a time. Its answer goes back to the client; what it throws ends the connection. */
  onEvent: (
    event: OutboundEvent,
    peer: Peer,
  ) => Partial<Acceptance> | undefined | Promise<Partial<Acceptance> | undefined>;
  onConnect?: Optional<(peer: Peer) => unknown>;
  onAck?: Optional<(sequence: bigint, peer: Peer) => unknown>;
  onClose?: Optional<(closed: PeerClosed) => unknown>;
  /** Between our pings or comments: 1 to 2^31 - 1. Default 15,000. */
  heartbeatIntervalMs?: Optional<number>;
  /** The largest frame in either direction. 1 KiB to 256 MiB, default 4 MiB. Give WebSocketServer the same maxPayload. */
  maxFrameBytes?: Optional<number>;
  /** Events that wait for one client, 1 to 1,000,000. Default 1,024. */
  maxPendingEvents?: Optional<number>;
  /** The bytes of their frames, 1 KiB to 1 GiB. Default 16 MiB. */
  maxPendingBytes?: Optional<number>;
}

export interface WebSocketServerOptions<Request = unknown> extends ServerOptions<Request> {
  /** Until the client's hello, and the answer to it: 1 to 2^31 - 1. Default 10,000. */
  helloTimeoutMs?: Optional<number>;
  /** Silence of the client that ends the connection: above heartbeatIntervalMs, up to 2^31 - 1. Default 45,000. */
  idleTimeoutMs?: Optional<number>;
  /** How long the closing handshake may take: 0 to 2^31 - 1. Default 1,000. */
  closeTimeoutMs?: Optional<number>;
  /** Events wait while the socket has this much unsent: 1 byte to 1 GiB. Default 1 MiB. */
  highWaterBytes?: Optional<number>;
}

export interface EventStreamOptions<Request = unknown> extends ServerOptions<Request> {
  /** Whether a POST may speak for a stream. Default: it carries the token with which the stream was opened. */
  authorize?: Optional<
    (post: {
      readonly peer: Peer;
      readonly token: string | null;
      readonly request: Request;
    }) => boolean | Promise<boolean>
  >;
  /** What to ask of clients as the time before a reconnect: 0 to 2^31 - 1. Absent: nothing is asked. */
  retryMs?: Optional<number>;
  /** Event streams at a time, 1 to 1,000,000. Default 10,000. */
  maxStreams?: Optional<number>;
}

/** For package ws: `server.on('connection', webSocketHandler(options))`. */
export declare function webSocketHandler<Request = unknown>(
  options: WebSocketServerOptions<Request>,
): (socket: object, request?: Request) => void;

/** For node:http: `createServer(eventStreamHandler(options))`. GET opens a stream, POST brings what a client sends. */
export declare function eventStreamHandler<Request = unknown>(
  options: EventStreamOptions<Request>,
): (request: Request, response: object) => Promise<void>;
