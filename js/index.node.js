// Node: the module lies beside the package's files.

import { readFile } from 'node:fs/promises';
import { leasegateFrom } from './create-leasegate.js';
import { compileFromWeb } from './load-web.js';

/** @param {URL} url */
async function compileAt(url) {
  if (url.protocol !== 'file:') return compileFromWeb(url);
  return WebAssembly.compile(await readFile(url));
}

export const createLeasegate = leasegateFrom({
  // Asked for late: a bundle that is CommonJS has no address of its own, and says where the module is.
  own: async () => compileAt(new URL('../dist/leasegate.wasm', import.meta.url)),
  at: compileAt,
});
export * from './constants.js';
export { taskAgeSecs } from './coordination/task-age.js';
export { LeasegateError } from './errors.js';
