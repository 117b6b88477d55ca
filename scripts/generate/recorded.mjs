// @ts-nocheck -- text templates over plain data
// Recorded commands on their way out: what C++ puts into the frame when JavaScript looks into a record, and the frozen
// classes that JavaScript makes of it. The expected revision is left out: it is the one before the record's.

import { guard, viewOf, writeField } from './cpp.mjs';
import { banner, imports, readExpression, readExpressions, recordClass } from './js.mjs';
import { pascal, typeOf } from './names.mjs';

const commandsOf = (schema) => Object.entries({ ...schema.commands, ...schema.listCommands });
const recordedFields = (fields) => fields.filter(([field]) => field !== 'expected_revision');
/** A field of a class: what is opaque is not shown by `inspect`, and an ownership is a token that was given. */
const classField = ([field, type]) => [
  field,
  type === 'ownership' ? 'given' : type,
  ...(field === 'target_ref' ? ['secret'] : []),
];

function writeRecorded(field, shapes) {
  const [name, type] = field;
  const { base } = typeOf(type);
  if (base === 'payload') return `  out.place(value.${name});\n`;
  if (base === 'list' || base === 'ownership') return `  write(out, value.${name});\n`;
  return writeField(field, 'value', shapes);
}

function writer(type, fields, shapes) {
  const lines = recordedFields(fields)
    .map((field) => writeRecorded(field, shapes))
    .join('');
  return `inline void write(FrameWriter& out, const ${type}& value) {\n${lines}}\n`;
}

/** bindings/journal/recorded.gen.hpp */
export function writers(schemas, shapes) {
  const parts = [
    'void write(FrameWriter& out, const TaskOwnershipView& value);\nvoid write(FrameWriter& out, std::span<const IdView> ids);\n',
  ];
  for (const schema of schemas) {
    for (const [name, fields] of Object.entries(schema.inputs))
      parts.push(writer(viewOf(name, fields), fields, shapes));
    for (const [name, fields] of commandsOf(schema)) parts.push(writer(pascal(name), fields, shapes));
  }
  return guard(
    ['<span>', '"bindings/coordination/wire.gen.hpp"', '"bindings/results/wire.gen.hpp"'],
    `namespace leasegate::bindings {\n\n${parts.join('\n')}\n}  // namespace leasegate::bindings\n`,
  );
}

function readRecorded(field, at, inputs) {
  const { base } = typeOf(field[1]);
  if (inputs.includes(base)) return `read${base}(f, ${at}, ids)`;
  if (base === 'payload') return `getPlacedBytes(f, ${at})`;
  if (base === 'list') return `readIds(f, ${at})`;
  if (base === 'ownership') return `readOwnership(f, ${at}, ids)`;
  return readExpression(field, at);
}

/** js/generated/recorded.js */
export function readers(journal, schemas, shapes) {
  const inputs = schemas.flatMap((schema) => Object.keys(schema.inputs));
  const parts = [];
  const cases = [];
  const make = (name, fields) =>
    `new ${name}(${readExpressions(fields, 0, shapes, (field, at) => readRecorded(field, at, inputs)).join(', ')})`;
  for (const schema of schemas) {
    for (const [name, fields] of Object.entries(schema.inputs)) {
      parts.push(
        recordClass(name, fields.map(classField)),
        `function read${name}(f, at, ids) {\n  return ${make(name, fields)};\n}\n`,
      );
    }
    for (const [name, all] of commandsOf(schema)) {
      const fields = recordedFields(all);
      parts.push(recordClass(pascal(name), fields.map(classField), name));
      cases.push(
        `    case ${journal.kinds[schema.name][name]}:\n      return ${make(pascal(name), fields)};\n`,
      );
    }
  }
  parts.push(
    `/** The command of a record, by the number of its kind. */\nexport function readCommand(f, at, ids, kind) {\n  switch (kind) {\n${cases.join('')}` +
      "    default:\n      throw new Error('unreachable: unknown kind of record');\n  }\n}\n",
  );
  const body = parts.join('\n');
  return (
    `${banner('//')}\n${imports(body)}` +
    "import { readIds, readOwnership } from '../journal/recorded-parts.js';\n" +
    "import { Priority, readCompletionReceipt, readTaskLease, WorkerStatus, WorkerTag } from './coordination.js';\n\n" +
    body
  );
}
