// The part nobody should copy: a wire between client and server that is cut at random, in the middle of a frame too,
// and then stays down for a moment.

import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A cut comes within so many bytes after it was due. */
const CUT_WITHIN_BYTES = 800;
/** Also when nothing is said. */
const CUT_WITHIN_MS = 100;
const DOWN_AT_MOST_MS = 30;

export class BadWire {
  #target;
  #random;
  #onCut;
  #server = createServer((client) => this.#carry(client));
  /** @type {Set<import('node:net').Socket>} */
  #sockets = new Set();
  /** How many bytes may still pass; null: any. @type {number | null} */
  #left = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #downUntil = 0;
  cuts = 0;
  /** Cuts after which a part of what was written arrived, and a part did not. */
  midway = 0;

  /** @param {number} target the server's port @param {(below: number) => number} random @param {() => void} onCut */
  constructor(target, random, onCut) {
    this.#target = target;
    this.#random = random;
    this.#onCut = onCut;
  }

  /** @returns {Promise<number>} the port to connect to */
  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return /** @type {import('node:net').AddressInfo} */ (this.#server.address()).port;
  }

  /** A cut is due. */
  cutSoon() {
    if (this.#left !== null) this.#cut(); // One that is due already cannot wait any longer.
    this.#left = this.#random(CUT_WITHIN_BYTES);
    this.#timer = setTimeout(() => this.#cut(), CUT_WITHIN_MS);
  }

  close() {
    clearTimeout(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** @param {import('node:net').Socket} client */
  #carry(client) {
    if (performance.now() < this.#downUntil) {
      client.destroy();
      return;
    }
    const server = connect(this.#target, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ]) {
      from.setNoDelay();
      this.#sockets.add(from);
      from.on('data', (chunk) => this.#pass(chunk, from, to));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      to.on('drain', () => from.resume());
    }
  }

  /** @param {Buffer} chunk @param {import('node:net').Socket} from @param {import('node:net').Socket} to */
  #pass(chunk, from, to) {
    if (this.#left !== null && chunk.length > this.#left) {
      const rest = chunk.subarray(0, this.#left);
      if (rest.length > 0) this.midway += 1;
      this.#sockets.delete(to); // It ends by itself, once the part of the frame is through.
      to.end(rest, () => to.destroy());
      this.#cut();
      return;
    }
    if (this.#left !== null) this.#left -= chunk.length;
    if (!to.write(chunk)) from.pause();
  }

  #cut() {
    clearTimeout(this.#timer);
    this.#left = null;
    this.#downUntil = performance.now() + this.#random(DOWN_AT_MOST_MS);
    this.cuts += 1;
    for (const socket of this.#sockets) socket.destroy();
    this.#onCut();
  }
}
