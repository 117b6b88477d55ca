// @ts-nocheck -- text templates over plain data
// The JavaScript half: constants, names, frozen record classes, and the codec of the boundary's frame.
// Writers first read every property they need and only then touch the frame: a getter of the caller's
// that calls leasegate again finds the frame unused.

import { banner as plainBanner, camel, constantCase, isNumber, pascal, typeOf } from './names.mjs';

/** The types of generated code are those of its callers; checking it again says nothing new. */
export const banner = (comment) => `${plainBanner(comment)}// @ts-nocheck\n`;

const quote = (text) => `'${text}'`;

/** code -> fields with the kind in which they travel. */
export function errorTable(schemas) {
  const rows = schemas
    .flatMap((s) => s.errors)
    .map((e) => {
      const fields = Object.entries(e.fields).map(([field, kind]) => {
        const travels = isNumber(kind) ? kind : kind.endsWith('?') ? 'text?' : 'text';
        return `['${camel(field)}', '${travels}']`;
      });
      return `  { code: '${e.as ?? e.code}', fields: [${fields.join(', ')}] },\n`;
    });
  return `${banner('//')}\n/** Every error of the core, by the number that crosses the boundary. */\nexport const ERROR_SHAPES = [\n${rows.join('')}];\n`;
}

const local = (path) => path.join('_');
const spoken = (path) => path.join('.');

/** Emits the reads of `fields` from the object in `source`, nested shapes included. */
function reads(fields, path, source, shapes, out) {
  const given = fields.filter(([, type]) => type !== 'now'); // the host's clock is no part of the options
  const names = given.map(([field]) => `${camel(field)}: ${local([...path, camel(field)])}`);
  out.push(`  const { ${names.join(', ')} } = object(${source}, '${spoken(path) || 'options'}');\n`);
  for (const [field, type] of fields) {
    const inner = [...path, camel(field)];
    const { base, argument } = typeOf(type);
    if (shapes[base]) reads(shapes[base].fields, inner, local(inner), shapes, out);
    if (base === 'ownership')
      out.push(`  const ${local(inner)}_read = readOwnership(${local(inner)}, '${spoken(inner)}');\n`);
    if (base === 'set')
      out.push(`  const ${local(inner)}_bits = setBits(${argument}, ${local(inner)}, '${spoken(inner)}');\n`);
    if (base === 'bytes')
      out.push(
        `  const ${local(inner)}_bytes = byteView(${local(inner)}, '${spoken(inner)}', ${argument});\n`,
      );
  }
}

/** Emits the writes of what `reads` has read, in schema order. A token may have been through JSON. */
function writes(fields, path, shapes, out, token = false) {
  for (const [field, type, fallback] of fields) {
    const inner = [...path, camel(field)];
    const value = local(inner);
    const argument = `'${spoken(inner)}'`;
    const t = typeOf(type);
    const given =
      fallback === undefined || fallback === 'empty'
        ? value
        : `${value} ?? ${JSON.stringify(fallback).replace(/"/g, "'")}`;
    if (shapes[t.base]) writes(shapes[t.base].fields, inner, shapes, out, shapes[t.base].token);
    else if (t.base === 'u64' && t.optional) out.push(`  f.putOptionalU64(${given}, ${argument});\n`);
    else if (t.base === 'u64') out.push(`  f.put${token ? 'Token' : ''}U64(${given}, ${argument});\n`);
    else if (t.base === 'u32') out.push(`  f.putU32(${given}, ${argument});\n`);
    else if (t.base === 'bool') out.push(`  f.putBool(${given}, ${argument});\n`);
    else if (t.base === 'text') out.push(`  f.putText(${given}, ${argument}, ${t.argument});\n`);
    else if (t.base === 'utf8') out.push(`  f.putUtf8(${given}, ${argument}, ${t.argument});\n`);
    else if (t.base === 'id') out.push(`  f.putUtf8(${given}, ${argument}, MAX_OPAQUE_ID_BYTES);\n`);
    else if (t.base === 'now') out.push('  f.putMillis(now);\n');
    else if (t.base === 'task' || t.base === 'worker')
      out.push(`  f.putText(${given}, ${argument}, MAX_IDENTIFIER_BYTES);\n`);
    else if (t.base === 'bytes') out.push(`  f.putBytes(${value}_bytes, ${t.argument});\n`);
    else if (t.base === 'set') out.push(`  f.putSlot(${value}_bits);\n`);
    else if (t.base === 'ownership') out.push(`  putOwnership(f, ${value}_read, ${argument});\n`);
    else if (t.base === 'payload') out.push(`  f.putSlot(carry(${value}));\n`);
    else if (t.base === 'blob') out.push(`  carry(${value}, ${argument});\n`);
    else out.push(`  f.putName(${t.base}, ${given}, ${argument});\n`);
  }
}

