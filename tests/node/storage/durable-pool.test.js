// What a durable pool answers, and when: on a storage that waits, fails and crashes when it is told to.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { createLeasegate, LeasegateError } from 'leasegate';
import { LIMITS, live, Twin } from './support/life.js';
import { MemoryStorage } from './support/memory-storage.js';

const lg = await createLeasegate();
const open = (storage, options) => lg.openDurablePool({ storage, ...options });
const spec = (taskId) => ({ taskId, scanId: 'scan', targetRef: 'the secret target' });
const at = (pool, now = 0) => ({ expectedRevision: pool.revision, now });
const enqueue = (pool, taskId, waiting) =>
  pool.taskQueue.enqueue({ ...at(pool), spec: spec(taskId) }, waiting);

/** @param {Promise<unknown>} promise */
async function stateOf(promise) {
  for (let turn = 0; turn < 20; turn += 1) await null;
  const waits = Symbol('waits');
  return Promise.race([promise, Promise.resolve(waits)]).then(
    (value) => (value === waits ? 'waits' : 'settled'),
    () => 'rejected',
  );
}

/** @param {string} code @param {object} [fields] */
const refusal =
  (code, fields = {}) =>
  (/** @type {any} */ error) => {
    assert.ok(error instanceof LeasegateError);
    assert.deepEqual({ ...error }, { code, ...fields });
    return true;
  };

describe('The answer of a command', () => {
  it('comes when its record is durable, while reads see it at once', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    const release = storage.holdAppends();
    const answer = enqueue(pool, 't');
    assert.equal(pool.revision, 1n);
    assert.equal(pool.durableRevision, 0n);
    assert.equal(pool.taskQueue.getTask('t').status, 'queued');
    assert.equal(await stateOf(answer), 'waits');
    release();
    const { revision, value } = await answer;
    assert.deepEqual([revision, value.taskId, pool.durableRevision], [1n, 't', 1n]);
    await pool.close();
  });

  it('comes at once for a refusal that rests on what is durable, and nothing is written', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    await enqueue(pool, 't');
    const release = storage.holdAppends();
    const before = storage.calls.length;
    const error = refusal('task_already_exists', { taskId: 't' });
    await assert.rejects(enqueue(pool, 't'), error);
    const answer = await pool.taskQueue.try.enqueue({ ...at(pool), spec: spec('t') });
    assert.equal(answer.ok, false);
    error(answer.error);
    assert.equal(storage.calls.length, before);
    release();
    await pool.close();
  });

  it('waits for a refusal that rests on what is not durable yet', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    const release = storage.holdAppends();
    const first = enqueue(pool, 't');
    const again = enqueue(pool, 't');
    const tried = pool.taskQueue.try.enqueue({ ...at(pool), spec: spec('t') });
    const conflict = pool.pruneDeadWorkers({ expectedRevision: 0, now: 0 });
    for (const answer of [first, again, tried, conflict]) assert.equal(await stateOf(answer), 'waits');
    release();
    await first;
    await assert.rejects(again, refusal('task_already_exists', { taskId: 't' }));
    assert.equal((await tried).error.code, 'task_already_exists');
    await assert.rejects(conflict, refusal('revision_conflict', { expected: 0n, actual: 1n }));
    await pool.close();
  });

  it('waits for a command that was done before and is sent again', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    await pool.registerWorker({ ...at(pool), spec: { workerId: 'w', capacity: 1 } });
    await enqueue(pool, 't');
    const { value: lease } = await pool.assignNext({ ...at(pool), workerId: 'w', leaseTtlSecs: 9 });
    await pool.startTask({ ...at(pool), lease });
    const release = storage.holdAppends();
    const done = pool.completeTask({ ...at(pool), lease });
    const again = pool.completeTask({ ...at(pool), lease });
    assert.equal(await stateOf(again), 'waits');
    release();
    const [first, second] = await Promise.all([done, again]);
    assert.deepEqual([first.value.kind, second.value.kind], ['completed', 'already_completed']);
    assert.deepEqual(second.value.receipt, first.value.receipt);
    await pool.close();
  });

  it('is a rejection for arguments of a wrong shape, and nothing was applied', async () => {
    const pool = await open(new MemoryStorage());
    await assert.rejects(pool.pruneDeadWorkers({ expectedRevision: 0.5, now: 0 }), RangeError);
    await assert.rejects(pool.try.pruneDeadWorkers({ expectedRevision: '0', now: 0 }), TypeError);
    await assert.rejects(pool.pruneDeadWorkers(at(pool), { signal: 7 }), TypeError);
    await assert.rejects(pool.pruneDeadWorkers(at(pool), 7), TypeError);
    assert.equal(pool.revision, 0n);
    await pool.close();
  });
});

