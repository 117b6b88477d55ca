// Servers on loopback, at a port of the system's choice, closed with the test that started them.

import http from 'node:http';
import { eventStreamHandler, webSocketHandler } from 'leasegate/transports/server';
import { sseFactory } from 'leasegate/transports/sse';
import { websocketFactory } from 'leasegate/transports/websocket';
import { WebSocketServer } from 'ws';

const encoder = new TextEncoder();
export const text = (bytes) => new TextDecoder().decode(bytes);
export const event = (messageId, payload = messageId, type = 'message') => ({
  messageId,
  type,
  payload: typeof payload === 'string' ? encoder.encode(payload) : payload,
});
export const accepted = { accepted: true, durabilityKnown: true };
export const resumeAt = (cursor = 0n, session = 'session', epoch = 1n) => ({ session, epoch, cursor });

/** Numbers of a seed. */
export function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A promise and what settles it. */
export function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

/** Waits for what has no event of its own. */
export async function until(condition, what = condition.toString()) {
  const deadline = performance.now() + 4000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const listening = (server) => new Promise((resolve) => server.once('listening', resolve));
const portOf = (server) => server.address().port;

/** A server that the test writes by hand. */
export async function rawWebSocketServer(t, onSocket, options = {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options });
  server.on('connection', (socket, request) => {
    socket.on('error', () => {});
    onSocket(socket, request);
  });
  await listening(server);
  t.after(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${portOf(server)}/bridge`;
}

export async function rawHttpServer(t, onRequest) {
  const server = http.createServer(onRequest).listen(0, '127.0.0.1');
  await listening(server);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${portOf(server)}/bridge`;
}

/** What a client sends, and what is sent to it, by hand. Answers the hello with a welcome. */
export function welcomeByHand(socket, onFrame = () => {}) {
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame.frame === 'hello') {
      const { remote_session_id } = frame.resume_point;
      socket.send(JSON.stringify({ frame: 'welcome', version: 1, remote_session_id, worker_epoch: 2 }));
    }
    onFrame(frame);
  });
}

/** Opens an event stream by hand. */
export function streamByHand(response, request, { welcome = true } = {}) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const session = decodeURIComponent(request.headers['leasegate-session']);
  const frame = { frame: 'welcome', version: 1, remote_session_id: session, worker_epoch: 2 };
  if (welcome) response.write(`data: ${JSON.stringify(frame)}\n\n`);
}

export const streamEvent = (sequence, messageId) => {
  const record = { message_id: messageId, type: 'message', payload: '' };
  return `id: ${sequence}\ndata: ${JSON.stringify({ frame: 'event', sequence, event: record })}\n\n`;
};

/** The library's own server of either kind, and a client for it. */
export async function startBridge(t, kind, handlers = {}) {
  const peers = [];
  const closed = [];
  const acks = [];
  const options = {
    welcome: ({ resume }) => ({ epoch: resume.epoch + 1n }),
    onEvent: () => accepted,
    onAck: (sequence) => acks.push(sequence),
    onClose: (info) => closed.push(info),
    ...handlers,
    onConnect: (peer) => {
      peers.push(peer);
      handlers.onConnect?.(peer);
    },
  };
  const sockets = [];
  const each = (act) => {
    for (const socket of sockets) act(socket);
  };
  const handle = kind === 'websocket' ? webSocketHandler(options) : null;
  const endpoint =
    kind === 'websocket'
      ? await rawWebSocketServer(t, (socket, request) => {
          sockets.push(socket);
          handle(socket, request);
        })
      : await rawHttpServer(t, eventStreamHandler(options));
  const transports = [];
  t.after(() => Promise.all(transports.map((transport) => transport.close({ signal: AbortSignal.abort() }))));
  return {
    endpoint,
    peers,
    closed,
    acks,
    /** The WebSocket server reads no more. */
    deafen: () => each((socket) => socket.pause()),
    undeafen: () => each((socket) => socket.resume()),
    kill: () => each((socket) => socket.terminate()),
    /** Connects; `options.at` and `options.signal` are the config's endpoint and the caller's signal. */
    async connect({ signal, at = endpoint, ...options } = {}) {
      const factory = kind === 'websocket' ? websocketFactory : sseFactory;
      const extra = kind === 'websocket' ? {} : { ackDelayMs: 1 };
      const make = factory({ resume: resumeAt(), onEvent: () => {}, ...extra, ...options });
      const transport = await make({ kind, endpoint: at }, { signal });
      transports.push(transport);
      return transport;
    },
  };
}
