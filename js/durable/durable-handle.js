// What durable handles have in common. A command is applied in the call, as ever; its answer, and a refusal too, is told
// when all that had been accepted by then is durable, so that nobody acts on what a crash could take back.

import { abortSignal, object } from '../boundary/arguments.js';
import { addAsyncDispose } from '../boundary/async-dispose.js';
import { Accepted, Refused } from '../boundary/records.js';
import { LeasegateError } from '../errors.js';
import { backlogError, called } from '../storage/errors.js';
import { Committer } from './committer.js';
import { readDurableOptions } from './options.js';
import { recover } from './recovery.js';

/** @typedef {import('./recovery.js').Kind} Kind */

/** Ends of handles, for which no command was refused: they are thrown, not answered. */
const ENDS = new Set(['disposed', 'instance_unusable']);

/** @param {any} waiting the second argument of commands @returns {AbortSignal | null} */
function signalOf(waiting) {
  if (waiting === undefined || waiting === null) return null;
  // Checked here, and not when it is listened to or left: by then the command is applied.
  const signal = abortSignal(object(waiting, 'waiting').signal, 'waiting.signal');
  if (signal?.aborted) throw signal.reason;
  return signal;
}

/** One machine, what writes its journal, and how commands are given to both. */
export class Durable {
  /** @param {string} name @param {any} machine @param {Committer} committer @param {number} maxPendingBytes */
  constructor(name, machine, committer, maxPendingBytes) {
    this.name = name;
    this.machine = machine;
    this.committer = committer;
    this.maxPendingBytes = maxPendingBytes;
  }

  /**
   * Applies a command now and answers it when it is durable.
   * @param {() => any} apply @param {unknown} waiting @returns {Promise<any>}
   */
  async command(apply, waiting) {
    const signal = signalOf(waiting);
    this.committer.admit();
    let answer;
    try {
      answer = apply();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.committer.settled(signal);
      throw this.#inOurWords(error);
    }
    await this.committer.settled(signal);
    return answer;
  }

  /**
   * The same, for hosts that expect to be refused.
   * @param {() => any} apply @param {unknown} waiting @returns {Promise<Accepted | Refused>}
   */
  async attempt(apply, waiting) {
    const signal = signalOf(waiting);
    try {
      this.committer.admit();
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'durable_backlog_full') throw error;
      return new Refused(/** @type {Error} */ (error));
    }
    const answer = apply();
    await this.committer.settled(signal);
    return answer.ok ? answer : new Refused(this.#inOurWords(answer.error));
  }

  /** The core's bound on records that wait is ours on the backlog. @param {any} error @returns {Error} */
  #inOurWords(error) {
    return error.code === 'journal_full' ? backlogError(this.maxPendingBytes, 'bytes') : error;
  }

  /** @param {boolean} checkpoint @param {unknown} waiting */
  async barrier(checkpoint, waiting) {
    await this.committer.barrier(checkpoint, signalOf(waiting));
  }

  /** One line for a person. @param {() => object} read */
  describe(read) {
    const { failure, closed } = this.committer;
    if (closed || failure !== null) return `${this.name} { ${closed ? 'closed' : 'failed'} }`;
    const shown = Object.entries(read()).map(([key, value]) => `${key}: ${value}`);
    return `${this.name} { ${shown.join(', ')} }`;
  }
}

/** What a durable pool and a durable aggregator both are. */
export class DurableHandle {
  #durable;

  /** @param {Durable} durable @param {import('./recovery.js').Recovery} recovery */
  constructor(durable, recovery) {
    this.#durable = durable;
    this.recovery = recovery;
  }

  get revision() {
    return this.#durable.machine.revision;
  }

  get durableRevision() {
    return this.#durable.committer.durableRevision;
  }

  get failure() {
    return this.#durable.committer.failure;
  }

  stateDigest() {
    return this.#durable.machine.stateDigest();
  }

  exportSnapshot() {
    return this.#durable.machine.exportSnapshot();
  }

  /** @param {unknown} [waiting] */
  flush(waiting) {
    return this.#durable.barrier(false, waiting);
  }

  /** @param {unknown} [waiting] */
  checkpoint(waiting) {
    return this.#durable.barrier(true, waiting);
  }

  close() {
    return this.#durable.committer.close();
  }
}
addAsyncDispose(DurableHandle);

/**
 * Opens a storage and brings a machine to the state that it holds.
 * @param {Kind} kind @param {string} name of the durable handle @param {unknown} options
 * @returns {Promise<{ durable: Durable, recovery: import('./recovery.js').Recovery }>}
 */
export async function openDurable(kind, name, options) {
  const settings = readDurableOptions(options);
  /** @type {Committer | null} */
  let committer = null;
  /** @type {unknown} */
  let early = null;
  const onFailure = (/** @type {unknown} */ error) => {
    if (committer === null) early ??= error;
    else committer.fail(error);
  };
  const session = await called('open', () => settings.storage.open({ onFailure }));
  try {
    checkSession(session);
    const { machine, recovery, ...found } = await recover(kind, session, settings);
    committer = new Committer(name, machine, session, settings, found);
    if (early !== null) committer.fail(early);
    return { durable: new Durable(name, machine, committer, settings.maxPendingBytes), recovery };
  } catch (error) {
    await letGo(session);
    throw error;
  }
}

const SESSION_CALLS = ['readSnapshot', 'readJournal', 'beginChapter', 'append', 'sync', 'close'];

/** What a storage of somebody else's has opened. @param {any} session */
function checkSession(session) {
  if (typeof session !== 'object' || session === null)
    throw new TypeError('storage.open() must resolve to a session, which is an object');
  const { chapters, atomicAppends } = session;
  if (!Array.isArray(chapters))
    throw new TypeError('The session of the storage must have chapters, an array');
  if (typeof atomicAppends !== 'boolean')
    throw new TypeError('The session of the storage must have atomicAppends, a boolean');
  const needed = atomicAppends ? SESSION_CALLS : [...SESSION_CALLS, 'truncateJournal'];
  const missing = needed.filter((name) => typeof session[name] !== 'function');
  if (missing.length > 0)
    throw new TypeError(`The session of the storage must have the functions ${missing.join(', ')}`);
}

/** What has failed before says more than how this fails. @param {any} session */
async function letGo(session) {
  try {
    await session.close();
  } catch {}
}

/** @param {unknown} error */
function isRefusal(error) {
  return error instanceof LeasegateError && !ENDS.has(/** @type {any} */ (error).code);
}

/**
 * Commands of a machine as methods of a durable handle.
 * @param {any} prototype @param {readonly string[]} names
 * @param {(handle: any) => Durable} durableOf @param {'command' | 'attempt'} way
 * @param {(machine: any) => any} [ownerOf] whose commands they are
 */
export function defineCommands(prototype, names, durableOf, way, ownerOf = (machine) => machine) {
  for (const name of names) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      /** @this {any} @param {unknown} options @param {unknown} [waiting] */
      value(options, waiting) {
        const durable = durableOf(this);
        const owner = ownerOf(durable.machine);
        const target = way === 'attempt' ? owner.try : owner;
        return durable[way](() => target[name](options), waiting);
      },
    });
  }
}
