// Edge workers may not compile at run time: the module is imported compiled.

// @ts-expect-error -- only the platform's bundler can resolve a module of this kind
import own from '../dist/leasegate.wasm';
import { leasegateFrom } from './create-leasegate.js';

export const createLeasegate = leasegateFrom({
  own: async () => own,
  at: async () => {
    throw new TypeError('wasm must be a WebAssembly.Module here: this platform compiles nothing at run time');
  },
});
export * from './constants.js';
export { taskAgeSecs } from './coordination/task-age.js';
export { LeasegateError } from './errors.js';
