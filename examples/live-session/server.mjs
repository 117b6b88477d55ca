#!/usr/bin/env node
// The server by itself: one session, for one client.  node examples/live-session/server.mjs --help

import { createLeasegate } from 'leasegate';
import { tellTo } from './news.mjs';
import { UsageError } from './options.mjs';
import { runProgram } from './program.mjs';
import { Reporter } from './reporter.mjs';
import { runServer } from './run-server.mjs';
import { printSummary } from './summary.mjs';

await runProgram('live-session server', async (options, signal) => {
  const [transport, second] = options.transports;
  if (second !== undefined) throw new UsageError('--transport must be websocket or sse');
  const reporter = new Reporter(process.stdout, { quiet: options.json });
  const leasegate = await createLeasegate();
  if (!options.json) {
    const outcome = await runServer(leasegate, transport, options, { signal, ...tellTo(reporter, options) });
    printSummary(reporter, null, outcome, outcome.problems);
    return outcome.problems.length === 0;
  }

  // For another program: a line of JSON for everything. Once it closes our input, it has no client for us any more.
  const leave = new AbortController();
  process.stdin.on('close', () => leave.abort()).resume();
  const write = (/** @type {object} */ news) => process.stdout.write(`${JSON.stringify(news)}\n`);
  try {
    const outcome = await runServer(leasegate, transport, options, {
      signal,
      leave: leave.signal,
      onNews: write,
    });
    write({ kind: 'outcome', outcome });
    return outcome.problems.length === 0;
  } catch (error) {
    if (leave.signal.aborted || signal.aborted) return false; // Whoever started us knows why.
    throw error;
  } finally {
    process.stdin.destroy();
  }
});
