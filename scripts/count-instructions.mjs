// Counts the instructions of the workloads in tests/bench/guard under callgrind and compares them with those that are
// recorded for this compiler: a clock says little on a busy machine, instructions are nearly the same everywhere.
//
//   node scripts/count-instructions.mjs BUILD-FOLDER            exits 1 when one takes more than the tolerance allows
//   node scripts/count-instructions.mjs BUILD-FOLDER --update   records what was counted
//
// Without valgrind, or with a compiler for which nothing is recorded, it says so and lets it pass; on CI the former is an
// error.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [build, flag] = process.argv.slice(2);
const file = fileURLToPath(new URL('../tests/bench/guard/instructions.json', import.meta.url));
const recorded = JSON.parse(readFileSync(file, 'utf8'));
const program = path.join(build, 'leasegate_workloads');

/** Compiler and processor, as far as code differs between them: "GNU 12 x86_64". */
function platform() {
  const folder = path.join(build, 'CMakeFiles');
  const version = readdirSync(folder).find((name) => /^\d+\.\d+/.test(name)) ?? '';
  const text = readFileSync(path.join(folder, version, 'CMakeCXXCompiler.cmake'), 'utf8');
  const value = (/** @type {string} */ name) =>
    new RegExp(`set\\(${name} "([^"]*)"\\)`).exec(text)?.[1] ?? '';
  return `${value('CMAKE_CXX_COMPILER_ID')} ${value('CMAKE_CXX_COMPILER_VERSION').split('.')[0]} ${os.machine()}`;
}

/** Instructions an operation. @param {string} workload */
function count(workload) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'leasegate-'));
  try {
    const { stderr, status } = spawnSync(
      'valgrind',
      [
        '--tool=callgrind',
        '--toggle-collect=measured*',
        `--callgrind-out-file=${path.join(folder, 'out')}`,
        program,
        workload,
      ],
      { encoding: 'utf8' },
    );
    const collected = /Collected\s*:\s*(\d+)/.exec(stderr);
    if (status !== 0 || collected === null) throw new Error(stderr);
    return Math.round(Number(collected[1]) / recorded.operations);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (spawnSync('valgrind', ['--version']).status !== 0) {
  console.log('Skipped: valgrind is not installed, so no instructions are counted');
  process.exit(process.env.CI ? 1 : 0);
}
const here = platform();
const known = recorded.counts[here];
if (known === undefined && flag !== '--update') {
  console.log(`Skipped: no counts are recorded for ${here}; --update records them`);
  process.exit(0);
}
const workloads = execFileSync(program, { encoding: 'utf8' }).split('\n').filter(Boolean);
const counts = Object.fromEntries(workloads.map((workload) => [workload, count(workload)]));
let dearer = false;
for (const [workload, instructions] of Object.entries(counts)) {
  const before = known?.[workload];
  const change = before === undefined ? 'new' : `${(((instructions - before) / before) * 100).toFixed(1)} %`;
  const over = before !== undefined && instructions > before * (1 + recorded.tolerance);
  dearer ||= over;
  console.log(
    `${workload.padEnd(24)} ${String(instructions).padStart(6)} an operation, ${change}${over ? ': TOO MANY' : ''}`,
  );
}
if (flag === '--update') {
  recorded.counts[here] = counts;
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
} else if (dearer) {
  console.error(
    `More than ${recorded.tolerance * 100} % above what ${path.basename(file)} records for ${here}`,
  );
  process.exit(1);
}
