// The same cycle as records of a journal, applied in one go: what a replay costs, and a host that sends batches.

import { createLeasegate } from 'leasegate';
import { COMMANDS_A_CYCLE, Host, LIMITS } from './cycle.mjs';

const CYCLES = 12_000;
const LOAD = { workers: 8 };

async function recorded() {
  const lg = await createLeasegate();
  const pool = new lg.WorkerPool({ limits: LIMITS, journal: { maxBytes: 64 * 1024 * 1024 } });
  const host = new Host(pool, LOAD);
  const setUp = pool.takeRecords();
  for (let i = 0; i < CYCLES; i += 1) host.cycle();
  return { setUp, cycles: pool.takeRecords() };
}

/** @type {Record<string, () => Promise<any>>} */
export const subjects = {
  async applyBatch() {
    const { setUp, cycles } = await recorded();
    const lg = await createLeasegate();
    /** @type {any} */
    let pool;
    return {
      before() {
        pool = new lg.WorkerPool({ limits: LIMITS });
        pool.applyBatch(setUp);
      },
      run() {
        const { applied } = pool.applyBatch(cycles);
        if (applied !== CYCLES * COMMANDS_A_CYCLE) throw new Error(`only ${applied} commands were applied`);
        return applied;
      },
      after: () => pool.dispose(),
    };
  },
};
