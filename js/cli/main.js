// Which command it is, what it was given, and what its end is called.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { LeasegateError } from '../errors.js';
import { createLeasegate } from '../index.node.js';
import * as diff from './diff.js';
import * as explain from './explain.js';
import { commandHelp, generalHelp } from './help.js';
import * as inspect from './inspect.js';
import { codeOf, SOUND, UseError, WRONG_USE } from './problems.js';
import * as replay from './replay.js';
import { readWhole } from './sources.js';
import { json, pageOf, printable } from './texts.js';
import * as verify from './verify.js';

/**
 * A command of the command line.
 * @typedef {object} Command
 * @property {string} usage
 * @property {string} summary
 * @property {string} about
 * @property {Record<string, { type: 'boolean' | 'string', value?: string, about: string }>} options
 * @property {(given: Given) => Promise<number>} run
 *
 * @typedef {object} Given
 * @property {any} lg
 * @property {string[]} args
 * @property {Record<string, any>} options
 * @property {import('./texts.js').Page} page
 * @property {(lines: string | string[]) => void} print
 * @property {(value: unknown, indent?: number) => void} printJson
 * @property {(line: string) => void} warn
 * @property {Uint8Array | null} snapshot
 */

/** @type {Record<string, Command>} */
const COMMANDS = { inspect, replay, diff, explain, verify };

/** Taken by all of them. @type {Command['options']} */
const COMMON = {
  json: { type: 'boolean', about: 'JSON with exact integers: numbers while they are safe, digits above' },
  'show-targets': {
    type: 'boolean',
    about: 'Also target references and result bytes, which are hidden else',
  },
  help: { type: 'boolean', about: 'This text' },
};

/** @param {string[]} argv @returns {Promise<number>} the exit code */
export async function run(argv) {
  const [name, ...rest] = argv;
  const page = pageOf(process.stdout, process.env);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const wanted = name === 'help' && rest.length > 0 ? COMMANDS[rest[0]] : undefined;
    print(wanted === undefined ? generalHelp(page, COMMANDS) : commandHelp(page, wanted, COMMON));
    return name === undefined ? WRONG_USE : SOUND;
  }
  if (name === '--version') {
    print(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version);
    return SOUND;
  }
  try {
    return await runCommand(name, rest, page);
  } catch (error) {
    if (error instanceof UseError) {
      warn(`leasegate ${printable(name)}: ${error.message}`);
      return error.exitCode;
    }
    if (error instanceof LeasegateError) {
      warn(`leasegate ${printable(name)}: ${error.code}: ${error.message}`);
      return codeOf(error);
    }
    throw error;
  }
}

/** @param {string} name @param {string[]} rest @param {import('./texts.js').Page} page */
async function runCommand(name, rest, page) {
  if (!Object.hasOwn(COMMANDS, name))
    throw new UseError(`there is no such command. There are: ${Object.keys(COMMANDS).join(', ')}`);
  const command = COMMANDS[name];
  const { values, positionals } = parsed(command, rest, name);
  if (values.help) {
    print(commandHelp(page, command, COMMON));
    return SOUND;
  }
  const { snapshot } = values;
  if ([snapshot, ...positionals].filter((file) => file === '-').length > 1)
    throw new UseError('standard input can be read once: only one FILE may be -');
  return command.run({
    lg: await createLeasegate(),
    args: positionals,
    options: values,
    page,
    print,
    printJson: (value, indent = 2) => print(json(value, values['show-targets'] === true, indent)),
    warn,
    snapshot: snapshot === undefined ? null : await readWhole(/** @type {string} */ (snapshot)),
  });
}

/** @param {Command} command @param {string[]} args @param {string} name */
function parsed(command, args, name) {
  const described = { ...command.options, ...COMMON };
  /** @type {Record<string, any>} */
  const options = Object.fromEntries(Object.entries(described).map(([key, { type }]) => [key, { type }]));
  options.help.short = 'h';
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    if (typeof code !== 'string' || !code.startsWith('ERR_PARSE_ARGS')) throw error;
    const [, option] = /'(-[^' ]*)/.exec(message) ?? [];
    const what =
      code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
        ? `there is no option ${printable(option)}`
        : printable(message.split(/[.\n]/)[0]);
    throw new UseError(`${what}. See leasegate ${name} --help`);
  }
}

/** @param {string | string[]} lines */
function print(lines) {
  process.stdout.write(`${Array.isArray(lines) ? lines.join('\n') : lines}\n`);
}

/** @param {string} line */
function warn(line) {
  process.stderr.write(`${line}\n`);
}
