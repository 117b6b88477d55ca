// How the command line behaves: pipes, colours, widths, memory; and that its answers are the library's.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { fileStorage } from 'leasegate/storage/file';
import { pageOf, printable, table } from '../../../js/cli/texts.js';
import { leasegate, longJournal, PROGRAM, writeFiles } from './support/files.js';

const lg = await createLeasegate();
const files = writeFiles(lg);
after(() => files.remove());
const { journal } = files.story;
const run = (/** @type {string} */ line, options = {}) =>
  leasegate(line.split(' '), { cwd: files.folder, ...options });
const MEGABYTE = 1024 * 1024;

test('the version is that of the package', async () => {
  assert.match((await run('--version')).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('a journal can come in through standard input, in whatever pieces', async () => {
  const expected = await run('replay day.journal');
  assert.deepEqual(await run('replay -', { input: journal }), expected);
  assert.deepEqual(await run('replay day.journal', { input: journal }), expected);
  assert.equal((await run('verify -', { input: journal })).code, 0);
  assert.equal((await run('verify -', { input: journal.subarray(0, -1) })).code, 3);
  assert.equal((await run('inspect -', { input: new Uint8Array(0) })).code, 3);
});

test('a snapshot can come in through standard input, as files do', async () => {
  const pool = lg.WorkerPool.replay(journal).pool;
  const snapshot = pool.exportSnapshot();
  files.write('whole.snapshot', snapshot);
  const expected = await run('inspect whole.snapshot --json');
  const piped = await run('inspect - --json', { input: snapshot });
  assert.deepEqual(JSON.parse(piped.stdout), [{ ...JSON.parse(expected.stdout)[0], file: '-' }]);
  assert.equal(piped.code, 0);
  const cut = await run('inspect -', { input: snapshot.subarray(0, -1) });
  assert.deepEqual([cut.code, (await run('inspect -', { input: new Uint8Array(9) })).code], [3, 2]);
  const large = Buffer.concat([Buffer.from('no journal'), Buffer.alloc(5_000_000)]);
  assert.equal((await run('inspect -', { input: large })).code, 2);
  const damaged = Buffer.concat([journal.subarray(0, -1), Buffer.alloc(5_000_000, 7)]);
  assert.equal((await run('inspect -', { input: damaged })).code, 2, 'and stops reading');
});

test('JSON says what the library says', async () => {
  const history = new lg.History(journal);
  const json = async (/** @type {string} */ line) => JSON.parse((await run(line)).stdout);
  const plain = (/** @type {unknown} */ value) => JSON.parse(JSON.stringify(value));
  const replayed = await json('replay day.journal --until 20 --json --show-targets');
  assert.equal(replayed.digest, history.digestAt(20));
  const { snapshot, tasks, workers } = history.at(20);
  assert.deepEqual([replayed.snapshot, replayed.workers], plain([snapshot, workers]));
  assert.deepEqual(replayed.tasks, plain(tasks));
  assert.deepEqual(
    (await json('explain failed day.journal --json')).events,
    plain(history.explain('failed').events),
  );
  const diff = plain(history.diff(14, 18));
  assert.deepEqual(await json('diff 14 18 day.journal --json --show-targets'), diff);
});

test('large integers are digits in JSON, safe ones numbers', async () => {
  const { stdout } = await run('inspect large.journal --records --json');
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).now),
    [2 ** 53 - 1, '18446744073709551615'],
  );
});

