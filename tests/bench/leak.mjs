// node --expose-gc tests/bench/leak.mjs [CYCLES]
//
// The steady cycle for a long time, with what has ended retired and its results removed: what is held after a tenth of it
// must be what is held at the end. Ten million cycles unless CYCLES says otherwise.

import { Host, LIMITS } from './suites/cycle.mjs';
import { watchedInstance } from './suites/memory.mjs';

/** Cycles between two retirements: fewer than there are ids, which come again then. */
const SPAN = 20_000;
/** What JavaScript's heap may differ by between two looks at it. */
const HEAP_SLACK_BYTES = 4 * 1024 * 1024;

/** @param {number} cycles @param {(line: string) => void} [say] */
export async function runForLeaks(cycles, say = () => {}) {
  const { lg, bytes } = await watchedInstance();
  const pool = new lg.WorkerPool({ limits: LIMITS });
  const results = new lg.ResultAggregator({ limits: { maxResults: 1 } });
  const host = new Host(pool, { workers: 8 });
  const look = (/** @type {number} */ done) => {
    globalThis.gc?.();
    const seen = { done, wasm: bytes(), js: process.memoryUsage().heapUsed };
    say(`${done} cycles: ${seen.wasm} bytes in the module, ${seen.js} in JavaScript`);
    return seen;
  };
  const looks = [];
  const lookEvery = Math.max(SPAN, Math.floor(cycles / 10));
  for (let done = 0; done < cycles; ) {
    const span = Math.min(SPAN, cycles - done);
    for (let i = 0; i < span; i += 1) host.cycle();
    keepOneResult(host, results);
    done += span;
    host.now += 1;
    retireAll(host, span);
    if (done % lookEvery < span) looks.push(look(done));
  }
  pool.checkInvariants();
  pool.dispose();
  results.dispose();
  return { looks, growth: growthOf(looks) };
}

/** @param {Host} host @param {any} results */
function keepOneResult(host, results) {
  host.enqueue();
  const lease = host.assign();
  const at = () => ({ expectedRevision: host.revision, now: host.now, lease });
  host.revision = host.pool.startTask(at()).revision;
  const { revision, value } = host.pool.completeTask(at());
  host.revision = revision;
  const bytes = new Uint8Array(1000);
  results.storeResult({ expectedRevision: results.revision, receipt: value.receipt, bytes });
  results.removeResults({ expectedRevision: results.revision, taskIds: [value.receipt.taskId] });
}

/** @param {Host} host @param {number} count */
function retireAll(host, count) {
  const options = {
    expectedRevision: host.revision,
    now: host.now,
    terminalBefore: host.now,
    limit: count + 1,
  };
  const { revision, value } = host.pool.retireTasks(options);
  if (value !== count + 1) throw new Error(`${value} tasks were retired, not ${count + 1}`);
  host.revision = revision;
  host.enqueued = 0; // the ids are new again
}

/** @param {readonly { wasm: number, js: number }[]} looks */
function growthOf(looks) {
  const [first, last] = [looks[0], looks[looks.length - 1]];
  return { wasm: last.wasm - first.wasm, js: last.js - first.js, leaks: leaks(first, last) };
}

/** @param {{ wasm: number, js: number }} first @param {{ wasm: number, js: number }} last */
const leaks = (first, last) => last.wasm > first.wasm || last.js > first.js + HEAP_SLACK_BYTES;

if (import.meta.url === new URL(process.argv[1], 'file:').href) {
  const { growth } = await runForLeaks(Number(process.argv[2] ?? 10_000_000), console.log);
  console.log(growth);
  if (growth.leaks) process.exitCode = 1;
}
