// Compiled, never run: what compiles here is a promise, and every @ts-expect-error is one too.

import { createLeasegate, LeasegateError } from 'leasegate';
import { eventStreamHandler, refuse, webSocketHandler, type Peer } from 'leasegate/transports/server';
import { sseFactory, type SseTransport } from 'leasegate/transports/sse';
import {
  type displayEndpoint,
  TransportError,
  websocketFactory,
  type Acceptance,
  type CloseEvidence,
  type ResumePoint,
  type TransportReason,
  type WebSocketTransport,
} from 'leasegate/transports/websocket';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): T | undefined => undefined;

const resume: ResumePoint = { session: 's', epoch: 1n, cursor: 0 };
const onEvent = () => {};

const connectWebSocket = websocketFactory({
  resume: async () => resume,
  onEvent: async ({ sequence, event }) => {
    yes<Same<typeof sequence, bigint>>();
    yes<Same<typeof event.payload, Uint8Array>>();
  },
  onClose: ({ transport, reason, error }) => {
    yes<Same<typeof transport, WebSocketTransport>>();
    yes<Same<typeof reason, TransportReason>>();
    error.toJSON();
  },
  token: async ({ signal }) => (signal.aborted ? null : 'token'),
  headers: { 'x-key': 'value' },
  protocols: ['a', 'b'],
  windowEvents: 10,
});
const transport = await connectWebSocket(
  { kind: 'websocket', endpoint: 'wss://host/', resume },
  { signal: new AbortController().signal },
);
yes<Same<typeof transport, WebSocketTransport>>();
yes<Same<typeof transport.kind, 'websocket'>>();
yes<Same<typeof transport.epoch, bigint>>();
const answer = await transport.send(
  { messageId: 'm', type: 't', payload: new Uint8Array() },
  { signal: null },
);
yes<Same<typeof answer, Acceptance>>();
yes<Same<typeof answer.queueIdentity, string | null>>();
const evidence = await transport.close();
yes<Same<typeof evidence, CloseEvidence>>();

// Where they belong.
const lg = await createLeasegate();
const registry = new lg.TransportRegistry();
registry.register('websocket', websocketFactory({ onEvent }));
registry.register('ccr_sse', sseFactory({ onEvent }));
const coordinator = new lg.ReconnectCoordinator<WebSocketTransport>({ session: 's', epoch: 1 });
await coordinator.recover('start', async (point, { signal }) => {
  const built = await registry.build<WebSocketTransport>(
    { kind: 'websocket', included: true, enabled: true, endpoint: 'wss://host/', resume: point },
    { signal },
  );
  return { transport: built, epoch: built.epoch };
});

const connectSse = sseFactory({ onEvent, fetch: globalThis.fetch, sendEndpoint: null, ackDelayMs: 5 });
const stream: SseTransport = await connectSse({ endpoint: 'https://host/', resume }, null);
yes<Same<typeof stream.retryMs, number | null>>();
yes<Same<typeof stream.kind, 'ccr_sse'>>();
yes<Same<ReturnType<typeof displayEndpoint>, string>>();

// @ts-expect-error events need somewhere to go
websocketFactory({ resume });
// @ts-expect-error no such option
websocketFactory({ resume, onEvent, windowEventz: 1 });
// @ts-expect-error an event stream has no heartbeats of the client's
sseFactory({ resume, onEvent, heartbeatIntervalMs: 1 });
// @ts-expect-error the payload is bytes
transport.send({ messageId: 'm', type: 't', payload: 'text' });
// @ts-expect-error evidence is read-only
evidence.dropped = 1;

declare const thrown: unknown;
if (thrown instanceof TransportError) {
  switch (thrown.code) {
    case 'transport_connect_failed':
      yes<Same<typeof thrown.endpoint, string>>();
      yes<Same<typeof thrown.reason, TransportReason>>();
      yes<Same<typeof thrown.status, number | undefined>>();
      break;
    case 'transport_closed':
      yes<Same<typeof thrown.origin, 'local' | 'remote'>>();
      break;
    case 'transport_capacity':
      yes<Same<typeof thrown.unit, 'events' | 'bytes'>>();
      break;
    default:
      yes<Same<typeof thrown.code, 'transport_message_too_large'>>();
      yes<Same<typeof thrown.actual, number>>();
  }
}
if (thrown instanceof LeasegateError) thrown.toJSON();

const handleSocket = webSocketHandler<{ url?: string }>({
  welcome: ({ resume: point, token, request, signal }) => {
    yes<Same<typeof point.cursor, bigint>>();
    yes<Same<typeof request.url, string | undefined>>();
    if (token === null || signal.aborted) throw refuse('unauthorized');
    return { epoch: point.epoch + 1n };
  },
  onConnect: async (peer) => {
    yes<Same<typeof peer, Peer>>();
    await peer.send({ sequence: 1, event: { messageId: 'm', type: 't', payload: new Uint8Array() } });
  },
  onEvent: ({ messageId }, peer) => ({ accepted: true, remoteAckId: `${peer.session} ${messageId}` }),
});
handleSocket({}, { url: '/' });
const handleRequest = eventStreamHandler({
  welcome: async () => ({ epoch: 2 }),
  onEvent: async () => undefined,
  authorize: ({ token }) => token === 'token',
});
void handleRequest({}, {});

// @ts-expect-error no such reason
refuse('bored');
// @ts-expect-error a server has to answer
webSocketHandler({ welcome: () => ({ epoch: 1 }) });
// @ts-expect-error an epoch is needed
eventStreamHandler({ welcome: () => ({}), onEvent: () => undefined });
