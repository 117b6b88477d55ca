// Opens a storage, says whether it could, and keeps it until its input ends. With a number of commands: gives so many
// first, each of about a hundred bytes, until one is refused, and says how far it came and why it ended.
//
//   node open-child.mjs KIND FOLDER [COMMANDS]

import { writeSync } from 'node:fs';
import { createLeasegate } from 'leasegate';
import { storageIn } from './storage-in.js';

const [kind, folder, commands = '0'] = process.argv.slice(2);
const say = (/** @type {object} */ word) => writeSync(1, `${JSON.stringify(word)}\n`);
const { openDurablePool } = await createLeasegate();
const limits = {
  maxTaskRecords: 65_536,
  maxActiveTasks: 16_384,
  maxQueuedTasks: 16_384,
  maxTerminalTasks: 16_384,
};
try {
  const pool = await openDurablePool({
    storage: storageIn(/** @type {'file' | 'sqlite'} */ (kind), folder),
    limits,
  });
  let acknowledged = pool.revision;
  try {
    for (let left = Number(commands); left > 0; left -= 1) {
      const spec = { taskId: `task-${pool.revision}`, scanId: 'scan', targetRef: 'x'.repeat(100) };
      acknowledged = (await pool.taskQueue.enqueue({ expectedRevision: pool.revision, now: 0, spec }))
        .revision;
    }
    say({ open: Number(acknowledged) });
  } catch (error) {
    const again = await pool.try
      .pruneDeadWorkers({ expectedRevision: pool.revision, now: 0 })
      .catch((/** @type {any} */ e) => e);
    await pool.close();
    say({ failed: error, acknowledged: Number(acknowledged), same: again === error });
    process.exit();
  }
  process.stdin.on('end', () => pool.close()).resume();
} catch (error) {
  say({ refused: error });
}
