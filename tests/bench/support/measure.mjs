// Runs the subjects of a suite in turns, a round each, so that whatever else the machine does falls on all of them.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { summary } from './statistics.mjs';

const child = fileURLToPath(new URL('child.mjs', import.meta.url));

/** @param {string} suite @param {string} name */
async function start(suite, name) {
  const worker = fork(child, [suite, name]);
  await next(worker);
  return { name, worker };
}

/** What the child says next; its death is an error. @param {import('node:child_process').ChildProcess} worker */
async function next(worker) {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    const dead = once(worker, 'exit', { signal }).then(([code]) => {
      throw new Error(`a benchmark ended with exit code ${code}`);
    });
    const [message] = await Promise.race([once(worker, 'message', { signal }), dead]);
    return message;
  } finally {
    stop.abort();
  }
}

/** A round of a subject. @param {import('node:child_process').ChildProcess} worker */
function take(worker) {
  worker.send('round');
  return next(worker);
}

/**
 * One process a subject, and a round of each in turn. @param {Map<string, { cpu: number[], wall: number[] }>} times
 * @param {string} suite @param {number} rounds @param {number} warmUp
 */
async function session(times, suite, rounds, warmUp) {
  const running = [];
  try {
    for (const name of times.keys()) running.push(await start(suite, name));
    for (let round = -warmUp; round < rounds; round += 1) {
      for (const { name, worker } of running) {
        // Who has waited for its turn finds its memory cold: that round is not counted.
        await take(worker);
        const { cpuNs, wallNs } = await take(worker);
        if (round < 0) continue;
        times.get(name)?.cpu.push(cpuNs);
        times.get(name)?.wall.push(wallNs);
      }
    }
  } finally {
    for (const { worker } of running) worker.kill();
  }
}

/**
 * The rounds are spread over several processes: how V8 has compiled the same code, and where its heap lies, differs from
 * one to the next by more than the rounds of one do.
 * @param {string} suite URL of a module that exports `subjects`: a function a name, which makes what is measured
 * @param {readonly string[]} names
 * @param {{ rounds: number, warmUp: number, processes: number }} options `rounds` in each of `processes`
 */
export async function measure(suite, names, { rounds, warmUp, processes }) {
  const times = new Map(names.map((name) => [name, { cpu: [], wall: [] }]));
  for (let i = 0; i < processes; i += 1) await session(times, suite, rounds, warmUp);
  return Object.fromEntries(
    Array.from(times, ([name, { cpu, wall }]) => [name, { cpu: summary(cpu), wall: summary(wall) }]),
  );
}
