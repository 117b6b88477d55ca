#!/usr/bin/env node
// Checksums of every file in a folder, by three host processes that share one coordinator over NATS JetStream.
//
// One of the hosts is killed in the middle, on purpose: what it held goes to the others, and the digests are those of
// `sha256sum` all the same.
//
//   node examples/cluster.mjs --help

import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { digestList } from './checksum-tree/digest-list.mjs';
import { walkTree } from './checksum-tree/walk-tree.mjs';
import { Clerk } from './cluster/clerk.mjs';
import { startServer } from './cluster/server.mjs';

const usage = `Usage: cluster.mjs [options] [folder]

Hashes every file in the folder (default: this repository) with SHA-256, on host processes that share a coordinator.

  -l, --list         print the digests, as sha256sum does, and everything else to stderr
  -n, --hosts N      host processes, 1 to 16 (default: 3)
      --no-loss      kill no host on purpose
      --server URL   a NATS server with JetStream (default: one is started on loopback, and stopped at the end)
  -h, --help         print this

Exit code: 0 all files hashed, 1 some could not be read, 2 wrong usage.
`;
/** A pool keeps every task; some are given out twice. */
const MAX_FILES = 60_000;
const hostProgram = fileURLToPath(new URL('./cluster/host.mjs', import.meta.url));
const repository = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (!['ENOENT', 'ENOTDIR', 'USAGE'].includes(code ?? '') && !code?.startsWith('ERR_PARSE_ARGS'))
    throw error;
  process.stderr.write(`cluster: ${message}\n`);
  process.exitCode = 2;
}

/** @param {string[]} args */
function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      list: { type: 'boolean', short: 'l', default: false },
      hosts: { type: 'string', short: 'n', default: '3' },
      'no-loss': { type: 'boolean', default: false },
      server: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const hosts = Number(values.hosts);
  if (!Number.isInteger(hosts) || hosts < 1 || hosts > 16 || positionals.length > 1)
    throw Object.assign(new Error('1 to 16 hosts and one folder, please; see --help'), { code: 'USAGE' });
  return {
    folder: path.resolve(positionals[0] ?? repository),
    hosts,
    lose: !values['no-loss'] && hosts > 1,
    list: values.list,
    server: values.server ?? null,
    help: values.help,
  };
}

/** @param {string[]} argv @returns {Promise<number>} the exit code */
async function main(argv) {
  const options = readOptions(argv);
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  if (!(await stat(options.folder)).isDirectory())
    throw Object.assign(new Error(`${options.folder} is no folder`), { code: 'ENOTDIR' });
  const say = (/** @type {string} */ line) =>
    (options.list ? process.stderr : process.stdout).write(`${line}\n`);
  const startedAt = performance.now();
  const tree = await walkTree(options.folder, { everything: false });
  if (tree.files.length > MAX_FILES)
    throw Object.assign(new Error(`more than ${MAX_FILES} files are too many for one pool`), {
      code: 'USAGE',
    });
  const server = options.server === null ? await startServer() : null;
  const url = options.server ?? server?.url ?? '';
  const name = `checksums-${process.pid}-${Date.now()}`;
  const clerk = new Clerk({ url, name, files: tree.files });
  /** @type {import('node:child_process').ChildProcess[]} */
  let hosts = [];
  try {
    await clerk.join();
    say(`${tree.files.length} files in ${options.folder}, ${options.hosts} hosts`);
    hosts = Array.from({ length: options.hosts }, (_, i) => {
      const order = JSON.stringify({ url, name, folder: options.folder, host: `host-${i + 1}` });
      return fork(hostProgram, [order], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    });
    if (options.lose)
      clerk.onceInHand((/** @type {number} */ holding) => {
        hosts[0].kill('SIGKILL');
        say(`host-1 is killed while it holds ${holding} files`);
      });
    const hashed = await clerk.run(say);
    const list = digestList(tree.files, hashed.digests);
    if (options.list) process.stdout.write(list);
    const done = hashed.digests.filter((digest) => digest !== null).length;
    const problems = tree.files.length - done + tree.problems.length;
    say(problems === 0 ? 'All files hashed.' : `${problems} paths could not be read.`);
    say(`  files      ${done}`);
    say(
      `  by host    ${Object.entries(hashed.byHost)
        .sort()
        .map(([host, count]) => `${host} ${count}`)
        .join(', ')}`,
    );
    say(`  retries    ${hashed.retries}`);
    say(
      `  revisions  ${hashed.revision}; a host that came late is ${hashed.same ? 'in the same state' : 'in ANOTHER state'}`,
    );
    say(`  time       ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    say(`  list       sha256 ${createHash('sha256').update(list).digest('hex')}`);
    return problems === 0 ? 0 : 1;
  } finally {
    for (const host of hosts) host.kill('SIGKILL');
    await clerk.leave();
    await server?.stop();
  }
}
