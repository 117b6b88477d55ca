// What a person sees while the work goes on: one line in place on a terminal, a line now and then elsewhere.

import { HEARTBEAT_TIMEOUT_SECS } from './timing.mjs';
import { SKIPPED } from './walk-tree.mjs';

const REDRAW_MS = 80;
const SPARSE_MS = 10_000;

/** @typedef {import('./host.mjs').HostEvent} HostEvent */

export class Reporter {
  #stream;
  #inPlace;
  #colours;
  #drawn = false;
  #drawnAt = 0;
  #quarter = 0;

  /** @param {NodeJS.WriteStream} stream */
  constructor(stream) {
    this.#stream = stream;
    this.#inPlace = stream.isTTY === true && process.env.TERM !== 'dumb';
    this.#colours = this.#inPlace && !process.env.NO_COLOR;
  }

  /** @param {'bold' | 'dim' | 'red' | 'green' | 'yellow'} style @param {string} text */
  styled(style, text) {
    const code = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 }[style];
    return this.#colours ? `\x1b[${code}m${text}\x1b[0m` : text;
  }

  /** @param {number | bigint} value */
  count(value) {
    return value.toLocaleString('en-US');
  }

  /** @param {number} value @param {string} noun */
  many(value, noun) {
    return `${this.count(value)} ${noun}${value === 1 ? '' : 's'}`;
  }

  /** @param {number} bytes */
  size(bytes) {
    const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
    let unit = 0;
    let value = bytes;
    for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
    return unit === 0 ? this.many(bytes, 'byte') : `${value.toFixed(1)} ${units[unit]}`;
  }

  /** A line that stays. */
  line(text = '') {
    this.clear();
    this.#stream.write(`${text}\n`);
  }

  /** The line in place, on a terminal only. @param {string} text */
  status(text) {
    if (!this.#inPlace || !this.#isDue(REDRAW_MS)) return;
    this.#drawnAt = performance.now();
    this.#drawn = true;
    const width = (this.#stream.columns || 80) - 1;
    this.#stream.write(`\r\x1b[K${this.styled('dim', text.slice(0, width))}`);
  }

  clear() {
    if (this.#drawn) this.#stream.write('\r\x1b[K');
    this.#drawn = false;
  }

  /** @param {import('./options.mjs').Options} options @param {import('./walk-tree.mjs').Tree} tree */
  introduce({ folder, workers, all }, { files, skippedFolders, others }) {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    this.line(
      `Hashing ${this.styled('bold', this.many(files.length, 'file'))} (${this.size(bytes)}) in ${printable(folder)}` +
        ` with ${this.many(workers, 'worker')}.`,
    );
    const left = [];
    if (!all && skippedFolders > 0)
      left.push(`${this.many(skippedFolders, 'folder')} named ${SKIPPED.join(', ')}`);
    if (others > 0) left.push(`${this.many(others, 'link')} or special ${others === 1 ? 'file' : 'files'}`);
    if (left.length > 0) this.line(this.styled('dim', `Left out: ${left.join('; ')}.`));
    this.#drawnAt = performance.now();
  }

  /** @param {import('./host.mjs').Progress} progress */
  progress(progress) {
    if (this.#inPlace) {
      if (this.#isDue(REDRAW_MS)) this.status(this.#progressText(progress));
      return;
    }
    const quarter = Math.floor((4 * (progress.done + progress.failed)) / progress.total);
    if (quarter === this.#quarter && !this.#isDue(SPARSE_MS)) return;
    this.#quarter = quarter;
    this.#drawnAt = performance.now();
    this.line(this.#progressText(progress));
  }

  /** @param {import('./host.mjs').Progress} progress */
  #progressText({ total, done, failed, bytes, inHand, queued, revision }) {
    const settled = done + failed;
    return (
      `${String(Math.floor((100 * settled) / total)).padStart(3)} %  ` +
      `${this.count(settled)} of ${this.many(total, 'file')}  ${this.size(bytes)}  ` +
      `in hand ${inHand}  queued ${this.count(queued)}  revision ${this.count(revision)}`
    );
  }

  /** @param {number} ms */
  #isDue(ms) {
    return performance.now() - this.#drawnAt >= ms;
  }

  /** @param {HostEvent} event */
  event(event) {
    this.line(this.styled('yellow', this.#sentence(event)));
  }

  /** @param {HostEvent} event */
  #sentence(event) {
    switch (event.kind) {
      case 'lost':
        return (
          `${event.workerId} is lost, on purpose, with ${this.many(event.holding, 'file')} in hand. ` +
          `Nobody tells the pool: ${HEARTBEAT_TIMEOUT_SECS} seconds of silence will.`
        );
      case 'crashed':
        return `${event.workerId} crashed: ${printable(event.reason)}`;
      case 'recovered': {
        const failed = event.failed > 0 ? `, ${this.many(event.failed, 'file')} given up` : '';
        return `Recovered from ${this.many(event.workers, 'worker')}: ${this.many(event.requeued, 'file')} back in the queue${failed}.`;
      }
      case 'back':
        return `${event.workerId} is back with a new thread, as generation ${event.generation}.`;
      case 'refused':
        return `A late answer from ${event.workerId} about ${printable(event.path)} was refused: ${event.code}.`;
    }
  }
}

/**
 * A path for a terminal: what would steer it, or is no text, is shown as an escape.
 * @param {string | Uint8Array} path
 */
export function printable(path) {
  const text = typeof path === 'string' ? path : Buffer.from(path).toString();
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${/** @type {number} */ (character.codePointAt(0)).toString(16)}}`;
  });
}
