#!/usr/bin/env node
// npx leasegate: a look into journals.

import { run } from './main.js';
import { WRONG_USE } from './problems.js';

// Whoever reads our output may have seen enough.
process.stdout.on('error', (error) => {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`leasegate: the output cannot be written: ${code ?? error.message}\n`);
  process.exit(WRONG_USE);
});
process.stderr.on('error', () => {}); // there is nobody left to tell
process.exitCode = await run(process.argv.slice(2));
