// node tests/bench/plot.mjs RESULTS.json
//
// The growth curves as docs/benchmarks/*.svg: nanoseconds a command against what grows. Flat is what the contract asks
// for; the plain coordinator shows what it costs to look at everything.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as vega from 'vega';
import { compile } from 'vega-lite';
import { COMMANDS_A_CYCLE, CURVES } from './suites/cycle.mjs';

const TITLES = {
  workers: 'workers',
  retained: 'retained tasks',
  backlog: 'queued tasks',
  leases: 'leases that are out',
};
const NATIVE = { workers: 8, backlog: 1000, retained: 0, leases: 0 };
const { suites, native = {} } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const folder = new URL('../../docs/benchmarks/', import.meta.url);

/** @param {string} curve */
function points(curve) {
  const found = [];
  for (const value of CURVES[curve]) {
    for (const [series, name] of [
      ['leasegate, JavaScript', 'leasegate'],
      ['plain JavaScript', 'plain'],
    ]) {
      const result = suites.cycle[`${name}, ${curve} ${value}`];
      if (result) found.push({ value, series, ns: result.cpu.median });
    }
    const { workers, backlog, retained, leases } = { ...NATIVE, [curve]: value };
    const cycle = native[`cycle/workers:${workers}/backlog:${backlog}/retained:${retained}/leases:${leases}`];
    if (cycle) found.push({ value, series: 'leasegate, native', ns: cycle.cpu.median / COMMANDS_A_CYCLE });
  }
  return found;
}

/** @param {keyof typeof TITLES} curve @param {any[]} values @returns {any} */
const picture = (curve, values) => ({
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  width: 420,
  height: 240,
  background: 'white',
  data: { values },
  mark: { type: 'line', point: true },
  encoding: {
    x: { field: 'value', type: 'quantitative', scale: { type: 'log' }, title: TITLES[curve] },
    y: { field: 'ns', type: 'quantitative', scale: { type: 'log' }, title: 'ns a command, CPU time' },
    color: { field: 'series', type: 'nominal', title: null },
    strokeDash: { field: 'series', type: 'nominal', title: null },
  },
});

mkdirSync(folder, { recursive: true });
for (const curve of /** @type {(keyof typeof TITLES)[]} */ (Object.keys(TITLES))) {
  const view = new vega.View(vega.parse(compile(picture(curve, points(curve))).spec), { renderer: 'none' });
  writeFileSync(new URL(`growth-${curve}.svg`, folder), `${await view.toSVG()}\n`);
}
