// Browsers and bundlers: the module is fetched from where the bundler has put it.

import { leasegateFrom } from './create-leasegate.js';
import { compileFromWeb } from './load-web.js';

export const createLeasegate = leasegateFrom({
  // Bundlers know this form, and it must stay in one piece for them.
  own: () => compileFromWeb(new URL('../dist/leasegate.wasm', import.meta.url)),
  at: compileFromWeb,
});
export * from './constants.js';
export { taskAgeSecs } from './coordination/task-age.js';
export { LeasegateError } from './errors.js';