describe('Group commit', () => {
  it('writes what comes in one turn at once, and what comes during a write with the next one', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    storage.calls.length = 0;
    const first = Array.from({ length: 10 }, (_, index) => enqueue(pool, `a${index}`));
    const release = storage.holdAppends();
    await null;
    await null;
    const second = Array.from({ length: 100 }, (_, index) => enqueue(pool, `b${index}`));
    release();
    await Promise.all([...first, ...second]);
    assert.deepEqual(storage.calls, ['append 10', 'append 110']);
    await pool.close();
    assert.deepEqual(storage.calls.slice(2), ['sync', 'close']);
  });

  it('takes the commands of a hundred callers, each waiting for its own, in as many groups as turns', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage, {
      limits: { maxTaskRecords: 4096, maxActiveTasks: 4096, maxQueuedTasks: 4096 },
    });
    storage.calls.length = 0;
    const caller = async (_, index) => {
      for (let turn = 0; turn < 10; turn += 1) await enqueue(pool, `t-${index}-${turn}`);
    };
    await Promise.all(Array.from({ length: 100 }, caller));
    assert.equal(pool.durableRevision, 1000n);
    assert.ok(storage.calls.length <= 12, `${storage.calls.length} writes`);
    await pool.close();
  });

  it('refuses what passes the bound on commands that wait, before it is applied', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage, { maxPendingCommands: 3 });
    const release = storage.holdAppends();
    const taken = ['a', 'b', 'c'].map((id) => enqueue(pool, id));
    const full = refusal('durable_backlog_full', { limit: 3, unit: 'commands' });
    await assert.rejects(enqueue(pool, 'd'), full);
    full((await pool.taskQueue.try.enqueue({ ...at(pool), spec: spec('d') })).error);
    await assert.rejects(pool.flush(), full);
    assert.equal(pool.revision, 3n);
    release();
    await Promise.all(taken);
    await enqueue(pool, 'd');
    await pool.close();
  });

  it('counts who waits for a flush or a checkpoint among the commands that wait', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage, { maxPendingCommands: 3 });
    const release = storage.holdAppends();
    const first = enqueue(pool, 'a');
    await null; // the write has begun, and who comes now waits for the next one
    await null;
    const taken = [first, pool.flush(), pool.checkpoint()];
    await assert.rejects(enqueue(pool, 'b'), refusal('durable_backlog_full', { limit: 3, unit: 'commands' }));
    assert.equal(pool.revision, 1n);
    release();
    await Promise.all(taken);
    await pool.close();
  });

  it('refuses a record that passes the bound on bytes that wait, before it is applied', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage, { maxPendingBytes: 4096 });
    const release = storage.holdAppends();
    const answers = [];
    const full = refusal('durable_backlog_full', { limit: 4096, unit: 'bytes' });
    let refused = null;
    for (let index = 0; refused === null; index += 1) {
      const { revision } = pool;
      const answer = enqueue(pool, `task-${index}`);
      if (pool.revision === revision) refused = answer;
      else answers.push(answer);
    }
    assert.ok(answers.length > 5);
    const tried = pool.taskQueue.try.enqueue({ ...at(pool), spec: spec('one-more') });
    release();
    await assert.rejects(refused, full);
    full((await tried).error);
    await Promise.all(answers);
    await enqueue(pool, 'later');
    await pool.close();
  });
});

