// Journals of every sort in a folder of their own, and the command line run on them.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { joined, poolStory, receiptOf, resultStory } from '../../journal/support/story.js';

export const PROGRAM = fileURLToPath(new URL('../../../../js/cli/leasegate.js', import.meta.url));

/** @param {bigint} base @param {string} kind */
const chapter = (base, kind) => `${base.toString().padStart(20, '0')}.${kind}`;

/** @param {any} lg */
export function writeFiles(lg) {
  const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-cli-'));
  const write = (/** @type {string} */ name, /** @type {Uint8Array} */ bytes) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), bytes);
  };
  const story = poolStory(lg);
  const part = (/** @type {number} */ from, /** @type {number[]} */ [to] = []) =>
    joined(story.entries.slice(from, to).map(({ bytes }) => bytes));
  const at = (/** @type {number} */ untilRevision) =>
    lg.WorkerPool.replay(story.journal, { untilRevision }).pool;
  const early = joined([story.header, part(0, [20])]);
  const later = joined([at(20).journalHeader(), part(20)]);
  write('day.journal', story.journal);
  write('torn.journal', story.journal.subarray(0, -5));
  write('longer.journal', joined([story.journal, new Uint8Array(5000)]));
  const damaged = story.journal.slice();
  damaged[700] ^= 1;
  write('damaged.journal', damaged);
  write('gap.journal', joined([story.header, part(0, [5]), part(6)]));
  write('header.journal', story.header);
  write('half-header.journal', story.header.subarray(0, 20));
  write('early.journal', early);
  write('later.journal', later);
  write('early-crashed.journal', joined([early, part(20, [21]).subarray(0, 9)]));
  write('early-lost.journal', early.subarray(0, -3));
  write('at-20.snapshot', at(20).exportSnapshot());
  write('results.journal', resultStory(lg).journal);
  write('noise.journal', new Uint8Array(100).fill(7));
  write(`directory/${chapter(0n, 'journal')}`, early);
  write(`directory/${chapter(20n, 'snapshot')}`, at(20).exportSnapshot());
  write(`directory/${chapter(20n, 'journal')}`, later);
  write('directory/other.txt', new Uint8Array(3));
  write(`kept/${chapter(20n, 'snapshot')}`, at(20).exportSnapshot());
  write(`kept/${chapter(20n, 'journal')}`, later);
  // Its snapshot is of the right revision and of another state.
  const other = lg.WorkerPool.replay(early, { untilRevision: 19 }).pool;
  other.pruneDeadWorkers({ expectedRevision: 19, now: 1005 });
  write(`wrong/${chapter(0n, 'journal')}`, early);
  write(`wrong/${chapter(20n, 'snapshot')}`, other.exportSnapshot());
  write(`wrong/${chapter(20n, 'journal')}`, later);
  write('wrong-20.snapshot', other.exportSnapshot());
  write('at-25.snapshot', at(25).exportSnapshot());
  write('later-gap.journal', joined([at(20).journalHeader(), part(20, [22]), part(23)]));
  mkdirSync(path.join(folder, 'empty'));
  write('secret.journal', secrets(lg));
  write('large.journal', largeNumbers(lg));
  return { folder, story, write, remove: () => rmSync(folder, { recursive: true }) };
}

/** A target reference that a terminal would obey. @param {any} lg */
function secrets(lg) {
  const pool = new lg.WorkerPool({ journal: {} });
  const header = pool.journalHeader();
  pool.taskQueue.enqueue({
    expectedRevision: 0,
    now: 0,
    spec: { taskId: 'a', scanId: 's', targetRef: 'secret \u001b[31mred\u202e end' },
  });
  return joined([header, pool.takeRecords()]);
}

/** Integers that no number holds. @param {any} lg */
function largeNumbers(lg) {
  const pool = new lg.WorkerPool({ journal: {} });
  const header = pool.journalHeader();
  pool.registerWorker({ expectedRevision: 0, now: 2n ** 53n - 1n, spec: { workerId: 'w', capacity: 1 } });
  pool.pruneDeadWorkers({ expectedRevision: 1, now: 2n ** 64n - 1n });
  return joined([header, pool.takeRecords()]);
}

/**
 * A journal of results that is longer than memory should be.
 * @param {any} lg @param {number} records of a MiB each
 */
export function longJournal(lg, records) {
  const results = new lg.ResultAggregator({ journal: {} });
  const parts = [results.journalHeader()];
  const bytes = new Uint8Array(1024 * 1024 - 100).fill(1);
  for (let i = 0; i < records; i += 1) {
    results.storeResult({ expectedRevision: results.revision, receipt: receiptOf(`r${i}`), bytes });
    results.removeResults({ expectedRevision: results.revision, taskIds: [`r${i}`] });
    parts.push(results.takeRecords());
  }
  return joined(parts);
}

/**
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, input?: Uint8Array, flags?: string[] }} [options]
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
export function leasegate(args, { cwd, env = {}, input, flags = [] } = {}) {
  const child = spawn(process.execPath, [...flags, PROGRAM, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.stdin.on('error', () => {}); // it may have seen enough
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
