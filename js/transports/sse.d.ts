import type { ConnectedTransport, TransportFactory, TransportOptions } from './types.js';

export { displayEndpoint } from './websocket.js';
export type * from './types.js';
export { TransportError } from './types.js';

export interface SseTransport extends ConnectedTransport<'ccr_sse'> {
  /** How long the server asks a client to wait before it connects again; null: it did not. */
  readonly retryMs: number | null;
}

export interface SseOptions extends TransportOptions<SseTransport> {
  /** Where events are posted. Default: the endpoint itself. */
  sendEndpoint?: string | null | undefined;
  /** Default: the platform's own. */
  fetch?: ((url: string, init: never) => Promise<object>) | null | undefined;
  /** How long a handled event may wait for its acknowledgement, 0 to 2^31 - 1. Default 1,000. */
  ackDelayMs?: number | null | undefined;
}

/**
 * A factory for `TransportRegistry.register('ccr_sse', ...)`. It takes endpoints of http: and https:, and resolves once
 * the server has welcomed us. It rejects with transport_connect_failed, or with the reason of its signal.
 */
export declare function sseFactory(options: SseOptions): TransportFactory<SseTransport>;
