// From a caller's promise to a replica's command and back.

import { abortSignal } from '../boundary/arguments.js';
import { Transition } from '../boundary/records.js';
import { LeasegateError } from '../errors.js';
import { closedError, unavailableError } from './errors.js';
import { readRebase } from './options.js';

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
    this.refusing = false;
    /** @type {Set<{ deadline: number, expire: () => void }>} */
    this.open = new Set();
    this.timer = setInterval(() => {
      const now = performance.now();
      for (const call of this.open) if (call.deadline <= now) call.expire();
    }, SWEEP_MS);
    /** @type {any} */ (this.timer).unref?.();
  }

  /** How long the caller of a command waits, and what ends that. @param {any} options */
  patience(options) {
    const signal = abortSignal(options.signal, 'options.signal');
    signal?.throwIfAborted();
    return { signal, timeoutMs: readTimeout(options.timeoutMs, this.timeoutMs) };
  }

  /** From now on commands are refused. */
  refuse() {
    this.refusing = true;
  }

  /**
   * @param {Part} part @param {any} options @param {readonly string[]} names of the command's own arguments
   * @param {(machine: any, command: any) => Decision} run may write into the command, which is a copy
   * @returns {Promise<any>} rejects with what the command is refused with
   */
  command(part, options, names, run) {
    return new Promise((resolve, reject) => {
      if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object');
      if ('now' in options) throw new TypeError('options.now is not an option: the host has the clock');
      const attempts = readRebase(options.rebase, this.rebase, 'options.rebase');
      const { signal, timeoutMs } = this.patience(options);
      if (this.refusing) throw closedError('not_sent');
      // The command may be decided later, and again: on what it says now.
      const command = commandOf(options, names);
      // All of the caller's is read before anybody can look for what was submitted.
      const expectedRevision = options.expectedRevision ?? null;
      signal?.throwIfAborted();
      const call = { deadline: performance.now() + timeoutMs, expire: () => end(() => leave('timeout')) };
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
        const { apiCode, denied } = part.publisher;
        reject(
          unavailableError(denied === null ? reason : 'not_permitted', outcome, apiCode, undefined, denied),
        );
      };
      this.open.add(call);
      signal?.addEventListener('abort', abort);
      const entry = part.replica.submit({
        attempts,
        expectedRevision,
        decide: (machine, expected) => {
          command.expectedRevision = expected;
          return run(machine, command);
        },
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

/** What every command may name beside its own arguments. */
const SHARED = ['expectedRevision', 'rebase', 'signal', 'timeoutMs'];

/**
 * The command's own. Most may be absent, so that a slip of the pen would pass unseen.
 * @param {any} options @param {readonly string[]} names
 */
function commandOf(options, names) {
  /** @type {any} */
  const command = {};
  for (const key of Object.keys(options)) {
    if (names.includes(key)) command[key] = copyOf(options[key]);
    else if (!SHARED.includes(key)) throw new TypeError(`options.${key} is not an option`);
  }
  return command;
}

/** Plain data as it is now. @param {any} value @returns {any} */
function copyOf(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return value.slice(0);
  if (typeof value[Symbol.iterator] === 'function') return Array.from(value, copyOf);
  /** @type {any} */
  const copy = {};
  for (const key of Object.keys(value)) if (key !== '__proto__') copy[key] = copyOf(value[key]);
  return copy;
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
