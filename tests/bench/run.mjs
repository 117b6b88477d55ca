// node --expose-gc tests/bench/run.mjs [--rounds N] [--warm-up N] [--processes N] [--native FILE] [--json FILE] [SUITE...]
//
// The JavaScript side of npm run bench: every suite, or those named, as tables and as JSON. Times are CPU time and
// medians unless they say otherwise. --native takes in what Google Benchmark has written.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { subjects as batches } from './suites/batch.mjs';
import { subjects as bridges } from './suites/bridge.mjs';
import { CURVES, subjects as cycles } from './suites/cycle.mjs';
import { measureLoad } from './suites/load.mjs';
import { measureMemory } from './suites/memory.mjs';
import { subjects as queues } from './suites/queues.mjs';
import { subjects as sweeps } from './suites/sweeps.mjs';
import { machine } from './support/machine.mjs';
import { measure } from './support/measure.mjs';
import { duration, table } from './support/table.mjs';

const root = new URL('../../', import.meta.url);
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    processes: { type: 'string', default: '3' },
    'warm-up': { type: 'string', default: '3' },
    native: { type: 'string' },
    json: { type: 'string' },
  },
});
const options = {
  rounds: Number(flags.rounds),
  warmUp: Number(flags['warm-up']),
  processes: Number(flags.processes),
};

/** A suite of subjects, a few at a time: those that are compared with one another. @param {string} file @param {readonly (readonly string[])[]} groups */
async function inGroups(file, groups) {
  const results = {};
  for (const names of groups)
    Object.assign(results, await measure(new URL(`suites/${file}`, import.meta.url).href, names, options));
  return results;
}

/** Two by two: waiting for slow ones makes a process slow, too. */
const loads = (/** @type {string} */ curve) =>
  CURVES[curve].map((value) => [`leasegate, ${curve} ${value}`, `plain, ${curve} ${value}`]);
const pairs = (/** @type {Record<string, unknown>} */ subjects) => {
  const names = Object.keys(subjects);
  return names.filter((_, index) => index % 2 === 0).map((name, index) => [name, names[index * 2 + 1]]);
};

/** @type {Record<string, () => Promise<Record<string, any>> | Record<string, any>>} */
const suites = {
  cycle: () =>
    inGroups('cycle.mjs', [
      ['leasegate, backlog 16000, retained 65536', 'plain, backlog 16000, retained 65536'],
      ...Object.keys(CURVES).flatMap(loads),
    ]),
  batch: () => inGroups('batch.mjs', [Object.keys(batches)]),
  sweeps: () => inGroups('sweeps.mjs', pairs(sweeps)),
  bridge: () => {
    const [gate, loop, ...calls] = Object.keys(bridges);
    return inGroups('bridge.mjs', [[gate, loop], calls]);
  },
  queues: () => inGroups('queues.mjs', [Object.keys(queues)]),
  load: () => measureLoad({ rounds: options.rounds * options.processes }),
  memory: measureMemory,
  size: () => {
    const files = ['dist/leasegate.wasm', 'dist/core/leasegate-core.js'];
    return Object.fromEntries(
      files.map((file) => [
        file,
        {
          bytes: statSync(new URL(file, root)).size,
          gzip: gzipSync(readFileSync(new URL(file, root)), { level: 9 }).length,
        },
      ]),
    );
  },
};
const known = Object.keys(cycles).length > 0 ? Object.keys(suites) : [];
const wanted = positionals.length > 0 ? positionals : known;
for (const name of wanted)
  if (!known.includes(name)) throw new Error(`no suite "${name}": ${known.join(', ')}`);

/** @param {string} name @param {Record<string, any>} results */
function show(name, results) {
  console.log(`\n## ${name}\n`);
  const rows = Object.entries(results).map(([subject, { cpu, wall, ...figures }]) => {
    if (!wall) return [subject, JSON.stringify(figures), '', ''];
    const spread = `± ${Math.round((cpu ?? wall).spread * 100)} %`;
    return [subject, cpu ? duration(cpu.median) : '', spread, duration(wall.median)];
  });
  console.log(table(['', 'CPU, median', 'spread', 'wall, median'], rows));
}

/** @param {string} file */
function nativeResults(file) {
  const { benchmarks } = JSON.parse(readFileSync(file, 'utf8'));
  const medians = benchmarks.filter((/** @type {any} */ b) => b.aggregate_name === 'median');
  return Object.fromEntries(
    medians.map((/** @type {any} */ b) => [
      b.run_name.replace(/\/iterations:\d+|\/repeats:\d+/g, ''),
      {
        cpu: { median: b.cpu_time * { ns: 1, us: 1e3, ms: 1e6 }[/** @type {'ns'} */ (b.time_unit)] },
        bytesATask: b.bytes_a_task,
        bytesAWorker: b.bytes_a_worker,
      },
    ]),
  );
}

/** @type {Record<string, any>} */
const report = { machine: machine(), options, suites: {} };
console.log(JSON.stringify(report.machine));
for (const name of wanted) {
  report.suites[name] = await suites[name]();
  show(name, report.suites[name]);
}
if (flags.native) report.native = nativeResults(flags.native);
report.machine.loadAverageAfter = machine().loadAverage;
if (flags.json) writeFileSync(flags.json, `${JSON.stringify(report, null, 1)}\n`);
