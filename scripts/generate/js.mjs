// @ts-nocheck -- text templates over plain data
// The JavaScript half: constants, names, frozen record classes, and the codec of the boundary's frame.
// Writers first read every property they need and only then touch the frame: a getter of the caller's
// that calls leasegate again finds the frame unused.

import {
  banner as plainBanner,
  camel,
  constantCase,
  constantsOf,
  isContent,
  isNumber,
  pascal,
  slotsOf,
  typeOf,
} from './names.mjs';

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

/** Whether a token of the core's own is given back by its place. */
const isPlaced = (shape) => !shape.fields.every(isContent);
/** What is given back beside the place: it tells the token from any other that was or will be there. */
const PLACED_WITH = ['lease_id', 'expires_at'];

/** A token of the core's own is frozen and needs no reading. */
function readsPlaced(name, path, out) {
  const value = local(path);
  out.push(`  const ${value}_place = ${name}.placeIn(object(${value}, '${spoken(path)}'), ids);\n`);
  out.push(`  const ${value}_read = ${value}_place === NO_PLACE ? fieldsOf${name}(${value}) : ${value};\n`);
}

/** Emits the reads of `fields` from the object in `source`, nested shapes included. */
function reads(fields, path, source, shapes, out) {
  // The host's clock is no part of the options.
  const given = fields.filter((field) => field[1] !== 'now' && isContent(field));
  const names = given.map(([field]) => `${camel(field)}: ${local([...path, camel(field)])}`);
  out.push(`  const { ${names.join(', ')} } = object(${source}, '${spoken(path) || 'options'}');\n`);
  for (const [field, type] of fields) {
    const inner = [...path, camel(field)];
    const { base, argument } = typeOf(type);
    if (shapes[base] && isPlaced(shapes[base])) readsPlaced(base, inner, out);
    else if (shapes[base]) reads(shapes[base].fields, inner, local(inner), shapes, out);
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

/**
 * A bigint goes in on the spot: an engine inlines only so much, and commands hold up to eight of them. All else takes
 * the way of a function.
 */
function integerWrite(put, at, value, argument, place) {
  const call = `${put}(f, ${at}, ${value}, ${argument});\n`;
  if (place.grown || !/^\w+$/.test(value)) return `  ${call}`;
  place.integers = true;
  const wide = `typeof ${value} === 'bigint' && BigInt.asUintN(64, ${value}) === ${value}`;
  return `  if (${wide}) u64[${at}] = ${value};\n  else ${call}`;
}

/**
 * Emits the writes of what `reads` has read, in schema order, from slot `place.slot` on: the slot of every value is
 * known. Each text begins where the one before has ended, which is `place.text` in the code. A token may have been
 * through JSON.
 */
function writes(fields, path, { shapes, enums }, out, place, token = false) {
  for (const [field, type, fallback] of fields) {
    const inner = [...path, camel(field)];
    const value = local(inner);
    const argument = `'${spoken(inner)}'`;
    const t = typeOf(type);
    const given =
      fallback === undefined || fallback === 'empty'
        ? value
        : `${value} ?? ${JSON.stringify(fallback).replace(/"/g, "'")}`;
    const at = place.slot === 0 ? 'at' : `at + ${place.slot}`;
    if (shapes[t.base]) {
      const { fields: nested, token } = shapes[t.base];
      if (!isPlaced(shapes[t.base])) {
        writes(nested, inner, { shapes, enums }, out, place, token);
        continue;
      }
      out.push(
        `  if (${value}_place !== NO_PLACE) putPlaced${t.base}(f, ${at}, ${value}, ${value}_place);\n`,
      );
      out.push(`  else put${t.base}(f, ${at}, ${place.text}, ${value}_read, ${argument});\n`);
      place.slot += slotsOf(t.base, shapes);
      place.text = undefined; // nothing says where its texts end: none may follow
      continue;
    }
    place.slot += slotsOf(type, shapes);
    const text = (put, ...rest) => {
      const before = place.text;
      place.texts += 1;
      place.text = `text${place.texts}`;
      out.push(`  const ${place.text} = ${put}(f, ${at}, ${before}, ${rest.join(', ')});\n`);
    };
    if (t.base === 'u64' && t.optional) out.push(`  putOptionalU64(f, ${at}, ${given}, ${argument});\n`);
    else if (t.base === 'u64')
      out.push(integerWrite(`put${token ? 'Token' : ''}U64`, at, given, argument, place));
    else if (t.base === 'u32') out.push(`  putU32(f, ${at}, ${given}, ${argument});\n`);
    else if (t.base === 'bool') out.push(`  putBool(f, ${at}, ${given}, ${argument});\n`);
    else if (t.base === 'text') text('putText', given, argument, t.argument);
    else if (t.base === 'utf8') text('putUtf8', given, argument, t.argument);
    else if (t.base === 'id') text('putUtf8', given, argument, 'MAX_OPAQUE_ID_BYTES');
    else if (t.base === 'now') out.push(`  putMillis(f, ${at}, now);\n`);
    else if (t.base === 'place') out.push(`  putSlot(f, ${at}, NO_PLACE);\n`);
    else if (t.base === 'task' || t.base === 'worker')
      text('putText', given, argument, 'MAX_IDENTIFIER_BYTES');
    else if (t.base === 'bytes') text('putBytes', `${value}_bytes`, t.argument);
    else if (t.base === 'set') out.push(`  putSlot(f, ${at}, ${value}_bits);\n`);
    else if (t.base === 'ownership') text('putOwnership', `${value}_read`, argument);
    else if (t.base === 'payload') out.push(`  putSlot(f, ${at}, carry(${value}));\n`);
    else if (t.base === 'blob') {
      // Written by hand, slot by slot.
      out.push(`  f.slot = ${at};\n  f.text = ${place.text};\n  carry(${value}, ${argument});\n`);
      place.text = 'f.text';
      place.grown = true; // and with it the views may be others
    } else if (fallback === undefined) out.push(`  putName(f, ${at}, ${t.base}, ${value}, ${argument});\n`);
    else {
      const index = enums[t.base].indexOf(fallback);
      out.push(`  if (${value} === undefined || ${value} === null) putSlot(f, ${at}, ${index});\n`);
      out.push(`  else putName(f, ${at}, ${t.base}, ${value}, ${argument});\n`);
    }
  }
}

/** Nothing begins where the last text ends. */
function unnameLast(out, text) {
  const named = `  const ${text} = `;
  const at = out.findIndex((line) => line.startsWith(named));
  if (at >= 0) out[at] = `  ${out[at].slice(named.length)}`;
}

function writer(name, fields, { shapes, enums }, echo) {
  const out = [];
  const place = { slot: 0, text: 'f.textAt', texts: 0 };
  reads(fields, [], 'options', shapes, out);
  const start = out.length;
  writes(fields, [], { shapes, enums }, out, place);
  const names = place.integers ? '{ slotsAt: at, u64 }' : '{ slotsAt: at }';
  out.splice(start, 0, `  f.begin();\n  const ${names} = f;\n`);
  if (place.text && place.text !== 'f.text') unnameLast(out, place.text);
  if (echo) {
    out.push('  const { given } = f;\n');
    echo.texts.forEach((text, index) => {
      out.push(`  given[${index}] = ${local([...echo.from, ...text.split('.').map(camel)])};\n`);
    });
  }
  const carry = fields.some(([, type]) => /^(payload|blob)$/.test(type)) ? ', carry' : '';
  const now = fields.some(([, type]) => type === 'now') ? ', now' : '';
  const ids = fields.some(([, type]) => shapes[type] && isPlaced(shapes[type])) ? ', ids' : '';
  return `export function write${pascal(name)}(f, options${now}${carry}${ids}) {\n${out.join('')}}\n`;
}

/** What a slot that changes with every command holds: looking for it among the known ones would find nothing. */
const ALWAYS_NEW = new Set(['revision']);

export function readExpression([field, type], at) {
  const { base, argument, optional } = typeOf(type);
  switch (base) {
    case 'u64':
      if (ALWAYS_NEW.has(field)) return `f.u64[${at}]`;
      return optional ? `getOptionalCounter(f, ${at})` : `getCounter(f, ${at})`;
    case 'u32':
    case 'count':
    case 'derived':
    case 'ownership':
    case 'place':
      return `f.u32[(${at}) * 2]`;
    case 'bool':
      return `f.u32[(${at}) * 2] !== 0`;
    case 'text':
    case 'id':
      return optional ? `getText(f, ${at}) || null` : `getText(f, ${at})`;
    case 'millis':
      return optional ? `getOptionalMillis(f, ${at})` : `getMillis(f, ${at})`;
    case 'placed':
      return `getPlacedText(f, ${at}) || null`;
    case 'bytes':
      return `getBytes(f, ${at})`;
    case 'task':
      return `getId(f, ${at}, ids.tasks)`;
    case 'worker':
      return optional ? `getOptionalId(f, ${at}, ids.workers)` : `getId(f, ${at}, ids.workers)`;
    case 'set':
      return `getSet(f, ${at}, ${argument})`;
    default:
      if (/^[A-Z]/.test(base) && /(Lease|Fence|Receipt|Key)$/.test(base)) {
        return optional
          ? `f.u32[(${at}) * 2] === 0 ? null : read${base}(f, ${at} + 1, ids)`
          : `read${base}(f, ${at}, ids)`;
      }
      return `${base}[f.u32[(${at}) * 2]]`;
  }
}

/** The values of `fields`, which lie from slot `first` after `at` on. */
export function readExpressions(fields, first, shapes, read = readExpression) {
  let slot = first;
  return fields.map((field) => {
    const expression = read(field, slot === 0 ? 'at' : `at + ${slot}`);
    slot += slotsOf(field[1], shapes);
    return expression
      .replace('(at)', 'at')
      .replace(/\(at \+ (\d+)\) \* 2/g, (_, more) => `at * 2 + ${more * 2}`)
      .replace(/at \+ (\d+) \+ 1/g, (_, more) => `at + ${Number(more) + 1}`);
  });
}

/** A token of the core's own knows where it is kept, which nobody else can say of one. */
const PLACE_MEMBERS = `  /** Where the core keeps what this is a token of, if it is one of \`home\`'s own. */
  static placeIn(token, home) {
    return #home in token && token.#home === home ? token.#place : NO_PLACE;
  }
`;

export function recordClass(name, fields, kind) {
  const placed = !fields.every(isContent);
  const names = fields.filter(isContent).map(([field]) => camel(field));
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
  const parameters = placed ? [...names, 'place', 'home'] : names;
  const hidden = placed ? '    this.#place = place;\n    this.#home = home;\n' : '';
  return (
    `export class ${name} {\n${placed ? '  #place;\n  #home;\n\n' : ''}  constructor(${parameters.join(', ')}) {\n` +
    `${tag}${assign}${hidden}    Object.freeze(this);\n  }\n${placed ? `\n${PLACE_MEMBERS}` : ''}}\n` +
    `defineRecord(${name}, [${secrets.join(', ')}]);\n`
  );
}

function reader(name, fields, shapes) {
  const values = readExpressions(fields, 0, shapes);
  if (!fields.every(isContent)) values.push('ids');
  return `export function read${name}(f, at, ids) {\n  return new ${name}(${values.join(', ')});\n}\n`;
}

/** The reader for an answer that repeats texts of its command: those are taken from there, not decoded again. */
function echoReader(name, fields, { texts }, tokens, shapes) {
  const given = (path) => (field, at) => {
    const index = texts.indexOf([...path, field[0]].join('.'));
    if (index >= 0)
      return field[1] === 'task' ? `getGivenId(f, ${at}, ids.tasks, f.given[${index}])` : `f.given[${index}]`;
    if (!texts.some((text) => text.startsWith(`${field[0]}.`))) return readExpression(field, at);
    const first = Number(at.replace(/^at( \+ )?/, '') || 0);
    const inner = readExpressions(tokens[field[1]], first, shapes, given([field[0]]));
    return `new ${field[1]}(${inner.join(', ')})`;
  };
  const values = readExpressions(fields, 0, shapes, given([]));
  return `export function readGiven${name}(f, at, ids) {\n  return new ${name}(${values.join(', ')});\n}\n`;
}

/** Records that hold one counter and are frozen: the one that came last is as good as a new one. */
const remembered = (name, field) =>
  `let last${name} = new ${name}(0n);\nfunction the${name}(${field}) {\n` +
  `  if (last${name}.${field} !== ${field}) last${name} = new ${name}(${field});\n  return last${name};\n}\n`;

function union(name, { kinds }, shapes) {
  const parts = [];
  const cases = [];
  Object.entries(kinds).forEach(([kind, fields], index) => {
    parts.push(recordClass(pascal(kind), fields, kind));
    const values = readExpressions(fields, 1, shapes);
    const few = fields.length === 1 && fields[0][1] === 'u64';
    if (few) parts.push(remembered(pascal(kind), camel(fields[0][0])));
    const made = few ? `the${pascal(kind)}(${values[0]})` : `new ${pascal(kind)}(${values.join(', ')})`;
    cases.push(`    case ${index}:\n      return ${made};\n`);
  });
  parts.push(
    `export function read${name}(f, at, ids) {\n  switch (f.u32[at * 2]) {\n${cases.join('')}` +
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

/** A token whose fields have been read already, at places that depend on where it begins. */
function tokenWriter(name, fields) {
  const names = fields.filter(isContent).map(([field]) => camel(field));
  const lines = fields.map(([field, type], slot) => {
    const at = slot === 0 ? 'at' : `at + ${slot}`;
    if (!isContent([field, type])) return `  putSlot(f, ${at}, NO_PLACE);\n`;
    const argument = `\`\${path}.${camel(field)}\``;
    if (type === 'u64') return integerWrite('putTokenU64', at, camel(field), argument, {});
    if (type === 'u32') return `  putU32(f, ${at}, ${camel(field)}, ${argument});\n`;
    return `  end = putText(f, ${at}, end, ${camel(field)}, ${argument}, MAX_IDENTIFIER_BYTES);\n`;
  });
  return (
    `function put${name}(f, at, text, { ${names.join(', ')} }, path) {\n` +
    `  const { u64 } = f;\n  let end = text;\n${lines.join('')}  return end;\n}\n`
  );
}

/** A token of the core's own, by its place. Its texts are left out: the core has them. */
function placedWriter(name, fields) {
  const lines = fields.map(([field, type], slot) => {
    const at = slot === 0 ? 'at' : `at + ${slot}`;
    if (/^(task|worker)$/.test(type)) return `  putSlot(f, ${at}, 0);\n`;
    if (PLACED_WITH.includes(field)) return `  f.u64[${at}] = token.${camel(field)};\n`;
    return isContent([field, type]) ? '' : `  putSlot(f, ${at}, place);\n`;
  });
  const names = fields.filter(isContent).map(([field]) => camel(field));
  return (
    `function putPlaced${name}(f, at, token, place) {\n${lines.join('')}}\n\n` +
    `function fieldsOf${name}(token) {\n  const { ${names.join(', ')} } = token;\n  return { ${names.join(', ')} };\n}\n`
  );
}

// A task is cancelled by what owns it now: the fence of its place in the queue, or its lease.
const ownershipOf = ({ TaskLease, QueuedTaskFence }) => {
  const fields = [...TaskLease, ...QueuedTaskFence].filter(isContent);
  const names = [...new Set(fields.map(([field]) => camel(field)))].join(', ');
  return `const FENCE = OwnershipKind.indexOf('fence');
const LEASE = OwnershipKind.indexOf('lease');

/** Which token the caller gave, with its fields read: only a lease has a leaseId. */
function readOwnership(value, path) {
  const { ${names} } = object(value, path);
  const kind = leaseId === undefined || leaseId === null ? FENCE : LEASE;
  return { kind, token: { ${names} } };
}

function putOwnership(f, at, text, { kind, token }, path) {
  putSlot(f, at, kind);
  return kind === LEASE
    ? putTaskLease(f, at + 1, text, token, path)
    : putQueuedTaskFence(f, at + 1, text, token, path);
}

/** The token that the core says owns the task; its fields are the task's own. */
function derivedOwnership(kind, task) {
  if (kind === FENCE) return new QueuedTaskFence(task.taskId, task.taskGeneration, task.recordVersion);
  return kind === LEASE ? task.lease : null;
}
`;
};

const IMPORTS = [
  "import { byteView, object, putLimits, setBits } from '../boundary/arguments.js';\n",
  "import { getBytes, getCounter, getGivenId, getId, getMillis, getOptionalCounter, getOptionalId, getOptionalMillis, getPlacedBytes, getPlacedText, getSet, getText } from '../boundary/get.js';\n",
  "import { NO_PLACE, putBool, putBytes, putMillis, putName, putOptionalU64, putSlot, putText, putTokenU64, putU32, putU64, putUtf8 } from '../boundary/put.js';\n",
  "import { defineRecord } from '../boundary/records.js';\n",
];

/** The imports that `body` needs, of these and of `more`. */
export function imports(body, more = []) {
  const calls = (name) => body.includes(`${name}(`) || body.includes(`${name})`) || body.includes(`${name};`);
  const only = (_, list) => `{ ${list.split(', ').filter(calls).join(', ')} }`;
  return [...IMPORTS, ...more]
    .map((line) => line.replace(/\{ (.*) \}/, only))
    .filter((line) => !line.includes('{  }'))
    .join('');
}

/** Everything of one contract that JavaScript needs to know. */
export function module(schema, shapes) {
  const parts = [];
  for (const [name, value, doc] of constantsOf(schema))
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
    parts.push(recordClass(name, fields), reader(name, fields, shapes));
    if (schema.name === 'coordination') parts.push(tokenWriter(name, fields));
    if (!fields.every(isContent)) parts.push(placedWriter(name, fields));
  }
  for (const [name, fields] of Object.entries(schema.records))
    parts.push(recordClass(name, fields), reader(name, fields, shapes));
  for (const [name, fields] of Object.entries(schema.hostRecords ?? {}))
    parts.push(recordClass(name, fields));
  for (const echo of Object.values(schema.echoes ?? {}))
    parts.push(echoReader(echo.record, schema.records[echo.record], echo, schema.tokens, shapes));
  for (const [name, definition] of Object.entries(schema.unions)) parts.push(union(name, definition, shapes));
  for (const [name, fields] of Object.entries(schema.commands))
    parts.push(writer(name, fields, { shapes, enums: schema.enums }, schema.echoes?.[name]));
  if (schema.name === 'coordination') parts.push(ownershipOf(schema.tokens));
  const body = parts.join('\n');
  const more =
    schema.name === 'coordination' ? [] : ["import { MAX_IDENTIFIER_BYTES } from './coordination.js';\n"];
  return `${banner('//')}\n${imports(body, more)}\n${body}`;
}
