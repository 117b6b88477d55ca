#!/usr/bin/env node
// The client by itself, for a server that is there.  node examples/live-session/client.mjs --help

import { createLeasegate } from 'leasegate';
import { tellTo } from './news.mjs';
import { UsageError } from './options.mjs';
import { runProgram } from './program.mjs';
import { Reporter } from './reporter.mjs';
import { runClient } from './run-client.mjs';
import { printSummary } from './summary.mjs';

await runProgram('live-session client', async (options, signal) => {
  const { endpoint, json } = options;
  if (endpoint === null) throw new UsageError('--endpoint is missing; the server says where it is');
  const reporter = new Reporter(process.stdout, { quiet: json });
  const host = { endpoint, signal, ...tellTo(reporter, options) };
  const outcome = await runClient(await createLeasegate(), options, host);
  if (json) process.stdout.write(`${JSON.stringify(outcome)}\n`);
  else printSummary(reporter, outcome, null, outcome.problems);
  return outcome.problems.length === 0;
});
