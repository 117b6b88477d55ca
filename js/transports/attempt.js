// One attempt to connect: the caller's signal and a deadline, whichever comes first.

import { connectError } from './errors.js';

export class Attempt {
  #controller = new AbortController();
  /** @type {ReturnType<typeof setTimeout>} */
  #timer;
  /** @type {AbortSignal | null | undefined} */
  #outer;
  #leave = () => this.#controller.abort(this.#outer?.reason);

  /**
   * @param {string} kind @param {string} display the endpoint as it may be shown
   * @param {number} timeoutMs @param {AbortSignal | null | undefined} outer
   */
  constructor(kind, display, timeoutMs, outer) {
    this.#outer = outer;
    this.#timer = setTimeout(() => {
      this.#controller.abort(connectError(kind, display, { reason: 'timeout', origin: 'local' }));
    }, timeoutMs);
    outer?.addEventListener('abort', this.#leave);
  }

  get signal() {
    return this.#controller.signal;
  }

  done() {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#leave);
  }

  /** @template T @param {() => T | Promise<T>} work @returns {Promise<T>} */
  race(work) {
    return raceSignal(this.signal, work);
  }
}

/**
 * The work, or the signal's reason. A result that comes too late is ignored.
 * @template T
 * @param {AbortSignal} signal @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export function raceSignal(signal, work) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave);
    Promise.resolve()
      .then(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', leave));
  });
}
