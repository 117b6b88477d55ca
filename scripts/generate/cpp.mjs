// @ts-nocheck -- text templates over plain data
// The C++ half: enums, constants, limits, error factories, and the codec of the boundary's frame.

import { banner, constantsOf, cppName, isNumber, isSubject, pascal, slotsOf, typeOf } from './names.mjs';

export const guard = (includes, body) =>
  `${banner('//')}#pragma once\n\n${includes.map((i) => `#include ${i}\n`).join('')}\n${body}`;
const quote = (text) => JSON.stringify(text);

function enumeration(name, values) {
  const list = values.map((v) => `  ${cppName(v)},\n`).join('');
  const names = values.map((v) => `    ${quote(v)},\n`).join('');
  return (
    `enum class ${name} : std::uint8_t {\n${list}};\n` +
    `inline constexpr std::array<std::string_view, ${values.length}> k${name}Names = {\n${names}};\n` +
    `[[nodiscard]] constexpr std::string_view name_of(${name} value) {\n` +
    `  return k${name}Names[static_cast<std::size_t>(value)];\n}\n`
  );
}

function limitsStruct(name, fields) {
  const members = fields
    .map(
      ([field, value, ceiling, doc]) =>
        `  /** ${doc} 1 to ${ceiling}. */\n  std::uint64_t ${field} = ${value};\n`,
    )
    .join('');
  return `struct ${name} {\n${members}};\n`;
}

/** What each state of one machine may become, as bits, and the two questions asked of it. */
function transitionTable(name, states, table) {
  const rows = states.map((from) => {
    const bits = (table[from] ?? []).map((to) => `1U << ${states.indexOf(to)}`);
    const targets = table[from] ? table[from].join(', ') : '(terminal)';
    return `    ${bits.join(' | ') || '0'},  // ${from} -> ${targets}\n`;
  });
  return (
    `/** The states that each state may become, a bit a state. */\n` +
    `inline constexpr std::array<std::uint32_t, ${states.length}> k${name}Transitions = {\n${rows.join('')}};\n` +
    `[[nodiscard]] constexpr bool can_become(${name} from, ${name} to) {\n` +
    `  return (k${name}Transitions[static_cast<std::size_t>(from)] >> static_cast<unsigned>(to) & 1U) != 0;\n}\n` +
    `[[nodiscard]] constexpr bool is_terminal(${name} state) {\n` +
    `  return k${name}Transitions[static_cast<std::size_t>(state)] == 0;\n}\n`
  );
}

/** Constants, enums, transition tables and limits of one contract. */
export function schemaHeader(schema) {
  const constants = constantsOf(schema)
    .map(([name, value, doc]) => `/** ${doc} */\ninline constexpr std::uint64_t ${name} = ${value};\n`)
    .join('');
  const enums = Object.entries(schema.enums).map(([name, values]) => enumeration(name, values));
  const machines = Object.entries(schema.transitions ?? {}).map(([name, table]) =>
    transitionTable(name, schema.enums[name], table),
  );
  const limits = Object.entries(schema.limits).map(([name, fields]) => limitsStruct(name, fields));
  return guard(
    ['<array>', '<cstddef>', '<cstdint>', '<string_view>'],
    `namespace leasegate {\n\n${constants}\n${[...enums, ...machines, ...limits].join('\n')}\n}  // namespace leasegate\n`,
  );
}

/** The one list of error codes, in schema order. */
export function errorCodes(schemas) {
  const list = schemas.flatMap((s) => s.errors).map((e) => `  ${e.code},\n`);
  return guard(
    ['<cstdint>'],
    `namespace leasegate {\n\nenum class ErrorCode : std::uint8_t {\n${list.join('')}};\n\n}  // namespace leasegate\n`,
  );
}

/** Spelling, fields and message of every code. */
export function errorTable(schemas) {
  const rows = schemas
    .flatMap((s) => s.errors)
    .map((e) => {
      const counters = { number: 0, word: 0, subject: 0 };
      const fields = Object.entries(e.fields).map(([field, kind]) => {
        const store = isNumber(kind) ? 'number' : isSubject(kind) ? 'subject' : 'word';
        return `{${quote(field)}, ErrorField::Kind::${store}, ${counters[store]++}}`;
      });
      return `    {${quote(e.as ?? e.code)}, ${quote(e.message)}, ${fields.length}, {{${fields.join(', ')}}}},\n`;
    });
  return (
    `${banner('//')}#include "base/error.hpp"\n\n#include <array>\n\nnamespace leasegate {\nnamespace {\n\n` +
    `constexpr std::array<ErrorShape, ${rows.length}> kShapes = {{\n${rows.join('')}}};\n\n}  // namespace\n\n` +
    'const ErrorShape& shape_of(ErrorCode code) {\n  return kShapes[static_cast<std::size_t>(code)];\n}\n\n' +
    '}  // namespace leasegate\n'
  );
}

