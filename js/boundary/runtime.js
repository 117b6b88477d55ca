// One instance of the Wasm module: its memory, its frame, and whether it can still be trusted.

import createCore from '../../dist/core/leasegate-core.js';
import { unusableError } from '../errors.js';
import { Frame } from './frame.js';

const PAGE_BYTES = 65_536;
/** What the module needs before it has stored anything, and the most that it can address. */
const MINIMUM_BYTES = 16 * PAGE_BYTES;
const MAXIMUM_BYTES = 32_768 * PAGE_BYTES;

export class Runtime {
  /**
   * @param {any} core what the glue offers
   * @param {WebAssembly.Memory} memory
   */
  constructor(core, memory) {
    this.core = core;
    this.memory = memory;
    this.frame = new Frame(memory, {
      slots: core.frameSlots(),
      text: core.frameText(),
      answerSlots: core.answerSlots(),
      answerText: core.answerText(),
    });
    /** What stopped the instance, once something has. @type {unknown} */
    this.failure = null;
  }

  /**
   * A call into the core. Whatever it throws stops the instance: it may have stopped in the middle.
   * @template T @param {() => T} callee @returns {T}
   */
  enter(callee) {
    if (this.failure !== null) throw unusableError(this.failure);
    try {
      return callee();
    } catch (cause) {
      this.failure = cause;
      throw unusableError(cause);
    }
  }

  /**
   * Puts bytes beside the frame for the next call; `fill` writes them. False when there is no memory for them.
   * @param {number} size
   * @param {(memory: Uint8Array, at: number) => void} fill
   */
  putPayload(size, fill) {
    const at = this.enter(() => this.core.reservePayload(size));
    if (at === 0) return false;
    if (this.frame.u8.length === 0) this.frame.attach();
    fill(this.frame.u8, at);
    return true;
  }

  releasePayload() {
    if (this.failure === null) this.enter(() => this.core.releasePayload());
  }
}

/**
 * @param {unknown} bytes @param {string} path @param {number} fallback
 */
function pages(bytes, path, fallback) {
  if (bytes === undefined || bytes === null) return fallback / PAGE_BYTES;
  if (typeof bytes !== 'number') throw new TypeError(`${path} must be a number of bytes`);
  if (!Number.isSafeInteger(bytes) || bytes < MINIMUM_BYTES || bytes > MAXIMUM_BYTES) {
    throw new RangeError(`${path} must be an integer from ${MINIMUM_BYTES} to ${MAXIMUM_BYTES}`);
  }
  return Math.ceil(bytes / PAGE_BYTES);
}

/**
 * @param {WebAssembly.Module} module
 * @param {{ initialBytes?: number, maximumBytes?: number } | null} [limits]
 */
export async function startRuntime(module, limits) {
  const maximum = pages(limits?.maximumBytes, 'memory.maximumBytes', MAXIMUM_BYTES);
  const initial = pages(limits?.initialBytes, 'memory.initialBytes', MINIMUM_BYTES);
  if (initial > maximum) throw new RangeError('memory.initialBytes must not be above memory.maximumBytes');
  const wasmMemory = new WebAssembly.Memory({ initial, maximum });
  const core = await createCore({
    wasmMemory,
    // Synchronous, so that whatever goes wrong rejects the promise of the factory.
    /** @param {WebAssembly.Imports} imports @param {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} done */
    instantiateWasm(imports, done) {
      done(new WebAssembly.Instance(module, imports), module);
      return {};
    },
    printErr() {}, // A stop is reported once, by the call that met it.
  });
  return new Runtime(core, wasmMemory);
}
