// One owner of a directory, by a socket that listens in it. The system closes the socket when its process ends, however
// it ends; so there is no stale lock, no process id that another process has got since, and no clock.
//
// Two who come at once: each makes a socket of its own, and only then looks for others. Of two, the one who looks later
// sees the other, so at most one goes on. A socket gets its visible name once it listens: one that does not answer will
// never answer, and may be removed by anybody.

import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { lockedError } from '../errors.js';

const VISIBLE = /^lock-[0-9a-f]{16}$/;
/** Of a socket that may not listen yet, or whose owner ended before it was visible. */
const UNFINISHED = /^lock-[0-9a-f]{16}\.new$/;
/** What fits the address of a socket everywhere. */
const MAX_ADDRESS_BYTES = 100;
/** Who meets another one that is looking too gives way, and tries again. */
const TRIES = 5;
const PAUSE_MS = 20;

/**
 * @param {string} directory that is there
 * @returns {Promise<() => Promise<void>>} what lets go
 */
export async function lockDirectory(directory) {
  if (process.platform === 'win32') return listenOnPipe(directory);
  const place = await placeOf(directory);
  try {
    for (let left = TRIES; ; left -= 1) {
      const release = await tryLock(directory, place.address);
      if (release !== null) {
        return async () => {
          await release();
          await place.done();
        };
      }
      if (left === 1) throw lockedError();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + Math.random())));
    }
  } catch (error) {
    await place.done();
    throw error;
  }
}

/**
 * How sockets in the directory are addressed: addresses are short, paths need not be.
 * @param {string} directory
 * @returns {Promise<{ address: (name: string) => string, done: () => Promise<void> }>}
 */
async function placeOf(directory) {
  const longest = Buffer.byteLength(path.join(directory, 'lock-0123456789abcdef.new'));
  if (longest <= MAX_ADDRESS_BYTES || process.platform !== 'linux')
    return { address: (name) => path.join(directory, name), done: async () => {} };
  const handle = await open(directory, 'r');
  return { address: (name) => `/proc/self/fd/${handle.fd}/${name}`, done: () => handle.close() };
}

/** @param {string} directory @param {(name: string) => string} address */
async function tryLock(directory, address) {
  const own = `lock-${randomBytes(8).toString('hex')}`;
  const server = await listen(address(`${own}.new`));
  try {
    const visible = await show(path.join(directory, `${own}.new`), path.join(directory, own));
    const others = (await namesIn(directory, VISIBLE)).filter((name) => name !== own);
    const alive = await Promise.all(others.map((name) => answers(address(name))));
    if (visible && !alive.includes(true)) {
      for (const name of others) await rm(path.join(directory, name), { force: true });
      // Nobody may have taken our name away before we were seen to live.
      if ((await namesIn(directory, VISIBLE)).includes(own)) {
        await clean(directory, address);
        return () => unlock(server, path.join(directory, own));
      }
    }
  } catch (error) {
    await unlock(server, path.join(directory, own));
    throw error;
  }
  await unlock(server, path.join(directory, own));
  return null;
}

/** Names that are like a lock's; a directory is none. @param {string} directory @param {RegExp} pattern */
async function namesIn(directory, pattern) {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.filter((entry) => pattern.test(entry.name) && !entry.isDirectory()).map(({ name }) => name);
}

/** @param {string} from @param {string} to @returns {Promise<boolean>} false: an owner took it for what a crash had left */
async function show(from, to) {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'ENOENT') throw error;
    return false;
  }
}

/** What crashes have left. The owner's to do: nobody else's lock rests on it. @param {string} directory @param {(name: string) => string} address */
async function clean(directory, address) {
  for (const name of await namesIn(directory, UNFINISHED))
    if (!(await answers(address(name)))) await rm(path.join(directory, name), { force: true });
}

/** @param {import('node:net').Server} server @param {string} name */
async function unlock(server, name) {
  await rm(name, { force: true });
  await new Promise((resolve) => server.close(resolve));
}

/** @param {string} address @returns {Promise<import('node:net').Server>} */
function listen(address) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref(); // a lock keeps no process alive
    server.once('error', reject);
    // Exclusive: of a cluster's worker, not of its primary, which may live longer.
    server.listen({ path: address, exclusive: true }, () => {
      server.off('error', reject);
      server.on('error', () => {}); // of a connection that could not be taken: the lock stands all the same
      resolve(server);
    });
  });
}

/** Whether anybody listens. Who cannot be asked is taken to. @param {string} address @returns {Promise<boolean>} */
function answers(address) {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
    });
  });
}

/** Windows: a pipe whose name is that of the directory. The system gives it to one process only. @param {string} directory */
async function listenOnPipe(directory) {
  const name = createHash('sha256')
    .update((await realpath(directory)).toLowerCase())
    .digest('hex');
  try {
    const server = await listen(`\\\\.\\pipe\\leasegate-${name}`);
    return () => new Promise((resolve) => server.close(() => resolve(undefined)));
  } catch (error) {
    if (/** @type {any} */ (error).code === 'EADDRINUSE') throw lockedError(error);
    throw error;
  }
}
