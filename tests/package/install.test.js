// The package, installed from its tarball into an empty folder: the README's programs, both module systems, types.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { Consumer, root } from './support/consumer.js';

const consumer = await Consumer.install();
after(() => consumer.remove());

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const FENCED = /<!-- quick start: (\w+) -->\n```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g;
const quickStarts = [...readme.matchAll(FENCED)].map(([, kind, program, output]) => ({
  kind,
  program,
  output,
}));

test('the README has a quick start for each module system, each short', () => {
  assert.deepEqual(
    quickStarts.map(({ kind }) => kind),
    ['esm', 'cjs'],
  );
  for (const { program } of quickStarts) assert.ok(program.split('\n').filter(Boolean).length <= 20);
});

for (const { kind, program, output } of quickStarts) {
  test(`the README's quick start (${kind}) says what the README says that it says`, async () => {
    const file = kind === 'esm' ? 'quick-start.mjs' : 'quick-start.cjs';
    assert.equal(await consumer.runNode(file, program), output);
    assert.equal(await consumer.runNode(file, program, '--disallow-code-generation-from-strings'), output);
  });
}

test('import and require in one process make instances that know one another’s errors', async () => {
  const program = `
    import { createRequire } from 'node:module';
    import { createLeasegate, LeasegateError } from 'leasegate';
    import { createLeasegate as createInline } from 'leasegate/inline';
    const required = createRequire(import.meta.url)('leasegate');
    for (const create of [createLeasegate, createInline, required.createLeasegate]) {
      const { WorkerPool } = await create();
      try {
        new WorkerPool().pruneDeadWorkers({ expectedRevision: 9, now: 0 });
      } catch (error) {
        console.log(error instanceof LeasegateError && error instanceof required.LeasegateError, error.code, error.expected);
      }
    }`;
  assert.equal(await consumer.runNode('both.mjs', program), 'true revision_conflict 9n\n'.repeat(3));
});

test('the module is exported as a file, and paths that are not exported are closed', async () => {
  const program = `
    import { readFile } from 'node:fs/promises';
    const wasm = await readFile(new URL(import.meta.resolve('leasegate/leasegate.wasm')));
    const { default: manifest } = await import('leasegate/package.json', { with: { type: 'json' } });
    const closed = await import('leasegate/js/errors.js').catch((error) => error.code);
    console.log(WebAssembly.validate(wasm), manifest.name, closed);`;
  assert.equal(
    await consumer.runNode('paths.mjs', program, '--no-warnings'),
    'true leasegate ERR_PACKAGE_PATH_NOT_EXPORTED\n',
  );
});

test('a pool is durable in files, for the ES module and for CommonJS, and SQLite says what it needs', async () => {
  const program = `
    import { createRequire } from 'node:module';
    import { createLeasegate } from 'leasegate';
    import { fileStorage } from 'leasegate/storage/file';
    import { indexedDbStorage } from 'leasegate/storage/indexeddb';
    import { sqliteStorage } from 'leasegate/storage/sqlite';
    const required = createRequire(import.meta.url)('leasegate');
    for (const create of [createLeasegate, required.createLeasegate]) {
      const { openDurablePool } = await create();
      const pool = await openDurablePool({ storage: fileStorage({ directory: 'durable' }) });
      const found = pool.recovery.revision;
      await pool.pruneDeadWorkers({ expectedRevision: found, now: 0 });
      const refused = await openDurablePool({ storage: fileStorage({ directory: 'durable' }) }).catch((error) => error);
      console.log(found, pool.durableRevision, refused.code, refused instanceof required.LeasegateError);
      await pool.close();
      for (const storage of [sqliteStorage({ file: 'f' }), indexedDbStorage({ name: 'n' })])
        await openDurablePool({ storage }).catch(({ code, operation, cause }) => console.log(code, operation, cause.message));
    }`;
  const missing = `storage_failed open leasegate/storage/sqlite needs package better-sqlite3 beside leasegate: npm install better-sqlite3
storage_failed lock There are no Web Locks here: they need a secure context
`;
  assert.equal(
    await consumer.runNode('durable.mjs', program),
    `0n 1n storage_locked true\n${missing}1n 2n storage_locked true\n${missing}`,
  );
});

const USE = `
const use = async (): Promise<bigint> => {
  const lg = await createLeasegate({ memory: { maximumBytes: 2 ** 24 } });
  const pool = new lg.WorkerPool({ limits: { maxRetries: 1 } });
  const spec = { taskId: 't', scanId: 's', targetRef: 'r', priority: 'high' } as const;
  const answer = pool.taskQueue.try.enqueue({ expectedRevision: pool.revision, now: 0, spec });
  if (!answer.ok) {
    if (answer.error.code === 'revision_conflict') return answer.error.actual;
    throw answer.error;
  }
  const phases: Uint8Array = answer.value.phases;
  const lease: TaskLease = pool.assignNextAvailable({ expectedRevision: 1n, now: phases.length, leaseTtlSecs: 9 }).value;
  const done = pool.completeTask({ expectedRevision: 2, now: 1, lease }).value;
  pool.dispose();
  return done.receipt.leaseId;
};
use().catch((error: unknown) => {
  if (error instanceof LeasegateError && error.code === 'invalid_task') return error.reason;
  throw error;
});
`;
const IMPORT = "import { createLeasegate, LeasegateError, type TaskLease } from 'leasegate';";
const WRONG = `
createLeasegate().then((lg) => {
  const pool = new lg.WorkerPool();
  const revision: number = pool.revision;
  pool.enqueue({});
  return revision;
});
`;

for (const [name, options, files] of /** @type {[string, object, string[]][]} */ ([
  ['node16', { module: 'node16', moduleResolution: 'node16' }, ['use.mts', 'use.cts']],
  ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }, ['use.mts', 'use.cts']],
  ['bundler', { module: 'preserve', moduleResolution: 'bundler' }, ['use.ts']],
  [
    'a page, with the DOM',
    { module: 'preserve', moduleResolution: 'bundler', lib: ['es2022', 'dom'] },
    ['use.ts', 'inline.ts'],
  ],
])) {
  test(`TypeScript, ${name}: a project compiles, and a wrong one does not`, async () => {
    for (const file of files) {
      const text = file === 'inline.ts' ? IMPORT.replace("'leasegate'", "'leasegate/inline'") : IMPORT;
      await consumer.write(file, `${text}${USE}`);
      await consumer.write(file.replace(/(use|inline)/, 'wrong'), `${IMPORT}${WRONG}`);
    }
    assert.equal(await consumer.compile(options, files), '');
    const found = await consumer.compile(
      options,
      files.map((file) => file.replace(/(use|inline)/, 'wrong')),
    );
    assert.match(found, /Type 'bigint' is not assignable to type 'number'/);
    assert.match(found, /Property 'enqueue' does not exist on type 'WorkerPool'/);
  });
}
