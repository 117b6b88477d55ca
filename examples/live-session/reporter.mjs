// What a person sees: a line for what happens, and, on a terminal, one in place for how far it is.

const REDRAW_MS = 80;

export class Reporter {
  #stream;
  #inPlace;
  #colours;
  #drawn = false;
  #drawnAt = 0;

  /** @param {NodeJS.WriteStream} stream @param {{ quiet?: boolean }} [options] */
  constructor(stream, { quiet = false } = {}) {
    this.#stream = quiet ? null : stream;
    this.#inPlace = stream.isTTY === true && process.env.TERM !== 'dumb';
    this.#colours = this.#inPlace && !process.env.NO_COLOR;
  }

  /** @param {'bold' | 'dim' | 'red' | 'green' | 'yellow'} style @param {string} text */
  styled(style, text) {
    const code = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 }[style];
    return this.#colours ? `\x1b[${code}m${text}\x1b[0m` : text;
  }

  /** @param {number} value */
  count(value) {
    return value.toLocaleString('en-US');
  }

  /** @param {number} value @param {string} noun */
  many(value, noun) {
    return `${this.count(value)} ${noun}${value === 1 ? '' : 's'}`;
  }

  /** A line that stays. */
  line(text = '') {
    this.clear();
    this.#stream?.write(`${text}\n`);
  }

  /** The line in place, on a terminal only. @param {() => string} text */
  status(text) {
    if (!this.#inPlace || performance.now() - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = performance.now();
    this.#drawn = true;
    const width = (this.#stream?.columns || 80) - 1;
    this.#stream?.write(`\r\x1b[K${this.styled('dim', text().slice(0, width))}`);
  }

  clear() {
    if (this.#drawn) this.#stream?.write('\r\x1b[K');
    this.#drawn = false;
  }
}
