// What is held: bytes a retained task and a worker, and those of a gate that is full of events. The memory of the module
// never shrinks, so what is counted is by how much it has grown: a little more than what is used.

import { createLeasegate } from 'leasegate';
import { Host, LIMITS } from './cycle.mjs';

const PAGE_BYTES = 65_536;
const EVENTS = 100_000;
const PAYLOAD_BYTES = 100;

/** An instance, and how to look at its memory. */
export async function watchedInstance() {
  const { Memory } = WebAssembly;
  /** @type {WebAssembly.Memory | null} */
  let memory = null;
  WebAssembly.Memory = class extends Memory {
    /** @param {WebAssembly.MemoryDescriptor} descriptor */
    constructor(descriptor) {
      super(descriptor);
      memory = this;
    }
  };
  try {
    const lg = await createLeasegate();
    return { lg: /** @type {any} */ (lg), bytes: () => /** @type {any} */ (memory).buffer.byteLength };
  } finally {
    WebAssembly.Memory = Memory;
  }
}

/** @param {() => number} wasm */
function held(wasm) {
  globalThis.gc?.();
  return { wasm: wasm(), js: process.memoryUsage().heapUsed };
}

/**
 * What `count` of something take each, in the module and in JavaScript.
 * @param {number} count @param {(lg: any) => unknown} make answers what is to be kept meanwhile
 */
async function each(count, make) {
  const { lg, bytes } = await watchedInstance();
  const before = held(bytes);
  const kept = await make(lg);
  await null;
  const after = held(bytes);
  if (kept === undefined) throw new Error('nothing was kept');
  return {
    wasmBytes: Math.round((after.wasm - before.wasm) / count),
    jsBytes: Math.round((after.js - before.js) / count),
    growsBy: PAGE_BYTES,
  };
}

export async function measureMemory() {
  const tasks = 60_000;
  const workers = 4096;
  const pools = 8; // what there is room for from the start would hide most of one pool's
  const accepted = { accepted: true };
  const sender = async () => accepted;
  return {
    'retained task': await each(tasks, (lg) => {
      const host = new Host(new lg.WorkerPool({ limits: LIMITS }), { workers: 8 });
      for (let i = 0; i < tasks; i += 1) host.cycle();
      return host;
    }),
    worker: await each(workers * pools, (lg) =>
      Array.from({ length: pools }, () => new Host(new lg.WorkerPool({ limits: LIMITS }), { workers })),
    ),
    [`event of ${PAYLOAD_BYTES} bytes in a gate`]: await each(EVENTS, async (lg) => {
      const gate = new lg.FlushGate();
      await gate.beginHistory();
      const payload = new Uint8Array(PAYLOAD_BYTES);
      for (let i = 0; i < EVENTS; i += 1)
        gate.submit({ messageId: `message-${i}`, type: 'message', payload }, sender);
      return gate;
    }),
  };
}