test('target references and result bytes are shown only when asked for, and then nothing that a terminal obeys', async () => {
  for (const line of [
    'replay secret.journal',
    'replay secret.journal --json',
    'inspect secret.journal --records',
    'explain a secret.journal --json',
    'diff 0 1 secret.journal --json',
  ])
    assert.doesNotMatch((await run(line)).stdout, /secret |end/, line);
  const shown = await run('replay secret.journal --show-targets');
  assert.match(shown.stdout, /secret \\u\{1b\}\[31mred\\u\{202e\} end/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none
  assert.doesNotMatch(shown.stdout, /[\u001b\u202e]/);
  const results = await run('inspect results.journal --records --json');
  assert.doesNotMatch(results.stdout, /bytes/);
  const [first] = (await run('inspect results.journal --records --json --show-targets')).stdout.split('\n');
  assert.deepEqual(Buffer.from(JSON.parse(first).bytes, 'base64'), Buffer.alloc(300, 300));
});

test('colours are for terminals, unless they are asked for, and never against NO_COLOR', async () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
  const COLOUR = /\u001b\[\d+m/;
  assert.doesNotMatch((await run('verify day.journal')).stdout, COLOUR);
  assert.match((await run('verify day.journal', { env: { FORCE_COLOR: '1' } })).stdout, COLOUR);
  const both = { env: { FORCE_COLOR: '1', NO_COLOR: '1' } };
  assert.doesNotMatch((await run('verify day.journal', both)).stdout, COLOUR);
  assert.deepEqual(pageOf({ isTTY: true, columns: 90 }, {}), { columns: 90, colour: true });
  assert.deepEqual(pageOf({ isTTY: true, columns: 90 }, { NO_COLOR: '1' }), { columns: 90, colour: false });
  assert.deepEqual(pageOf({ isTTY: true }, { TERM: 'dumb' }), { columns: 80, colour: false });
  assert.deepEqual(pageOf({}, {}), { columns: Number.POSITIVE_INFINITY, colour: false });
});

test('tables fit the page: the widest columns give way', () => {
  const rows = [['short', 'x'.repeat(200), 12345678]];
  for (const columns of [30, 40, 80, 120]) {
    const lines = table({ columns, colour: false }, ['a', 'b', '>number'], rows);
    for (const line of lines) assert.ok(line.length <= columns, `${line.length} of ${columns}: ${line}`);
    assert.match(lines[1], /…/);
  }
  const wide = table({ columns: Number.POSITIVE_INFINITY, colour: false }, ['a', 'b', '>number'], rows);
  assert.ok(wide[1].includes('x'.repeat(200)));
  assert.equal(printable('a\u0000b\nc\u009b'), 'a\\u{0}b\\u{a}c\\u{9b}');
});

test('who reads only the beginning gets it, and no complaint', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'inspect', '--records', 'day.journal'], {
    cwd: files.folder,
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  await once(child, 'close');
  assert.equal(stderr, '');
});

test('output that cannot be written is one line, and wrong use', {
  skip: !existsSync('/dev/full'),
}, async () => {
  const full = openSync('/dev/full', 'w');
  const told = async (/** @type {'pipe' | number} */ stderr) => {
    const child = spawn(process.execPath, [PROGRAM, 'inspect', '--records', 'day.journal'], {
      cwd: files.folder,
      stdio: ['ignore', full, stderr],
    });
    let text = '';
    child.stderr?.on('data', (piece) => {
      text += piece;
    });
    const [code] = await once(child, 'close');
    return { code, text };
  };
  assert.deepEqual(await told('pipe'), {
    code: 1,
    text: 'leasegate: the output cannot be written: ENOSPC\n',
  });
  assert.equal((await told(full)).code, 1);
  closeSync(full);
});

test('a journal of any length goes through memory of a fixed size', async () => {
  files.write('long-16.journal', longJournal(lg, 16));
  files.write('long-96.journal', longJournal(lg, 96));
  const report = 'process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS))';
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(report)}`];
  for (const command of ['verify', 'inspect', 'replay']) {
    const peaks = [];
    for (const file of ['long-16.journal', 'long-96.journal']) {
      const { code, stderr } = await run(`${command} ${file}`, { flags });
      assert.equal(code, 0, stderr);
      peaks.push(Number(/peak (\d+)/.exec(stderr)?.[1]) * 1024);
    }
    assert.ok(peaks[1] - peaks[0] < 40 * MEGABYTE, `${command}: ${peaks.map((peak) => peak / MEGABYTE)} MiB`);
  }
});

test('a file that was made longer than any record is cut off where its zeros begin', async () => {
  files.write('zeros.journal', Buffer.concat([journal, Buffer.alloc(100 * MEGABYTE)]));
  const { code, stdout } = await run('verify zeros.journal --json');
  assert.equal(code, 3);
  const { problem, records } = JSON.parse(stdout);
  assert.deepEqual([records, problem.offset, problem.bytes], [36, journal.length, 100 * MEGABYTE]);
});

test('records across the pieces in which a file is read are whole', async () => {
  const pool = new lg.WorkerPool({
    limits: {
      maxTaskRecords: 65_536,
      maxActiveTasks: 16_384,
      maxQueuedTasks: 16_384,
      maxTerminalTasks: 65_536,
    },
    journal: { maxBytes: lg.MAX_JOURNAL_BYTES },
  });
  const parts = [pool.journalHeader()];
  for (let i = 0; i < 3000; i += 1)
    pool.taskQueue.enqueue({
      expectedRevision: i,
      now: i,
      spec: { taskId: `t${i}`, scanId: 's', targetRef: 'x'.repeat(1000) },
    });
  parts.push(pool.takeRecords());
  files.write('pieces.journal', Buffer.concat(parts));
  const { stdout } = await run('verify pieces.journal --json');
  assert.deepEqual(JSON.parse(stdout).digest, pool.stateDigest());
  const { events } = JSON.parse((await run('explain t2999 pieces.journal --json')).stdout);
  assert.equal(events[0].revision, 3000);
  const [one] = JSON.parse((await run('inspect pieces.journal --json')).stdout);
  assert.deepEqual([one.records, one.state], [3000, 'whole']);
  const diff = JSON.parse((await run('diff 2998 3000 pieces.journal --json')).stdout);
  assert.deepEqual(
    diff.tasks.added.map((/** @type {any} */ { taskId }) => taskId),
    ['t2998', 't2999'],
  );
});

test('a directory of leasegate/storage/file is read as it lies, while its pool lives too', async () => {
  const directory = path.join(files.folder, 'durable');
  const pool = await lg.openDurablePool({ storage: fileStorage({ directory }) });
  const enqueue = (/** @type {number} */ i) =>
    pool.taskQueue.enqueue({
      expectedRevision: pool.revision,
      now: i,
      spec: { taskId: `t${i}`, scanId: 's', targetRef: 'r' },
    });
  for (let i = 0; i < 30; i += 1) {
    await enqueue(i);
    if (i % 10 === 9) await pool.checkpoint();
  }
  await enqueue(30);
  await pool.expireOldTasks({ expectedRevision: 31, now: 60, taskTtlSecs: 40 });
  const sound = JSON.parse((await run('verify durable --json')).stdout);
  assert.deepEqual([sound.state, sound.last, sound.digest], ['sound', 32, pool.stateDigest()]);
  const late = JSON.parse((await run('explain t20 durable --json')).stdout);
  assert.equal(late.events.at(-1).kind, 'expired');
  await pool.close();
  assert.equal((await run(`verify durable --digest ${sound.digest}`)).code, 0);
});