/** One function a code, so that no call site can forget or swap a field. */
export function errorFactories(schema) {
  const functions = schema.errors.map((e) => {
    const parameters = [];
    const body = [];
    const counters = { number: 0, word: 0 };
    for (const [field, kind] of Object.entries(e.fields)) {
      if (isNumber(kind)) {
        parameters.push(`std::uint64_t ${field}`);
        body.push(`  error.numbers[${counters.number++}] = ${field};\n`);
      } else if (isSubject(kind)) {
        parameters.push(`std::string_view ${field}`);
        body.push(`  error.subject.assign(${field});\n`);
      } else if (kind === 'state') {
        parameters.push(`State ${field}`);
        body.push(`  error.words[${counters.word++}] = name_of(${field});\n`);
      } else {
        parameters.push(`${kind} ${field}`);
        body.push(`  error.words[${counters.word++}] = name_of(${field});\n`);
      }
    }
    const generic = Object.values(e.fields).includes('state') ? 'template <class State>\n' : '';
    return (
      `${generic}[[nodiscard]] inline Error ${e.code}(${parameters.join(', ')}) {\n` +
      `  Error error{ErrorCode::${e.code}};\n${body.join('')}  return error;\n}\n`
    );
  });
  const includes = ['<cstdint>', '<string_view>', '', '"base/error.hpp"', `"${schema.name}/schema.gen.hpp"`];
  if (schema.name === 'results' || schema.name === 'journal') includes.push('"coordination/schema.gen.hpp"');
  return guard(
    includes.filter(Boolean),
    `namespace leasegate::errors {\n\n${functions.join('\n')}\n}  // namespace leasegate::errors\n`,
  );
}

function readField([field, type], owner) {
  const { base, argument, optional } = typeOf(type);
  const member = `${owner}.${field}`;
  switch (base) {
    case 'u64':
      return `  in.${optional ? 'optional_' : ''}u64(${member});\n`;
    case 'u32':
      return `  in.u32(${member});\n`;
    case 'text':
    case 'utf8':
    case 'task':
    case 'worker':
      return `  in.text(${member});\n`;
    case 'id':
      return `  in.text(${member}.text);\n`;
    case 'place':
      return `  in.u32(${owner}.${argument}.place);\n`;
    case 'now':
      return `  in.u64(${member});\n`;
    case 'bytes':
      return `  in.bytes(${member});\n`;
    case 'set':
      return `  in.set(${member});\n`;
    case 'payload':
      return `  in.payload(${member});\n`;
    case 'blob':
      return `  in.blob(${member});\n`;
    case 'bool':
      return `  in.boolean(${member});\n`;
    default:
      return `  read(in, ${member});\n`;
  }
}

export function writeField([field, type], owner, shapes) {
  const { base, argument, optional } = typeOf(type);
  const member = `${owner}.${field}`;
  if (base === 'u64') return `  out.${optional ? 'optional_' : ''}u64(${member});\n`;
  if (base === 'millis') return `  out.${optional ? 'optional_' : ''}u64(${member});\n`;
  if (base === 'id') return `  out.text(${member}.text);\n`;
  if (base === 'place') return `  out.u32(${owner}.${argument}.place);\n`;
  if (base === 'placed') return `  out.place(${member});\n`;
  if (base === 'u32' || base === 'count') return `  out.u32(${member});\n`;
  if (base === 'derived') return `  out.u32(${member}());\n`;
  if (base === 'bool') return `  out.boolean(${member});\n`;
  if (base === 'task' || base === 'worker') return `  out.${optional ? 'optional_' : ''}id(${member});\n`;
  if (base === 'text') return `  out.text(${member});\n`;
  if (base === 'bytes') return `  out.bytes(${member});\n`;
  if (base === 'set') return `  out.set(${member});\n`;
  if (base === 'ownership') return `  out.enumeration(${owner}.${field}_kind());\n`;
  if (optional)
    return (
      `  out.boolean(${member}.has_value());\n` +
      `  if (${member}) {\n    write(out, *${member});\n  } else {\n    out.skip(${slotsOf(base, shapes)});\n  }\n`
    );
  return `  write(out, ${member});\n`;
}

