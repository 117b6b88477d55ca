// Kills a process that writes to a storage, again and again, and looks each time at what is left: no command that was
// acknowledged may be missing, and the state is exactly that of its twin, who lives the same life without any storage.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLeasegate } from 'leasegate';
import { Twin } from './life.js';

const CHILD = fileURLToPath(new URL('./kill-child.mjs', import.meta.url));

/** What has been written outlives its process, synced or not: by turns. */
const OPTIONS = {
  file: [{}, { fsync: { everyMs: 20 } }, { fsync: 'never' }, {}],
  sqlite: [{}, { synchronous: 'normal' }],
};

/**
 * @typedef {object} Killing
 * @property {'file' | 'sqlite'} kind
 * @property {string} folder empty at first
 * @property {number} seed
 * @property {() => boolean} goesOn asked before each round
 *
 * @param {Killing} killing
 * @returns {Promise<{ rounds: number, acknowledged: number, revision: number, kept: number, torn: number, early: number }>}
 */
export async function killAndLook({ kind, folder, seed, goesOn }) {
  const twin = new Twin(await createLeasegate(), seed);
  // `kept`: commands that were found although nobody had been told; `early`: kills while the storage was being opened
  const found = { rounds: 0, acknowledged: 0, revision: 0, kept: 0, torn: 0, early: 0 };
  let acknowledged = 0;
  let inFlight = 0;
  let startMs = 200;
  while (goesOn()) {
    found.rounds += 1;
    const lastInFlight = inFlight;
    inFlight = 1 + ((found.rounds * 7) % 32);
    const options = OPTIONS[kind][found.rounds % OPTIONS[kind].length];
    const args = [kind, folder, String(seed), String(inFlight), JSON.stringify(options)];
    const words = await lifeOf(args, startMs);
    const opened = words.find((word) => word.opened !== undefined);
    if (opened === undefined) {
      found.early += 1;
      inFlight = lastInFlight; // whatever the killed one had begun is still to be looked at
      startMs *= 1.1;
      continue;
    }
    startMs *= 0.97;
    const what = `round ${found.rounds}, seed ${seed}`;
    assert.ok(
      opened.opened >= acknowledged,
      `${what}: ${acknowledged} was acknowledged, ${opened.opened} is there`,
    );
    assert.ok(opened.opened <= acknowledged + lastInFlight, `${what}: more is there than was given`);
    assert.equal(
      opened.digest,
      twin.digestAt(BigInt(opened.opened)),
      `${what}: the state at ${opened.opened}`,
    );
    assert.equal(opened.passedOver, 0, what);
    found.kept += opened.opened - acknowledged;
    found.torn += opened.cutBytes > 0 ? 1 : 0;
    acknowledged = opened.opened;
    for (const { acknowledged: revision } of words) {
      if (revision === undefined) continue;
      assert.equal(revision, acknowledged + 1, `${what}: acknowledged out of order`);
      acknowledged = revision;
      found.acknowledged += 1;
    }
  }
  found.revision = acknowledged;
  return found;
}

/**
 * What a child says until it is killed: most of the time some milliseconds after its first word, since before it there
 * is nothing to lose; else while it starts and opens the storage.
 * @param {string[]} args @param {number} startMs how long a start takes, about
 * @returns {Promise<any[]>}
 */
async function lifeOf(args, startMs) {
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let complaint = '';
  const ended = once(child, 'close');
  const speaks = once(child.stdout, 'data');
  child.stdout.on('data', (part) => {
    said += part;
  });
  child.stderr.on('data', (part) => {
    complaint += part;
  });
  const early = Math.random() < 0.25;
  await Promise.race([early ? sleep(startMs * (0.7 + Math.random())) : speaks, ended]);
  if (!early) await Promise.race([sleep(150 * Math.random()), ended]);
  child.kill('SIGKILL');
  const [code] = await ended;
  assert.equal(code, null, `The child ended by itself: ${complaint}`);
  const lines = said.split('\n');
  lines.pop(); // whole lines only
  return lines.map((line) => JSON.parse(line));
}
