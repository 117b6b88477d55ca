// One life of a process that is killed: opens the storage, says what it found, and gives commands, so many at a time,
// until it is no more. Everything it says is in the pipe before it goes on.
//
//   node kill-child.mjs KIND FOLDER SEED IN-FLIGHT OPTIONS

import { writeSync } from 'node:fs';
import { createLeasegate } from 'leasegate';
import { LIMITS, live } from './life.js';
import { storageIn } from './storage-in.js';

const [kind, folder, seed, inFlight, options] = process.argv.slice(2);
const say = (/** @type {object} */ word) => writeSync(1, `${JSON.stringify(word)}\n`);

const lg = await createLeasegate();
const storage = storageIn(/** @type {'file' | 'sqlite'} */ (kind), folder, JSON.parse(options));
const pool = await lg.openDurablePool({ storage, limits: LIMITS, snapshotEveryBytes: 4096 });
pool.checkInvariants();
const { cutBytes, passedOver } = pool.recovery;
say({ opened: Number(pool.revision), digest: pool.stateDigest(), cutBytes, passedOver: passedOver.length });

async function caller() {
  for (;;) {
    const { revision } = await live(pool, Number(seed));
    say({ acknowledged: Number(revision) });
  }
}
await Promise.all(Array.from({ length: Number(inFlight) }, caller));
