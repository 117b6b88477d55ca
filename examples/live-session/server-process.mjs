// The server as a process of its own, seen from the program that started it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { toArguments } from './options.mjs';

const program = fileURLToPath(new URL('server.mjs', import.meta.url));

/** @typedef {import('./summary.mjs').ServerOutcome} ServerOutcome */

export class ServerProcess {
  #child;
  #exited;
  /** @type {ServerOutcome | null} */
  #outcome = null;
  /** @type {Promise<string>} */
  endpoint;

  /**
   * @param {'websocket' | 'sse'} transport @param {import('./options.mjs').Options} options
   * @param {(news: import('./run-server.mjs').ServerNews) => void} onNews
   */
  constructor(transport, options, onNews) {
    const args = [program, `--transport=${transport}`, ...toArguments(options), '--json'];
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {}); // It is gone already.
    this.#exited = once(this.#child, 'close');
    this.endpoint = new Promise((resolve, reject) => {
      createInterface(this.#child.stdout).on('line', (line) => {
        const news = JSON.parse(line);
        if (news.kind === 'outcome') this.#outcome = news.outcome;
        else if (news.kind === 'listening') resolve(news.endpoint);
        else onNews(news);
      });
      this.#exited.then(
        ([code, name]) => reject(new Error(`The server has ended early: ${code ?? name}`)),
        reject,
      );
    });
    this.endpoint.catch(() => {}); // Whoever waits for it is told.
  }

  /** Until it has ended. */
  async ended() {
    await this.#exited;
  }

  /** Nobody needs it any more. @returns {Promise<ServerOutcome | null>} null: it has not come to an end */
  async finish() {
    this.#child.stdin.end();
    await this.#exited;
    return this.#outcome;
  }
}
