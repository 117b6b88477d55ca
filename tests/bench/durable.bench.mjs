// node tests/bench/durable.bench.mjs [SECONDS] [--json]
//
// Commands a second of a durable pool, each answered when it is as durable as the storage was asked for: one after the
// other, and with a hundred callers at once. How long opening takes after so many records, and from a snapshot.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLeasegate } from 'leasegate';
import { fileStorage } from 'leasegate/storage/file';
import { sqliteStorage } from 'leasegate/storage/sqlite';

const seconds = Number(process.argv[2] ?? 3) || 3;
const folder = mkdtempSync(path.join(process.env.LEASEGATE_BENCH_FOLDER ?? tmpdir(), 'leasegate-bench-'));
const lg = await createLeasegate();

/** @type {Record<string, (name: string) => any>} */
const storages = {
  'file, fsync append': (name) => fileStorage({ directory: path.join(folder, name) }),
  'file, fsync every second': (name) =>
    fileStorage({ directory: path.join(folder, name), fsync: { everyMs: 1000 } }),
  'file, fsync never': (name) => fileStorage({ directory: path.join(folder, name), fsync: 'never' }),
  'sqlite, full': (name) => sqliteStorage({ file: path.join(folder, `${name}.sqlite`) }),
  'sqlite, normal': (name) =>
    sqliteStorage({ file: path.join(folder, `${name}.sqlite`), synchronous: 'normal' }),
};

/** @param {any} pool */
const heartbeat = (pool) =>
  pool.updateWorker({
    expectedRevision: pool.revision,
    now: 0,
    workerId: 'worker-1',
    generation: 1,
    observation: { cpuBasisPoints: 100 },
  });

/** @param {any} pool @param {number} callers */
async function rate(pool, callers) {
  const end = performance.now() + 1000 * seconds;
  const started = performance.now();
  const from = pool.durableRevision;
  const caller = async () => {
    while (performance.now() < end) await heartbeat(pool);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return Math.round((Number(pool.durableRevision - from) * 1000) / (performance.now() - started));
}

/** @type {Record<string, { sequential: number, hundredAtOnce: number }>} */
const aSecond = {};
for (const [name, make] of Object.entries(storages)) {
  const pool = await lg.openDurablePool({ storage: make(name.replaceAll(/\W+/g, '-')) });
  await pool.registerWorker({ expectedRevision: 0, now: 0, spec: { workerId: 'worker-1', capacity: 1 } });
  await rate(pool, 1); // warm
  aSecond[name] = { sequential: await rate(pool, 1), hundredAtOnce: await rate(pool, 100) };
  await pool.close();
}

/** How long it takes to open what so many commands have left, and again. @param {number} commands */
async function opening(commands) {
  const storage = fileStorage({ directory: path.join(folder, 'opening'), fsync: 'never' });
  let pool = await lg.openDurablePool({ storage, snapshotEveryBytes: 2 ** 30 });
  await pool.registerWorker({ expectedRevision: 0, now: 0, spec: { workerId: 'worker-1', capacity: 1 } });
  for (let left = commands; left > 0; left -= 1000)
    await Promise.all(Array.from({ length: 1000 }, () => heartbeat(pool)));
  await pool.close();
  const times = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const started = performance.now();
    pool = await lg.openDurablePool({ storage });
    times.push(Math.round(performance.now() - started));
    await pool.close();
  }
  return { commands, replayedMs: times[0], fromSnapshotMs: times[1] };
}

const report = { node: process.version, seconds, commandsASecond: aSecond, opening: await opening(200_000) };
rmSync(folder, { recursive: true });
console.log(process.argv.includes('--json') ? JSON.stringify(report) : report);
