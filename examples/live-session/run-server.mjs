// The server's life: one session over a bad wire, until the client has confirmed the whole of it.

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { BadWire } from './bad-wire.mjs';
import { listen } from './listen.mjs';
import { seededRandom } from './random.mjs';
import { Session } from './session.mjs';

/** A client that did not get our last word comes back for it. */
const LINGER_MS = 1_000;

/**
 * @typedef {{ kind: 'listening', endpoint: string }} Listening
 * @typedef {{ kind: 'cut', number: number }} Cut
 * @typedef {Listening | Cut | import('./session.mjs').Connected} ServerNews
 */

/**
 * @param {import('leasegate').Leasegate} leasegate
 * @param {'websocket' | 'sse'} transport
 * @param {import('./options.mjs').Options} options
 * @param {object} host
 * @param {AbortSignal} host.signal stops it
 * @param {AbortSignal} [host.leave] nobody will come (back)
 * @param {(news: ServerNews) => void} host.onNews
 */
export async function runServer(leasegate, transport, options, { signal, leave, onNews }) {
  const session = new Session(leasegate, options);
  const server = await listen(transport, session.handlers);
  const random = seededRandom(options.seed);
  const wire = new BadWire(server.port, random, () => onNews({ kind: 'cut', number: wire.cuts }));
  const stop = new AbortController();
  const abort = () => stop.abort();
  for (const end of [signal, leave]) {
    end?.addEventListener('abort', abort);
    if (end?.aborted) abort();
  }
  try {
    session.on('connected', onNews);
    const points = cutPoints(options, random);
    session.on('progress', (/** @type {number} */ events) => {
      for (; points.length > 0 && events >= points[0]; points.shift()) wire.cutSoon();
    });
    onNews({ kind: 'listening', endpoint: `${server.scheme}://127.0.0.1:${await wire.listen()}/` });

    await untilOver(session, stop.signal);
    signal.throwIfAborted();
    if (!session.isWhole) throw new Error('Nobody is there any more, and the session is not over.');
    return { ...session.outcome, cuts: wire.cuts, midway: wire.midway };
  } finally {
    for (const end of [signal, leave]) end?.removeEventListener('abort', abort);
    wire.close();
    server.close();
    session.close();
  }
}

/** @param {Session} session @param {AbortSignal} signal ends the waiting */
async function untilOver(session, signal) {
  try {
    const [reason] = await once(session, 'left', { signal });
    if (reason !== 'normal') await delay(LINGER_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** After how many events in both directions the wire is cut: not at the very start, not at the very end. @param {import('./options.mjs').Options} options @param {(below: number) => number} random */
function cutPoints({ events, drops }, random) {
  const most = 2 * events;
  const points = Array.from({ length: drops }, () => Math.ceil(most * 0.05) + random(most * 0.8));
  return points.sort((a, b) => a - b);
}
