// node tests/bench/report.mjs RESULTS.json
//
// Writes the figures of a run into docs/benchmarks.md, between its two marks: the targets with what was reached, then
// every suite as a table.

import { readFileSync, writeFileSync } from 'node:fs';
import { COMMANDS_A_CYCLE } from './suites/cycle.mjs';
import { duration, table } from './support/table.mjs';

const MARKS = ['<!-- figures: npm run bench -- --docs -->', '<!-- end of figures -->'];
const file = new URL('../../docs/benchmarks.md', import.meta.url);
const { machine, options, suites, native = {} } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const cpu = (/** @type {string} */ suite, /** @type {string} */ name) => suites[suite][name].cpu.median;
const ratio = (/** @type {number} */ value) => value.toFixed(2);
const worst = (/** @type {Record<string, any>} */ results) =>
  Object.entries(results).reduce((a, b) => (a[1].cpu.median > b[1].cpu.median ? a : b));

/** @param {string} what @param {number} reached @param {number} target @param {(value: number) => string} show */
const atMost = (what, reached, target, show) => [
  what,
  `at most ${show(target)}`,
  show(reached),
  reached <= target ? 'yes' : '**no**',
];
/** @param {string} what @param {number} reached @param {number} target */
const atLeast = (what, reached, target) => [
  what,
  `at least ${ratio(target)} times`,
  `${ratio(reached)} times`,
  reached >= target ? 'yes' : '**no**',
];

function targets() {
  const base = cpu('cycle', 'leasegate, workers 8');
  const faster = (/** @type {string} */ load) =>
    cpu('cycle', `plain, ${load}`) / cpu('cycle', `leasegate, ${load}`);
  const full = 'backlog 16000, retained 65536';
  const { gate, 'plain loop': loop, ...calls } = suites.bridge;
  const [dearestCall, dearest] = worst(calls);
  const event = suites.memory['event of 100 bytes in a gate'];
  const sizes = Object.values(suites.size).reduce((sum, { gzip }) => sum + gzip, 0);
  const rows = [
    atMost('cycle in JavaScript, a command, 8 workers', base, 400, duration),
    atMost('the same with 256 workers, against 8', cpu('cycle', 'leasegate, workers 256') / base, 1.2, ratio),
    atMost(
      'the same with 4,096 workers, against 8',
      cpu('cycle', 'leasegate, workers 4096') / base,
      1.2,
      ratio,
    ),
    atLeast('faster than plain JavaScript, 8 workers', faster('workers 8'), 1),
    atLeast('faster than plain JavaScript, 256 workers', faster('workers 256'), 2),
    atLeast('faster than plain JavaScript, backlog 16,000 and 65,536 retained', faster(full), 2),
    atMost('applyBatch, a command', cpu('batch', 'applyBatch'), 120, duration),
    atMost('recover 10,000 leases', cpu('sweeps', 'leasegate, recover 10,000 leases'), 3e6, duration),
    atMost(
      'a sweep that finds nothing, 60,000 retained',
      cpu('sweeps', 'leasegate, sweep nothing, 60,000 retained'),
      2000,
      duration,
    ),
    atMost('tasks(), a record', cpu('sweeps', 'leasegate, tasks(), a record'), 1000, duration),
    atMost('getWorkers(), a record', cpu('sweeps', 'leasegate, getWorkers(), a record'), 1000, duration),
    atMost('flush gate, against a plain loop', gate.cpu.median / loop.cpu.median, 2, ratio),
    atMost('bytes an event of 100 bytes in a gate', event.wasmBytes + event.jsBytes, 250, String),
    atMost(`the dearest call of the bridge (${dearestCall})`, dearest.cpu.median, 300, duration),
    atMost(
      'createLeasegate() in a fresh process, wall',
      suites.load['createLeasegate()'].wall.median,
      15e6,
      duration,
    ),
    atMost('.wasm and glue, gzip, bytes', sizes, 90_000, String),
  ];
  const cycles = Object.fromEntries(Object.entries(native).filter(([name]) => name.startsWith('cycle/')));
  if (Object.keys(cycles).length > 0) {
    const [where, { cpu: most }] = worst(cycles);
    const least = cycles['cycle/workers:8/backlog:1000/retained:0/leases:0'];
    if (least)
      rows.push(atMost('native, a command, 8 workers', least.cpu.median / COMMANDS_A_CYCLE, 120, duration));
    rows.push(atMost(`native, the dearest load (${where})`, most.median / COMMANDS_A_CYCLE, 120, duration));
  }
  return table(['', 'target', 'reached', ''], rows);
}

/** @param {Record<string, any>} results */
function timed(results) {
  const rows = Object.entries(results).map(([name, { cpu: time, wall }]) => [
    name,
    time ? duration(time.median) : '',
    `± ${Math.round((time ?? wall).spread * 100)} %`,
    duration(wall.median),
  ]);
  return table(['', 'CPU, median', 'spread', 'wall, median'], rows);
}

/** Bytes each. The module's memory never shrinks: what is said of it is by how much it has grown. */
function memory() {
  const { bytesATask, bytesAWorker } = native.memory ?? {};
  const allocated = { 'retained task': bytesATask, worker: bytesAWorker };
  const rows = Object.entries(suites.memory).map(([what, { wasmBytes, jsBytes }]) => {
    const bytes = allocated[/** @type {'worker'} */ (what)];
    return [what, `${wasmBytes}`, `${jsBytes}`, bytes ? `${Math.round(bytes)}` : ''];
  });
  return table(['bytes each', 'the module has grown by', "JavaScript's heap", 'native, allocated'], rows);
}

function figures() {
  const { cpu: name, cores, memoryGiB, platform, node, loadAverage, loadAverageAfter } = machine;
  const parts = [
    `${name}, ${cores} cores, ${memoryGiB} GiB, ${platform}, Node ${node}; load average ${loadAverage} before and ` +
      `${loadAverageAfter} after the run; ${options.rounds} rounds after ${options.warmUp} to warm up, in each of ${options.processes} processes.`,
    targets(),
  ];
  for (const suite of ['cycle', 'batch', 'sweeps', 'bridge', 'queues', 'load'])
    parts.push(`### ${suite}`, timed(suites[suite]));
  parts.push('### memory', memory());
  const nativeRows = Object.entries(native)
    .filter(([benchmark]) => benchmark !== 'memory')
    .map(([benchmark, { cpu: time }]) => [benchmark, duration(time.median)]);
  if (nativeRows.length > 0) parts.push('### native, an iteration', table(['', 'CPU, median'], nativeRows));
  return parts.join('\n\n');
}

const text = readFileSync(file, 'utf8');
const [start, end] = MARKS.map((mark) => text.indexOf(mark));
if (start < 0 || end < start) throw new Error(`docs/benchmarks.md has no marks: ${MARKS}`);
writeFileSync(file, `${text.slice(0, start + MARKS[0].length)}\n\n${figures()}\n\n${text.slice(end)}`);