describe('A write that fails', () => {
  const disk = Object.assign(new Error('no space left, open /some/place'), { code: 'ENOSPC' });
  for (const operation of ['append', 'begin']) {
    it(`(${operation}) ends the pool: what waits and what comes is told the same, and nothing is tried again`, async () => {
      const storage = new MemoryStorage();
      const pool = await open(storage, { snapshotEveryBytes: 1024 });
      await enqueue(pool, 'kept');
      storage.faults.set(operation, disk);
      storage.calls.length = 0;
      const waiting = Array.from({ length: 60 }, (_, index) => enqueue(pool, `t${index}`));
      const flushed = pool.flush();
      const error = refusal('storage_failed', { operation, systemCode: 'ENOSPC' });
      // A chapter begins when its records are durable: their commands have been kept.
      if (operation === 'append') for (const answer of waiting) await assert.rejects(answer, error);
      else await Promise.all(waiting);
      await assert.rejects(flushed, error);
      assert.equal(pool.failure.cause, disk);
      assert.doesNotMatch(pool.failure.message + JSON.stringify(pool.failure), /place|secret/);
      const { revision } = pool;
      await assert.rejects(enqueue(pool, 'later'), error);
      await assert.rejects(pool.taskQueue.try.enqueue({ ...at(pool), spec: spec('later') }), error);
      await assert.rejects(pool.checkpoint(), error);
      assert.equal(pool.revision, revision);
      const durable = operation === 'append' ? 1n : 61n;
      assert.equal(pool.durableRevision, durable);
      assert.equal(inspect(pool), 'DurablePool { failed }');
      assert.equal(storage.calls.filter((call) => call.startsWith(operation)).length, 1);
      await pool.close(); // it has been told before
      storage.crash();
      const again = await open(storage);
      assert.equal(again.revision, durable);
      await again.close();
    });
  }

  it('at the close rejects the close, once more for who asks again, and lets go all the same', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    await enqueue(pool, 't');
    storage.faults.set('sync', disk);
    const error = refusal('storage_failed', { operation: 'sync', systemCode: 'ENOSPC' });
    await assert.rejects(pool.close(), error);
    await assert.rejects(pool.close(), error);
    assert.equal(storage.session, null);
  });

  it('in the background ends the pool too', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    const release = storage.holdAppends();
    const waiting = enqueue(pool, 't');
    await null;
    const error = new LeasegateError('storage_failed', 'told', { operation: 'sync', systemCode: 'EIO' });
    storage.session.onFailure(error);
    await assert.rejects(waiting, error);
    release();
    await assert.rejects(enqueue(pool, 'u'), error);
    assert.equal(pool.durableRevision, 0n);
    await pool.close();
  });

  it('while opening lets go of the storage', async () => {
    const storage = new MemoryStorage();
    storage.faults.set('begin', disk);
    await assert.rejects(
      open(storage),
      refusal('storage_failed', { operation: 'begin', systemCode: 'ENOSPC' }),
    );
    assert.equal(storage.session, null);
    storage.faults.clear();
    await assert.rejects(
      open(storage, { limits: { maxWorkers: 0 } }),
      refusal('invalid_limit', { name: 'max_workers' }),
    );
    assert.equal(storage.session, null);
    await (await open(storage)).close();
  });
});

describe('A signal', () => {
  it('that is none is a TypeError, and nothing was applied', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    const { revision } = await enqueue(pool, 'before');
    storage.calls.length = 0;
    const [addEventListener, removeEventListener] = [() => {}, () => {}];
    const halves = [
      { aborted: false },
      { addEventListener, removeEventListener },
      { aborted: 0, addEventListener, removeEventListener },
      { aborted: false, addEventListener },
      { aborted: false, removeEventListener },
    ];
    for (const signal of [new AbortController(), {}, [], 7, 'signal', ...halves]) {
      const error = { name: 'TypeError', message: /^waiting\.signal must be an / };
      await assert.rejects(enqueue(pool, 't', { signal }), error);
      await assert.rejects(pool.taskQueue.try.enqueue({ ...at(pool), spec: spec('t') }, { signal }), error);
      await assert.rejects(pool.flush({ signal }), error);
      await assert.rejects(pool.checkpoint({ signal }), error);
    }
    assert.equal(pool.revision, revision);
    await enqueue(pool, 't', { signal: null });
    assert.deepEqual(storage.calls, [`append ${revision + 1n}`]);
    await pool.close();
  });

  it('that has aborted keeps a command from being applied', async () => {
    const pool = await open(new MemoryStorage());
    const reason = new Error('no more');
    for (const call of [
      () => enqueue(pool, 't', { signal: AbortSignal.abort(reason) }),
      () => pool.flush({ signal: AbortSignal.abort(reason) }),
    ])
      await assert.rejects(call(), reason);
    assert.equal(pool.revision, 0n);
    await pool.close();
  });

  it('is let go of when the waiting ends, whether it ends well or not', async () => {
    for (const fault of [null, new Error('broken')]) {
      const storage = new MemoryStorage();
      const pool = await open(storage);
      if (fault !== null) storage.faults.set('append', fault);
      const { signal } = new AbortController();
      let listeners = 0;
      const [add, remove] = [signal.addEventListener, signal.removeEventListener];
      signal.addEventListener = (/** @type {any[]} */ ...given) => {
        listeners += 1;
        return Reflect.apply(add, signal, given);
      };
      signal.removeEventListener = (/** @type {any[]} */ ...given) => {
        listeners -= 1;
        return Reflect.apply(remove, signal, given);
      };
      const answer = enqueue(pool, 't', { signal });
      await null;
      assert.equal(listeners, 1);
      if (fault === null) await answer;
      else await assert.rejects(answer, { code: 'storage_failed' });
      assert.equal(listeners, 0);
      await pool.close();
    }
  });

  it('that aborts later ends the waiting, and what was applied stays', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    const release = storage.holdAppends();
    const controller = new AbortController();
    const answers = [
      enqueue(pool, 't', { signal: controller.signal }),
      pool.taskQueue.try.enqueue({ ...at(pool), spec: spec('t') }, controller),
      pool.flush(controller),
      pool.checkpoint({ signal: controller.signal }),
    ];
    const reason = new Error('no more');
    controller.abort(reason);
    for (const answer of answers) await assert.rejects(answer, reason);
    release();
    await pool.flush();
    assert.equal(pool.durableRevision, 1n);
    await pool.close();
  });
});

