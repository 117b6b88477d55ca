// The world of the demo without a browser: what is recorded, and that it can be played again.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { GATE_STATE_TRANSITIONS } from '../../js/generated/bridge.js';
import { edges } from '../../web-demo/src/view/gate/machine-drawing.js';
import { ledgerText } from '../../web-demo/src/world/ledger-text.js';
import { queueOrder } from '../../web-demo/src/world/queue-order.js';
import { lifeText } from '../../web-demo/src/world/life-text.js';
import { Past } from '../../web-demo/src/world/past.js';
import { record } from '../../web-demo/src/world/recording.js';
import { scenarios } from '../../web-demo/src/world/scenarios/index.js';
import { troublesFromText, troublesToText } from '../../web-demo/src/world/troubles.js';
import { matchesGolden } from './support/golden.js';

const stories = scenarios.filter(({ free }) => !free);

describe('The world of the demo', () => {
  let lg;
  before(async () => {
    lg = await createLeasegate();
  });

  for (const scenario of stories) {
    test(`${scenario.id}: gives the expected ledger`, async () => {
      await matchesGolden(scenario.id, ledgerText(await record(lg, { scenario, seed: 1 })));
    });

    test(`${scenario.id}: every seed tells the whole story`, async () => {
      for (let seed = 1; seed <= 8; seed += 1) {
        const { captions } = await record(lg, { scenario, seed });
        assert.equal(captions.length, scenario.captions.length, `seed ${seed}`);
        const times = captions.map(({ when }) => when);
        assert.deepEqual(
          times,
          [...times].sort((a, b) => a - b),
        );
      }
    });

    test(`${scenario.id}: the journal gives every fingerprint, forward and back`, async () => {
      const recording = await record(lg, { scenario, seed: 2 });
      const past = new Past(lg, recording);
      const { length } = recording.entries;
      for (let count = 0; count <= length; count += 1) assert.ok(past.stateAt(count).equal, `after ${count}`);
      for (const count of [length - 1, 3, 0, Math.floor(length / 2)]) assert.ok(past.stateAt(count).equal);
      past.dispose();
    });

    test(`${scenario.id}: what a revision has changed is what the house saw`, async () => {
      const recording = await record(lg, { scenario, seed: 2 });
      const past = new Past(lg, recording);
      let made = 0n;
      for (const { domain, outcome, revision, command, changed } of recording.entries) {
        if (domain !== 'pool' || outcome !== 'accepted') continue;
        made += 1n;
        assert.equal(revision, made);
        const { record: own, diff } = past.revision(revision);
        assert.equal(own.command.kind, snake(command));
        const ids = [diff.tasks, diff.workers].map(({ added, changed: others }) =>
          [...added, ...others.map(({ after }) => after)].map(({ taskId, workerId }) => taskId ?? workerId),
        );
        const sorted = (kind) => changed.filter((c) => c.kind === kind).map(({ id }) => id);
        assert.deepEqual(
          ids.map((each) => each.sort()),
          [sorted('task').sort(), sorted('worker').sort()],
        );
      }
      past.dispose();
    });

    test(`${scenario.id}: the life of every task is told, and ends as the task has ended`, async () => {
      const recording = await record(lg, { scenario, seed: 2 });
      const past = new Past(lg, recording);
      const { tasks } = past.stateAt(recording.entries.length);
      assert.ok(tasks.length > 3);
      for (const { taskId, status } of tasks) {
        const events = past.lifeOf(taskId);
        assert.equal(events[0].kind, 'enqueued');
        const last = { queued: /^(enqueued|requeued)$/, running: /^started$/ }[status];
        assert.match(events.at(-1).kind, last ?? new RegExp(`^${status}$`));
        for (const event of events) assert.doesNotMatch(lifeText(event), /undefined|null/);
        assert.deepEqual(
          events.map(({ revision }) => revision),
          recording.entries
            .filter(({ changed }) => changed.some(({ id }) => id === taskId))
            .map(({ revision }) => revision),
        );
      }
      past.dispose();
    });

    test(`${scenario.id}: the queue is shown in the order in which it is served`, async () => {
      const recording = await record(lg, { scenario, seed: 3, troubles: [{ at: 20, verb: 'fill' }] });
      let longest = 0;
      for (let count = 0; count <= recording.entries.length; count += 7) {
        const { order, served } = await serve(lg, recording, count);
        longest = Math.max(longest, order.length);
        assert.deepEqual(served, order, `after ${count}`);
      }
      assert.ok(longest > 5);
    });

    test(`${scenario.id}: what the gate took in is somewhere, exactly once`, async () => {
      const { entries } = await record(lg, { scenario, seed: 4 });
      for (const { bridge, index, domain } of entries) {
        const { history, live, waiting, accepted, rejected, dropped } = bridge.counts;
        assert.equal(waiting + accepted + rejected + dropped, history + live, `entry ${index}`);
        assert.ok(bridge.pending.length <= waiting, `entry ${index}`);
        if (domain === 'bridge') assert.equal(accepted, bridge.got.length);
        if (bridge.gate === 'inactive') assert.equal(bridge.pending.length, 0);
        if (bridge.gate === 'draining') assert.equal(bridge.pending.length, waiting, `entry ${index}`);
      }
    });
  }

  test('Whatever fails has failed on purpose', async () => {
    for (const scenario of scenarios) {
      const troubles = ['kill', 'mute', 'stall', 'race', 'slow', 'fail', 'drop', 'poison'].map((verb, i) => ({
        at: 9 + 5 * i,
        verb,
      }));
      const { entries } = await record(lg, { scenario, seed: 7, troubles });
      const failures = entries.filter(({ outcome }) => outcome === 'failed').map(({ detail }) => detail);
      assert.deepEqual(
        [...new Set(failures)].filter((detail) => detail !== 'connection lost'),
        [],
      );
    }
  });

  test('The same seed gives the same ledger, another one another', async () => {
    const [scenario] = stories;
    const text = async (seed) => ledgerText(await record(lg, { scenario, seed }));
    assert.equal(await text(5), await text(5));
    assert.notEqual(await text(5), await text(6));
  });

  test('Trouble made by hand changes nothing before it', async () => {
    const [scenario] = stories;
    const calm = await record(lg, { scenario, seed: 1 });
    const wild = await record(lg, { scenario, seed: 1, troubles: [{ at: 30, verb: 'kill', args: ['bo'] }] });
    const before30 = ({ entries }) =>
      entries.filter(({ at }) => at < 30).map(({ fingerprint }) => fingerprint);
    assert.deepEqual(before30(wild), before30(calm));
    assert.notEqual(wild.entries.at(-1).fingerprint, calm.entries.at(-1).fingerprint);
  });

  test('Nothing live overtakes the history that was installed before it', async () => {
    const scenario = stories.find(({ id }) => id === 'reconnect');
    for (let seed = 1; seed <= 5; seed += 1) {
      const { entries } = await record(lg, { scenario, seed });
      const { got } = entries.at(-1).bridge;
      const live = got.filter(({ source }) => source === 'live').map(({ id }) => id);
      // Live events arrive in the order in which they happened; one that was refused is given in again, later.
      const refused = new Set(
        entries
          .filter((e) => e.command === 'submit' && e.outcome !== 'queued' && e.outcome !== 'sent')
          .flatMap((e) => [...e.refs.events]),
      );
      const steady = live.filter((id) => !refused.has(id));
      assert.deepEqual(steady, [...steady].sort());
      for (const epoch of new Set(got.map(({ epoch: own }) => own))) {
        const own = got.filter((event) => event.epoch === epoch);
        if (epoch === '1') continue;
        const firstLive = own.findIndex(({ source }) => source === 'live');
        const lastHistory = own.findLastIndex(({ source }) => source === 'history');
        if (firstLive >= 0) assert.ok(lastHistory < firstLive, `seed ${seed}, epoch ${epoch}`);
      }
    }
  });

  test('A malformed list of troubles is read as far as it goes', () => {
    const troubles = [
      { at: 3, verb: 'kill', args: ['ada'] },
      { at: 9, verb: 'fill', args: [] },
    ];
    assert.deepEqual(troublesFromText(troublesToText(troubles)), troubles);
    assert.deepEqual(troublesFromText('x.kill~5.constructor~5.fill.<b>~7.fill'), [
      { at: 7, verb: 'fill', args: [] },
    ]);
    assert.deepEqual(troublesFromText(null), []);
  });

  test('The picture of the gate has every transition that the gate has, and no other', () => {
    const pairs = Object.entries(GATE_STATE_TRANSITIONS).flatMap(([from, to]) =>
      to.map((state) => `${from}>${state}`),
    );
    assert.deepEqual(Object.keys(edges).sort(), pairs.sort());
  });
});

/** The queue as it is shown, and as a worker with room for all would be served. */
async function serve(lg, recording, count) {
  const past = new Past(lg, recording);
  const { tasks, snapshot } = past.stateAt(count);
  const order = queueOrder(recording.entries, count, tasks).map(({ taskId }) => taskId);
  const now = snapshot.logicalTime;
  const pool = past.poolAt(count);
  pool.registerWorker({ expectedRevision: pool.revision, now, spec: { workerId: 'all', capacity: 4096 } });
  const served = [];
  while (pool.taskQueue.peekNext()) {
    const { value } = pool.assignNext({
      expectedRevision: pool.revision,
      now,
      workerId: 'all',
      leaseTtlSecs: 5,
    });
    served.push(value.taskId);
  }
  pool.dispose();
  past.dispose();
  return { order, served };
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
