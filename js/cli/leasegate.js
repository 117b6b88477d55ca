#!/usr/bin/env node
// npx leasegate: a look into journals.

import { run } from './main.js';

// Whoever reads our output may have seen enough.
process.stdout.on('error', (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await run(process.argv.slice(2));
