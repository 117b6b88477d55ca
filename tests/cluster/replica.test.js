// Hosts on a simulated log: whatever is late, lost or doubled, they agree, and an answer is true.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createLeasegate } from 'leasegate';
import { Replica } from '../../js/cluster/replica.js';
import { random, SimHost, SimLog } from './support/sim.js';

const rounds = Number(process.env.LEASEGATE_CLUSTER_SIMS ?? 300);
const limits = {
  maxWorkers: 8,
  maxTaskRecords: 512,
  maxTerminalTasks: 512,
  maxActiveTasks: 128,
  maxQueuedTasks: 128,
};

/** @typedef {{ ok: boolean, revision: bigint, value: any, error: any }} Answer */

/** What is wrong with a round, or what happened in it. @param {any} leasegate @param {number} seed */
function play(leasegate, seed) {
  const chance = random(seed);
  const log = new SimLog();
  const maxInFlight = 1 + Math.floor(chance() * 12);
  const hosts = ['a', 'b', 'c'].map(
    (name) => new SimHost({ name, log, random: chance, leasegate, limits, maxInFlight }),
  );
  /** @type {{ host: SimHost, what: string, attempts: number, answer: Answer | null }[]} */
  const given = [];
  let tasks = 0;
  let now = 100n;

  const give = (/** @type {SimHost} */ host) => {
    const attempts = chance() < 0.6 ? 1_000 : 0;
    const kind = chance();
    const leases = given
      .filter(({ what, answer }) => what === 'assign' && answer?.ok)
      .map(({ answer }) => /** @type {Answer} */ (answer).value);
    const lease = leases[Math.floor(chance() * leases.length)];
    tasks += 1;
    const taskId = `task-${chance() < 0.1 ? Math.floor(chance() * tasks) : tasks}`;
    const second = now + BigInt(Math.floor(chance() * 3));
    const at = (/** @type {any} */ pool) => {
      const { logicalTime } = pool.snapshot();
      return second > logicalTime ? second : logicalTime;
    };
    /** @type {[string, (pool: any, fenced: any) => any]} */
    const [what, run] =
      kind < 0.4 || lease === undefined
        ? kind < 0.2
          ? [
              'enqueue',
              (pool, fenced) =>
                pool.taskQueue.try.enqueue({ ...fenced, spec: { taskId, scanId: 's', targetRef: 'x' } }),
            ]
          : ['assign', (pool, fenced) => pool.try.assignNext({ ...fenced, workerId: 'w', leaseTtlSecs: 5 })]
        : kind < 0.6
          ? ['start', (pool, fenced) => pool.try.startTask({ ...fenced, lease })]
          : kind < 0.85
            ? ['complete', (pool, fenced) => pool.try.completeTask({ ...fenced, lease })]
            : ['recover', (pool, fenced) => pool.try.recoverExpiredLeases(fenced)];
    const call = { host, what, attempts, answer: /** @type {Answer | null} */ (null), lease };
    given.push(call);
    const stale = chance() < 0.1 ? 1n : 0n;
    const revision = host.replica.revision;
    let basis = 0n;
    host.replica.submit({
      attempts,
      expectedRevision: chance() < 0.2 && revision >= stale ? revision - stale : null,
      decide: (pool, expectedRevision) => {
        basis = pool.revision;
        return run(pool, { expectedRevision, now: at(pool) });
      },
      settle: (answer) => {
        assert.equal(call.answer, null, 'a command is answered once');
        const lost =
          !answer.ok && ['revision_conflict', undefined].includes(/** @type {any} */ (answer.error).code);
        if (!answer.ok && !lost)
          assert.equal(basis, host.replica.revision, 'a refusal is of a state that has settled');
        call.answer = /** @type {Answer} */ (answer);
      },
    });
  };

  hosts[0].replica.submit({
    attempts: 0,
    expectedRevision: null,
    decide: (pool, expectedRevision) =>
      pool.try.registerWorker({ expectedRevision, now, spec: { workerId: 'w', capacity: 64 } }),
    settle: (answer) => assert.ok(answer.ok),
  });
  for (const host of hosts) host.settle();

  const steps = 200 + Math.floor(chance() * 300);
  for (let step = 0; step < steps; step += 1) {
    const host = hosts[Math.floor(chance() * hosts.length)];
    const luck = chance();
    if (luck < 0.02) now += 1n;
    if (luck < 0.01) host.asleep = 20 + Math.floor(chance() * 40);
    if (host.asleep > 0) {
      host.asleep -= 1;
      continue;
    }
    if (luck < 0.25) give(host);
    else if (luck < 0.55) host.carry();
    else if (luck < 0.7) host.hear();
    else if (luck < 0.85) host.read(1 + Math.floor(chance() * 5));
    else if (luck < 0.88) host.tick();
    else if (luck < 0.98) host.stray();
    else host.again();
  }
  for (let i = 0; i < 20; i += 1) for (const host of hosts) host.settle();
  for (const host of hosts) while (host.strays.length > 0) host.stray();
  for (let i = 0; i < 20; i += 1) for (const host of hosts) host.settle();
  check(leasegate, log, hosts, given);
  return {
    messages: log.last,
    voids: hosts[0].replica.counts.voids,
    conflicts: hosts.reduce((sum, { replica }) => sum + replica.counts.conflicts, 0),
    rebased: hosts.reduce((sum, { replica }) => sum + replica.counts.rebased, 0),
  };
}

