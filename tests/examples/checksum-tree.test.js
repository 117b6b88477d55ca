// The example does what it says: real files, real threads, digests as sha256sum's, and a worker that is really lost.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text as textOf } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLeasegate } from 'leasegate';
import { hashFiles } from '../../examples/checksum-tree/hash-files.mjs';
import { walkTree } from '../../examples/checksum-tree/walk-tree.mjs';

const program = fileURLToPath(new URL('../../examples/checksum-tree.mjs', import.meta.url));
const noSha256sum = spawnSync('sha256sum', ['--version']).status !== 0 && 'there is no sha256sum here';
const notLinux = process.platform !== 'linux' && 'file names are bytes on Linux';

let scratch = '';
before(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'leasegate-tree-'));
});
after(() => execFileSync('rm', ['-rf', scratch])); // it holds paths that are too long for Node

/** @param {string} name @param {Record<string, string | Uint8Array>} files */
function makeTree(name, files) {
  const folder = path.join(scratch, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  return folder;
}

/** @param {number} count @returns {Record<string, string>} */
function manyFiles(count) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`many/${i % 7}/file ${i}.txt`, `content ${i}`]),
  );
}

/** @param {string[]} args */
async function run(...args) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([
    buffer(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  return { status: child.exitCode, stdout, stderr, text: stdout.toString() };
}

/**
 * What sha256sum prints for every file of the folder, in path order. It is asked for ./-, which it would else take for
 * standard input, and the rest is written as ours.
 * @param {string} folder
 */
function expectedList(folder) {
  const script =
    "find . -type f -printf '%P\\0' | LC_ALL=C sort -z | sed -z 's/^/.\\//' | xargs -0 -r sha256sum";
  const list = execFileSync('bash', ['-c', script], { cwd: folder, maxBuffer: 2 ** 26 });
  return list.toString('latin1').replace(/(?<=^\\?[0-9a-f]{64} {2})\.\/(?!-\n)/gm, '');
}

/** @param {string | Uint8Array} content */
const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/** @param {string} folder @param {Partial<Parameters<typeof hashFiles>[3]>} options */
async function hash(folder, options) {
  const { files } = await walkTree(folder, {});
  const leasegate = await createLeasegate();
  return {
    files,
    hashed: await hashFiles(leasegate, folder, files, { workers: 2, loseAWorker: false, ...options }),
  };
}

describe('checksum-tree', { concurrency: 4 }, () => {
  it('gives the digests of sha256sum, whatever the files are called', {
    skip: noSha256sum || notLinux,
  }, async () => {
    const long = `${'d'.repeat(200)}/`.repeat(6); // more bytes than a target_ref has
    const folder = makeTree('odd', {
      ...manyFiles(400),
      ' leading and trailing ': 'spaces',
      'line\nbreak': 'newline',
      'carriage\rreturn': 'return',
      'back\\slash': 'backslash',
      'tab\tand "quotes" and \'ticks\'': 'quotes',
      '-': 'standard input by its name',
      '--help': 'an option by its name',
      'sub/-': 'no standard input',
      'path:index:0': 'a reference by its name',
      '日本語/ünï/🦎.txt': 'unicode',
      [`${long}deep.txt`]: 'deep',
      empty: '',
      'nothing/else/empty too': '',
      large: new Uint8Array(20 * 1024 * 1024).fill(7),
      middle: new Uint8Array(100_000).fill(1),
    });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/not utf-8 `), Buffer.from([0xff, 0xfe])]), 'bytes');

    const { status, stdout, stderr } = await run(folder, '--list');
    assert.equal(status, 0, stderr);
    const expected = expectedList(folder);
    assert.equal(stdout.toString('latin1'), expected);
    assert.match(stderr, /All files hashed/);

    const sums = path.join(folder, 'SHA256SUMS');
    assert.equal((await run(folder, '--no-loss', '--output', sums)).status, 0);
    execFileSync('sha256sum', ['--check', '--strict', '--quiet', sums], { cwd: folder });
    const again = await run(folder, '--no-loss', '--output', sums); // and does not hash what it is about to write
    assert.equal(again.status, 0);
    assert.equal(readFileSync(sums, 'latin1'), expected);
  });

  it('loses a worker for real: its files are hashed again, its late answer is refused', async () => {
    const folder = makeTree('loss', manyFiles(300));
    /** @type {import('../../examples/checksum-tree/host.mjs').HostEvent[]} */
    const events = [];
    const { files, hashed } = await hash(folder, {
      loseAWorker: true,
      onEvent: (event) => events.push(event),
    });

    const lost = events.find((event) => event.kind === 'lost');
    assert.ok(lost, 'a worker was lost');
    assert.ok(lost.holding > 0, 'it held leases');
    const after = events.slice(events.indexOf(lost) + 1);
    const requeued = (/** @type {typeof events} */ list) =>
      list.reduce((sum, event) => sum + (event.kind === 'recovered' ? event.requeued : 0), 0);
    assert.ok(requeued(after) >= lost.holding, 'what it held went back into the queue');
    assert.equal(hashed.retries, requeued(events));
    const back = after.find((event) => event.kind === 'back' && event.workerId === lost.workerId);
    assert.ok(back?.kind === 'back' && back.generation >= 3n, 'offline made it generation 2, coming back 3');
    const refused = after.find((event) => event.kind === 'refused' && event.workerId === lost.workerId);
    assert.ok(
      refused?.kind === 'refused' && refused.code === 'stale_ownership',
      'its late answer was refused',
    );
    assert.ok(hashed.refused >= 1);

    assert.equal(hashed.problems.length, 0);
    files.forEach((file, index) => {
      const content = readFileSync(path.join(folder, file.path.toString()));
      assert.equal(Buffer.from(hashed.digests[index] ?? []).toString('hex'), sha256(content));
    });
  });

  // A machine under load may silence a worker more than once, so that there may be more retries than the one.
  it('says what happened in its summary', async () => {
    const folder = makeTree('summary', { one: 'alone' });
    const { status, text } = await run(folder, '--workers', '1');
    assert.equal(status, 0, text);
    assert.match(text, /worker-1 is lost, on purpose, with 1 file in hand/);
    assert.match(text, /Recovered from 1 worker: 1 file back in the queue/);
    assert.match(text, /A late answer from worker-1 about one was refused: stale_ownership/);
    assert.match(text, /^ {2}files {6}1$/m);
    assert.match(text, /^ {2}bytes {6}5$/m);
    assert.match(text, /^ {2}retries {4}\d+, 1 late answer refused$/m);
    assert.match(text, /^ {2}revisions {2}\d+$/m);
    assert.match(text, new RegExp(`^ {2}list {7}sha256 ${sha256(`${sha256('alone')}  one\n`)}$`, 'm'));
    assert.ok(!text.includes('\x1b'), 'no colour and no cursor movement outside a terminal');
  });

  it('hashes more files than one pool has records for', async () => {
    const folder = makeTree('pools', manyFiles(50));
    let last = { total: 0, done: 0 };
    const { hashed } = await hash(folder, {
      filesPerPool: 20,
      onProgress: (progress) => {
        assert.ok(progress.done >= last.done, 'progress goes on from pool to pool');
        last = progress;
      },
    });
    assert.equal(hashed.pools, 3);
    assert.deepEqual([last.total, last.done], [50, 50]);
    assert.equal(hashed.digests.filter((digest) => digest?.length === 32).length, 50);
  });

  it('takes an empty folder', async () => {
    const { status, stdout, stderr } = await run(makeTree('empty', {}), '--list');
    assert.equal(status, 0, stderr);
    assert.equal(stdout.length, 0);
    assert.match(stderr, /There was nothing to hash/);
  });

  it('refuses what is not a folder, and wrong options, with one clear line', async () => {
    const file = path.join(makeTree('file', { file: '' }), 'file');
    for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
      [[path.join(scratch, 'no such folder')], /not a folder: .*no such folder/],
      [[file], /not a folder: /],
      [['--fast'], /Unknown option '--fast'; see --help/],
      [['a', 'b'], /one folder at a time/],
      [['--workers', '0'], /--workers must be a number from 1 to 64/],
      [[scratch, '--output', path.join(scratch, 'no', 'list')], /cannot write the digests/],
    ])) {
      const { status, text, stderr } = await run(...args);
      assert.equal(status, 2, stderr);
      assert.equal(text, '');
      assert.match(stderr, message);
      assert.equal(stderr.trimEnd().split('\n').length, 1);
    }
  });

  it('goes on past a file that is gone, and reports it', async () => {
    const folder = makeTree('gone', { a: 'a', b: 'b', c: 'c' });
    const { files } = await walkTree(folder, {});
    rmSync(path.join(folder, 'b'));
    const options = { workers: 1, loseAWorker: false };
    const hashed = await hashFiles(await createLeasegate(), folder, files, options);
    assert.deepEqual(
      hashed.problems.map(({ path: file, reason }) => [file.toString(), reason]),
      [['b', 'ENOENT: no such file or directory']],
    );
    assert.deepEqual(
      hashed.digests.map((digest) => digest && Buffer.from(digest).toString('hex')),
      [sha256('a'), null, sha256('c')],
    );
    assert.equal(hashed.retries, 0, 'trying again would be in vain');
  });

  it('goes on past a folder that cannot be read, and exits with 1', { skip: notLinux }, async () => {
    const folder = makeTree('unreadable', { a: 'a' });
    // Deeper than any path that the system takes, so that not even root can read it.
    const script = `n=${'x'.repeat(250)}; for i in $(seq 18); do mkdir $n && cd $n || exit; done`;
    execFileSync('bash', ['-c', script], { cwd: folder });
    const { status, text, stderr } = await run(folder, '--list', '--no-loss');
    assert.equal(status, 1, stderr);
    assert.equal(text, `${sha256('a')}  a\n`);
    assert.match(stderr, /Not read: x+\/.*ENAMETOOLONG: name too long/);
    assert.match(stderr, /1 path could not be read/);
  });

  it('follows no links, and skips what others have made unless told not to', async () => {
    const folder = makeTree('skips', {
      a: 'a',
      'sub/dist': 'a file of that name',
      '.git/config': 'x',
      'sub/node_modules/x/index.js': 'x',
      'build/x': 'x',
    });
    symlinkSync('a', path.join(folder, 'link'));
    symlinkSync('..', path.join(folder, 'sub', 'up'));
    const paths = (/** @type {string} */ list) => list.match(/(?<= {2}).*/g);
    const some = await run(folder, '--list', '--no-loss');
    assert.deepEqual(paths(some.text), ['a', 'sub/dist']);
    assert.match(
      some.stderr,
      /Left out: 3 folders named \.git, node_modules, build, dist; 2 links or special files/,
    );
    const all = await run(folder, '--list', '--no-loss', '--all');
    assert.deepEqual(paths(all.text), [
      '.git/config',
      'a',
      'build/x',
      'sub/dist',
      'sub/node_modules/x/index.js',
    ]);
  });

  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])) {
    it(`ends cleanly on ${signal}, in the middle of a file`, async () => {
      const folder = makeTree(signal, { huge: '' });
      truncateSync(path.join(folder, 'huge'), 2 ** 36); // takes minutes, and no room
      const output = path.join(scratch, `${signal}.sums`);
      const child = spawn(process.execPath, [program, folder, '--output', output]);
      let said = '';
      child.stdout.on('data', (chunk) => {
        if (said === '') setTimeout(() => child.kill(signal), 500);
        said += chunk;
      });
      let errors = '';
      child.stderr.on('data', (chunk) => {
        errors += chunk;
      });
      const [exitCode] = await once(child, 'close');
      assert.equal(errors, '');
      assert.equal(exitCode, code, said);
      assert.match(said, new RegExp(`Stopped by ${signal}. No digests were written.`));
      assert.ok(!existsSync(output));
    });
  }
});
