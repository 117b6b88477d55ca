// What all three programs have in common: signals, wrong usage, exit codes.

import { readOptions, UsageError, usage } from './options.mjs';

/**
 * @param {string} name
 * @param {(options: import('./options.mjs').Options, signal: AbortSignal) => Promise<boolean>} main whether all is well
 */
export async function runProgram(name, main) {
  const interruption = new AbortController();
  /** A second signal of the same kind ends the program the hard way. */
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => interruption.abort(signal));
  }
  // Whoever reads our output may stop reading.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      process.exit(error.code === 'EPIPE' ? 0 : 1),
    );
  }
  try {
    const options = readOptions(process.argv.slice(2));
    if (options.help) process.stdout.write(usage);
    else process.exitCode = (await main(options, interruption.signal)) ? 0 : 1;
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${name}: ${error.message}\n`);
      process.exitCode = 2;
    } else if (interruption.signal.aborted) {
      process.stderr.write(`${name}: stopped by ${interruption.signal.reason}\n`);
      process.exitCode = interruption.signal.reason === 'SIGINT' ? 130 : 143;
    } else {
      throw error;
    }
  }
}
