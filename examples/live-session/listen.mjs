// The two ways to be reached: WebSockets, or event streams and POSTs.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { eventStreamHandler, webSocketHandler } from 'leasegate/transports/server';
import { WebSocketServer } from 'ws';

/**
 * @param {'websocket' | 'sse'} transport
 * @param {import('leasegate/transports/server').ServerOptions<any>} handlers
 */
export async function listen(transport, handlers) {
  const server = transport === 'sse' ? createServer(eventStreamHandler(handlers)) : createServer();
  if (transport === 'websocket') {
    // Larger messages than the handler takes are refused before they are in memory.
    const sockets = new WebSocketServer({ server, maxPayload: 4 * 1024 * 1024 });
    sockets.on('connection', webSocketHandler(handlers));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    scheme: transport === 'sse' ? 'http' : 'ws',
    port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
