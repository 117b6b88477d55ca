#!/usr/bin/env node
// Hundreds of rounds on real servers:
//
//   npm run cluster -- [--rounds N] [--seed S] [--faults together,kill,stop,server,cut,silence,leader] [--simulated N]
//                      [--config FILE]    of the single server, nats-server's own
//
// NATS_SERVER=PATH npm run cluster tries another nats-server, as it does for every test.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Rounds } from './support/rounds.js';
import { startServer, startServers } from './support/server.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: 'together,kill,stop,server,cut,silence,leader' },
    simulated: { type: 'string', default: '5000' },
    config: { type: 'string' },
  },
});
const seed = Number(values.seed);
const count = Number(values.rounds);
const faults = /** @type {import('./support/rounds.js').Fault[]} */ (values.faults.split(','));
const alone = faults.filter((fault) => fault !== 'leader');

/** @param {Rounds} rounds @param {number[]} seeds @param {import('./support/rounds.js').Fault[]} of */
async function play(rounds, seeds, of) {
  for (const [i, each] of seeds.entries()) {
    const fault = of[i % of.length];
    const begun = performance.now();
    await rounds.play({ seed: each, fault });
    console.log(`round ${rounds.count}, seed ${each}, ${fault}: ${Math.round(performance.now() - begun)} ms`);
  }
  console.log(`${rounds.count} rounds: ${JSON.stringify(rounds.sum)}`);
  await rounds.stop();
}

if (values.simulated !== '0') {
  const file = fileURLToPath(new URL('./replica.test.js', import.meta.url));
  const env = { ...process.env, LEASEGATE_CLUSTER_SIMS: values.simulated };
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', file], {
    stdio: 'inherit',
    env,
  });
  if (status !== 0) process.exit(1);
}

// A round with three servers takes as long as five others.
const leaders = faults.includes('leader') ? Math.ceil(count / (alone.length === 0 ? 1 : 10)) : 0;
const seeds = Array.from({ length: count }, (_, i) => seed + i);
if (alone.length > 0) {
  const server = await startServer({ args: values.config ? ['-c', values.config] : [] });
  try {
    await play(new Rounds({ server }), seeds.slice(leaders), alone);
  } finally {
    await server.stop();
  }
}
if (leaders > 0) {
  const servers = await startServers();
  try {
    await play(new Rounds({ servers }), seeds.slice(0, leaders), ['leader']);
  } finally {
    await servers.stop();
  }
}
