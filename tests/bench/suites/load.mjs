// How long a fresh process takes until the first instance is there: the package's own code read, the module compiled and
// started. Wall time, as a user waits for it. A process a round.

import { spawnSync } from 'node:child_process';
import { summary } from '../support/statistics.mjs';

const PROGRAM = `
const start = performance.now();
const { createLeasegate } = await import('leasegate');
const imported = performance.now();
await createLeasegate();
console.log(JSON.stringify({ imports: imported - start, creates: performance.now() - imported }));
`;

/** @param {{ rounds: number }} options */
export function measureLoad({ rounds }) {
  const times = Array.from({ length: rounds + 2 }, () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      cwd: new URL('../../..', import.meta.url),
      encoding: 'utf8',
    });
    if (!stdout) throw new Error(stderr);
    return JSON.parse(stdout);
  }).slice(2); // the first ones fill the caches of the file system
  const of = (/** @type {(time: any) => number} */ value) => summary(times.map((time) => value(time) * 1e6));
  return {
    'import()': { wall: of((time) => time.imports) },
    'createLeasegate()': { wall: of((time) => time.creates) },
    both: { wall: of((time) => time.imports + time.creates) },
  };
}
