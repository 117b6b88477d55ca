// One handle on an object in the core, and the two ways of giving it a command.

import { disposedError, readError, unusableError } from '../errors.js';
import { IdTexts } from './id-texts.js';
import { Accepted, Refused, Transition } from './records.js';

/**
 * An object of the core: what the binding class offers.
 * @typedef {{ run(op: number): number, journal(op: number): number, delete(): void }} Native
 */

// The statuses of bindings/base/reply.hpp.
const ACCEPTED = 0;
const NOT_RECALLED = 2;
/** Whose no token is, whatever it was made from: null would be that of one forged with null. */
const NOBODY = Object.freeze({});

/**
 * The safety net for handles that nobody disposes of.
 * @type {FinalizationRegistry<{ runtime: import('./runtime.js').Runtime, native: Native }>}
 */
const collected = new FinalizationRegistry(({ runtime, native }) => release(runtime, native));

/** @param {import('./runtime.js').Runtime} runtime @param {Native} native */
function release(runtime, native) {
  if (runtime.failure !== null) return;
  try {
    runtime.enter(() => native.delete());
  } catch {
    // The runtime remembers why it has stopped, and the next call says so.
  }
}

export class Port {
  /**
   * @param {import('./runtime.js').Runtime} runtime
   * @param {Native} native
   * @param {string} name what errors call it
   */
  constructor(runtime, native, name) {
    this.runtime = runtime;
    this.frame = runtime.frame;
    /** @type {Native | null} */
    this.native = native;
    this.name = name;
    this.ids = { tasks: new IdTexts(), workers: new IdTexts() };
    /** What follows every accepted command: its record goes to the host's journal. @type {(() => void) | null} */
    this.onAccepted = null;
    /** Records that the host's journal has failed to take. @type {import('../journal/records.js').JournalEntry[]} */
    this.undelivered = [];
    collected.register(this, { runtime, native }, this);
  }

  /** The frame, for who begins its arguments. */
  unused() {
    if (this.native === null) throw disposedError(this.name);
    return this.frame;
  }

  /** The frame, ready for arguments. */
  open() {
    const frame = this.unused();
    frame.begin();
    return frame;
  }

  /**
   * Runs a command or read on what the frame holds. True when it was accepted; the frame then holds the answer,
   * else the error.
   * @param {number} op
   */
  run(op) {
    return this.call(op) === ACCEPTED;
  }

  /** The same, and answers with the status. @param {number} op */
  call(op) {
    const { native, runtime } = this;
    // Reading the arguments may have run code of the caller's, which may have disposed of this.
    if (native === null) throw disposedError(this.name);
    if (runtime.failure !== null) throw unusableError(runtime.failure);
    let status;
    try {
      status = native.run(op);
    } catch (cause) {
      runtime.failure = cause;
      throw unusableError(cause);
    }
    this.frame.answer();
    return status;
  }

  /** Like `run`, for what throws when it is refused. @param {number} op */
  demand(op) {
    if (!this.run(op)) throw readError(this.frame);
    return this.frame;
  }

  /**
   * A question about the object's journal, on what the frame holds; throws when it is refused.
   * @param {number} op
   */
  journal(op) {
    const { native } = this;
    if (native === null) throw disposedError(this.name);
    const status = this.runtime.enter(() => native.journal(op));
    this.frame.answer();
    if (status !== 0) throw readError(this.frame);
    return this.frame;
  }

  /** One line for a person. @param {string} name @param {() => object} read what is shown while it can be read */
  describe(name, read) {
    if (this.native === null) return `${name} { disposed }`;
    if (this.runtime.failure !== null) return `${name} { failed }`;
    const shown = Object.entries(read()).map(([key, value]) => `${key}: ${value}`);
    return `${name} { ${shown.join(', ')} }`;
  }

  dispose() {
    const { native } = this;
    if (native === null) return;
    this.native = null;
    this.ids = { tasks: new IdTexts(), workers: new IdTexts() };
    this.onAccepted = null;
    this.undelivered = [];
    collected.unregister(this);
    release(this.runtime, native);
  }
}

/**
 * Gives a command, and says whether it was accepted.
 * @param {Port} port @param {number} op
 * @param {(frame: any, options: any, ids: any) => void} write
 * @param {unknown} options
 */
function give(port, op, write, options) {
  write(port.unused(), options, port.ids);
  const status = port.call(op);
  if (status !== NOT_RECALLED) return status === ACCEPTED;
  // What has become of the lease is the core's to say, and for that it wants to see all of it.
  write(port.unused(), options, NOBODY);
  return port.run(op);
}

/**
 * A command that throws when it is refused.
 * @param {Port} port @param {number} op
 * @param {(frame: any, options: any, ids: any) => void} write
 * @param {(frame: any, at: number, ids: any) => unknown} read
 * @param {unknown} options
 * @returns {any}
 */
export function execute(port, op, write, read, options) {
  const { frame } = port;
  if (!give(port, op, write, options)) throw readError(frame);
  const at = frame.answersAt;
  const answer = new Transition(frame.u64[at], read(frame, at + 1, port.ids));
  if (port.onAccepted !== null) port.onAccepted();
  return answer;
}

/**
 * The same command for hosts that expect to be refused: an error of the contract is an answer.
 * Wrong shapes of arguments, a disposed handle and a failed instance still throw.
 * @param {Port} port @param {number} op
 * @param {(frame: any, options: any, ids: any) => void} write
 * @param {(frame: any, at: number, ids: any) => unknown} read
 * @param {unknown} options
 * @returns {any}
 */
export function attempt(port, op, write, read, options) {
  const { frame } = port;
  if (!give(port, op, write, options)) return new Refused(withoutStack(() => readError(frame)));
  const at = frame.answersAt;
  const answer = new Accepted(frame.u64[at], read(frame, at + 1, port.ids));
  if (port.onAccepted !== null) port.onAccepted();
  return answer;
}

/**
 * Makes an error that is an answer: a stack would say nothing that its receiver does not know, and is most of what
 * an error costs.
 * @template T @param {() => T} make
 */
function withoutStack(make) {
  // Not every platform has this knob, and some freeze it.
  if (!Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')?.writable) return make();
  const limit = Error.stackTraceLimit;
  try {
    Error.stackTraceLimit = 0;
    return make();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** @param {import('./frame.js').Frame} frame @param {number} at */
export function readCount(frame, at) {
  return frame.u32[at * 2];
}

/**
 * A new object of the core, made by one of its binding classes from the limits that `writeLimits` puts down.
 * @param {import('./runtime.js').Runtime} runtime @param {string} binding @param {string} name
 * @param {(frame: any, limits: unknown) => void} writeLimits @param {unknown} limits
 */
export function createPort(runtime, binding, name, writeLimits, limits) {
  writeLimits(runtime.frame, limits);
  return new Port(
    runtime,
    made(runtime, () => runtime.core[binding].create()),
    name,
  );
}

/**
 * What a binding class made of the frame and the payload; throws when it was refused.
 * @param {import('./runtime.js').Runtime} runtime @param {() => Native | null} make @returns {Native}
 */
export function made(runtime, make) {
  const native = runtime.enter(make);
  runtime.frame.answer();
  if (native === null) throw readError(runtime.frame);
  return native;
}

/** Adds `[Symbol.dispose]` where the platform has it. @param {{ prototype: any }} Class */
export function makeDisposable(Class) {
  if (typeof Symbol.dispose !== 'symbol') return;
  Object.defineProperty(Class.prototype, Symbol.dispose, {
    value() {
      this.dispose();
    },
  });
}