describe('Chapters', () => {
  it('begin when the journal has grown by what was asked for, and by no less than the last snapshot', async () => {
    const storage = new MemoryStorage({ keepChapters: 1000 });
    const pool = await open(storage, { limits: LIMITS, snapshotEveryBytes: 1024 });
    for (let turn = 0; turn < 400; turn += 1) await live(pool, 3);
    await pool.close();
    const chapters = [...storage.chapters.values()];
    assert.ok(chapters.length > 8);
    for (const [index, { snapshot, parts }] of chapters.slice(0, -1).entries()) {
      const records = parts.slice(1).reduce((sum, part) => sum + part.length, 0);
      const due = Math.max(1024, snapshot?.length ?? 0);
      assert.ok(records >= due && records < due + 1000, `chapter ${index}: ${records} of ${due} bytes`);
    }
  });

  it('begin when they are asked for, but not twice for one state', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    await pool.checkpoint();
    await enqueue(pool, 't');
    await Promise.all([pool.checkpoint(), pool.checkpoint()]);
    await pool.checkpoint();
    assert.deepEqual([...storage.chapters.keys()], [0n, 1n]);
    await pool.close();
  });

  it('begin when a storage is opened that has records: nothing rests on what was only read', async () => {
    const storage = new MemoryStorage();
    let pool = await open(storage);
    await enqueue(pool, 't');
    await pool.close();
    storage.calls.length = 0;
    pool = await open(storage);
    assert.deepEqual(storage.calls, ['open', 'readJournal 0', 'begin 1']);
    await pool.close();
    storage.calls.length = 0;
    pool = await open(storage);
    assert.deepEqual(storage.calls, ['open', 'readJournal 1', 'readSnapshot 1']);
    await pool.close();
  });

  it('are passed over when their snapshots are damaged, as long as an older one leads on', async () => {
    const storage = new MemoryStorage();
    let pool = await open(storage);
    for (const id of ['a', 'b']) await enqueue(pool, id);
    await pool.checkpoint();
    await enqueue(pool, 'c');
    const digest = pool.stateDigest();
    await pool.close();
    const { snapshot } = storage.chapters.get(2n);
    snapshot[snapshot.length >> 1] ^= 1;
    pool = await open(storage);
    assert.equal(pool.stateDigest(), digest);
    assert.deepEqual(
      { ...pool.recovery },
      { revision: 3n, snapshotRevision: null, applied: 3, cutBytes: 0, passedOver: ['snapshot 2'] },
    );
    await pool.close();
    // The damaged one counts for none: the older one stays, and with it what it needs to lead on.
    assert.deepEqual([...storage.chapters.keys()], [0n, 2n, 3n]);
    storage.chapters.get(3n).snapshot[20] ^= 1;
    pool = await open(storage);
    assert.equal(pool.stateDigest(), digest);
    assert.deepEqual(
      [pool.recovery.snapshotRevision, ...pool.recovery.passedOver],
      [null, 'snapshot 3', 'snapshot 2'],
    );
    await enqueue(pool, 'd');
    await pool.checkpoint();
    assert.deepEqual([...storage.chapters.keys()].sort(), [3n, 4n]);
    await pool.close();
    for (const chapter of storage.chapters.values()) chapter.snapshot[20] ^= 1;
    await assert.rejects(
      open(storage),
      refusal('storage_damaged', { reason: 'snapshot', part: 'snapshot 4', offset: null }),
    );
  });
});

