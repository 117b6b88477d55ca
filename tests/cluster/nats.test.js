// The adapter on a real server: what is refused, what is recovered, and what is told.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect } from '@nats-io/transport-node';
import { createLeasegate, LeasegateError } from 'leasegate';
import { joinCluster } from 'leasegate/cluster/nats';
import { CuttableLine } from './support/cuttable-line.js';
import { MeddlingLine } from './support/meddling-line.js';
import { startServer } from './support/server.js';

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
const always = { attempts: 100 };

describe('a cluster', { timeout: 240_000 }, () => {
  /** @type {any} */
  let server;
  /** @type {any} */
  let leasegate;
  let names = 0;
  /** @type {(() => Promise<unknown>)[]} */
  const closing = [];
  before(async () => {
    server = await startServer();
    leasegate = await createLeasegate();
  });
  after(async () => {
    for (const close of closing) await close();
    await server?.stop();
  });

  const newName = () => {
    names += 1;
    return `test-${names}`;
  };

  /** @param {object} [options] */
  async function connected(options) {
    const connection = await connect({
      servers: server.url,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 50,
      ...options,
    });
    closing.push(() => connection.close());
    return connection;
  }

  /** @param {string} name @param {object} [options] @returns {Promise<any>} */
  async function host(name, options = {}) {
    const connection = /** @type {any} */ (options).connection ?? (await connected());
    const cluster = await joinCluster({ results: false, ...options, connection, name });
    closing.unshift(() => cluster.close());
    return cluster;
  }

  const enqueue = (/** @type {any} */ cluster, /** @type {string} */ taskId, options = {}) =>
    cluster.pool.taskQueue.enqueue({ spec: { taskId, scanId: 's', targetRef: 'a target' }, ...options });

  const code =
    (/** @type {string} */ expected, fields = {}) =>
    (/** @type {any} */ error) => {
      assert.ok(error instanceof LeasegateError, String(error?.stack ?? error));
      assert.equal(error.code, expected, String(error.stack));
      for (const [key, value] of Object.entries(fields))
        assert.deepEqual(/** @type {any} */ (error)[key], value, key);
      return true;
    };

  it('gives every host the same pool', async () => {
    const name = newName();
    const [a, b] = [await host(name), await host(name)];
    const { value } = await a.pool.registerWorker({ spec: { workerId: 'w', capacity: 2 } });
    assert.equal(value.workerId, 'w');
    const { revision } = await enqueue(a, 'one');
    assert.equal(revision, 2n);
    await b.sync();
    assert.equal(b.pool.revision, 2n);
    assert.equal(b.pool.taskQueue.getTask('one').status, 'queued');
    assert.equal(a.pool.stateDigest(), b.pool.stateDigest());
    const { value: lease } = await b.pool.assignNext({ workerId: 'w', leaseTtlSecs: 60 });
    await b.pool.startTask({ lease });
    const { value: done } = await b.pool.completeTask({ lease });
    assert.equal(done.kind, 'completed');
    const { value: again, revision: same } = await b.pool.completeTask({ lease });
    assert.equal(again.kind, 'already_completed');
    assert.equal(same, b.pool.revision);
  });

  it('has many commands in flight in the order in which they were given', async () => {
    const a = await host(newName());
    const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => enqueue(a, `task-${i}`)));
    assert.deepEqual(
      answers.map(({ revision }) => Number(revision)),
      Array.from({ length: 300 }, (_, i) => i + 1),
    );
    assert.equal(a.status().settled, 300);
  });

  it('never sends what is refused', async () => {
    const a = await host(newName());
    await enqueue(a, 'one');
    const before = a.status().sequence;
    await assert.rejects(enqueue(a, 'one'), code('task_already_exists', { taskId: 'one' }));
    await assert.rejects(
      enqueue(a, 'two', { expectedRevision: 7 }),
      code('revision_conflict', { expected: 7n, actual: 1n }),
    );
    assert.deepEqual((await a.pool.try.startTask({ lease: leaseOf('one') })).ok, false);
    await assert.rejects(a.pool.recoverExpiredLeases({ now: 5 }), TypeError);
    await assert.rejects(enqueue(a, 'x', { rebase: 3 }), TypeError);
    await a.sync();
    assert.equal(a.status().sequence, before);
  });

  const leaseOf = (/** @type {string} */ taskId) => ({
    taskId,
    workerId: 'w',
    workerGeneration: 1,
    taskGeneration: 0,
    attempt: 1,
    leaseId: 1,
    acquiredAt: 1,
    expiresAt: 9,
  });

  it('tells a host that was overtaken, or lets it decide anew', async () => {
    const name = newName();
    // Cut off from what others do, without knowing it: b decides on a state of the past.
    const line = await new CuttableLine(server.port).start();
    const a = await host(name);
    const b = await host(name, { connection: await connected({ servers: `127.0.0.1:${line.port}` }) });
    line.hush();
    const told = Promise.allSettled([
      enqueue(b, 'b-1', { expectedRevision: 0 }),
      enqueue(b, 'b-2', { rebase: always }),
      enqueue(b, 'a-1', { rebase: always }),
    ]);
    await enqueue(a, 'a-1');
    line.heal();
    const [conflict, anew, refused] = await told;
    assert.equal(conflict.status, 'rejected');
    code('revision_conflict', { expected: 0n, actual: 1n })(/** @type {any} */ (conflict).reason);
    assert.equal(/** @type {any} */ (anew).value.revision, 2n);
    code('task_already_exists')(/** @type {any} */ (refused).reason);
    await a.sync();
    assert.equal(a.pool.stateDigest(), b.pool.stateDigest());
    assert.equal(a.pool.taskQueue.getTask('b-1'), null);
    line.stop();
  });

  it('refuses the late completion of a host that slept past its lease', async () => {
    const name = newName();
    let second = 1_000;
    const clocked = { clock: () => second, maxSkewSecs: null, rebase: always };
    const line = await new CuttableLine(server.port).start();
    const a = await host(name, clocked);
    const b = await host(name, {
      ...clocked,
      connection: await connected({ servers: `127.0.0.1:${line.port}` }),
    });
    for (const workerId of ['w-a', 'w-b']) await a.pool.registerWorker({ spec: { workerId, capacity: 1 } });
    await enqueue(a, 'one');
    await b.sync();
    const { value: lease } = await b.pool.assignNext({ workerId: 'w-b', leaseTtlSecs: 5 });
    await b.pool.startTask({ lease });
    line.hush();
    const late = b.pool.completeTask({ lease });
    await a.sync();
    second += 5;
    await a.pool.recoverExpiredLeases({});
    const { value: next } = await a.pool.assignNext({ workerId: 'w-a', leaseTtlSecs: 5 });
    line.heal();
    await assert.rejects(late, code('stale_ownership', { taskId: 'one' }));
    await a.pool.startTask({ lease: next });
    assert.equal((await a.pool.completeTask({ lease: next })).value.kind, 'completed');
    line.stop();
  });

  it('answers an acknowledgement that got lost, within the dedupe window and beyond it', async () => {
    for (const dedupeWindowSecs of [120, 1]) {
      const name = newName();
      let deaf = false;
      const line = await new MeddlingLine(server.port, {
        answered: (data, forward) => deaf || forward(data),
      }).start();
      const a = await host(name, {
        dedupeWindowSecs,
        connection: await connected({ servers: `127.0.0.1:${line.port}` }),
      });
      await enqueue(a, 'one');
      deaf = true;
      const answer = enqueue(a, 'two');
      await pause(dedupeWindowSecs === 1 ? 2_500 : 200);
      deaf = false;
      line.cut();
      assert.equal((await answer).revision, 2n);
      await a.sync();
      assert.equal(a.status().sequence, 3n, 'it is in the stream once');
      await a.close();
      line.stop();
    }
  });

  it('says what it does not know when time is up, and still settles it', async () => {
    const name = newName();
    const line = await new CuttableLine(server.port).start();
    const a = await host(name, {
      maxInFlight: 1,
      connection: await connected({ servers: `127.0.0.1:${line.port}` }),
    });
    line.hush();
    const sent = enqueue(a, 'sent', { timeoutMs: 150 });
    const waiting = enqueue(a, 'waiting', { timeoutMs: 150 });
    const aborter = new AbortController();
    const given = enqueue(a, 'given up', { signal: aborter.signal });
    aborter.abort(new Error('enough'));
    const [first, second, third] = await Promise.allSettled([sent, waiting, given]);
    const why = (/** @type {any} */ { reason }) => reason;
    code('cluster_unavailable', { reason: 'timeout', outcome: 'unknown' })(why(first));
    code('cluster_unavailable', { reason: 'timeout', outcome: 'not_sent' })(why(second));
    assert.match(why(third).message, /enough/);
    line.heal();
    await enqueue(a, 'next');
    assert.deepEqual(
      a.pool.taskQueue.tasks().map((/** @type {any} */ { taskId }) => taskId),
      ['next', 'sent'],
    );
    line.stop();
  });

  it('is busy when too many commands wait', async () => {
    const a = await host(newName(), { maxPending: 3, maxInFlight: 1 });
    const all = await Promise.allSettled(Array.from({ length: 5 }, (_, i) => enqueue(a, `t-${i}`)));
    assert.deepEqual(
      all.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    );
    code('cluster_busy', { limit: 3 })(/** @type {any} */ (all[4]).reason);
  });

  it('leaves no promise hanging when the connection ends, or the host leaves', async () => {
    const name = newName();
    const connection = await connected();
    const a = await host(name, { connection });
    await enqueue(a, 'one');
    const lost = Promise.allSettled([enqueue(a, 'two'), a.sync()]);
    await connection.close();
    const [command] = await lost;
    if (command.status === 'rejected')
      code('cluster_unavailable', { reason: 'connection_closed' })(command.reason);
    code('cluster_unavailable', { reason: 'connection_closed' })(await a.closed);
    await assert.rejects(enqueue(a, 'three'), code('cluster_unavailable', { outcome: 'not_sent' }));
    assert.ok(a.pool.revision >= 1n, 'what was seen can be read');

    const b = await host(name);
    await b.close();
    assert.equal(await b.closed, null);
    await assert.rejects(enqueue(b, 'four'), code('cluster_closed', { outcome: 'not_sent' }));
    await assert.rejects(b.sync(), code('cluster_closed'));
    await b.close();
    assert.equal(b.status().state, 'closed');
  });

  it('refuses other limits, and takes those that are there when none are named', async () => {
    const name = newName();
    await host(name, { limits: { maxWorkers: 3 } });
    await assert.rejects(
      host(name, { limits: { maxWorkers: 4 } }),
      code('cluster_limits_differ', { name: 'max_workers' }),
    );
    const b = await host(name);
    assert.equal(leasegate.readJournalHeader(b.pool.journalHeader()).limits.maxWorkers, 3);
    await b.snapshotNow();
    await assert.rejects(
      host(name, { limits: { maxWorkers: 3, maxRetries: 4 } }),
      code('cluster_limits_differ', { name: 'max_retries' }),
    );
  });

  it('takes the limits of the results that are there when none are named', async () => {
    const name = newName();
    await host(name, { results: { limits: { maxResults: 10 } } });
    const b = await host(name, { results: { limits: { maxResultBytes: 5 } } });
    assert.equal(b.results.resultCount, 0);
    await assert.rejects(
      host(name, { results: { limits: { maxResults: 11 } } }),
      code('cluster_limits_differ', { name: 'max_results' }),
    );
  });

  it('refuses a stream that begins like none of ours', async () => {
    const connection = await connected();
    const [jsm, js] = [await jetstreamManager(connection), jetstream(connection)];
    for (const first of [new Uint8Array(30).fill(7), new leasegate.ResultAggregator().journalHeader()]) {
      const name = newName();
      const subjects = ['genesis', 'probe', 'r.*', 'c.*'].map((each) => `leasegate.${name}.pool.${each}`);
      const config = { storage: 'file', discard: 'new', deny_delete: true, subjects };
      await jsm.streams.add(/** @type {any} */ ({ name: `LEASEGATE_${name}_pool`, ...config }));
      await js.publish(`leasegate.${name}.pool.genesis`, first);
      for (const limits of [undefined, { maxWorkers: 3 }])
        await assert.rejects(host(name, { limits }), code('cluster_stream_unfit', { setting: 'genesis' }));
    }
  });

  it('refuses a stream that could lose or hide a record', async () => {
    const jsm = await jetstreamManager(await connected());
    const subjects = (/** @type {string} */ name) =>
      ['genesis', 'probe', 'r.*', 'c.*'].map((each) => `leasegate.${name}.pool.${each}`);
    const good = { storage: 'file', discard: 'new', deny_delete: true };
    /** @type {readonly (readonly [string, object])[]} */
    const unfit = [
      ['storage', { storage: 'memory' }],
      ['discard', { discard: 'old', max_msgs: 10 }],
      ['max_age', { max_age: 1e12 }],
      ['max_msgs', { max_msgs: 1_000 }],
      ['deny_delete', { deny_delete: false }],
      ['retention', { retention: 'workqueue' }],
      ['max_msgs_per_subject', { max_msgs_per_subject: 1 }],
      ['allow_rollup_hdrs', { allow_rollup_hdrs: true }],
      ['subjects', { subjects: ['something.else'] }],
    ];
    for (const [setting, config] of unfit) {
      const name = newName();
      await jsm.streams.add(
        /** @type {any} */ ({ name: `LEASEGATE_${name}_pool`, subjects: subjects(name), ...good, ...config }),
      );
      await assert.rejects(
        host(name),
        code('cluster_stream_unfit', { setting, stream: `LEASEGATE_${name}_pool` }),
      );
    }
    const name = newName();
    await jsm.streams.add(
      /** @type {any} */ ({ name: `LEASEGATE_${name}_pool`, subjects: subjects(name), ...good }),
    );
    await enqueue(await host(name), 'one');
    await assert.rejects(
      host(name, { replicas: 3 }),
      code('cluster_stream_unfit', { setting: 'num_replicas' }),
    );
  });

  it('refuses a server that passes over the expectation', async () => {
    // In between sits something that takes the header's name away.
    const renamed = (/** @type {Buffer} */ data) =>
      data.toString('latin1').replaceAll('Nats-Expected-Last-Sequence', 'Nope-Expected-Last-Sequence');
    const line = await new MeddlingLine(server.port, {
      said: (data, forward) => forward(Buffer.from(renamed(data), 'latin1')),
    }).start();
    const name = newName();
    const connection = await connected({ servers: `127.0.0.1:${line.port}` });
    await assert.rejects(
      host(name, { connection }),
      code('cluster_stream_unfit', { setting: 'expected_last_sequence' }),
    );
    await connection.close();
    line.stop();
  });

  it('stops at a record that does not apply, on every host, and says where', async () => {
    const good = () => {
      /** @type {Uint8Array[]} */
      const records = [];
      const pool = new leasegate.WorkerPool({
        journal: (/** @type {any} */ { bytes }) => records.push(bytes),
      });
      for (const taskId of ['x', 'y'])
        pool.taskQueue.enqueue({
          expectedRevision: pool.revision,
          now: 1,
          spec: { taskId, scanId: 's', targetRef: 't' },
        });
      pool.dispose();
      return records;
    };
    const [first, second] = good();
    const two = new Uint8Array([...first, ...second]);
    const damaged = first.slice();
    damaged[damaged.length - 1] ^= 1;
    /** @type {readonly (readonly [string, Uint8Array])[]} */
    const hostile = [
      ['nothing', new Uint8Array(0)],
      ['noise', new Uint8Array(100).fill(0xa5)],
      ['a later revision', second],
      ['two records', two],
      ['half a record', first.subarray(0, first.length - 3)],
      ['a damaged record', damaged],
    ];
    for (const [what, bytes] of hostile) {
      const name = newName();
      const a = await host(name);
      const js = jetstream(await connected());
      await js.publish(`leasegate.${name}.pool.r.stranger-1`, bytes);
      const error = /** @type {any} */ (await a.closed);
      code('cluster_diverged', { sequence: 2n, reason: 'record_refused' })(error);
      assert.ok(error.cause.code.startsWith('journal_'), `${what}: ${error.cause.code}`);
      assert.ok(a.pool.revision <= 1n);
      await assert.rejects(enqueue(a, 'one'), code('cluster_diverged'));
      await assert.rejects(host(name), code('cluster_diverged', { reason: 'record_refused' }));
    }
    const name = newName();
    const a = await host(name);
    const js = jetstream(await connected());
    await js.publish(`leasegate.${name}.pool.c.stranger-1`, new Uint8Array(50).fill(9));
    await a.sync();
    await pause(1_100); // clocks are compared once a second
    await js.publish(`leasegate.${name}.pool.c.stranger-1`, new Uint8Array(50).fill(9));
    await js.publish(`leasegate.${name}.pool.genesis`, first);
    await js.publish(`leasegate.${name}.pool.c.stranger-1`, first);
    await a.sync();
    assert.equal(a.status().voids, 4, 'a chained message without what it builds on is passed over');
    await js.publish(`leasegate.${name}.pool.r.stranger-1`, first);
    await a.sync();
    assert.equal(a.pool.revision, 1n);
    assert.equal((await enqueue(a, 'z')).revision, 2n);
  });

  it('stops when the stream was replaced', async () => {
    const name = newName();
    const connection = await connected();
    const a = await host(name, { connection });
    await enqueue(a, 'one');
    const jsm = await jetstreamManager(await connected());
    await jsm.streams.delete(`LEASEGATE_${name}_pool`);
    await host(name);
    await connection.reconnect();
    code('cluster_diverged', { reason: 'stream_replaced' })(await a.closed);
  });

  it('stops when a server has lost what it had acknowledged', async () => {
    for (const written of [0, 3]) {
      const own = await startServer();
      const old = mkdtempSync(path.join(tmpdir(), 'leasegate-old-'));
      const line = await new CuttableLine(own.port).start();
      const connection = await connect({
        servers: `127.0.0.1:${line.port}`,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 50,
      });
      const a = await host('lossy', { connection });
      await enqueue(a, 'kept');
      await own.kill('SIGTERM');
      cpSync(own.folder, old, { recursive: true });
      await own.start();
      for (const taskId of ['lost-1', 'lost-2']) await enqueue(a, taskId);
      await a.sync();
      line.cut();
      await own.kill();
      rmSync(own.folder, { recursive: true, force: true });
      cpSync(old, own.folder, { recursive: true });
      await own.start();
      const direct = await connect({ servers: own.url });
      const b = await host('lossy', { connection: direct });
      for (let i = 0; i < written; i += 1) await enqueue(b, `new-${i}`);
      await b.close();
      line.heal();
      const reason = written === 0 ? 'stream_went_back' : 'record_differs';
      code('cluster_diverged', { reason })(await a.closed);
      assert.equal(a.pool.taskQueue.getTask('lost-2').status, 'queued', 'what was seen can be read');
      await a.close();
      await Promise.all([connection.close(), direct.close()]);
      line.stop();
      rmSync(old, { recursive: true, force: true });
      await own.stop();
    }
  });

  it('puts snapshots, trims behind them, and begins from them', async () => {
    const name = newName();
    const a = await host(name, { snapshotEvery: 50, maxInFlight: 8 });
    await a.pool.registerWorker({ spec: { workerId: 'w', capacity: 1 } });
    for (let i = 0; i < 60; i += 1) {
      await Promise.all(
        [1, 2, 3, 4].map(() => a.pool.updateWorker({ workerId: 'w', generation: 1, observation: {} })),
      );
      if (i % 10 === 9) await pause(100); // time to put one
    }
    const { snapshotsWritten, snapshotsFailed } = a.status();
    assert.ok(snapshotsWritten >= 3, `${snapshotsWritten} were written`);
    assert.equal(snapshotsFailed, 0);
    const connection = await connected();
    const jsm = await jetstreamManager(connection);
    const { state } = await jsm.streams.info(`LEASEGATE_${name}_pool`);
    assert.ok(state.first_seq > 50, `trimmed to ${state.first_seq}`);
    const store = await new Objm(jetstream(connection)).open(`leasegate_${name}`);
    const kept = (await store.list()).map(({ name: object }) => object);
    assert.equal(kept.length, 2, `the last two: ${kept}`);
    const b = await host(name, { snapshotEvery: 50 });
    assert.equal(b.pool.revision, a.pool.revision);
    assert.equal(b.pool.stateDigest(), a.pool.stateDigest());
    assert.equal(
      (await enqueue(b, 'one')).revision,
      a.pool.revision + (a.pool.revision === b.pool.revision ? 0n : 1n),
    );
  });

  it('knows from a snapshot whose the last message was', async () => {
    const name = newName();
    /** @type {Uint8Array[]} */
    const records = [];
    const pool = new leasegate.WorkerPool({ journal: (/** @type {any} */ { bytes }) => records.push(bytes) });
    for (const taskId of ['x', 'y']) {
      const spec = { taskId, scanId: 's', targetRef: 't' };
      pool.taskQueue.enqueue({ expectedRevision: pool.revision, now: 1, spec });
    }
    pool.dispose();
    const a = await host(name);
    const js = jetstream(await connected());
    await js.publish(`leasegate.${name}.pool.r.other-1`, records[0]);
    await a.sync();
    await a.snapshotNow();
    await js.publish(`leasegate.${name}.pool.c.other-1`, records[1]); // chained to what is in the snapshot
    await a.sync();
    const b = await host(name);
    for (const each of [a, b]) assert.deepEqual([each.pool.revision, each.status().voids], [2n, 0]);
    assert.equal(a.pool.stateDigest(), b.pool.stateDigest());
  });

  it('recovers a host that has slept behind the trim', async () => {
    const name = newName();
    const line = await new CuttableLine(server.port).start();
    const a = await host(name, { snapshotEvery: 0 });
    const b = await host(name, {
      snapshotEvery: 0,
      connection: await connected({ servers: `127.0.0.1:${line.port}` }),
    });
    await enqueue(a, 'before');
    await b.sync();
    line.cut();
    const asleep = enqueue(b, 'asleep', { rebase: always }); // its place will be taken, and trimmed
    for (let i = 0; i < 30; i += 1) await enqueue(a, `t-${i}`);
    const keeper = await host(name);
    await keeper.snapshotNow();
    await enqueue(a, 'later');
    await keeper.sync();
    await keeper.snapshotNow();
    await enqueue(a, 'last');
    await keeper.sync();
    await keeper.snapshotNow();
    line.heal();
    await assert.rejects(asleep, code('cluster_unavailable', { outcome: 'unknown' }));
    await b.sync();
    assert.equal(b.pool.stateDigest(), a.pool.stateDigest());
    await enqueue(b, 'awake', { rebase: always });
    line.stop();
  });

  it('does not take a message that was passed over for accepted, when it comes back behind the trim', async () => {
    const name = newName();
    let held = false;
    let deaf = false;
    /** @type {(() => void)[]} */
    const waiting = [];
    const line = await new MeddlingLine(server.port, {
      said: (data, forward) => (held ? waiting.push(() => forward(data)) : forward(data)),
      answered: (data, forward) => deaf || forward(data),
    }).start();
    const a = await host(name, { snapshotEvery: 0 });
    const b = await host(name, {
      snapshotEvery: 0,
      connection: await connected({ servers: `127.0.0.1:${line.port}` }),
    });
    held = true;
    deaf = true;
    const given = Promise.allSettled([enqueue(b, 'first'), enqueue(b, 'second')]);
    await enqueue(a, 'faster');
    held = false;
    for (const send of waiting) send();
    for (let i = 0; i < 100 && a.status().voids === 0; i += 1) await pause(10);
    assert.equal(a.status().voids, 1, 'the second stands in the stream, chained to what was refused');
    for (let i = 0; i < 3; i += 1) {
      await enqueue(a, `later-${i}`);
      await a.snapshotNow();
    }
    deaf = false;
    line.cut();
    for (const { reason } of /** @type {any[]} */ (await given))
      code('cluster_unavailable', { outcome: 'unknown' })(reason);
    await b.sync();
    assert.equal(b.pool.taskQueue.getTask('second'), null);
    assert.equal(a.pool.stateDigest(), b.pool.stateDigest());
    await b.close();
    line.stop();
  });

  it('says so when history was trimmed and no snapshot reaches as far', async () => {
    const name = newName();
    const a = await host(name);
    for (let i = 0; i < 5; i += 1) await enqueue(a, `t-${i}`);
    const jsm = await jetstreamManager(await connected());
    await jsm.streams.purge(`LEASEGATE_${name}_pool`, { seq: 4 });
    await assert.rejects(host(name), code('cluster_diverged', { reason: 'history_missing' }));
  });

  it('refuses a snapshot that somebody has damaged', async () => {
    const name = newName();
    const a = await host(name);
    await enqueue(a, 'one');
    await a.snapshotNow();
    const store = await new Objm(jetstream(await connected())).open(`leasegate_${name}`);
    const [{ name: object }] = await store.list();
    await store.putBlob({ name: object }, new Uint8Array(200).fill(7));
    await assert.rejects(host(name), code('cluster_diverged', { reason: 'snapshot_invalid' }));
    await enqueue(a, 'two');
    await a.snapshotNow();
    const [newest] = (await store.list()).map((each) => each.name).filter((each) => each !== object);
    assert.equal((await host(name)).pool.revision, 2n);
    // The one before does, as long as the messages behind it are there.
    await enqueue(a, 'three');
    await a.snapshotNow();
    const latest = (await store.list())
      .map((each) => each.name)
      .find((each) => each !== object && each !== newest);
    await store.putBlob({ name: String(latest) }, new Uint8Array(200).fill(7));
    assert.equal((await host(name)).pool.stateDigest(), a.pool.stateDigest());
  });

  it('keeps result bytes in the object store, and their proof in a log', async () => {
    const name = newName();
    const results = { limits: { maxResultBytes: 300_000 } };
    const a = await host(name, { results });
    const b = await host(name, { results, rebase: always });
    await a.pool.registerWorker({ spec: { workerId: 'w', capacity: 4 } });
    const receipts = [];
    for (const taskId of ['one', 'two']) {
      await enqueue(a, taskId);
      const { value: lease } = await a.pool.assignNext({ workerId: 'w', leaseTtlSecs: 60 });
      await a.pool.startTask({ lease });
      receipts.push((await a.pool.completeTask({ lease })).value.receipt);
    }
    const bytes = new Uint8Array(200_000).fill(3);
    assert.equal((await a.results.storeResult({ receipt: receipts[0], bytes })).value.kind, 'stored');
    assert.equal((await a.results.storeResult({ receipt: receipts[0], bytes })).value.kind, 'already_stored');
    await assert.rejects(
      a.results.storeResult({ receipt: receipts[0], bytes: bytes.subarray(1) }),
      code('conflicting_result'),
    );
    await assert.rejects(
      a.results.storeResult({ receipt: receipts[1], bytes: new Uint8Array(300_001) }),
      code('result_too_large', { actual: 300_001, limit: 300_000 }),
    );
    await b.sync();
    assert.deepEqual(await b.results.getResult('one'), bytes);
    assert.equal(await b.results.getResult('two'), null);
    await b.results.storeResult({ receipt: receipts[1], bytes: new Uint8Array([1, 2]) });
    await a.sync();
    const all = await a.results.aggregateResults(['two', 'one']);
    assert.deepEqual(
      all.map(({ taskId, bytes: { length } }) => [taskId, length]),
      [
        ['two', 2],
        ['one', 200_000],
      ],
    );
    assert.equal(a.results.stateDigest(), b.results.stateDigest());

    const store = await new Objm(jetstream(await connected())).open(`leasegate_${name}_results`);
    for (const { name: object } of await store.list())
      if (object.startsWith('result.one.')) await store.putBlob({ name: object }, new Uint8Array(5));
    await assert.rejects(
      a.results.getResult('one'),
      code('cluster_result_lost', { taskId: 'one', reason: 'damaged' }),
    );
    for (const { name: object } of await store.list())
      if (object.startsWith('result.one.')) await store.delete(object);
    await assert.rejects(a.results.getResult('one'), code('cluster_result_lost', { reason: 'missing' }));
    assert.equal((await b.results.removeResults({ taskIds: ['two'] })).value, 1);
    assert.equal(await b.results.getResult('two'), null);
    // Nothing stays of it in the bucket, no description either.
    const jsm = await jetstreamManager(await connected());
    const left = async () => (await jsm.streams.info(`OBJ_leasegate_${name}_results`)).state.messages;
    for (let i = 0; i < 100 && (await left()) > 1; i += 1) await pause(10);
    assert.equal(
      await left(),
      1,
      'the description that the client library has left of what was deleted above',
    );
    await assert.rejects(
      a.results.storeResult({ receipt: { ...receipts[0], taskId: '任务' }, bytes }),
      code('invalid_task'),
    );
    assert.equal(await left(), 1);
  });

  /** Tasks that are completed, and their receipts. @param {any} cluster @param {number} count */
  async function completed(cluster, count) {
    const { pool } = cluster;
    await pool.registerWorker({ spec: { workerId: 'w', capacity: 4 } });
    const receipts = [];
    for (let i = 0; i < count; i += 1) {
      await enqueue(cluster, `done-${i}`);
      const { value: lease } = await pool.assignNext({ workerId: 'w', leaseTtlSecs: 60 });
      await pool.startTask({ lease });
      receipts.push((await pool.completeTask({ lease })).value.receipt);
    }
    return receipts;
  }

  it('keeps the bytes of a result whose like was overtaken', async () => {
    const a = await host(newName(), { results: {} });
    const receipts = await completed(a, 10);
    for (const [i, receipt] of receipts.entries()) {
      const bytes = new Uint8Array(10).fill(i);
      const [overtaken] = await Promise.allSettled([
        a.results.storeResult({ receipt, bytes, expectedRevision: 99 }),
        a.results.storeResult({ receipt, bytes }),
      ]);
      code('revision_conflict')(/** @type {any} */ (overtaken).reason);
      await pause(20); // time to remove something that should stay
      assert.deepEqual(await a.results.getResult(receipt.taskId), bytes);
    }
  });

  it('gives up putting a result in time, or when it is told to', async () => {
    const line = await new CuttableLine(server.port).start();
    const a = await host(newName(), {
      results: {},
      connection: await connected({ servers: `127.0.0.1:${line.port}` }),
    });
    const [receipt] = await completed(a, 1);
    const bytes = new Uint8Array(10);
    line.hush();
    const since = performance.now();
    const reason = new Error('enough');
    const aborter = new AbortController();
    const late = a.results.storeResult({ receipt, bytes, timeoutMs: 100 });
    const given = a.results.storeResult({ receipt, bytes, signal: aborter.signal });
    setTimeout(() => aborter.abort(reason), 100);
    await Promise.all([
      assert.rejects(late, code('cluster_unavailable', { reason: 'timeout', outcome: 'not_sent' })),
      assert.rejects(given, reason),
    ]);
    assert.ok(performance.now() - since < 1_500);
    line.heal();
    assert.equal((await a.results.storeResult({ receipt, bytes })).value.kind, 'stored');
    line.stop();
  });

  it('takes no more commands once it is closing, and answers those on their way', async () => {
    const line = await new CuttableLine(server.port).start();
    const a = await host(newName(), { connection: await connected({ servers: `127.0.0.1:${line.port}` }) });
    line.hush();
    const sent = enqueue(a, 'sent');
    const closing = a.close();
    await assert.rejects(enqueue(a, 'more'), code('cluster_closed', { outcome: 'not_sent' }));
    line.heal();
    assert.equal((await sent).revision, 1n);
    await closing;
    line.stop();
  });

  it('never gives a command an earlier second than the pool has, and bounds the skew', async () => {
    const name = newName();
    const seconds = () => Math.floor(Date.now() / 1000);
    const fast = await host(name, { clock: () => seconds() + 3, maxSkewSecs: 10 });
    await enqueue(fast, 'one');
    const { logicalTime } = fast.pool.snapshot();
    const right = await host(name, { clock: () => BigInt(seconds()), maxSkewSecs: 2, rebase: always });
    await enqueue(right, 'two');
    assert.ok(right.pool.snapshot().logicalTime >= logicalTime);
    assert.ok(Math.abs(right.status().skewSecs) <= 1);
    assert.ok(Math.abs(fast.status().skewSecs - 3) <= 1);
    const wrong = await host(name, { clock: () => seconds() - 60 });
    await assert.rejects(enqueue(wrong, 'three'), (/** @type {any} */ error) => {
      code('cluster_clock_skew', { maxSkewSecs: 5 })(error);
      return error.skewSecs <= -59n && error.skewSecs >= -61n;
    });
  });

  it('notices at once that a clock was set, and that it was set right again', async () => {
    const name = newName();
    let off = 0;
    const a = await host(name, { clock: () => Math.floor(Date.now() / 1000) + off });
    await enqueue(a, 'one');
    for (const [wrong, taskId] of /** @type {const} */ ([
      [3_600, 'two'],
      [-3_600, 'three'],
    ])) {
      const { logicalTime } = a.pool.snapshot();
      off = wrong;
      await assert.rejects(enqueue(a, taskId), code('cluster_clock_skew'));
      assert.ok(Math.abs(a.status().skewSecs - wrong) <= 1);
      assert.equal(a.pool.snapshot().logicalTime, logicalTime);
      off = 0;
      await enqueue(a, taskId); // nobody else has said anything meanwhile
    }
    assert.ok(Math.abs(a.status().skewSecs) <= 1);
  });

  it('says that the stream is full, and forgets nothing', async () => {
    const a = await host(newName(), { maxBytes: 1_500 });
    let stored = 0;
    for (;;) {
      const answer = await a.pool.taskQueue.try.enqueue({
        spec: { taskId: `t-${stored}`, scanId: 's', targetRef: 'x' },
        timeoutMs: 1_000,
      });
      if (!answer.ok) {
        code('cluster_unavailable', { apiCode: 10077, outcome: 'unknown' })(answer.error);
        break;
      }
      stored += 1;
      assert.ok(stored < 100);
    }
    assert.ok(stored > 2);
    assert.equal(a.pool.revision, BigInt(stored));
    assert.equal(a.status().apiCode, 10077);
  });

  it('goes on when a record is too large for the server', async () => {
    const small = await startServer({
      args: ['-c', new URL('./support/small.conf', import.meta.url).pathname],
    });
    const connection = await connect({ servers: small.url });
    const a = await joinCluster({ connection, name: 'small', results: false });
    const spec = { taskId: 'big', scanId: 's', targetRef: 'x'.repeat(1000), phases: new Uint8Array(200) };
    await assert.rejects(
      a.pool.taskQueue.enqueue({ spec }),
      code('cluster_record_too_large', { limit: 1024 }),
    );
    await enqueue(a, 'one');
    assert.equal(a.pool.revision, 1n);
    const mixed = await Promise.allSettled([
      enqueue(a, 'two'),
      a.pool.taskQueue.enqueue({ spec }),
      enqueue(a, 'three'),
    ]);
    assert.deepEqual(
      mixed.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(a.pool.revision, 3n);
    await a.close();
    await connection.close();
    await small.stop();
  });

  it('gives joining up when it is told to, or when nobody answers', async () => {
    const line = await new CuttableLine(server.port).start();
    const connection = await connected({ servers: `127.0.0.1:${line.port}` });
    line.hush();
    const reason = new Error('enough');
    await assert.rejects(host(newName(), { connection, signal: AbortSignal.abort(reason) }), reason);
    await assert.rejects(
      host(newName(), { connection, joinTimeoutMs: 200 }),
      code('cluster_unavailable', { outcome: 'not_sent' }),
    );
    line.heal();
    line.stop();
  });

  it('takes no wrong options', async () => {
    const connection = await connected();
    for (const wrong of [
      { name: 'a.b' },
      { name: 'a*' },
      { name: 'a_b' },
      { name: '' },
      { name: 'ok', nope: 1 },
      { name: 'ok', clock: 3 },
      { name: 'ok', maxSkewSecs: 0 },
      { name: 'ok', replicas: 6 },
      { name: 'ok', rebase: true },
      { name: 'ok', limits: { maxWorkerz: 3 } },
    ])
      await assert.rejects(
        joinCluster(/** @type {any} */ ({ connection, ...wrong })),
        (/** @type {any} */ error) => error instanceof TypeError || error instanceof RangeError,
        JSON.stringify(wrong),
      );
    await assert.rejects(joinCluster(/** @type {any} */ ({ name: 'ok' })), TypeError);
    await assert.rejects(
      joinCluster({ connection, name: newName(), limits: { maxWorkers: 0 } }),
      code('invalid_limit'),
    );
  });
});
