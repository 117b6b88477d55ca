// The package as a stranger gets it: packed, and installed from the tarball into a folder of its own.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** Packs the tree as it stands. @returns {Promise<{ folder: string, tarball: string, files: string[] }>} */
export async function pack() {
  const folder = await mkdtemp(path.join(tmpdir(), 'leasegate-package-'));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
  });
  const [{ filename, files }] = JSON.parse(stdout);
  return { folder, tarball: path.join(folder, filename), files: files.map(({ path: name }) => name) };
}

/** A project that has installed the package and nothing else. */
export class Consumer {
  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
  }

  static async install() {
    const { folder, tarball } = await pack();
    const consumer = new Consumer(path.join(folder, 'consumer'));
    await mkdir(consumer.folder);
    await consumer.write('package.json', '{ "name": "consumer", "private": true }\n');
    await consumer.npm('install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball);
    return consumer;
  }

  /** @param {...string} args */
  npm(...args) {
    const env = { ...process.env, npm_config_cache: path.join(this.folder, '..', 'cache') };
    return run('npm', args, { cwd: this.folder, env });
  }

  /** @param {string} name @param {string} text */
  async write(name, text) {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  /** @param {string} name */
  read(name) {
    return readFile(path.join(this.folder, name), 'utf8');
  }

  /** Writes a program and answers what it says. @param {string} name @param {string} text @param {...string} flags */
  async runNode(name, text, ...flags) {
    const file = await this.write(name, text);
    const { stdout, stderr } = await run(process.execPath, [...flags, file], { cwd: this.folder });
    if (stderr !== '') throw new Error(`${name} wrote to stderr: ${stderr}`);
    return stdout;
  }

  /** What the compiler finds in the project. @param {object} compilerOptions @param {string[]} files */
  async compile(compilerOptions, files) {
    await this.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...STRICT, ...compilerOptions }, files }),
    );
    try {
      await run(path.join(root, 'node_modules', '.bin', 'tsc'), ['--project', this.folder], {
        cwd: this.folder,
      });
      return '';
    } catch (error) {
      const { stdout, stderr } = /** @type {any} */ (error);
      return stdout || stderr || String(error);
    }
  }

  remove() {
    return rm(path.dirname(this.folder), { recursive: true });
  }
}

const STRICT = {
  noEmit: true,
  strict: true,
  target: 'es2022',
  lib: ['es2022'],
  types: [],
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
};