/** @param {any} leasegate @param {SimLog} log @param {SimHost[]} hosts @param {any[]} given */
function check(leasegate, log, hosts, given) {
  for (const { replica } of hosts) {
    assert.equal(replica.stopped, null);
    assert.equal(replica.pending, 0, 'nothing is left hanging');
    assert.equal(replica.sequence, log.last);
  }
  const digests = hosts.map(({ replica }) => replica.settled.stateDigest());
  assert.equal(new Set(digests).size, 1, 'all replicas are equal');
  hosts[0].replica.settled.checkInvariants();

  // Whoever reads the log alone comes to the same, with the same voids.
  const reader = new leasegate.WorkerPool({ limits });
  let tip = '';
  /** @type {Map<bigint, string>} */
  const authors = new Map();
  for (const { kind, author, bytes } of log.messages) {
    const inForce = kind === 'root' || (kind === 'chained' && tip === author);
    tip = inForce ? author : '';
    if (!inForce) continue;
    const report = reader.applyBatch([bytes]);
    assert.equal(report.stopped, null, 'what is in force applies');
    authors.set(report.revision, author);
  }
  assert.equal(reader.stateDigest(), digests[0]);

  // Every accepted command made the revision that its answer says, and nobody else's did.
  /** @type {Map<bigint, string>} */
  const made = new Map();
  const completed = new Set();
  for (const { host, what, answer } of given) {
    assert.notEqual(answer, null, 'every command has an answer');
    if (!answer.ok) continue;
    const replayed = String(answer.value?.kind ?? '').startsWith('already');
    if (replayed) continue;
    assert.equal(made.get(answer.revision), undefined, 'one command, one revision');
    made.set(answer.revision, what);
    assert.ok(authors.get(answer.revision)?.startsWith(`${host.name}-`), "the record is this host's");
    if (what === 'complete') {
      assert.ok(!completed.has(answer.value.receipt.taskId), 'no task is completed twice');
      completed.add(answer.value.receipt.taskId);
      assert.equal(reader.taskQueue.getTask(answer.value.receipt.taskId).status, 'completed');
    }
    if (what === 'enqueue')
      assert.notEqual(reader.taskQueue.getTask(answer.value.taskId), null, 'no task is lost');
  }
  assert.equal(
    BigInt(made.size) + 1n,
    reader.revision,
    'every revision is a command that was answered as accepted',
  );
  reader.dispose();
  for (const { replica } of hosts) replica.dispose();
}

