// npm run kill -- [--rounds N] [--storage file|sqlite] [--seed N]
//
// Kills processes that write to a storage, N rounds for each (300 unless told otherwise), and looks at what is left.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { killAndLook } from '../tests/node/storage/support/killing.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '300' },
    storage: { type: 'string', multiple: true, default: ['file', 'sqlite'] },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);

for (const kind of /** @type {('file' | 'sqlite')[]} */ (values.storage)) {
  const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-kill-'));
  let left = rounds;
  const started = Date.now();
  const goesOn = () => {
    left -= 1;
    return left >= 0;
  };
  const found = await killAndLook({ kind, folder, seed, goesOn });
  console.log(JSON.stringify({ kind, seed, ...found, seconds: Math.round((Date.now() - started) / 1000) }));
  rmSync(folder, { recursive: true });
}
