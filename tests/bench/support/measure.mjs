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
  return { name, worker, cpu: /** @type {number[]} */ ([]), wall: /** @type {number[]} */ ([]) };
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

/**
 * @param {string} suite URL of a module that exports `subjects`: a function a name, which makes what is measured
 * @param {readonly string[]} names
 * @param {{ rounds: number, warmUp: number }} options
 */
export async function measure(suite, names, { rounds, warmUp }) {
  const running = [];
  try {
    for (const name of names) running.push(await start(suite, name));
    for (let round = -warmUp; round < rounds; round += 1) {
      for (const { worker, cpu, wall } of running) {
        worker.send('round');
        const { cpuNs, wallNs } = await next(worker);
        if (round < 0) continue;
        cpu.push(cpuNs);
        wall.push(wallNs);
      }
    }
  } finally {
    for (const { worker } of running) worker.kill();
  }
  return Object.fromEntries(
    running.map(({ name, cpu, wall }) => [name, { cpu: summary(cpu), wall: summary(wall) }]),
  );
}
