// The server side of both transports: what a client of leasegate/transports/websocket or /sse talks to.

export { TransportError } from './errors.js';
export { refuse } from './refusal.js';
export { eventStreamHandler } from './server-sse.js';
export { webSocketHandler } from './server-websocket.js';
