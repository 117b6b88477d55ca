// @ts-nocheck -- text templates over plain data
// The journal's codec of commands: the fields of each, in schema order, and the variant that holds any of them.

import { guard, viewOf } from './cpp.mjs';
import { isContent, pascal, typeOf } from './names.mjs';

/** The limit of a text is also what the decoder refuses to pass. */
const textLimit = (base, argument) => (base === 'text' ? argument : 'MAX_IDENTIFIER_BYTES');

/** The calls that write and read one field. The revision that a command expects is that of its record, minus one. */
function calls([field, type]) {
  const { base, argument, optional } = typeOf(type);
  const value = `value.${field}`;
  switch (base) {
    case 'u64':
      return optional
        ? [`out.optional(${value})`, `in.optional(${value})`]
        : [`out.integer(${value})`, `in.integer(${value})`];
    case 'u32':
      return [`out.integer(${value})`, `in.integer(${value})`];
    case 'text':
    case 'task':
    case 'worker': {
      const limit = textLimit(base, argument);
      return [`out.text(${value}, ${limit})`, `in.text(${value}, ${limit})`];
    }
    case 'bytes':
      return [`out.bytes(${value}, ${argument})`, `in.bytes(${value}, ${argument})`];
    case 'payload':
      return [`out.bytes(${value}, MAX_RESULT_BYTES)`, `in.bytes(${value}, MAX_RESULT_BYTES)`];
    case 'set':
      return [`out.integer(std::uint32_t{${value}.bits})`, `in.set(${value}, k${argument}Names.size())`];
    case 'list':
      return [`out.ids(${value}, ${argument})`, `in.ids(${value}, ${argument})`];
    default:
      return /^[A-Z]/.test(base) && !type.includes(':') && isShape(base)
        ? [`write(out, ${value})`, `read(in, ${value})`]
        : base === 'ownership'
          ? [`write(out, ${value})`, `read(in, ${value})`]
          : [`out.name(${value})`, `in.name(${value}, k${base}Names.size())`];
  }
}

let known = {};
const isShape = (name) => name in known;

function codecOf(type, fields) {
  const both = fields.filter((f) => f[0] !== 'expected_revision' && isContent(f)).map(calls);
  const unused = both.length === 0 ? '[[maybe_unused]] ' : '';
  const lines = (index) => both.map((call) => `  ${call[index]};\n`).join('');
  return (
    `inline void write(${unused}ByteWriter& out, ${unused}const ${type}& value) {\n${lines(0)}}\n` +
    `inline void read(${unused}ByteReader& in, ${unused}${type}& value) {\n${lines(1)}}\n`
  );
}

function family(contract, numbers) {
  const variant = contract === 'coordination' ? 'CoordinatorCommand' : 'ResultCommand';
  const names = Object.keys(numbers);
  const cases = names
    .map(
      (n) =>
        `    case CommandKind::${n}:\n      read(in, out.emplace<${pascal(n)}>());\n      return true;\n`,
    )
    .join('');
  const kinds = names
    .map(
      (n) =>
        `[[nodiscard]] constexpr CommandKind kind_of(const ${pascal(n)}&) { return CommandKind::${n}; }\n`,
    )
    .join('');
  return (
    `/** Any command of ${contract}. */\nusing ${variant} = std::variant<${names.map(pascal).join(', ')}>;\n\n${kinds}\n` +
    `/** False when ${contract} has no command of this kind. */\n` +
    `[[nodiscard]] inline bool read_command(ByteReader& in, std::uint8_t kind, ${variant}& out) {\n` +
    `  switch (static_cast<CommandKind>(kind)) {\n${cases}    default:\n      return false;\n  }\n}\n`
  );
}

/** src/journal/commands.gen.hpp */
export function commands(journal, schemas, shapes) {
  known = shapes;
  const all = Object.assign({}, ...schemas.map((s) => ({ ...s.commands, ...s.listCommands })));
  const numbers = Object.assign({}, ...Object.values(journal.kinds));
  const missing = Object.keys(all).filter((command) => !(command in numbers));
  if (missing.length > 0) throw new Error(`no kind of record for ${missing.join(', ')}`);
  const used = schemas.flatMap((s) => [...Object.entries(s.inputs), ...Object.entries(s.tokens)]);
  const parts = [
    `/** What a record does. A number is a command for ever. */\nenum class CommandKind : std::uint8_t {\n` +
      `${Object.entries(numbers)
        .map(([n, number]) => `  ${n} = ${number},\n`)
        .join('')}};\n`,
    ...used.map(([name, fields]) =>
      codecOf(shapes[name].token ? `${name}View` : viewOf(name, fields), fields),
    ),
    '// Which token it is decides how it is read, so this one is written by hand.\n' +
      'void write(ByteWriter& out, const TaskOwnershipView& value);\nvoid read(ByteReader& in, TaskOwnershipView& value);\n',
    ...Object.entries(all).map(([name, fields]) => codecOf(pascal(name), fields)),
    ...Object.entries(journal.kinds).map(([contract, own]) => family(contract, own)),
  ];
  return guard(
    [
      '<cstdint>',
      '<variant>',
      '',
      '"coordination/commands.hpp"',
      '"journal/byte_reader.hpp"',
      '"journal/byte_writer.hpp"',
      '"results/commands.hpp"',
    ].filter(Boolean),
    `namespace leasegate::journal {\n\n${parts.join('\n')}\n}  // namespace leasegate::journal\n`,
  );
}
