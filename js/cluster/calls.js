// From a caller's promise to a replica's command and back.

import { Transition } from '../boundary/records.js';
import { LeasegateError } from '../errors.js';
import { unavailableError } from './errors.js';
import { readRebase, readSignal } from './options.js';

/** Deadlines are looked at so often. */
const SWEEP_MS = 100;

/**
 * @typedef {import('./part.js').Part} Part
 * @typedef {import('./replica.js').Decision} Decision
 */

/** The commands of one host that have no answer yet. */
export class Calls {
  /** @param {{ rebase: number, commandTimeoutMs: number }} settings */
  constructor({ rebase, commandTimeoutMs }) {
    this.rebase = rebase;
    this.timeoutMs = commandTimeoutMs;
    /** @type {Set<{ deadline: number, expire: () => void }>} */
    this.open = new Set();
    this.timer = setInterval(() => {
      const now = performance.now();
      for (const call of this.open) if (call.deadline <= now) call.expire();
    }, SWEEP_MS);
    /** @type {any} */ (this.timer).unref?.();
  }

  /**
   * @param {Part} part @param {any} options
   * @param {(machine: any, arguments_: any) => Decision} run
   * @param {(machine: any) => object} [fence] what else every command names
   * @returns {Promise<any>} rejects with what the command is refused with
   */
  command(part, options, run, fence = () => ({})) {
    return new Promise((resolve, reject) => {
      if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object');
      const { expectedRevision = null, rebase, signal: given, timeoutMs, ...rest } = options;
      if ('now' in rest) throw new TypeError('options.now is not an option: the host has the clock');
      const signal = readSignal(given, 'options.signal');
      const attempts = readRebase(rebase, this.rebase, 'options.rebase');
      signal?.throwIfAborted();
      // The command may be decided later, and again: on what it says now.
      const copy = copyOf(rest);
      const deadline = performance.now() + readTimeout(timeoutMs, this.timeoutMs);
      const call = { deadline, expire: () => end(() => leave('timeout')) };
      const end = (/** @type {() => void} */ settle) => {
        if (!this.open.delete(call)) return;
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const abort = () =>
        end(() => {
          part.replica.withdraw(entry);
          reject(signal?.reason);
        });
      const leave = (/** @type {'timeout'} */ reason) => {
        const outcome = part.replica.withdraw(entry) ? 'not_sent' : 'unknown';
        reject(unavailableError(reason, outcome, part.publisher.apiCode));
      };
      this.open.add(call);
      signal?.addEventListener('abort', abort);
      const entry = part.replica.submit({
        attempts,
        expectedRevision,
        decide: (machine, expected) =>
          run(machine, { ...copy, ...fence(machine), expectedRevision: expected }),
        settle: (answer) =>
          end(() =>
            answer.ok ? resolve(new Transition(answer.revision, answer.value)) : reject(answer.error),
          ),
      });
    });
  }

  close() {
    clearInterval(this.timer);
  }
}

/** Plain data as it is now. @param {any} value @returns {any} */
function copyOf(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return value.slice(0);
  if (typeof value[Symbol.iterator] === 'function') return Array.from(value, copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)]));
}

/** @param {unknown} value @param {number} fallback */
function readTimeout(value, fallback) {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw new TypeError('options.timeoutMs must be a whole number of milliseconds from 1');
  return value;
}

/** For hosts that expect refusals: what the contract refuses is an answer. @param {Promise<Transition>} command */
export async function attempted(command) {
  try {
    const { revision, value } = await command;
    return Object.freeze({ ok: true, revision, value });
  } catch (error) {
    if (error instanceof LeasegateError) return Object.freeze({ ok: false, error });
    throw error;
  }
}