describe('hosts on a simulated log', () => {
  it(`agree, and answer what is so, in ${rounds} seeded rounds`, async () => {
    const leasegate = await createLeasegate();
    const sum = { messages: 0, voids: 0, conflicts: 0, rebased: 0 };
    for (let seed = 1; seed <= rounds; seed += 1) {
      try {
        const told = play(leasegate, seed);
        for (const key of /** @type {(keyof typeof sum)[]} */ (Object.keys(sum))) sum[key] += told[key];
      } catch (error) {
        throw new Error(`Seed ${seed}`, { cause: error });
      }
    }
    // The rounds meet what they are for.
    if (rounds >= 100)
      for (const [what, count] of Object.entries(sum)) assert.ok(count > 50, `${what}: ${count}`);
  });
});

describe('a host on a log that is written by hand', () => {
  /** @type {any} */
  let leasegate;
  before(async () => {
    leasegate = await createLeasegate();
  });

  const enqueue = (/** @type {string} */ taskId) => (/** @type {any} */ pool, /** @type {any} */ expected) =>
    pool.taskQueue.try.enqueue({
      expectedRevision: expected,
      now: 100,
      spec: { taskId, scanId: 's', targetRef: 'x' },
    });

  function hostByHand() {
    /** @type {any[]} */
    const sent = [];
    /** @type {(() => void)[]} */
    const timers = [];
    let runs = 0;
    const { WorkerPool } = leasegate;
    const replica = new Replica({
      settled: new WorkerPool({ limits }),
      sequence: 1,
      copy: (snapshot, sink) => WorkerPool.fromSnapshot(snapshot, { journal: sink }),
      log: {
        send: (entry) => {
          const { place: sequence, kind, author, bytes } = entry;
          sent.push({ sequence, kind, author, bytes, entry });
        },
        refuses: () => null,
        conflicted: () => {},
      },
      nextAuthor: () => {
        runs += 1;
        return `host-${runs}`;
      },
      maxInFlight: 16,
      maxPending: 100,
      backoffMs: () => 0,
      later: (callback) => timers.push(callback),
    });
    replica.release();
    /** @type {Record<string, any>} */
    const answers = {};
    const give = (/** @type {string} */ taskId) =>
      replica.submit({
        attempts: 5,
        expectedRevision: null,
        decide: enqueue(taskId),
        settle: (answer) => {
          answers[taskId] = answer;
        },
      });
    const wake = () => {
      for (const timer of timers.splice(0)) timer();
    };
    return { replica, sent, answers, give, wake };
  }

  /** @param {string} taskId of the first record of another host */
  function recordOf(taskId) {
    /** @type {Uint8Array[]} */
    const records = [];
    const pool = new leasegate.WorkerPool({
      limits,
      journal: (/** @type {any} */ { bytes }) => records.push(bytes),
    });
    enqueue(taskId)(pool, 0);
    pool.dispose();
    return records[0];
  }

  it('passes over what it had chained to a command that was overtaken, though its successor comes right before', () => {
    const { replica, sent, answers, give, wake } = hostByHand();
    for (const taskId of ['a', 'b', 'c']) give(taskId);
    const [, , old] = sent.splice(0);
    replica.receive([{ sequence: 2, kind: 'root', author: 'other-1', bytes: recordOf('x') }]);
    wake();
    const [again] = sent;
    assert.equal(again.sequence, 3);
    // What the old connection still held fits by its number, and by its revision.
    replica.receive([again, old]);
    assert.equal(replica.stopped, null);
    assert.equal(replica.counts.voids, 1);
    assert.deepEqual([replica.revision, Object.keys(answers)], [2n, ['a']]);
    replica.dispose();
  });

  it('stops when its own place holds another record than its own', () => {
    for (const acknowledged of [false, true]) {
      const { replica, sent, answers, give } = hostByHand();
      give('a');
      if (acknowledged) {
        replica.acknowledged(sent[0].entry);
        assert.ok(answers.a.ok);
      }
      replica.receive([{ ...sent[0], bytes: recordOf('x') }]);
      assert.equal(/** @type {any} */ (replica.stopped)?.reason, 'record_differs');
      assert.equal(answers.a.ok, acknowledged);
      replica.dispose();
    }
  });
});