function writer(name, fields, shapes, echo) {
  const out = [];
  reads(fields, [], 'options', shapes, out);
  out.push('  f.begin();\n');
  writes(fields, [], shapes, out);
  if (echo)
    out.push(
      `  f.given = [${echo.texts.map((text) => local([...echo.from, ...text.split('.').map(camel)])).join(', ')}];\n`,
    );
  const carry = fields.some(([, type]) => /^(payload|blob)$/.test(type)) ? ', carry' : '';
  const now = fields.some(([, type]) => type === 'now') ? ', now' : '';
  return `export function write${pascal(name)}(f, options${now}${carry}) {\n${out.join('')}}\n`;
}

export function readExpression([, type], ids) {
  const { base, argument, optional } = typeOf(type);
  switch (base) {
    case 'u64':
      return optional ? 'f.getOptionalU64()' : 'f.getU64()';
    case 'u32':
    case 'count':
    case 'derived':
      return 'f.getU32()';
    case 'bool':
      return 'f.getBool()';
    case 'text':
    case 'id':
      return optional ? 'f.getText() || null' : 'f.getText()';
    case 'millis':
      return optional ? 'f.getOptionalMillis()' : 'f.getMillis()';
    case 'placed':
      return 'f.getPlacedText() || null';
    case 'bytes':
      return 'f.getBytes()';
    case 'task':
      return `f.getId(${ids}.tasks)`;
    case 'worker':
      return optional ? `f.getOptionalId(${ids}.workers)` : `f.getId(${ids}.workers)`;
    case 'set':
      return `f.getSet(${argument})`;
    case 'ownership':
      return 'f.getU32()';
    default:
      if (/^[A-Z]/.test(base) && /(Lease|Fence|Receipt|Key)$/.test(base)) {
        return optional ? `f.getBool() ? read${base}(f, ${ids}) : null` : `read${base}(f, ${ids})`;
      }
      return `f.getName(${base})`;
  }
}

export function recordClass(name, fields, kind) {
  const names = fields.map(([field]) => camel(field));
  const own = fields.some(([, type]) => type === 'ownership');
  const assign = names
    .map((n) => {
      if (own && n === 'ownership') return '    this.ownership = derivedOwnership(ownership, this);\n';
      return `    this.${n} = ${n};\n`;
    })
    .join('');
  const tag = kind ? `    this.kind = '${kind}';\n` : '';
  const secrets = fields
    .filter(([, type, mark]) => mark === 'secret' || type === 'payload')
    .map(([field]) => quote(camel(field)));
  return (
    `export class ${name} {\n  constructor(${names.join(', ')}) {\n${tag}${assign}    Object.freeze(this);\n  }\n}\n` +
    `defineRecord(${name}, [${secrets.join(', ')}]);\n`
  );
}

function reader(name, fields) {
  const values = fields.map((f) => readExpression(f, 'ids'));
  return `export function read${name}(f, ids) {\n  return new ${name}(${values.join(', ')});\n}\n`;
}

/** The reader for an answer that repeats texts of its command: those are taken from there, not decoded again. */
function echoReader(name, fields, { texts }, tokens) {
  const given = (path) => (field) => {
    const index = texts.indexOf([...path, field[0]].join('.'));
    if (index >= 0)
      return field[1] === 'task' ? `f.getGivenId(ids.tasks, ${index})` : `f.getGivenText(${index})`;
    if (!texts.some((text) => text.startsWith(`${field[0]}.`))) return readExpression(field, 'ids');
    return `new ${field[1]}(${tokens[field[1]].map(given([field[0]])).join(', ')})`;
  };
  const values = fields.map(given([]));
  return `export function readGiven${name}(f, ids) {\n  return new ${name}(${values.join(', ')});\n}\n`;
}

function union(name, { kinds }) {
  const parts = [];
  const cases = [];
  Object.entries(kinds).forEach(([kind, fields], index) => {
    parts.push(recordClass(pascal(kind), fields, kind));
    const values = fields.map((f) => readExpression(f, 'ids'));
    cases.push(`    case ${index}:\n      return new ${pascal(kind)}(${values.join(', ')});\n`);
  });
  parts.push(
    `export function read${name}(f, ids) {\n  switch (f.getU32()) {\n${cases.join('')}` +
      `    default:\n      throw new Error('unreachable: unknown ${name}');\n  }\n}\n`,
  );
  return parts.join('\n');
}

function limitsWriter(name, fields) {
  const table = fields
    .map(([field, value, ceiling]) => `  ['${camel(field)}', ${value}, ${ceiling}],\n`)
    .join('');
  const constant = constantCase(name);
  return (
    `/** Field, default and ceiling of every limit. */\nexport const ${constant} = [\n${table}];\n` +
    `export function write${name}(f, limits) {\n  putLimits(f, ${constant}, limits);\n}\n`
  );
}

