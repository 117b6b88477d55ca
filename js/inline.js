// The module carried inside, for where a second file is a burden.

import text from '../dist/inline/wasm-base64.js';
import { leasegateFrom } from './create-leasegate.js';
import { compileFromWeb } from './load-web.js';

export const createLeasegate = leasegateFrom({
  own: () => WebAssembly.compile(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))),
  at: compileFromWeb,
});
export * from './constants.js';
export { taskAgeSecs } from './coordination/task-age.js';
export { LeasegateError } from './errors.js';
