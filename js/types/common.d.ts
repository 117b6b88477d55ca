/**
 * An unsigned 64-bit quantity going in: a bigint from 0 to 2^64 - 1, or a safe integer from 0.
 * Anything else throws a TypeError or RangeError that names the argument, before the core sees it.
 * Coming out, every 64-bit quantity is a bigint.
 */
export type U64 = bigint | number;

/** A length or point of the host's logical time, in whole seconds. */
export type Secs = U64;

/** An absent optional argument. */
export type Absent = null | undefined;

/** The answer of an accepted command. Frozen. A replay (a command recognised as sent again) keeps the revision. */
export interface Transition<T> {
  /** The revision after the command: what the next command has to expect. */
  readonly revision: bigint;
  readonly value: T;
}

/** What a command of `try` answers. Frozen. Narrow by `ok`. */
export type Attempt<T> = Accepted<T> | Refused;

export interface Accepted<T> extends Transition<T> {
  readonly ok: true;
}

export interface Refused {
  readonly ok: false;
  readonly error: import('./errors.js').LeasegateError;
}

/** A handle on memory of the core. */
export interface Disposable {
  /**
   * Gives the memory back. Calling it again does nothing; every other use of the handle throws `disposed`.
   * A handle that is forgotten gives its memory back when it is collected.
   */
  dispose(): void;
  [Symbol.dispose](): void;
}