// A task is cancelled by what owns it now: the fence of its place in the queue, or its lease.
const ownershipOf = ({ TaskLease, QueuedTaskFence }) => {
  const names = [...new Set([...TaskLease, ...QueuedTaskFence].map(([field]) => camel(field)))].join(', ');
  return `const FENCE = OwnershipKind.indexOf('fence');
const LEASE = OwnershipKind.indexOf('lease');

/** Which token the caller gave, with its fields read: only a lease has a leaseId. */
function readOwnership(value, path) {
  const { ${names} } = object(value, path);
  const kind = leaseId === undefined || leaseId === null ? FENCE : LEASE;
  return { kind, token: { ${names} } };
}

function putOwnership(f, { kind, token }, path) {
  f.putSlot(kind);
  if (kind === LEASE) putTaskLease(f, token, path);
  else putQueuedTaskFence(f, token, path);
}

/** The token that the core says owns the task; its fields are the task's own. */
function derivedOwnership(kind, task) {
  if (kind === FENCE) return new QueuedTaskFence(task.taskId, task.taskGeneration, task.recordVersion);
  return kind === LEASE ? task.lease : null;
}
`;
};

/** Everything of one contract that JavaScript needs to know. */
export function module(schema, shapes) {
  const parts = [];
  for (const [name, value, doc] of schema.constants)
    parts.push(`/** ${doc} */\nexport const ${name} = ${value};\n`);
  for (const [name, values] of Object.entries(schema.enums)) {
    parts.push(`export const ${name} = Object.freeze([${values.map(quote).join(', ')}]);\n`);
  }
  for (const [name, table] of Object.entries(schema.transitions ?? {})) {
    const rows = schema.enums[name].map(
      (from) => `  ${from}: Object.freeze([${(table[from] ?? []).map(quote).join(', ')}]),\n`,
    );
    parts.push(
      `/** What each state may become; a state that becomes nothing is terminal. */\nexport const ${constantCase(name)}_TRANSITIONS = Object.freeze({\n${rows.join('')}});\n`,
    );
  }
  if (schema.machines) {
    const rows = Object.entries(schema.machines).map(
      ([name, states]) => `  ${name}: ${constantCase(states)}_TRANSITIONS,\n`,
    );
    parts.push(`export const MACHINES = Object.freeze({\n${rows.join('')}});\n`);
  }
  const ops = [...Object.keys(schema.commands), ...schema.queries];
  for (const [index, op] of ops.entries()) parts.push(`export const OP_${op.toUpperCase()} = ${index};\n`);
  for (const [name, fields] of Object.entries(schema.limits)) parts.push(limitsWriter(name, fields));
  for (const [name, fields] of Object.entries(schema.tokens)) {
    parts.push(recordClass(name, fields), reader(name, fields));
    parts.push(
      `export function put${name}(f, read, path) {\n` +
        fields
          .map(([field, type]) => {
            const target = `read.${camel(field)}, \`\${path}.${camel(field)}\``;
            if (type === 'u64') return `  f.putTokenU64(${target});\n`;
            if (type === 'u32') return `  f.putU32(${target});\n`;
            if (type.startsWith('id:')) return `  f.putUtf8(${target}, MAX_OPAQUE_ID_BYTES);\n`;
            return `  f.putText(${target}, MAX_IDENTIFIER_BYTES);\n`;
          })
          .join('') +
        '}\n',
    );
  }
  for (const [name, fields] of Object.entries(schema.records))
    parts.push(recordClass(name, fields), reader(name, fields));
  for (const [name, fields] of Object.entries(schema.hostRecords ?? {}))
    parts.push(recordClass(name, fields));
  for (const echo of Object.values(schema.echoes ?? {}))
    parts.push(echoReader(echo.record, schema.records[echo.record], echo, schema.tokens));
  for (const [name, definition] of Object.entries(schema.unions)) parts.push(union(name, definition));
  for (const [name, fields] of Object.entries(schema.commands))
    parts.push(writer(name, fields, shapes, schema.echoes?.[name]));
  const imports = [
    "import { byteView, object, putLimits, setBits } from '../boundary/arguments.js';\n",
    "import { defineRecord } from '../boundary/records.js';\n",
  ];
  if (schema.name === 'coordination') parts.push(ownershipOf(schema.tokens));
  else imports.push("import { MAX_IDENTIFIER_BYTES } from './coordination.js';\n");
  const body = parts.join('\n');
  const used = imports
    .map((line) =>
      line.replace(
        /\{ (.*) \}/,
        (_, list) =>
          `{ ${list
            .split(', ')
            .filter((n) => body.includes(`${n}(`) || body.includes(`${n})`))
            .join(', ')} }`,
      ),
    )
    .filter((line) => !line.includes('{  }'));
  return `${banner('//')}\n${used.join('')}\n${body}`;
}
