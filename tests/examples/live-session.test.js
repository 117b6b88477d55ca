// The example does what it says: two processes, real sockets that are really cut, and every event once and in order.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLeasegate } from 'leasegate';
import { eventsOf, seal } from '../../examples/live-session/events.mjs';
import { Journal } from '../../examples/live-session/journal.mjs';
import { SessionLog } from '../../examples/live-session/log.mjs';
import { readOptions } from '../../examples/live-session/options.mjs';
import { Receiver } from '../../examples/live-session/receiver.mjs';
import { runClient } from '../../examples/live-session/run-client.mjs';

const pathOf = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const program = pathOf('live-session.mjs');
const lg = await createLeasegate();
/** Of a busy machine. */
const timeout = 120_000;

/** In a process group of its own. @param {string[]} args */
const start = (...args) =>
  spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });

/** @param {string[]} args */
async function run(...args) {
  const child = start(...args);
  const [stdout, stderr] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  assertNobodyLeft(child);
  return { status: child.exitCode, stdout, stderr };
}

/** @param {import('node:child_process').ChildProcess} child the first of its group */
function assertNobodyLeft({ pid = 0 }) {
  assert.throws(() => process.kill(-pid, 0), { code: 'ESRCH' }, 'a process is left');
}

describe('live-session', { concurrency: 2 }, () => {
  for (const transport of ['websocket', 'sse']) {
    for (const [seed, drops] of [
      [1, 5],
      [2, 8],
      [3, 12],
    ]) {
      it(`${transport}, ${drops} drops, seed ${seed}: every event once and in order, both ways`, {
        timeout,
      }, async () => {
        const { status, stdout, stderr } = await run(
          program,
          `--transport=${transport}`,
          '--events=160',
          `--drops=${drops}`,
          `--seed=${seed}`,
          '--json',
        );
        assert.equal(stderr, '');
        const { ok, problems, client, server } = JSON.parse(stdout);
        assert.deepEqual(problems, []);
        assert.equal(ok, true);
        assert.equal(status, 0);

        assert.deepEqual(
          [client.received.events, client.received.sha256],
          [server.sent.events, server.sent.sha256],
        );
        assert.deepEqual(
          [server.received.events, server.received.sha256],
          [client.sent.events, client.sent.sha256],
        );
        assert.deepEqual([client.sent.events, server.sent.events], [160, 160]);
        assert.deepEqual([server.received.history, server.received.live], [40, 120]);
        assert.equal(client.received.gaps, 0);
        assert.equal(client.confirmed, 161, 'with the seal');

        assert.equal(server.cuts, drops);
        assert.ok(server.midway > 0, 'a cut in the middle of a frame');
        assert.ok(client.connections >= 3, `${client.connections} connections`);
        assert.ok(client.received.duplicates > 0, 'the server sends whole pages again');
        assert.ok(client.sentAgain > 0, 'the client sends again what may be lost');
        assert.ok(client.gate.begun > 0, 'a gate that was empty begins anew');
        assert.equal(client.gate.begun + client.gate.resumed, client.connections);
        assert.equal(client.lateRefused, client.connections - 1);
        assert.equal(client.epoch, server.epoch);
        assert.ok(client.epoch > client.connections, 'every connection began an epoch');
      });
    }
  }

  it('goes through both transports by itself, and tells a person what happens', { timeout }, async () => {
    const { status, stdout, stderr } = await run(program, '--events=40', '--drops=1', '--payload=0');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^websocket: 40 events in each direction, the wire is cut 1 time, seed 1\.$/m);
    assert.match(stdout, /^sse: 40 events/m);
    assert.match(stdout, /^The wire is cut, for the 1st time\.$/m);
    assert.match(stdout, /^A send with epoch 2 comes too late: stale_epoch\.$/m);
    assert.match(stdout, /^Epoch \d+ is over: moving over\.$/m);
    assert.equal(stdout.match(/^Every event once and in order\.$/gm)?.length, 2);
    assert.match(stdout, /^ {2}server got +40 events/m);
    assert.match(stdout, /^ {2} +10 of history, then 30 live$/m);
    assert.ok(!stdout.includes('\x1b'), 'no colour and no cursor movement outside a terminal');
  });

  it('carries large payloads', { timeout }, async () => {
    const args = ['--events=40', '--drops=3', '--payload=65536', '--transport=websocket', '--json'];
    const { status, stdout } = await run(program, ...args);
    assert.deepEqual(JSON.parse(stdout).problems, []);
    assert.equal(status, 0);
  });

  it('runs as a server and a client of their own', { timeout }, async () => {
    const options = ['--events=40', '--drops=2', '--transport=sse'];
    const server = start(pathOf('live-session/server.mjs'), ...options);
    const closed = once(server, 'close');
    let said = '';
    /** @type {Promise<string>} */
    const listening = new Promise((resolve) => {
      createInterface(server.stdout).on('line', (line) => {
        said += `${line}\n`;
        const endpoint = /^Listening: (.*)$/.exec(line)?.[1];
        if (endpoint) resolve(endpoint);
      });
    });
    const client = await run(pathOf('live-session/client.mjs'), ...options, `--endpoint=${await listening}`);
    assert.equal(client.status, 0, client.stderr);
    assert.match(client.stdout, /Every event once and in order/);
    await closed;
    assert.equal(server.exitCode, 0, said);
    assert.match(said, /Every event once and in order/);
  });

  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])) {
    it(`ends cleanly on ${signal}, and leaves no process`, { timeout }, async () => {
      const child = start(program, '--events=100000', '--transport=websocket');
      const errors = textOf(child.stderr);
      let said = '';
      child.stdout.on('data', (chunk) => {
        if (!said.includes('Epoch 2') && `${said}${chunk}`.includes('Epoch 2')) child.kill(signal);
        said += chunk;
      });
      await once(child, 'close');
      assert.equal(child.exitCode, code, said);
      assert.equal(await errors, `live-session: stopped by ${signal}\n`);
      assertNobodyLeft(child);
    });
  }

  it('goes on trying while there is no server, until it is told not to', { timeout }, async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    server.close();
    const interruption = new AbortController();
    const running = runClient(lg, readOptions(['--events=20']), {
      endpoint: `ws://127.0.0.1:${port}/`,
      signal: interruption.signal,
      onNews: () => assert.fail('there is no server'),
      onProgress: () => {},
    });
    const settled = running.then(
      () => 'done',
      () => 'stopped',
    );
    assert.equal(await Promise.race([settled, delay(300, 'trying')]), 'trying');
    interruption.abort(new Error('enough'));
    assert.equal(await settled, 'stopped');
  });

  it('refuses wrong options with one clear line', { timeout }, async () => {
    for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
      [['--transport=pigeon'], /--transport must be websocket, sse or both/],
      [['--events=19'], /--events must be a number from 20 to 100,000/],
      [['--drops=-1'], /--drops must be a number from 0 to 100/],
      [['--fast'], /Unknown option '--fast'; see --help/],
      [['--events=100000', '--payload=65536'], /a history of more than 32 MiB/],
    ])) {
      const { status, stdout, stderr } = await run(program, ...args);
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.equal(stderr.trimEnd().split('\n').length, 1);
    }
  });
});

