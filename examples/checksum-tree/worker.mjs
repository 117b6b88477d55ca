// A worker thread: hashes the files it is sent, several at a time, and says with every answer under which lease.

import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parentPort } from 'node:worker_threads';
import { HEARTBEAT_MS } from './timing.mjs';

const host = parentPort;
if (host === null) throw new Error('This is a worker thread of checksum-tree.mjs.');

// What was a file when the tree was walked may be a link or a pipe by now.
const readOnlyFile = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @typedef {import('./crew.mjs').Job} Job */

host.on('message', async (/** @type {Job} */ { lease, path }) => {
  host.postMessage({ kind: 'started', lease });
  try {
    const hash = createHash('sha256');
    const file = createReadStream(Buffer.from(path), { flags: /** @type {any} */ (readOnlyFile) });
    await pipeline(file, hash);
    host.postMessage({ kind: 'done', lease, digest: new Uint8Array(hash.read()), bytes: file.bytesRead });
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    host.postMessage({ kind: 'failed', lease, code: code ?? '', reason: message.split(',')[0] });
  }
});

const beat = () => host.postMessage({ kind: 'heartbeat' });
beat();
setInterval(beat, HEARTBEAT_MS);
