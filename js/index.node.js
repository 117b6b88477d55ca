// Node: the module lies beside the package's files.

import { readFile } from 'node:fs/promises';
import { leasegateFrom } from './create-leasegate.js';
import { compileFromWeb, LEFT_OUT } from './load-web.js';

/** @param {URL} url */
async function compileAt(url) {
  if (url.protocol !== 'file:') return compileFromWeb(url);
  return WebAssembly.compile(await readFile(url));
}

async function compileOwn() {
  // Asked for late: a bundle that is CommonJS has no address of its own, and says where the module is.
  const own = new URL('../dist/leasegate.wasm', import.meta.url);
  try {
    return await compileAt(own);
  } catch (/** @type {any} */ cause) {
    if (cause.code !== 'ENOENT') throw cause;
    throw new Error(`The Wasm module is not beside the package. ${LEFT_OUT}`, { cause });
  }
}

export const createLeasegate = leasegateFrom({ own: compileOwn, at: compileAt });
export * from './constants.js';
export { taskAgeSecs } from './coordination/task-age.js';
export { LeasegateError } from './errors.js';
