// Between a host and the server: a line that can be cut, or go silent without a word.

import net from 'node:net';

export class CuttableLine {
  /** @param {number} target */
  constructor(target) {
    this.target = target;
    /** @type {Set<{ client: net.Socket, server: net.Socket }>} */
    this.lines = new Set();
    this.state = 'open';
    this.server = net.createServer((client) => this.#accept(client));
    this.port = 0;
  }

  async start() {
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve(null)));
    ({ port: this.port } = /** @type {net.AddressInfo} */ (this.server.address()));
    return this;
  }

  /** @param {net.Socket} client */
  #accept(client) {
    if (this.state === 'cut') {
      client.destroy();
      return;
    }
    const server = net.connect(this.target, '127.0.0.1');
    const line = { client, server };
    this.lines.add(line);
    const end = () => {
      this.lines.delete(line);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      socket.on('error', end);
      socket.on('close', end);
    }
    client.pipe(server);
    server.pipe(client);
    if (this.state === 'silent') this.#hush(line);
  }

  /** @param {{ client: net.Socket, server: net.Socket }} line */
  #hush({ client, server }) {
    client.unpipe(server);
    server.unpipe(client);
    client.pause();
    server.pause();
  }

  /** Ends every line and takes no new one. */
  cut() {
    this.state = 'cut';
    for (const { client, server } of this.lines) {
      client.destroy();
      server.destroy();
    }
  }

  /** Lines stay, and nothing comes through: what is sent waits. */
  hush() {
    this.state = 'silent';
    for (const line of this.lines) this.#hush(line);
  }

  heal() {
    this.state = 'open';
    for (const { client, server } of this.lines) {
      client.pipe(server);
      server.pipe(client);
    }
  }

  stop() {
    this.cut();
    this.server.close();
  }
}
