// nats-servers for tests: on loopback, with JetStream on files of their own, gone when the test is.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@nats-io/transport-node';

/** Debian puts it where only root has it on PATH. */
export const program =
  process.env.NATS_SERVER ??
  [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/bin']
    .map((folder) => path.join(folder, 'nats-server'))
    .find((file) => existsSync(file));

/** @type {Set<NatsServer>} */
const running = new Set();
const stopAll = () => {
  for (const server of running) server.process?.kill('SIGKILL');
};
process.once('exit', stopAll);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => process.exit(1));

/** A port that nobody has just now. */
export async function freePort() {
  const socket = createServer();
  await new Promise((resolve) => socket.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (socket.address());
  await new Promise((resolve) => socket.close(() => resolve(null)));
  return port;
}

class NatsServer {
  /** @param {{ port: number, folder: string, args?: string[] }} options */
  constructor({ port, folder, args = [] }) {
    this.port = port;
    this.folder = folder;
    this.args = args;
    /** @type {import('node:child_process').ChildProcess | null} */
    this.process = null;
  }

  get url() {
    return `127.0.0.1:${this.port}`;
  }

  async start() {
    if (program === undefined)
      throw new Error('These tests need nats-server: scripts/setup.sh test says how');
    const args = ['-a', '127.0.0.1', '-p', String(this.port), '-js', '-sd', this.folder, ...this.args];
    this.process = spawn(program, args, { stdio: 'ignore' });
    running.add(this);
    await this.ready();
    return this;
  }

  /** Takes connections. */
  async ready() {
    for (let tries = 0; tries < 200 && this.process?.exitCode === null; tries += 1) {
      try {
        const connection = await connect({ servers: this.url, reconnect: false, timeout: 2_000 });
        await connection.close();
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    throw new Error('nats-server does not start');
  }

  /** @param {NodeJS.Signals} [signal] */
  async kill(signal = 'SIGKILL') {
    const child = this.process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
    running.delete(this);
  }
}

/** One server. `stop` also removes what it stored. @param {{ args?: string[] }} [options] */
export async function startServer({ args = [] } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-nats-'));
  const server = new NatsServer({ port: await freePort(), folder, args });
  await server.start().catch(async () => {
    // Another test may have been given the same port at the same moment.
    await server.kill();
    server.port = await freePort();
    await server.start();
  });
  return Object.assign(server, {
    async stop() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  });
}

/** Three servers that keep three copies of everything. */
export async function startServers() {
  const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-nats-'));
  const ports = [];
  for (let i = 0; i < 6; i += 1) ports.push(await freePort());
  const routes = ports
    .slice(3)
    .map((port) => `nats://127.0.0.1:${port}`)
    .join(',');
  const servers = [0, 1, 2].map(
    (i) =>
      new NatsServer({
        port: ports[i],
        folder: path.join(folder, String(i)),
        args: [
          '-n',
          `n${i}`,
          '--cluster_name',
          'c',
          '--cluster',
          `nats://127.0.0.1:${ports[3 + i]}`,
          '--routes',
          routes,
        ],
      }),
  );
  await Promise.all(servers.map((server) => server.start()));
  return {
    servers,
    urls: servers.map(({ url }) => url),
    async stop() {
      await Promise.all(servers.map((server) => server.kill()));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
