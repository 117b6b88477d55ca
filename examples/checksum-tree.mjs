#!/usr/bin/env node
// Checksums of every file in a folder, computed by worker threads that hold leases.
//
// One of the workers is lost in the middle, on purpose: what it held is recovered and hashed by others, what it says
// afterwards is refused, and the digests are those of `sha256sum` all the same.
//
//   node examples/checksum-tree.mjs --help

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLeasegate } from 'leasegate';
import { checkOptions, readOptions, UsageError, usage } from './checksum-tree/options.mjs';
import { digestList } from './checksum-tree/digest-list.mjs';
import { hashFiles } from './checksum-tree/hash-files.mjs';
import { Reporter } from './checksum-tree/reporter.mjs';
import { printSummary } from './checksum-tree/summary.mjs';
import { walkTree } from './checksum-tree/walk-tree.mjs';

const repository = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const interruption = new AbortController();

/** A second signal of the same kind ends the program the hard way. */
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(name, () => interruption.abort(name));
}

// Whoever reads our output may stop reading.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
    process.exit(error.code === 'EPIPE' ? 0 : 1),
  );
}

try {
  process.exitCode = await main(process.argv.slice(2), interruption.signal);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`checksum-tree: ${error.message}\n`);
  process.exitCode = 2;
}

/**
 * @param {string[]} argv
 * @param {AbortSignal} signal
 * @returns {Promise<number>} the exit code
 */
async function main(argv, signal) {
  const options = readOptions(argv, repository);
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  await checkOptions(options);

  const startedAt = performance.now();
  // With --list the digests are what is printed: all else is said beside them.
  const reporter = new Reporter(options.list ? process.stderr : process.stdout);
  try {
    const tree = await walkTree(options.folder, {
      everything: options.all,
      leaveOut: options.output,
      signal,
      onProgress: (count) => reporter.status(`${reporter.count(count)} files found`),
    });
    reporter.introduce(options, tree);
    const hashed = await hashFiles(await createLeasegate(), options.folder, tree.files, {
      workers: options.workers,
      loseAWorker: options.lose,
      signal,
      onEvent: (event) => reporter.event(event),
      onProgress: (progress) => reporter.progress(progress),
    });
    reporter.clear();

    const list = digestList(tree.files, hashed.digests);
    if (options.list) process.stdout.write(list);
    if (options.output) await writeFile(options.output, list);
    const problems = [...tree.problems, ...hashed.problems];
    printSummary(reporter, {
      options,
      tree,
      hashed,
      problems,
      listDigest: createHash('sha256').update(list).digest('hex'),
      millis: performance.now() - startedAt,
    });
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    reporter.clear();
    if (!signal.aborted) throw error;
    reporter.line(`Stopped by ${signal.reason}. No digests were written.`);
    return signal.reason === 'SIGINT' ? 130 : 143;
  }
}
