// What a user meets when something is not as it should be: each says what it is, and nothing is left behind.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { joinCluster } from 'leasegate/cluster/nats';
import { COMMANDS } from '../../js/cluster/pool.js';
import { startServer } from './support/server.js';

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
const spec = (/** @type {string} */ taskId) => ({ spec: { taskId, scanId: 's', targetRef: 'x' } });

describe('a cluster that something is wrong with', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'leasegate-mistakes-'));
  /** @type {any} */
  let server;
  /** @type {any} */
  let connection;
  let names = 0;
  /** @type {unknown[]} */
  const unhandled = [];
  const note = (/** @type {unknown} */ reason) => unhandled.push(reason);
  before(async () => {
    process.on('unhandledRejection', note);
    server = await startServer();
    connection = await connect({ servers: server.url });
  });
  after(async () => {
    await connection?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
    await pause(50);
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
  });

  /** @param {object} [options] @returns {Promise<any>} */
  const join = (options) => {
    names += 1;
    return joinCluster(/** @type {any} */ ({ connection, name: `mistake-${names}`, ...options }));
  };

  /** @param {string} config @param {(server: any) => Promise<void>} use */
  async function withServer(config, use) {
    const file = path.join(folder, 'nats.conf');
    writeFileSync(file, config);
    const own = await startServer({ args: ['-c', file] });
    try {
      await use(own);
    } finally {
      await own.stop();
    }
  }

  it('an account without JetStream, or without a permission, is told so by name', async () => {
    const config = `accounts: {
      NONE: { users: [ { user: none, password: p } ] }
      SOME: { jetstream: enabled, users: [
        { user: api, password: p, permissions: { publish: ["$JS.API.INFO"], subscribe: ["_INBOX.>"] } }
        { user: deaf, password: p, permissions: { publish: [">"], subscribe: { deny: ["_INBOX.>"] } } }
        { user: mute, password: p, permissions: { publish: { deny: ["leasegate.*.pool.r.*"] } } }
      ] }
      PROBE: { users: [ { user: probe } ] }
    }
    no_auth_user: probe`;
    await withServer(config, async ({ url }) => {
      /** @param {string} user @param {(connection: any) => Promise<unknown>} use */
      const as = async (user, use) => {
        const own = await connect({ servers: url, user, pass: 'p' });
        const error = await use(own).then(
          () => null,
          (/** @type {any} */ each) => each,
        );
        await own.close();
        return error;
      };
      const joined = (/** @type {any} */ own) => join({ connection: own, jetstream: { timeout: 1_000 } });
      const none = await as('none', joined);
      assert.equal(none.reason, 'no_jetstream');
      assert.match(
        none.message,
        /no JetStream on this server or for this account, or no leader of it yet\. The command was not sent/,
      );
      const api = await as('api', joined);
      assert.equal(api.reason, 'not_permitted');
      assert.match(api.subject, /^\$JS\.API\.STREAM\.INFO\.OBJ_leasegate_mistake-\d+$/);
      assert.match(api.message, /not permitted to publish to \$JS\.API\.STREAM\.INFO\.OBJ_/);
      const deaf = await as('deaf', joined);
      assert.equal(deaf.reason, 'not_permitted');
      assert.match(deaf.message, /not permitted to subscribe to _INBOX\./);
      // Joining needs no command: the first one finds out.
      const mute = await as('mute', async (own) => {
        const cluster = await joined(own);
        try {
          await cluster.pool.taskQueue.enqueue({ ...spec('t'), timeoutMs: 500 });
        } finally {
          await cluster.close();
        }
      });
      assert.equal(mute.reason, 'not_permitted');
      assert.match(mute.subject, /^leasegate\.mistake-\d+\.pool\.r\./);
    });
  });

  it('what JetStream refuses has a number and a meaning', async () => {
    await assert.rejects(join({ replicas: 3 }), {
      code: 'cluster_unavailable',
      apiCode: 10074,
      message: /needs a cluster/,
    });
    const full = await join({ maxBytes: 600, results: false });
    let said;
    for (let i = 0; i < 20 && said === undefined; i += 1) {
      const answer = await full.pool.taskQueue.try.enqueue({ ...spec(`t-${i}`), timeoutMs: 500 });
      if (!answer.ok) said = answer.error;
    }
    assert.match(said.message, /JetStream error 10077: the stream, or the disk under it, is full/);
    await full.close();
  });

  it('a connection that is closed is no connection', async () => {
    const closed = await connect({ servers: server.url });
    await closed.close();
    await assert.rejects(join({ connection: closed }), {
      code: 'cluster_unavailable',
      reason: 'connection_closed',
    });
  });

  it('takes no option that there is not, at any depth', async () => {
    for (const [wrong, said] of /** @type {const} */ ([
      [{ nope: 1 }, /options\.nope is not an option/],
      [{ results: { nope: 1 } }, /options\.results\.nope is not an option/],
      [
        { results: { limits: { maxTotalBytes: 1 } } },
        /options\.results\.limits\.maxTotalBytes is not an option/,
      ],
      [{ results: true }, /options\.results must be an object/],
      [{ rebase: { attempts: 1, nope: 2 } }, /options\.rebase\.nope is not an option/],
      [{ jetstream: 5 }, /options\.jetstream must be an object/],
      [{ jetstream: { nope: 5 } }, /options\.jetstream\.nope is not an option/],
      [{ inboxPrefix: 5 }, /options\.inboxPrefix must be/],
      [{ inboxPrefix: 'a.*' }, /options\.inboxPrefix must be/],
      [{ leasegate: {} }, /options\.leasegate must be an instance of the core/],
      [{ limits: { maxWorkerz: 1 } }, /limits\.maxWorkerz is not a limit/],
      [{ name: 'a b' }, /options\.name must be 1 to 64/],
      [{ onChange: 5 }, /options\.onChange must be a function/],
      [{ signal: 5 }, /options\.signal must be an AbortSignal/],
      [{ signal: { addEventListener() {} } }, /options\.signal must be an AbortSignal/],
    ]))
      await assert.rejects(join(wrong), (/** @type {any} */ error) => {
        assert.ok(error instanceof TypeError, String(error));
        assert.match(error.message, said);
        return true;
      });
    const mine = Object.freeze({ timeout: 2_000 });
    await (await join({ jetstream: mine })).close();
  });

  it('refuses wrong limits before it makes anything on the servers', async () => {
    for (const [wrong, refusal] of /** @type {[any, object][]} */ ([
      [{ limits: { maxRetries: 99 } }, { code: 'retry_limit_exceeds_maximum' }],
      [{ limits: { maxWorkerz: 1 } }, { name: 'TypeError' }],
      [{ results: { limits: { maxResults: 0 } } }, { code: 'invalid_limit' }],
      [{ results: { limits: { maxResultBytes: NaN } } }, { name: 'RangeError' }],
      [{ results: { limits: { maxResultBytes: '5' } } }, { name: 'TypeError' }],
      [{ results: { limits: { maxResultBytes: 2 ** 40 } } }, { code: 'count_limit_exceeds_maximum' }],
    ])) {
      await assert.rejects(join(wrong), refusal);
      const manager = await jetstreamManager(connection);
      const streams = await manager.streams.list().next();
      const made = streams.filter(({ config }) => config.name.includes(`mistake-${names}`));
      assert.deepEqual(made, []);
    }
  });

  it('knows the arguments of every command that the core has', () => {
    const generated = readFileSync(new URL('../../js/generated/coordination.js', import.meta.url), 'utf8');
    const writers = generated.matchAll(
      /export function write(\w+)\(f, options(?:, ids)?\) \{\n {2}const \{ (.*?) \} = object/g,
    );
    /** @type {Record<string, string[]>} */
    const core = {};
    for (const [, command, bound] of writers) {
      const names = bound.split(', ').map((each) => each.split(':')[0]);
      assert.deepEqual(names.slice(0, 2), ['expectedRevision', 'now'], command);
      core[command[0].toLowerCase() + command.slice(1)] = names.slice(2);
    }
    const { enqueue, ...others } = core;
    assert.deepEqual(enqueue, ['spec']);
    assert.deepEqual(others, COMMANDS);
  });

  it('takes no option of a command that there is not', async () => {
    const cluster = await join();
    const { pool, results } = cluster;
    for (const name of Object.keys(COMMANDS))
      await assert.rejects(pool[name]({ expectedRevisoin: 3 }), /options\.expectedRevisoin is not an option/);
    await assert.rejects(
      pool.taskQueue.enqueue({ ...spec('t'), rebse: 1 }),
      /options\.rebse is not an option/,
    );
    await assert.rejects(pool.recoverExpiredLeases(), /options must be an object/);
    await assert.rejects(pool.recoverExpiredLeases({ now: 5 }), /the host has the clock/);
    await assert.rejects(pool.try.registerWorker({ spec: 5 }), TypeError);
    const bytes = new Uint8Array(1);
    await assert.rejects(results.storeResult(), /options must be an object/);
    for (const receipt of [undefined, null, { taskId: 't' }, { taskId: 't', leaseId: -1 }, { leaseId: 1n }])
      await assert.rejects(results.storeResult({ receipt, bytes }), /receipt must be a completion receipt/);
    await assert.rejects(results.removeResults({ taskIds: [], nope: 1 }), /options\.nope is not an option/);
    await cluster.sync();
    assert.equal(pool.revision, 0n);
    await cluster.close();
  });

  it('a clock that throws or answers nonsense fails the command, and one that goes back does no harm', async () => {
    /** @type {() => any} */
    let clock = () => 100;
    const cluster = await join({ maxSkewSecs: null, clock: () => clock() });
    const { pool } = cluster;
    await pool.taskQueue.enqueue(spec('t'));
    assert.equal(pool.snapshot().logicalTime, 100n);
    clock = () => {
      throw new Error('no time');
    };
    await assert.rejects(pool.taskQueue.enqueue(spec('u')), /no time/);
    for (const nonsense of [Number.NaN, 1e300, -5, -5n, 2n ** 64n, 'noon', null, undefined, {}]) {
      clock = () => nonsense;
      await assert.rejects(pool.taskQueue.enqueue(spec('u')), /clock must answer seconds from 0 on/);
    }
    clock = () => 50.7;
    assert.equal((await pool.taskQueue.enqueue(spec('u'))).revision, 2n);
    assert.equal(pool.snapshot().logicalTime, 100n);
    clock = () => 120n;
    assert.equal((await pool.taskQueue.enqueue(spec('v'))).revision, 3n);
    assert.equal(pool.snapshot().logicalTime, 120n);
    await cluster.close();
  });

  it('a signal that was aborted before is aborted', async () => {
    const reason = new Error('mine');
    const signal = AbortSignal.abort(reason);
    await assert.rejects(join({ signal }), reason);
    const cluster = await join();
    await assert.rejects(cluster.pool.taskQueue.enqueue({ ...spec('t'), signal }), reason);
    await assert.rejects(cluster.sync({ signal }), reason);
    assert.equal(cluster.pool.taskQueue.tasks().length, 0);
    await cluster.close();
  });

  it('a command that is aborted while it waits for its turn is never given', async () => {
    const cluster = await join({ results: false, maxInFlight: 1 });
    const controller = new AbortController();
    const reason = new Error('no more');
    const sent = cluster.pool.taskQueue.enqueue(spec('sent'));
    const waiting = cluster.pool.taskQueue.enqueue({ ...spec('waiting'), signal: controller.signal });
    assert.equal(cluster.status().pending, 2);
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    await sent;
    await cluster.pool.taskQueue.enqueue(spec('next'));
    assert.equal(cluster.pool.taskQueue.getTask('waiting'), null);
    assert.equal(cluster.pool.snapshot().taskRecords, 2);
    await cluster.close();
  });

  it('after close everything says so, and close may be called again', async () => {
    const cluster = await join();
    await cluster.pool.taskQueue.enqueue(spec('t'));
    await Promise.all([cluster.close(), cluster.close()]);
    await cluster.close();
    assert.equal(await cluster.closed, null);
    const closed = { code: 'cluster_closed', outcome: 'not_sent' };
    await assert.rejects(cluster.pool.taskQueue.enqueue(spec('u')), closed);
    await assert.rejects(cluster.sync(), closed);
    await assert.rejects(cluster.snapshotNow(), closed);
    assert.throws(() => cluster.pool.getWorkers(), { code: 'disposed' });
    assert.equal(cluster.status().state, 'closed');
  });

  it('whoever closes a second time waits for the first, and so for what was in flight', async () => {
    const cluster = await join({ results: false });
    let answered = 0;
    for (let i = 0; i < 20; i += 1)
      cluster.pool.taskQueue.enqueue(spec(`t-${i}`)).then(() => {
        answered += 1;
      });
    const first = cluster.close();
    await cluster.close();
    assert.equal(answered, 20);
    assert.equal(await Promise.race([cluster.closed, 'open']), null);
    await first;
  });

  it('a command whose own options throw, or abort it, is not waited for', async () => {
    const cluster = await join({ results: false });
    const own = new Error('mine');
    const controller = new AbortController();
    const given = { ...spec('t'), timeoutMs: 1 };
    const throwing = Object.defineProperty({ ...given }, 'expectedRevision', {
      get() {
        throw own;
      },
    });
    const aborting = Object.defineProperty({ ...given, signal: controller.signal }, 'expectedRevision', {
      get() {
        controller.abort(own);
        return null;
      },
    });
    for (const options of [throwing, aborting])
      await assert.rejects(cluster.pool.taskQueue.enqueue(options), own);
    await pause(250); // for as long as deadlines take to be looked at
    assert.equal(cluster.status().pending, 0);
    assert.equal(cluster.pool.taskQueue.getTask('t'), null);
    await cluster.close();
  });

  it('a host that has stopped puts no snapshot', async () => {
    const own = await connect({ servers: server.url });
    const cluster = await join({ connection: own });
    await cluster.pool.taskQueue.enqueue(spec('t'));
    await own.publish(`leasegate.${cluster.name}.pool.r.stranger-1`, new Uint8Array(40));
    const error = await cluster.closed;
    assert.equal(error?.code, 'cluster_diverged');
    await assert.rejects(cluster.snapshotNow(), error);
    await cluster.close();
    await own.close();
  });

  it('nothing is put or trimmed after close()', async () => {
    const { jetstreamManager } = await import('@nats-io/jetstream');
    const jsm = await jetstreamManager(connection);
    for (let turn = 0; turn < 8; turn += 1) {
      const cluster = await join({ snapshotEvery: 10, results: false });
      for (let i = 0; i < 29; i += 1) await cluster.pool.taskQueue.enqueue(spec(`t-${i}`));
      for (let i = 0; i < turn; i += 1) await new Promise((resolve) => setImmediate(resolve));
      await cluster.close();
      const look = async () => {
        const stream = await jsm.streams.info(`LEASEGATE_${cluster.name}_pool`);
        const bucket = await jsm.streams.info(`OBJ_leasegate_${cluster.name}`);
        return [stream.state.first_seq, bucket.state.last_seq, bucket.state.messages];
      };
      const atOnce = await look();
      await pause(50);
      assert.deepEqual(await look(), atOnce);
    }
  });

  /** A process of its own. @param {string} body */
  async function alone(body) {
    const script = `import { connect } from '@nats-io/transport-node';
      import { joinCluster } from 'leasegate/cluster/nats';
      const connection = await connect({ servers: ${JSON.stringify(server.url)} });
      const options = { connection, name: 'alone' };
      ${body}`;
    const root = new URL('../..', import.meta.url);
    const args = ['--input-type=module', '-e', script];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill(), 15_000);
    const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    clearTimeout(timer);
    return { stdout, stderr, status };
  }

  it('nothing keeps a process alive after close()', async () => {
    const { stdout, stderr, status } = await alone(`
      const cluster = await joinCluster(options);
      await cluster.pool.taskQueue.enqueue({ spec: { taskId: 't', scanId: 's', targetRef: 'x' } });
      await cluster.close();
      await joinCluster({ ...options, signal: AbortSignal.timeout(1) }).catch(() => {});
      await joinCluster({ ...options, replicas: 3 }).catch(({ code }) => console.log(code));
      await connection.close();
      const since = performance.now();
      process.on('exit', () => console.log(performance.now() - since < 1_000 ? 'soon' : 'late'));`);
    assert.equal(stderr, '');
    assert.deepEqual(stdout.split('\n'), ['cluster_stream_unfit', 'soon', '']);
    assert.equal(status, 0);
  });

  it('a host that has left is no burden to the connection', async () => {
    const { stdout, stderr } = await alone(`
      import { setFlagsFromString } from 'node:v8';
      import { runInNewContext } from 'node:vm';
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc');
      const refs = [];
      const visit = async () => {
        const cluster = await joinCluster({ ...options, name: 'visited' });
        refs.push(new WeakRef(cluster));
        await cluster.close();
      };
      for (let i = 0; i < 5; i += 1) await visit();
      for (let i = 0; i < 50 && refs.slice(0, 4).some((ref) => ref.deref()); i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        collect();
      }
      console.log(refs.slice(0, 4).filter((ref) => ref.deref()).length);
      await connection.close();`);
    assert.equal(stderr, '');
    assert.equal(stdout, '0\n');
  });

  it('what onChange throws ends up where what callbacks throw does, and the host goes on', async () => {
    const { stdout, stderr, status } = await alone(`
      process.on('uncaughtException', ({ message }) => console.log('uncaught', message));
      let times = 0;
      const cluster = await joinCluster({ ...options, name: 'throws', onChange: ({ revision }) => {
        if (revision === 1n) throw new Error('mine');
      } });
      for (const taskId of ['t', 'u'])
        await cluster.pool.taskQueue.enqueue({ spec: { taskId, scanId: 's', targetRef: 'x' } });
      await cluster.sync();
      console.log(cluster.status().state, cluster.pool.revision);
      await cluster.close();
      await connection.close();`);
    assert.equal(stderr, '');
    assert.deepEqual(stdout.split('\n'), ['uncaught mine', 'live 2n', '']);
    assert.equal(status, 0);
  });
});
