import type { ConnectedTransport, TransportFactory, TransportOptions } from './types.js';

export type * from './types.js';
export { TransportError } from './types.js';

export type WebSocketTransport = ConnectedTransport<'websocket'>;

export interface WebSocketOptions extends TransportOptions<WebSocketTransport> {
  /** Subprotocols of the opening handshake. Default none. */
  protocols?: string | string[] | null | undefined;
  /** The class to use: the one of package `ws`, or one of the standard's shape. Default: the platform's own, else `ws`. */
  WebSocket?: { new (...args: never[]): object } | null | undefined;
  /** More options for the class of package `ws` (agent, ca ...). */
  socketOptions?: object | null | undefined;
  /** Between our pings, 1 to 2^31 - 1, below idleTimeoutMs. Default 15,000. */
  heartbeatIntervalMs?: number | null | undefined;
  /** How long the closing handshake may take, 0 to 2^31 - 1. Default 1,000. */
  closeTimeoutMs?: number | null | undefined;
  /** Events wait while the socket has this much unsent, 1 byte to 1 GiB. Default 1 MiB. */
  highWaterBytes?: number | null | undefined;
  /** Events that the server may have unacknowledged here, 1 to 1,000,000. Default 256. */
  windowEvents?: number | null | undefined;
  /** The bytes of their payloads, 1 KiB to 1 GiB; a single event may be larger. Default 16 MiB. */
  windowBytes?: number | null | undefined;
}

/**
 * A factory for `TransportRegistry.register('websocket', ...)`. It takes endpoints of ws: and wss:, and resolves once
 * the server has welcomed us. It rejects with transport_connect_failed, or with the reason of its signal.
 */
export declare function websocketFactory(options: WebSocketOptions): TransportFactory<WebSocketTransport>;

/** An endpoint as it may be shown: without userinfo, query and fragment. */
export declare function displayEndpoint(endpoint: unknown): string;
