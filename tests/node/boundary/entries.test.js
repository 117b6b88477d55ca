// The ways into the package: import, require, the entry that carries its module inside, and a Node that forbids code
// from strings. Each runs the same little job in a process of its own.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const scratch = await mkdtemp(path.join(tmpdir(), 'leasegate-entries-'));
after(() => rm(scratch, { recursive: true }));

const JOB = `
  const lg = await createLeasegate();
  const pool = new lg.WorkerPool();
  const results = new lg.ResultAggregator();
  const at = () => ({ expectedRevision: pool.revision, now: 5 });
  pool.registerWorker({ ...at(), spec: { workerId: 'w', capacity: 1, tags: ['gpu'] } });
  pool.taskQueue.enqueue({ ...at(), spec: { taskId: 't', scanId: 's', targetRef: 'r' } });
  const lease = pool.assignNextAvailable({ ...at(), leaseTtlSecs: 9 }).value;
  pool.startTask({ ...at(), lease });
  const { receipt } = pool.completeTask({ ...at(), lease }).value;
  results.storeResult({ expectedRevision: 0, receipt, bytes: Uint8Array.of(1, 2, 3) });
  const refused = pool.try.startTask({ ...at(), expectedRevision: 0, lease });
  if (!(refused.error instanceof LeasegateError)) throw refused.error;
  pool.dispose();
  console.log([...results.getResult('t')].join(), receipt.leaseId, refused.error.code, MAX_WORKERS);
`;
const ANSWER = '1,2,3 1n revision_conflict 4096\n';
const NAMES = '{ createLeasegate, LeasegateError, MAX_WORKERS }';

/** @param {string} file @param {string} program @param {...string} flags */
async function run(file, program, ...flags) {
  const at = path.join(scratch, file);
  await writeFile(at, program);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, at], { cwd: scratch });
  assert.equal(stderr, '');
  return stdout;
}

const ENTRIES = {
  import: ['entry.mjs', `import ${NAMES} from '${root}js/index.node.js';${JOB}`],
  require: ['entry.cjs', `const ${NAMES} = require('${root}dist/cjs/index.cjs'); (async () => {${JOB}})();`],
  inline: ['inline.mjs', `import ${NAMES} from '${root}js/inline.js';${JOB}`],
};

for (const [name, [file, program]] of Object.entries(ENTRIES)) {
  test(`${name}: does the whole job`, async () => {
    assert.equal(await run(file, program), ANSWER);
  });

  test(`${name}: does it where code from strings is forbidden`, async () => {
    assert.equal(await run(`strict-${file}`, program, '--disallow-code-generation-from-strings'), ANSWER);
  });
}

test('the flag does forbid code from strings', async () => {
  const program = `try { new Function('return 1')(); } catch (error) { console.log(error.name); }`;
  assert.equal(await run('flag.mjs', program, '--disallow-code-generation-from-strings'), 'EvalError\n');
  assert.equal(await run('no-flag.mjs', program), '');
});

test('a pool that is left alive does not keep the process from ending', async () => {
  const program = `import { createLeasegate } from '${root}js/index.node.js';
    const lg = await createLeasegate(); globalThis.kept = new lg.WorkerPool(); console.log('end');`;
  assert.equal(await run('end.mjs', program), 'end\n');
});

test('every entry offers the same names', async () => {
  const show = 'console.log(Object.keys(all).sort().join());';
  const lists = [
    await run('names.mjs', `import * as all from '${root}js/index.node.js'; ${show}`),
    await run('names.cjs', `const all = require('${root}dist/cjs/index.cjs'); ${show}`),
    await run('names-inline.mjs', `import * as all from '${root}js/inline.js'; ${show}`),
    await run('names-web.mjs', `import * as all from '${root}js/index.web.js'; ${show}`),
  ];
  assert.match(lists[0], /LeasegateError.*createLeasegate,taskAgeSecs/);
  assert.deepEqual(new Set(lists).size, 1);
});

test("the web's entry works from where a server has put it", async () => {
  const web = `import { createServer } from 'node:http';
    import { readFile } from 'node:fs/promises';
    const native = fetch;
    globalThis.fetch = async (url) => new Response(await readFile(new URL(url)), { headers: { 'content-type': 'application/wasm' } });
    const ${NAMES} = await import('${root}js/index.web.js');${JOB}`;
  assert.equal(await run('web.mjs', web), ANSWER);
});

test('a module that could not be fetched once is fetched again by the next call, and only once when it could', async () => {
  const program = `import { readFile } from 'node:fs/promises';
    let fetched = 0;
    globalThis.fetch = async (url) => {
      fetched += 1;
      if (fetched === 1) throw new TypeError('offline');
      return new Response(await readFile(new URL(url)), { headers: { 'content-type': 'application/wasm' } });
    };
    const { createLeasegate } = await import('${root}js/index.web.js');
    const first = await createLeasegate().catch((error) => error.message);
    await Promise.all([createLeasegate(), createLeasegate()]);
    await createLeasegate();
    console.log(first, fetched);`;
  assert.equal(await run('retry.mjs', program), 'offline 2\n');
});

test('nothing in the package makes code from strings', async () => {
  const files = ['dist/core/leasegate-core.js', 'dist/cjs/index.cjs'];
  for (const file of files) {
    const text = await readFile(path.join(root, file), 'utf8');
    assert.doesNotMatch(text, /\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(/, file);
  }
});
