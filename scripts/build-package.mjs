// Makes, from js/ and the built Wasm module, the rest of what the npm package holds:
//
//   dist/inline/wasm-base64.js   the module as text, for leasegate/inline
//   dist/cjs/index.cjs           js/index.node.js and all it imports, for require()
//   dist/cjs/**/*.d.cts          the type declarations again, as CommonJS resolves them
//
// scripts/build-wasm.sh comes first.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const js = path.join(root, 'js');
const dist = path.join(root, 'dist');
const glueFile = path.join(dist, 'core', 'leasegate-core.js');
const wasmFile = path.join(dist, 'leasegate.wasm');

checkGlue(readFileSync(glueFile, 'utf8'));
write(
  path.join(dist, 'core', 'leasegate-core.d.ts'),
  'declare const factory: (module: object) => Promise<any>;\nexport default factory;\n',
);
chmodSync(wasmFile, 0o644); // linkers take what they write for a program
inlineWasm();
if (existsSync(path.join(js, 'index.node.js'))) {
  await commonJs();
  commonJsTypes();
}

/**
 * What the package promises of the glue: it runs where code generation from strings is forbidden, and names no file
 * or module that a bundler would look for.
 * @param {string} glue
 */
function checkGlue(glue) {
  const forbidden =
    /\beval\(|\bnew Function\b|\bFunction\(|\bimport\(|\bimport\.meta\b|\brequire\(|\bfrom ?["']/;
  const found = forbidden.exec(glue);
  if (found) throw new Error(`The glue holds ${found[0]}, which it must not: ${glueFile}`);
}

function inlineWasm() {
  const folder = path.join(dist, 'inline');
  const text = readFileSync(wasmFile).toString('base64');
  write(path.join(folder, 'wasm-base64.js'), `export default '${text}';\n`);
  write(path.join(folder, 'wasm-base64.d.ts'), 'declare const text: string;\nexport default text;\n');
}

async function commonJs() {
  const outfile = path.join(dist, 'cjs', 'index.cjs');
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['js/index.node.js'],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile,
    metafile: true,
    legalComments: 'none',
    logLevel: 'silent', // what it throws says it too
    // The bundle lies two folders below the package, the entry one: it must find files as the entry does.
    define: { 'import.meta.url': 'leasegateEntryUrl' },
    banner: {
      js: "const leasegateEntryUrl = require('node:url').pathToFileURL(__dirname + '/../../js/index.node.js').href;",
    },
  });
  for (const [file, { imports }] of Object.entries(result.metafile.inputs)) {
    const usesUrl = readFileSync(path.join(root, file), 'utf8').includes('import.meta.url');
    if (usesUrl && path.dirname(file) !== 'js')
      throw new Error(`import.meta.url in ${file}: only files of js/ itself`);
    const outside = imports.find((i) => i.external && !i.path.startsWith('node:'));
    if (outside) throw new Error(`${file} imports ${outside.path}: the package has no dependencies`);
  }
}

/** `./types.js` is `./types.cjs` to a .d.cts file, which is then looked for as `./types.d.cts`. */
function commonJsTypes() {
  const from = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])(\.[^'"]*)\.js\2/g;
  for (const name of readdirSync(js, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts') || /^(inline|transports|cluster|storage\/(?!types))/.test(name)) continue;
    const text = readFileSync(path.join(js, name), 'utf8');
    write(path.join(dist, 'cjs', name.replace(/\.d\.ts$/, '.d.cts')), text.replace(from, '$1$2$3.cjs$2'));
  }
}

/**
 * Only when it is another text: a build that changes nothing touches nothing.
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
