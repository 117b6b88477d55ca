// The example does what it says: host processes, one of them killed, and digests as sha256sum's.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../examples/cluster.mjs', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-example-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string[]} args */
async function run(...args) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, stdout, stderr };
}

describe('examples/cluster', { timeout: 120_000 }, () => {
  it('hashes a folder on three hosts, one of which is killed', async () => {
    mkdirSync(path.join(folder, 'sub'));
    const lines = Array.from({ length: 150 }, (_, i) => {
      const name = i % 2 === 0 ? `file ${i}` : `sub/file ${i}`;
      const content = `content ${i}`.repeat(1 + (i % 9) * 1000);
      writeFileSync(path.join(folder, name), content);
      return [name, `${createHash('sha256').update(content).digest('hex')}  ${name}\n`];
    });
    const expected = lines.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
    const { status, stdout, stderr } = await run('--list', folder);
    assert.equal(stdout, expected.join(''), stderr);
    assert.equal(status, 0);
    assert.match(stderr, /^150 files in .*, 3 hosts$/m);
    assert.match(stderr, /^host-1 is killed while it holds [1-4] files$/m);
    assert.match(stderr, /^All files hashed\.$/m);
    assert.match(stderr, /; a host that came late is in the same state$/m);
    const list = createHash('sha256').update(expected.join('')).digest('hex');
    assert.match(stderr, new RegExp(`list +sha256 ${list}`));
  });

  it('says what is wrong with how it is called', async () => {
    const { status, stderr } = await run('--hosts', '99');
    assert.equal(status, 2);
    assert.match(stderr, /1 to 16 hosts/);
    assert.equal((await run(path.join(folder, 'nowhere'))).status, 2);
    assert.equal((await run('--nope')).status, 2);
    assert.match((await run('--help')).stdout, /^Usage/);
  });
});
