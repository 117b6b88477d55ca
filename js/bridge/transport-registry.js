import { abortSignal, textError } from '../boundary/arguments.js';
import { makeDisposable } from '../boundary/port.js';
import { readError } from '../errors.js';
import * as wire from '../generated/bridge.js';
import { putTextBlob } from './blob.js';
import { callable, openPort, optional, withHostFields } from './machine.js';

/** Which kinds of transports can be built. Types and contract: ../types/bridge.d.ts. */
export class TransportRegistry {
  #port;
  /** By the number of their kind. @type {((config: any, options: { signal: AbortSignal | null }) => any)[]} */
  #factories = [];

  /** @param {import('../boundary/runtime.js').Runtime} runtime */
  constructor(runtime) {
    this.#port = openPort(runtime, 'TransportRegistry', () => {});
  }

  /** @param {unknown} kind @param {unknown} factory */
  register(kind, factory) {
    const make = callable(factory, 'factory');
    this.#port.open().putUtf8(kind, 'kind', wire.MAX_TEXT_BYTES);
    this.#factories[this.#port.demand(wire.OP_TRANSPORT_REGISTER).getU32()] = make;
  }

  /** @param {unknown} config @param {unknown} [options] */
  async build(config, options) {
    const signal = abortSignal(optional(options).signal);
    const kind = this.#check(config);
    if (signal?.aborted) throw signal.reason;
    let transport;
    try {
      transport = await this.#factories[kind](config, { signal });
    } catch (cause) {
      this.#port.open().putSlot(kind);
      this.#port.run(wire.OP_TRANSPORT_FACTORY_FAILED);
      throw withHostFields(readError(this.#port.frame), { cause });
    }
    let refusal;
    try {
      refusal = this.#refusal(kind, transport);
    } catch (error) {
      if (isObject(transport)) await evidenceOfClose(transport); // disposed of meanwhile
      throw error;
    }
    if (refusal === null) return transport;
    throw withHostFields(refusal, isObject(transport) ? await evidenceOfClose(transport) : {});
  }

  /** @param {unknown} config */
  #check(config) {
    const port = this.#port;
    let beside = false;
    try {
      wire.writeTransportCheck(port.open(), config, (/** @type {any} */ endpoint) => {
        if (typeof (endpoint ?? '') !== 'string') throw textError(endpoint, 'endpoint');
        beside = putTextBlob(port.runtime, endpoint ?? '');
      });
      return port.demand(wire.OP_TRANSPORT_CHECK).getU32();
    } finally {
      if (beside) port.runtime.releasePayload();
    }
  }

  /** @param {number} kind @param {any} transport */
  #refusal(kind, transport) {
    const present = isObject(transport);
    const built = present ? transport.kind : null;
    const frame = this.#port.open();
    frame.putSlot(kind);
    frame.putSlot(present ? 1 : 0);
    frame.putUtf8(typeof built === 'string' ? built : '', 'transport.kind', wire.MAX_TEXT_BYTES);
    return this.#port.run(wire.OP_TRANSPORT_CHECK_BUILT) ? null : readError(frame);
  }

  dispose() {
    this.#port.dispose();
    this.#factories = [];
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    const kinds = Object.keys(this.#factories).map((kind) => wire.TransportKind[Number(kind)]);
    return this.#port.describe('TransportRegistry', () => ({ kinds: kinds.join(' ') || 'none' }));
  }
}
makeDisposable(TransportRegistry);

/** @param {any} value */
function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** What closing a transport that nobody wants tells. @param {any} transport */
async function evidenceOfClose(transport) {
  try {
    return { evidence: await transport.close({ signal: null }) };
  } catch (error) {
    return { error };
  }
}