const readFunction = (type, fields) =>
  `inline void read(FrameReader& in, ${type}& value) {\n${fields.map((f) => readField(f, 'value')).join('')}}\n`;
const writeFunction = (type, fields, shapes) =>
  `inline void write(FrameWriter& out, const ${type}& value) {\n${fields.map((f) => writeField(f, 'value', shapes)).join('')}}\n`;

function unionFunction(name, union, shapes) {
  const cases = Object.entries(union.kinds)
    .map(([kind, fields]) => {
      const body = fields.map((f) => `    ${writeField(f, 'value', shapes)}`).join('');
      return `    case ${union.enum}::${cppName(kind)}:\n${body}      break;\n`;
    })
    .join('');
  return (
    `inline void write(FrameWriter& out, const ${name}& value) {\n  out.enumeration(value.kind);\n` +
    `  switch (value.kind) {\n${cases}  }\n}\n`
  );
}

/** A shape without text needs no view: the C++ struct serves as its own. */
const holdsText = (fields) =>
  fields.some(([, type]) =>
    /^(text|utf8|id|task|worker|bytes|payload|blob|placed)\b|^[A-Z].*(Lease|Fence|Receipt|Key)/.test(type),
  );
export const viewOf = (name, fields) => (holdsText(fields) ? `${name}View` : name);

/** The C++ type of a command's field, for the contracts whose commands are structs of the boundary only. */
function memberType(type, shapes) {
  const { base, argument } = typeOf(type);
  switch (base) {
    case 'u64':
      return argument ?? 'std::uint64_t';
    case 'now':
      return 'UnixMillis';
    case 'id':
      return `IdOf<IdentifierKind::${argument}>`;
    case 'utf8':
      return 'std::string_view';
    case 'blob':
      return 'std::span<const std::uint8_t>';
    case 'u32':
      return 'std::uint32_t';
    default:
      return shapes[base] ? viewOf(base, shapes[base].fields) : base;
  }
}

const commandStruct = (name, fields, shapes) =>
  `struct ${name} {\n${fields.map(([field, type]) => `  ${memberType(type, shapes)} ${field}{};\n`).join('')}};\n`;

/** The frame's codec: arguments in, records out, fields in schema order on both sides. */
export function wire(schema, shapes) {
  const parts = [];
  const enumNames = Object.keys(schema.enums);
  const usedEnums = new Set(
    [schema.inputs, schema.records, schema.commandHeaders ? schema.commands : {}]
      .flatMap(Object.values)
      .flat()
      .map(([, type]) => typeOf(type).base),
  );
  for (const name of enumNames.filter((n) => usedEnums.has(n))) {
    parts.push(`inline void read(FrameReader& in, ${name}& value) { in.enumeration(value); }\n`);
    parts.push(`inline void write(FrameWriter& out, ${name} value) { out.enumeration(value); }\n`);
  }
  for (const [name, fields] of Object.entries(schema.inputs))
    parts.push(readFunction(viewOf(name, fields), fields));
  for (const [name, fields] of Object.entries(schema.tokens)) {
    parts.push(readFunction(`${name}View`, fields), writeFunction(`${name}View`, fields, shapes));
  }
  for (const [name, fields] of Object.entries(schema.records)) {
    parts.push(writeFunction(viewOf(name, fields), fields, shapes));
  }
  for (const [name, union] of Object.entries(schema.unions)) {
    parts.push(unionFunction(viewOf(name, Object.values(union.kinds).flat()), union, shapes));
  }
  if (schema.name === 'coordination') {
    // Which token was given decides how it is read, so this one is written by hand.
    parts.push('void read(FrameReader& in, TaskOwnershipView& value);\n');
  }
  for (const [name, fields] of Object.entries(schema.commands)) {
    if (schema.commandHeaders) parts.push(commandStruct(pascal(name), fields, shapes));
    parts.push(readFunction(pascal(name), fields));
  }
  const ops = [...Object.keys(schema.commands), ...schema.queries];
  parts.unshift(
    `enum class ${pascal(schema.name)}Op : std::uint32_t {\n${ops.map((o) => `  ${o},\n`).join('')}};\n`,
  );
  const includes = ['<cstdint>', '"bindings/base/frame.hpp"'];
  includes.push(...(schema.commandHeaders ?? [`${schema.name}/commands.hpp`]).map(quote));
  if (schema.name === 'results') includes.splice(1, 0, '"bindings/coordination/wire.gen.hpp"');
  return guard(
    includes,
    `namespace leasegate::bindings {\n\n${parts.join('\n')}\n}  // namespace leasegate::bindings\n`,
  );
}
