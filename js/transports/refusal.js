import { REFUSALS } from './errors.js';

/** Thrown by a server's `welcome`: the client learns the reason, and nothing else. */
export class Refusal extends Error {
  /** @param {keyof typeof REFUSALS} reason */
  constructor(reason) {
    super(`The client is refused: ${reason}`);
    this.name = 'Refusal';
    this.reason = reason;
  }
}

/** @param {keyof typeof REFUSALS} reason */
export function refuse(reason) {
  if (!Object.hasOwn(REFUSALS, reason)) throw new TypeError(`reason must be one of ${Object.keys(REFUSALS)}`);
  return new Refusal(reason);
}

/** Asks the host for the client's epoch. @param {(client: any) => unknown} welcome @param {object} client */
export async function askWelcome(welcome, client) {
  const answer = /** @type {any} */ (await welcome(client));
  const { epoch } = answer ?? {};
  const given = typeof epoch === 'number' && Number.isSafeInteger(epoch) ? BigInt(epoch) : epoch;
  if (typeof given !== 'bigint' || given < 1n || given >= 2n ** 64n) {
    throw new TypeError('welcome must answer { epoch }, above 0');
  }
  return given;
}