describe('A durable pool', () => {
  it('has every command of a pool and of its queue, and the same reads', async () => {
    const pool = await open(new MemoryStorage());
    const plain = new lg.WorkerPool();
    const own = ['constructor', 'applyBatch', 'takeRecords', 'journalHeader', 'dispose'];
    for (const [durable, other] of [
      [pool, plain],
      [pool.taskQueue, plain.taskQueue],
      [pool.try, plain.try],
      [pool.taskQueue.try, plain.taskQueue.try],
    ]) {
      const names = [];
      for (let from = other; from !== null && from !== Object.prototype; from = Object.getPrototypeOf(from))
        names.push(...Object.getOwnPropertyNames(from));
      for (const name of names) {
        if (!own.includes(name)) assert.ok(name in durable, name);
      }
    }
    await pool.close();
  });

  it('shows itself, and is closed by `await using`', async () => {
    const pool = await open(new MemoryStorage());
    assert.match(inspect(pool), /^DurablePool \{ revision: 0, .*durableRevision: 0 \}$/);
    if (Symbol.asyncDispose) await pool[Symbol.asyncDispose]();
    else await pool.close();
    assert.equal(inspect(pool), 'DurablePool { closed }');
    assert.throws(() => pool.snapshot(), refusal('disposed'));
    await assert.rejects(pool.flush(), refusal('disposed'));
    await assert.rejects(pool.try.pruneDeadWorkers({ expectedRevision: 0, now: 0 }), refusal('disposed'));
  });

  it('writes what waits before it is closed', async () => {
    const storage = new MemoryStorage();
    const pool = await open(storage);
    const answers = Array.from({ length: 50 }, (_, index) => enqueue(pool, `t${index}`));
    await pool.close();
    assert.equal((await Promise.all(answers)).length, 50);
    const again = await open(storage);
    assert.equal(again.revision, 50n);
    await again.close();
  });

  it('takes no option that is none, and no bound out of its range', async () => {
    const storage = new MemoryStorage();
    for (const options of [
      undefined,
      {},
      { storage: {} },
      { storage, limit: {} },
      { storage, maxPendingBytes: '1' },
      { storage, limits: { maxWorkerz: 1 } },
    ])
      await assert.rejects(lg.openDurablePool(options), TypeError);
    for (const options of [
      { maxPendingCommands: 0 },
      { maxPendingBytes: 4095 },
      { snapshotEveryBytes: 2 ** 31 },
      { maxPendingCommands: 1.5 },
    ])
      await assert.rejects(open(storage, options), RangeError);
    for (const snapshotEveryBytes of [1, '1', 2n ** 20n])
      await assert.rejects(open(storage, { snapshotEveryBytes }), {
        message: 'snapshotEveryBytes must be an integer from 1024 to 1073741824',
      });
    assert.equal(storage.session, null);
  });

  it('has room for the longest record, whatever the bounds', async () => {
    const pool = await open(new MemoryStorage(), { maxPendingBytes: 4096 });
    const id = 'x'.repeat(256);
    const phases = new Uint8Array(256).fill(1);
    const longest = { taskId: id, scanId: id, targetRef: 'r'.repeat(1024), phases, priority: 'critical' };
    await pool.taskQueue.enqueue({ ...at(pool, Number.MAX_SAFE_INTEGER - 1), spec: longest });
    await pool.close();

    const storage = new MemoryStorage();
    const limits = { maxResultBytes: 5000, maxResults: 50, maxAggregateItems: 10 };
    const opened = (/** @type {number} */ maxPendingBytes) =>
      lg.openDurableAggregator({ storage, limits, maxPendingBytes });
    const room = 4096 + 50 * 258;
    const tooSmall = { name: 'RangeError', message: new RegExp(`at least ${room}`) };
    await assert.rejects(opened(room - 1), tooSmall);
    assert.deepEqual([...storage.chapters.keys()], []);
    const results = await opened(room);
    const ids = Array.from({ length: 50 }, (_, index) => `${index}`.padStart(256, 'x'));
    for (const taskId of ids) {
      const receipt = {
        taskId,
        workerId: id,
        taskGeneration: 0n,
        attempt: 1,
        leaseId: 1n,
        workerGeneration: 1n,
        recordVersion: 3n,
      };
      const bytes = new Uint8Array(5000);
      await results.storeResult({ expectedRevision: results.revision, receipt, bytes });
    }
    const { value } = await results.removeResults({ expectedRevision: results.revision, taskIds: ids });
    assert.equal(value, 50);
    await results.close();
    await assert.rejects(opened(room - 1), tooSmall);
    assert.equal(storage.session, null);
  });

  it('takes limits of the same shapes when its storage is new and when it is not', async () => {
    const storage = new MemoryStorage();
    for (const old of [false, true]) {
      for (const limits of [5, 'abc', true, [], [3], { nope: 1 }, { nope: undefined }])
        await assert.rejects(open(storage, { limits }), TypeError, `${JSON.stringify(limits)}, old: ${old}`);
      if (old) break;
      const pool = await open(storage, { limits: { maxRetries: 1, maxWorkers: undefined } });
      await enqueue(pool, 't');
      await pool.close();
    }
    for (const limits of [
      undefined,
      null,
      {},
      { maxRetries: undefined, maxWorkers: null },
      { maxRetries: 1 },
    ])
      await (await open(storage, { limits })).close();
    await assert.rejects(
      open(storage, { limits: { maxRetries: 2 } }),
      refusal('journal_limits_differ', { name: 'max_retries' }),
    );
    assert.equal(storage.session, null);
  });

  it('names what the session of a storage lacks, and closes it if it can', async () => {
    let closed = 0;
    const call = async () => {};
    const whole = {
      chapters: [],
      atomicAppends: true,
      ...{ readSnapshot: call, readJournal: call, beginChapter: call, append: call, sync: call },
      close: async () => {
        closed += 1;
        throw new Error('of the close');
      },
    };
    const opened = (/** @type {unknown} */ session) => open({ open: async () => session });
    for (const [session, message] of [
      [null, /must resolve to a session/],
      [undefined, /must resolve to a session/],
      [7, /must resolve to a session/],
      [{}, /must have chapters/],
      [{ ...whole, chapters: {} }, /must have chapters/],
      [{ ...whole, atomicAppends: undefined }, /must have atomicAppends/],
      [{ ...whole, atomicAppends: false }, /functions truncateJournal$/],
      [{ ...whole, append: null, sync: 5 }, /functions append, sync$/],
      [{ ...whole, close: undefined }, /functions close$/],
    ])
      await assert.rejects(opened(session), { name: 'TypeError', message });
    assert.equal(closed, 4);
    const first = { code: 'storage_failed', operation: 'begin' };
    const beginChapter = () => Promise.reject(new Error('of the chapter'));
    const close = () => {
      throw new Error('of the close');
    };
    await assert.rejects(opened({ ...whole, beginChapter, close }), first);
    await (await opened({ ...whole, close: call })).close();
  });

  it('lives as its twin without a storage does, through crashes', async () => {
    const storage = new MemoryStorage({ atomicAppends: false });
    const twin = new Twin(lg, 21);
    for (let life = 0; life < 20; life += 1) {
      const pool = await open(storage, { limits: LIMITS, snapshotEveryBytes: 2000 });
      assert.equal(pool.stateDigest(), twin.digestAt(pool.revision));
      const acknowledged = await Promise.all(Array.from({ length: 30 }, () => live(pool, 21)));
      void live(pool, 21).catch(() => {}); // on its way when the process ends
      storage.crash();
      const last = storage.chapters.get([...storage.chapters.keys()].at(-1));
      if (life % 2 === 1) last.parts.push(Uint8Array.of(30, 0, 0, 0, 1).subarray(0, 1 + (life % 5)));
      assert.equal(pool.durableRevision, acknowledged.at(-1).revision);
    }
  });
});
