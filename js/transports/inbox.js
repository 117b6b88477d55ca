// Events that came in: handed to the host one at a time, in the order of the wire.

/**
 * @template T
 * @typedef {object} Receiver
 * @property {(item: T) => unknown} handle may answer a promise; the next item waits for it
 * @property {(item: T, last: boolean) => void} handled `last`: nothing else waits
 * @property {(error: unknown) => void} failed what `handle` threw
 */

/** @template T */
export class Inbox {
  #receiver;
  /** @type {{ item: T, bytes: number }[]} */
  #queue = [];
  #bytes = 0;
  #running = false;
  #open = false;
  #stopped = false;

  /** @param {Receiver<T>} receiver */
  constructor(receiver) {
    this.#receiver = receiver;
  }

  /** With the item that is being handled. */
  get size() {
    return this.#queue.length;
  }

  get bytes() {
    return this.#bytes;
  }

  /** @param {T} item @param {number} bytes */
  push(item, bytes) {
    if (this.#stopped) return;
    this.#queue.push({ item, bytes });
    this.#bytes += bytes;
    this.#wake();
  }

  start() {
    this.#open = true;
    this.#wake();
  }

  /** Nothing more is handed out; what is being handled is still reported. */
  stop() {
    this.#stopped = true;
    this.#queue.length = 0;
    this.#bytes = 0;
  }

  #wake() {
    if (this.#open && !this.#running && this.#queue.length > 0) void this.#run();
  }

  async #run() {
    this.#running = true;
    while (this.#queue.length > 0) {
      const { item, bytes } = this.#queue[0];
      try {
        const answer = this.#receiver.handle(item);
        if (typeof (/** @type {any} */ (answer)?.then) === 'function') await answer;
      } catch (error) {
        this.stop();
        this.#receiver.failed(error);
        break;
      }
      if (!this.#stopped) {
        this.#queue.shift();
        this.#bytes -= bytes;
      }
      this.#receiver.handled(item, this.#queue.length === 0);
    }
    this.#running = false;
  }
}
