// Node: the module lies beside the package's files.

import { readFile } from 'node:fs/promises';
import { leasegateFrom } from './create-leasegate.js';
import { compileFromWeb } from './load-web.js';

const own = new URL('../dist/leasegate.wasm', import.meta.url);

/** @param {URL} url */
async function compileAt(url) {
  if (url.protocol !== 'file:') return compileFromWeb(url);
  return WebAssembly.compile(await readFile(url));
}

export const createLeasegate = leasegateFrom({ own: () => compileAt(own), at: compileAt });
export * from './constants.js';
export { taskAgeSecs } from './coordination/task-age.js';
export { LeasegateError } from './errors.js';
