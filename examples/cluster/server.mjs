// A NATS server of the example's own: on loopback, on a free port, with its files in a temporary folder.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Debian puts it where only root has it on PATH. */
const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/bin'];

export async function startServer() {
  const program =
    process.env.NATS_SERVER ??
    folders.map((folder) => path.join(folder, 'nats-server')).find((file) => existsSync(file));
  if (program === undefined)
    throw Object.assign(new Error('there is no nats-server here: install one, or name one with --server'), {
      code: 'USAGE',
    });
  const folder = await mkdtemp(path.join(tmpdir(), 'leasegate-cluster-'));
  // The server writes down the port that it was given.
  const args = [
    '-a',
    '127.0.0.1',
    '-p',
    '-1',
    '-js',
    '-sd',
    path.join(folder, 'store'),
    '--ports_file_dir',
    folder,
  ];
  const server = spawn(program, args, { stdio: 'ignore' });
  process.once('exit', () => server.kill('SIGKILL'));
  const ports = path.join(folder, `nats-server_${server.pid}.ports`);
  const url = await readUrl(ports).catch(async (error) => {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** @param {string} file @returns {Promise<string>} */
async function readUrl(file) {
  for (let tries = 0; tries < 300; tries += 1) {
    try {
      return JSON.parse(await readFile(file, 'utf8')).nats[0];
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error('nats-server does not start');
}
