// Takes the lock of a directory again and again, and dies with it now and then. While it has the lock it writes its name
// beside it: another's name there, some moments later, says that two had it.
//
//   node lock-child.mjs DIRECTORY MARK MILLISECONDS

import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockDirectory } from '../../../../js/storage/file/lock.js';

const [directory, mark, ms] = process.argv.slice(2);
const end = Date.now() + Number(ms);
const name = String(process.pid);
let taken = 0;

while (Date.now() < end) {
  const release = await lockDirectory(directory).catch((error) => {
    if (error.code !== 'storage_locked') throw error;
  });
  if (release === undefined) continue;
  taken += 1;
  writeFileSync(mark, name);
  await sleep(Math.random() * 4);
  if (readFileSync(mark, 'utf8') !== name) throw new Error('Two have the lock');
  if (Math.random() < 0.1) process.kill(process.pid, 'SIGKILL');
  await release();
}
console.log(taken);
