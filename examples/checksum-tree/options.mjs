// What the user asks for.

import { access, constants, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

export const usage = `Usage: checksum-tree.mjs [options] [folder]

Hashes every file in the folder (default: this repository) with SHA-256, on worker threads that hold leases.

  -l, --list          print the digests, as sha256sum does, and everything else to stderr
  -o, --output FILE   write the digests to a file; check them with: cd folder && sha256sum -c FILE
  -a, --all           go into .git, node_modules, build and dist too
  -w, --workers N     worker threads, 1 to 64 (default: one a processor, 2 to 8)
      --no-loss       lose no worker on purpose
  -h, --help          print this

Exit code: 0 all files hashed, 1 some could not be read, 2 wrong usage, 130 interrupted.
`;

/** The user's mistake: its message is all there is to say. */
export class UsageError extends Error {}

/**
 * @typedef {object} Options
 * @property {string} folder absolute
 * @property {string | null} output absolute
 * @property {boolean} list
 * @property {boolean} all
 * @property {boolean} lose
 * @property {boolean} help
 * @property {number} workers
 */

/** @param {string[]} argv @param {string} defaultFolder @returns {Options} */
export function readOptions(argv, defaultFolder) {
  const { values, positionals } = parse(argv);
  if (positionals.length > 1) throw new UsageError(`one folder at a time, please; see --help`);
  if (positionals[0] === '' || values.output === '') throw new UsageError('a path must not be empty');
  return {
    folder: path.resolve(positionals[0] ?? defaultFolder),
    output: values.output === undefined ? null : path.resolve(values.output),
    list: values.list ?? false,
    all: values.all ?? false,
    lose: !values['no-loss'],
    help: values.help ?? false,
    workers: workerCount(values.workers),
  };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        list: { type: 'boolean', short: 'l' },
        output: { type: 'string', short: 'o' },
        all: { type: 'boolean', short: 'a' },
        workers: { type: 'string', short: 'w' },
        'no-loss': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${/** @type {Error} */ (error).message.split('. ')[0]}; see --help`);
  }
}

/** @param {string | undefined} text */
function workerCount(text) {
  if (text === undefined) return Math.min(Math.max(availableParallelism(), 2), 8);
  if (!/^[1-9]\d?$/.test(text) || Number(text) > 64)
    throw new UsageError('--workers must be a number from 1 to 64');
  return Number(text);
}

/** Says early what would fail late. @param {Options} options */
export async function checkOptions({ folder, output }) {
  if (!(await isFolder(folder))) throw new UsageError(`not a folder: ${folder}`);
  if (output === null) return;
  const parent = path.dirname(output);
  if (await isFolder(output)) throw new UsageError(`cannot write the digests: ${output} is a folder`);
  await access(parent, constants.W_OK).catch(() => {
    throw new UsageError(`cannot write the digests: ${parent} is not a folder that can be written to`);
  });
}

/** @param {string} file */
async function isFolder(file) {
  try {
    return (await stat(file)).isDirectory();
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new UsageError(`cannot look at ${file}: ${code}`);
  }
}
