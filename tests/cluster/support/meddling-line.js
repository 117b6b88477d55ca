// Between a host and the server: a line that can change, keep or lose what comes through.

import net from 'node:net';

/** @typedef {(data: Buffer, forward: (data: Buffer) => void) => unknown} Meddling */

/** @type {Meddling} */
const pass = (data, forward) => forward(data);

export class MeddlingLine {
  /** @param {number} target @param {{ said?: Meddling, answered?: Meddling }} meddling with what host and server send */
  constructor(target, { said = pass, answered = pass }) {
    /** @type {Set<net.Socket>} */
    this.clients = new Set();
    this.port = 0;
    this.server = net.createServer((client) => {
      const server = net.connect(target, '127.0.0.1');
      client.on('data', (data) => said(data, (changed) => server.write(changed)));
      server.on('data', (data) => answered(data, (changed) => client.write(changed)));
      const end = () => {
        this.clients.delete(client);
        client.destroy();
        server.destroy();
      };
      for (const socket of [client, server]) socket.on('error', end).on('close', end);
      this.clients.add(client);
    });
  }

  async start() {
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve(null)));
    ({ port: this.port } = /** @type {net.AddressInfo} */ (this.server.address()));
    return this;
  }

  /** Ends every line; hosts may come again. */
  cut() {
    for (const client of this.clients) client.destroy();
  }

  stop() {
    this.cut();
    this.server.close();
  }
}
