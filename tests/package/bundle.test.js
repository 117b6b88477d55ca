// Bundled by esbuild, as for a page and for an edge worker: nothing of Node inside, no code from strings, and it works.

import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import { Consumer } from './support/consumer.js';

const consumer = await Consumer.install();
after(() => consumer.remove());

const JOB = `
  const lg = await createLeasegate(OPTIONS);
  const pool = new lg.WorkerPool();
  const spec = { taskId: 't', scanId: 's', targetRef: 'secret' };
  const { value } = pool.taskQueue.enqueue({ expectedRevision: 0, now: 0, spec });
  const refused = pool.try.pruneDeadWorkers({ expectedRevision: 9, now: 0 });
  export const answer = [value.taskId, value.createdAt, refused.error.code, refused.error instanceof LeasegateError];
  export const shown = value;
`;
const IMPORTS = 'import { createLeasegate, LeasegateError }';

/**
 * @param {string} name @param {string} source @param {import('esbuild').BuildOptions} options
 * @returns {Promise<{ text: string, outdir: string, answer: () => Promise<any> }>}
 */
async function bundle(name, source, options) {
  const entry = await consumer.write(`${name}.js`, source);
  const outdir = path.join(consumer.folder, 'out', name);
  const result = await build({
    entryPoints: [entry],
    absWorkingDir: consumer.folder,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
    ...options,
  });
  assert.deepEqual([result.errors, result.warnings], [[], []]);
  const file = path.join(outdir, `${name}.mjs`);
  const answer = async () => JSON.parse(await consumer.runNode(`run-${name}.mjs`, runner(file)));
  return { text: readFileSync(file, 'utf8'), outdir, answer };
}

/** Stands in for a page: its fetch takes the addresses of files. @param {string} file */
function runner(file) {
  return `
    import { readFile } from 'node:fs/promises';
    import { inspect } from 'node:util';
    globalThis.fetch = async (url) => new Response(await readFile(new URL(url)), { headers: { 'content-type': 'application/wasm' } });
    const { answer, shown } = await import('${file}');
    console.log(JSON.stringify([...answer.map(String), inspect(shown).includes('secret')]));`;
}

const EXPECTED = ['t', '0', 'revision_conflict', 'true', false];

/** @param {string} text */
function assertClean(text) {
  assert.doesNotMatch(text, /\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(/);
  assert.doesNotMatch(text, /["']node:|\brequire\s*\(|\bprocess\.|\b__dirname\b/);
}

for (const minify of [false, true]) {
  const kind = minify ? 'minified' : 'plain';

  test(`a page, ${kind}: the .wasm file is copied by the bundler and given by its address`, async () => {
    const source = `${IMPORTS} from 'leasegate'; import file from 'leasegate/leasegate.wasm';
      ${JOB.replace('OPTIONS', '{ wasm: new URL(file, import.meta.url) }')}`;
    const page = await bundle(`page-${kind}`, source, { loader: { '.wasm': 'file' }, minify });
    assertClean(page.text);
    assert.equal(readdirSync(page.outdir).filter((name) => name.endsWith('.wasm')).length, 1);
    assert.deepEqual(await page.answer(), EXPECTED);
  });

  test(`a page, ${kind}: leasegate/inline needs no second file`, async () => {
    const inline = await bundle(
      `inline-${kind}`,
      `${IMPORTS} from 'leasegate/inline'; ${JOB.replace('OPTIONS', '')}`,
      { minify },
    );
    assertClean(inline.text);
    assert.deepEqual(readdirSync(inline.outdir), [`inline-${kind}.mjs`]);
    assert.deepEqual(await inline.answer(), EXPECTED);
  });

  test(`an edge worker, ${kind}: the module is imported compiled`, async () => {
    const compiled = {
      name: 'compiled',
      /** @param {import('esbuild').PluginBuild} it */
      setup(it) {
        it.onLoad({ filter: /\.wasm$/ }, ({ path: file }) => ({
          contents: `export default await WebAssembly.compile(Uint8Array.from(atob('${readFileSync(file, 'base64')}'), (c) => c.charCodeAt(0)));`,
        }));
      },
    };
    const worker = await bundle(
      `edge-${kind}`,
      `${IMPORTS} from 'leasegate'; ${JOB.replace('OPTIONS', '')}`,
      {
        conditions: ['workerd'],
        plugins: [compiled],
        minify,
      },
    );
    assertClean(worker.text);
    assert.doesNotMatch(worker.text, /\bfetch\s*\(/);
    assert.deepEqual(await worker.answer(), EXPECTED);
  });
}

test('a CommonJS bundle for Node, which has no address of its own, is told where the module is', async () => {
  const source = `import { createLeasegate } from 'leasegate'; import path from 'node:path'; import { pathToFileURL } from 'node:url';
    createLeasegate({ wasm: pathToFileURL(path.join(__dirname, 'leasegate.wasm')) }).then((lg) => console.log(new lg.WorkerPool().revision));`;
  const entry = await consumer.write('node-cjs.js', source);
  const outdir = path.join(consumer.folder, 'out', 'node-cjs');
  const outExtension = { '.js': '.cjs' };
  /** @type {import('esbuild').BuildOptions} */
  const options = { outdir, outExtension, bundle: true, format: 'cjs', platform: 'node', logLevel: 'silent' };
  await build({ entryPoints: [entry], absWorkingDir: consumer.folder, ...options });
  copyFileSync(
    path.join(consumer.folder, 'node_modules/leasegate/dist/leasegate.wasm'),
    path.join(outdir, 'leasegate.wasm'),
  );
  const answer = await consumer.runNode('run-node-cjs.mjs', `import '${path.join(outdir, 'node-cjs.cjs')}';`);
  assert.equal(answer.trim(), '0n');
});

test('what a program does not import is left out of its bundle', async () => {
  const text = async (/** @type {string} */ name, /** @type {string} */ source) =>
    (await bundle(name, source, { minify: true })).text;
  const constants = await text(
    'constants',
    "import { MAX_WORKERS } from 'leasegate'; console.log(MAX_WORKERS);",
  );
  assert.doesNotMatch(constants, /WebAssembly|_emval/);
  const all = await text('all', "import { createLeasegate } from 'leasegate'; createLeasegate();");
  assert.match(all, /WebAssembly/);
  assert.ok(all.length > 3 * constants.length);
});

test('a bundle for Node that has left the module out says what can be done', async () => {
  const source = `import { createLeasegate } from 'leasegate'; createLeasegate().catch((e) => console.log(e.message, e.cause.code));`;
  const entry = await consumer.write('left-out.js', source);
  const outfile = path.join(consumer.folder, 'out', 'left-out', 'app.mjs');
  /** @type {import('esbuild').BuildOptions} */
  const options = { outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' };
  await build({ entryPoints: [entry], absWorkingDir: consumer.folder, ...options });
  const answer = await consumer.runNode('run-left-out.mjs', `import '${outfile}';`);
  assert.match(
    answer,
    /not beside the package\. .*createLeasegate\(\{ wasm \}\).*leasegate\/inline.* ENOENT/,
  );
});
