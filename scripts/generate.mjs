// Writes the files that C++ and JavaScript must agree on from the one description in src/schema.
//
//   node scripts/generate.mjs           writes them
//   node scripts/generate.mjs --check   exits 1 when a file in the tree is not what would be written
//
// Field types:
//   u64            one 64-bit unsigned integer             u64?      the same, or absent
//   u32, count     one 32-bit unsigned integer             bool
//   text:LIMIT     UTF-8 text that goes in, cut one byte past LIMIT (the core refuses it by name)
//   text           UTF-8 text that comes out               bytes, bytes:LIMIT   the same for bytes
//   task, worker   an id that comes out, with the slot that JavaScript may remember it by
//   set:Enum       a set of names                          Enum      a name
//   Record(?)      another shape, possibly absent          ownership a fence or a lease
//   id:KIND        an opaque id of the bridge              utf8:LIMIT   text whose well-formedness the core judges
//   blob           bytes of any number                     payload      bytes beside the frame
//   place:FIELD    where the core keeps the record whose id is FIELD: by it a token of the core's own is recognised
//   derived   a u32 that C++ computes from the record
//   placed         text that stays where it is in memory   millis    a time that comes out, as a number
//   now            the time at which a command is given    u64:Type  an integer with a C++ type of its own

import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as cpp from './generate/cpp.mjs';
import * as codec from './generate/journal.mjs';
import * as recorded from './generate/recorded.mjs';
import * as js from './generate/js.mjs';
import * as bridge from '../src/schema/bridge.mjs';
import * as coordination from '../src/schema/coordination.mjs';
import * as journal from '../src/schema/journal.mjs';
import * as results from '../src/schema/results.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** @type {any[]} */
const schemas = [coordination, results, bridge, journal];
/** @type {Record<string, { fields: any[], token: boolean }>} */
const shapes = {};
for (const { inputs, tokens } of schemas) {
  for (const [name, fields] of Object.entries(inputs)) shapes[name] = { fields, token: false };
  for (const [name, fields] of Object.entries(tokens)) shapes[name] = { fields, token: true };
}

/** @type {Record<string, string>} */
const files = {
  'src/base/error_codes.gen.hpp': cpp.errorCodes(schemas),
  'src/base/error_table.gen.cpp': cpp.errorTable(schemas),
  'js/generated/errors.js': js.errorTable(schemas),
};
for (const schema of schemas) {
  files[`src/${schema.name}/schema.gen.hpp`] = cpp.schemaHeader(schema);
  files[`src/${schema.name}/errors.gen.hpp`] = cpp.errorFactories(schema);
  files[`bindings/${schema.name}/wire.gen.hpp`] = cpp.wire(schema, shapes);
  files[`js/generated/${schema.name}.js`] = js.module(schema, shapes);
}
files['bindings/journal/recorded.gen.hpp'] = recorded.writers([coordination, results], shapes);
files['js/generated/recorded.js'] = recorded.readers(journal, [coordination, results], shapes);
files['src/journal/commands.gen.hpp'] = codec.commands(journal, [coordination, results], shapes);

const check = process.argv.includes('--check');
const stale = [];
for (const [name, text] of Object.entries(files)) {
  const file = path.join(root, name);
  let current = null;
  try {
    current = readFileSync(file, 'utf8');
  } catch {
    // Not written yet.
  }
  if (current === text) continue;
  stale.push(name);
  if (check) continue;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
if (check && stale.length > 0) {
  console.error(`Not up to date, run "npm run generate": ${stale.join(', ')}`);
  process.exit(1);
}
