// The memory that an instance is given is seen by whoever makes it.

import { createLeasegate } from 'leasegate';

/** An instance, and how many bytes it has just now. */
export async function instanceWithMemory() {
  const { Memory } = WebAssembly;
  /** @type {WebAssembly.Memory[]} */
  const made = [];
  WebAssembly.Memory = class extends Memory {
    /** @param {WebAssembly.MemoryDescriptor} descriptor */
    constructor(descriptor) {
      super(descriptor);
      made.push(this);
    }
  };
  try {
    const lg = await createLeasegate();
    return { lg, bytes: () => made[0].buffer.byteLength };
  } finally {
    WebAssembly.Memory = Memory;
  }
}