describe('what checks the sequences', () => {
  const options = readOptions(['--events=20', '--payload=1']);

  it('finds an event of the client that is lost, out of order, or history after live', () => {
    const eventAt = eventsOf('client', options);
    const sent = { events: 20, sha256: '' };
    for (const [numbers, problem] of /** @type {[number[], RegExp][]} */ ([
      [[1, 3], /client-3 came as number 2/],
      [[1, 3, 2], /client-2 came as number 3/],
      [[1, 2, 6, 3], /client-3 came after a live event/],
    ])) {
      const journal = new Journal(lg, new SessionLog(options));
      for (const number of numbers) journal.take(eventAt(number));
      assert.match(journal.problems.join('\n'), problem);
      const answer = journal.take(seal('client', { sent, received: sent }));
      assert.equal(answer.accepted, false, 'what does not hold is not confirmed');
      journal.dispose();
    }
  });

  it('finds an event of the server that is lost, changed or out of order', () => {
    const eventAt = eventsOf('server', options);
    const calm = { previous: 0n, current: 0n, advanced: true, duplicate: false, gap: false };
    const receive = (/** @type {number[]} */ numbers, /** @type {Partial<typeof calm>} */ more = {}) => {
      const receiver = new Receiver(lg);
      for (const number of numbers) {
        receiver.take({ sequence: BigInt(number), event: eventAt(number) }, { ...calm, ...more });
      }
      receiver.take(
        {
          sequence: BigInt(numbers.length + 1),
          event: seal('server', { sent: { events: 20, sha256: '0' } }),
        },
        calm,
      );
      return receiver;
    };
    assert.match(receive([1, 3]).problems.join('\n'), /3 came after 1/);
    assert.match(receive([1, 2]).problems.join('\n'), /not what the server has sent/);
    assert.equal(receive([1, 2, 2, 1]).duplicates, 2);
    assert.equal(receive([1], { gap: true }).gaps, 1);
  });
});
