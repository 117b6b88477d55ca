#!/usr/bin/env node
// A session that outlives its connections: a server and a client, two processes, and a wire between them that is cut
// at random. Both sides end with every event of the other exactly once and in order.
//
//   node examples/live-session.mjs --help

import { createLeasegate } from 'leasegate';
import { tellTo } from './live-session/news.mjs';
import { runProgram } from './live-session/program.mjs';
import { Reporter } from './live-session/reporter.mjs';
import { runClient } from './live-session/run-client.mjs';
import { ServerProcess } from './live-session/server-process.mjs';
import { compare } from './live-session/compare.mjs';
import { printSummary } from './live-session/summary.mjs';

await runProgram('live-session', async (options, signal) => {
  const reporter = new Reporter(process.stdout, { quiet: options.json });
  let isWell = true;
  for (const transport of options.transports) {
    reporter.line(
      `${reporter.styled('bold', transport)}: ${reporter.many(options.events, 'event')} in each direction, ` +
        `the wire is cut ${reporter.many(options.drops, 'time')}, seed ${options.seed}.`,
    );
    const { client, server } = await liveThrough(transport, options, reporter, signal);
    const problems = compare(options, client, server);
    if (problems.length > 0) isWell = false;
    if (options.json) {
      const line = { transport, seed: options.seed, ok: problems.length === 0, problems, client, server };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    printSummary(reporter, client, server, problems);
    reporter.line();
  }
  return isWell;
});

/**
 * One session: the server in a process of its own, the client in this one.
 * @param {'websocket' | 'sse'} transport @param {import('./live-session/options.mjs').Options} options
 * @param {Reporter} reporter @param {AbortSignal} signal
 */
async function liveThrough(transport, options, reporter, signal) {
  const { onNews, onProgress } = tellTo(reporter, options);
  const leasegate = await createLeasegate();
  const process = new ServerProcess(transport, options, (news) => {
    if (news.kind === 'cut') onNews(news); // Of all else the client tells its side.
  });
  try {
    const endpoint = await process.endpoint;
    // Without its server the client has nothing to wait for.
    const stop = new AbortController();
    signal.addEventListener('abort', () => stop.abort(signal.reason));
    process.ended().then(() => stop.abort(new Error('The server has ended early.')));
    signal.throwIfAborted();
    const host = { endpoint, signal: stop.signal, onNews, onProgress };
    const client = await runClient(leasegate, options, host);
    return { client, server: await process.finish() };
  } finally {
    reporter.clear();
    await process.finish();
  }
}
