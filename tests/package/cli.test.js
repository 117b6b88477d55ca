// The command line, as it is there after an installation.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { Consumer } from './support/consumer.js';

const consumer = await Consumer.install();
after(() => consumer.remove());

/** @param {...string} args */
const leasegate = (...args) =>
  promisify(execFile)('npx', ['--no-install', 'leasegate', ...args], {
    cwd: consumer.folder,
    env: { ...process.env, npm_config_cache: `${consumer.folder}/../cache`, npm_config_offline: 'true' },
  });

test('npx leasegate --help names every command', async () => {
  const { stdout, stderr } = await leasegate('--help');
  assert.equal(stderr, '');
  for (const command of ['inspect', 'replay', 'diff', 'explain', 'verify'])
    assert.match(stdout, new RegExp(`^ {2}${command} `, 'm'));
});

test('a journal that a program has written is verified, and its tasks are explained', async () => {
  const program = `
    import { createLeasegate } from 'leasegate';
    import { appendFileSync, writeFileSync } from 'node:fs';
    const lg = await createLeasegate();
    const pool = new lg.WorkerPool({ journal: ({ bytes }) => appendFileSync('day.journal', bytes) });
    writeFileSync('day.journal', pool.journalHeader());
    pool.taskQueue.enqueue({ expectedRevision: 0, now: 5, spec: { taskId: 'a', scanId: 's', targetRef: 'r' } });
    pool.expireOldTasks({ expectedRevision: 1, now: 9, taskTtlSecs: 4 });
    console.log(pool.stateDigest());`;
  const digest = (await consumer.runNode('write.mjs', program)).trim();
  const { stdout } = await leasegate('verify', 'day.journal', '--digest', digest, '--json');
  assert.deepEqual([JSON.parse(stdout).state, JSON.parse(stdout).records], ['sound', 2]);
  const { events } = JSON.parse((await leasegate('explain', 'a', 'day.journal', '--json')).stdout);
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['enqueued', 'expired'],
  );
  await assert.rejects(leasegate('verify', 'write.mjs'), { code: 2 });
});
