// text/event-stream, read from bytes as they come: any split of the stream gives the same events. Stricter than a
// browser's EventSource in two ways: bytes that are no UTF-8 are an error, and so is a line or an event above its limit.

const CR = 13;
const LF = 10;
const BOM = [0xef, 0xbb, 0xbf];
const EMPTY = new Uint8Array(0);

/** `detail`: line_too_long, event_too_long or not_utf8. */
export class MalformedStream extends Error {
  /** @param {string} detail */
  constructor(detail) {
    super(`Malformed event stream: ${detail}`);
    this.detail = detail;
  }
}

/** @typedef {{ type: string, data: string, lastEventId: string }} StreamEvent */

export class EventStreamParser {
  #limits;
  #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** The line so far, of earlier chunks: its first lineBytes bytes. @type {Uint8Array} */
  #held = EMPTY;
  #lineBytes = 0;
  #skipLf = false;
  #first = true;
  /** @type {string[]} */
  #data = [];
  #eventBytes = 0;
  #type = '';
  #lastEventId = '';
  /** What the stream has asked for as the time before a reconnect. @type {number | null} */
  retryMs = null;

  /** @param {{ maxLineBytes: number, maxEventBytes: number }} limits */
  constructor(limits) {
    this.#limits = limits;
  }

  /**
   * The events that a chunk completes; what is malformed is thrown when those before it were taken. To be read to its end.
   * @param {Uint8Array} chunk @returns {Generator<StreamEvent, void>}
   */
  *push(chunk) {
    let at = 0;
    let lf = -2; // not looked for yet
    let cr = -2;
    while (at < chunk.length) {
      if (this.#skipLf) {
        this.#skipLf = false;
        if (chunk[at] === LF) {
          at += 1;
          continue;
        }
      }
      if (lf !== -1 && lf < at) lf = chunk.indexOf(LF, at);
      if (cr !== -1 && cr < at) cr = chunk.indexOf(CR, at);
      const end = lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr);
      if (end < 0) {
        this.#keep(chunk.subarray(at));
        break;
      }
      const line = this.#take(chunk.subarray(at, end));
      this.#skipLf = chunk[end] === CR;
      at = end + 1;
      const event = this.#line(line);
      if (event !== null) yield event;
    }
  }

  /** What a chunk begins and does not end. @param {Uint8Array} part */
  #keep(part) {
    const bytes = this.#lineBytes + part.length;
    if (bytes > this.#limits.maxLineBytes) throw new MalformedStream('line_too_long');
    if (bytes > this.#held.length) {
      const larger = new Uint8Array(Math.max(bytes, this.#held.length * 2, 256));
      larger.set(this.#held.subarray(0, this.#lineBytes));
      this.#held = larger;
    }
    this.#held.set(part, this.#lineBytes);
    this.#lineBytes = bytes;
  }

  /** The whole line, of which `end` is the part in this chunk. @param {Uint8Array} end */
  #take(end) {
    let line = end;
    if (this.#lineBytes > 0) {
      this.#keep(end);
      line = this.#held.subarray(0, this.#lineBytes);
      this.#held = EMPTY; // A long line does not keep its room for ever.
      this.#lineBytes = 0;
    } else if (line.length > this.#limits.maxLineBytes) {
      throw new MalformedStream('line_too_long');
    }
    if (this.#first && BOM.every((byte, index) => line[index] === byte)) line = line.subarray(3);
    this.#first = false;
    return line;
  }

  /** @param {Uint8Array} line @returns {StreamEvent | null} the event that it ends */
  #line(line) {
    if (line.length === 0) return this.#dispatch();
    const text = this.#decode(line);
    const colon = text.indexOf(':');
    if (colon === 0) return null; // a comment
    const name = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(text.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1);
    this.#field(name, value, line.length);
    return null;
  }

  /** @param {string} name @param {string} value @param {number} bytes of the line */
  #field(name, value, bytes) {
    if (name === 'data') {
      this.#eventBytes += bytes;
      if (this.#eventBytes > this.#limits.maxEventBytes) throw new MalformedStream('event_too_long');
      this.#data.push(value);
    } else if (name === 'event') {
      this.#type = value;
    } else if (name === 'id') {
      if (!value.includes('\0')) this.#lastEventId = value;
    } else if (name === 'retry' && /^\d{1,15}$/.test(value)) {
      this.retryMs = Number(value);
    }
  }

  #dispatch() {
    const type = this.#type || 'message';
    this.#type = '';
    if (this.#data.length === 0) return null;
    const data = this.#data.join('\n');
    this.#data = [];
    this.#eventBytes = 0;
    return { type, data, lastEventId: this.#lastEventId };
  }

  /** @param {Uint8Array} line */
  #decode(line) {
    try {
      return this.#decoder.decode(line);
    } catch {
      throw new MalformedStream('not_utf8');
    }
  }
}
