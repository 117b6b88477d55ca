// The page of the tests of leasegate/storage/indexeddb: bundled, and told what to do by name.

import { createLeasegate } from 'leasegate/inline';
import { indexedDbStorage } from 'leasegate/storage/indexeddb';
import { conformance } from '../../node/storage/support/conformance.js';
import { LIMITS, live, Twin } from '../../node/storage/support/life.js';

const lg = await createLeasegate();
let places = 0;

const answers = {
  cases: () => conformance.map(({ name }) => name),

  /** One case; what went wrong, or null. */
  async conforms({ index, durability }) {
    places += 1;
    const name = `case-${durability}-${index}-${places}-${Date.now()}`;
    const storage = (options) => indexedDbStorage({ name, durability, ...options });
    try {
      await conformance[index].run({ lg, storage });
      return null;
    } catch (error) {
      return String(error.stack ?? error);
    }
  },

  /** Opens a pool and keeps it; or the code of why not. */
  async open({ name }) {
    try {
      globalThis.pool = await lg.openDurablePool({
        storage: indexedDbStorage({ name }),
        limits: LIMITS,
        snapshotEveryBytes: 4000,
      });
      return { revision: Number(globalThis.pool.revision) };
    } catch (error) {
      return { code: error.code, systemCode: error.systemCode };
    }
  },

  close: () => globalThis.pool.close(),

  /** Gives commands for ever, and says each acknowledged revision. */
  live({ seed }) {
    const caller = async () => {
      for (;;) {
        const { revision } = await live(globalThis.pool, seed);
        globalThis.acknowledged = Number(revision);
        globalThis.told?.(Number(revision));
      }
    };
    for (let callers = 0; callers < 8; callers += 1) caller().catch(() => {});
  },

  /** Whether the pool is what its twin is at the same revision. */
  equalsTwin({ seed }) {
    const { pool } = globalThis;
    return new Twin(lg, seed).digestAt(pool.revision) === pool.stateDigest();
  },

  /** Somebody takes the lock away, as no page should: the pool ends. */
  async stolen({ name }) {
    await answers.open({ name });
    const { pool } = globalThis;
    await navigator.locks.request(`leasegate-storage ${name}`, { steal: true }, () => {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    const refused = await live(pool, 1).catch((error) => error.code);
    await pool.close();
    return [pool.failure?.code, refused];
  },
};

globalThis.ask = async (question, options) => JSON.stringify((await answers[question](options)) ?? null);
globalThis.ready = true;
