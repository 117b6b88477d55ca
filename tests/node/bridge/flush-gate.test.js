// The gate as a host with promises meets it. The rules themselves are tested natively.

import assert from 'node:assert/strict';
import { createLeasegate } from 'leasegate';
import { ControlledSender, deferred, event, scene, settle } from './support/host.js';

const lg = await createLeasegate();
const ids = (/** @type {any[]} */ events) => events.map(({ messageId }) => messageId);
const QUEUED = {
  queued: true,
  acceptance: { accepted: false, queueIdentity: null, remoteAckId: null, durabilityKnown: false },
};
const plain = (/** @type {any} */ value) => JSON.parse(JSON.stringify(value));

/** @param {any} watch @param {object} [options] */
function setUp(watch, options) {
  const gate = watch.watch(new lg.FlushGate(options));
  return { gate, sender: new ControlledSender() };
}

scene(
  'history goes out before what was submitted while it was collected, and then the gate is direct',
  async (watch) => {
    const { gate, sender } = setUp(watch);
    await gate.beginHistory();
    assert.deepEqual(plain(await gate.submit(event('live-1'), sender)), QUEUED);
    gate.installHistory([event('old-1'), event('old-2')]);
    assert.equal(gate.state, 'ready');
    await gate.submit(event('live-2'), sender);
    assert.deepEqual(ids(gate.pending), ['old-1', 'old-2', 'live-1', 'live-2']);
    assert.equal(gate.pendingBytes, 16);
    const drained = gate.drain(sender);
    for (let i = 0; i < 4; i += 1) await sender.last.accept();
    await drained;
    assert.deepEqual(sender.ids, ['old-1', 'old-2', 'live-1', 'live-2']);
    assert.equal(gate.state, 'inactive');
    const sent = gate.submit(event('live-3'), sender);
    await sender.last.accept();
    const { queued, acceptance } = await sent;
    assert.equal(queued, false);
    assert.deepEqual(plain(acceptance), {
      accepted: true,
      queueIdentity: 'q',
      remoteAckId: null,
      durabilityKnown: false,
    });
    assert.ok(Object.isFrozen(acceptance));
  },
);

scene(
  'a submit while a direct send hangs waits its turn, and beginHistory does not overtake it',
  async (watch) => {
    const { gate, sender } = setUp(watch);
    const first = gate.submit(event('a'), sender);
    const second = gate.submit(event('b'), sender);
    const begun = gate.beginHistory();
    const third = gate.submit(event('c'), sender);
    await settle();
    assert.deepEqual(sender.ids, ['a'], 'one send at a time');
    assert.equal(gate.state, 'inactive', 'beginHistory waits');
    await sender.last.accept();
    assert.deepEqual(sender.ids, ['a', 'b']);
    assert.equal(gate.state, 'inactive');
    await sender.last.accept();
    await begun;
    assert.equal(gate.state, 'collecting_history');
    assert.equal((await first).queued, false);
    assert.equal((await second).queued, false);
    assert.deepEqual(plain(await third), QUEUED, 'it looks at the state again at its turn');
    assert.deepEqual(sender.ids, ['a', 'b']);
    assert.equal(await gate.drop(), 1);
  },
);

scene('a second beginHistory while the first one waits is told who came first', async (watch) => {
  const { gate, sender } = setUp(watch);
  const sent = gate.submit(event('a'), sender);
  const first = gate.beginHistory();
  const second = gate.beginHistory();
  await sender.last.accept();
  await sent;
  await first;
  await assert.rejects(second, { code: 'gate_active', state: 'collecting_history' });
});

scene('a submit inside the sender during a drain is sent after, in order', async (watch) => {
  const { gate, sender } = setUp(watch);
  await gate.beginHistory();
  gate.installHistory([event('h1'), event('h2')]);
  let extra = 0;
  sender.during = () => {
    extra += 1;
    if (extra <= 2) gate.submit(event(`live-${extra}`), sender);
  };
  const drained = gate.drain(sender);
  for (let i = 0; i < 4; i += 1) await sender.last.accept();
  await drained;
  assert.deepEqual(sender.ids, ['h1', 'h2', 'live-1', 'live-2']);
});

scene(
  'deactivate during a hung send: the drain stops after it, and the rest waits for another transport',
  async (watch) => {
    const { gate, sender } = setUp(watch);
    await gate.beginHistory();
    gate.installHistory([event('a'), event('b')]);
    const drained = gate.drain(sender);
    gate.deactivate();
    assert.equal(gate.state, 'deactivated');
    const other = new ControlledSender();
    const again = gate.drain(other);
    assert.equal(gate.state, 'draining');
    await settle();
    assert.deepEqual(other.ids, [], 'the send in flight keeps the turn');
    await sender.last.accept();
    await assert.rejects(drained, { code: 'gate_inactive', state: 'deactivated' });
    assert.deepEqual(sender.ids, ['a'], 'a drain that was stopped never sends again');
    assert.deepEqual(other.ids, ['b']);
    await other.last.accept();
    await again;
    assert.equal(gate.state, 'inactive');
  },
);

for (const [how, act, lost] of /** @type {[string, (sender: any) => Promise<void>, number][]} */ ([
  ['accepted', (sender) => sender.last.accept(), 2],
  ['not accepted', (sender) => sender.last.refuse(), 3],
  ['failed', (sender) => sender.last.fail(new Error('gone')), 3],
])) {
  scene(
    `drop during a hung send resolves once that send settles, ${how}: the count is exact`,
    async (watch) => {
      const { gate, sender } = setUp(watch);
      await gate.beginHistory();
      gate.installHistory([event('a'), event('b'), event('c')]);
      const drained = gate.drain(sender);
      const dropped = gate.drop();
      assert.equal(gate.state, 'closed');
      assert.equal(gate.pendingCount, 0);
      const second = gate.drop();
      let told = false;
      dropped.then(() => {
        told = true;
      });
      await settle();
      assert.equal(told, false);
      await act(sender);
      assert.equal(await dropped, lost);
      assert.equal(await second, 0, 'a second drop counts only what it emptied itself');
      await assert.rejects(drained, (/** @type {any} */ error) =>
        how === 'accepted'
          ? error.code === 'gate_closed'
          : error.code === 'send_not_accepted' || error.message === 'gone',
      );
      assert.equal(sender.calls.length, 1);
    },
  );
}

scene('calls that wait at a gate that is closed are told at once', async (watch) => {
  const { gate, sender } = setUp(watch);
  const hung = gate.submit(event('a'), sender);
  const waiting = gate.submit(event('b'), sender);
  const begun = gate.beginHistory();
  const dropped = gate.drop();
  await assert.rejects(waiting, { code: 'gate_closed' });
  await assert.rejects(begun, { code: 'gate_closed' });
  await sender.last.accept();
  assert.equal((await hung).acceptance.accepted, true);
  assert.equal(await dropped, 0);
  await assert.rejects(gate.submit(event('c'), sender), { code: 'gate_closed' });
  assert.equal(sender.calls.length, 1);
});

scene(
  'a sender that throws synchronously is a rejection: that very error, and the head stays',
  async (watch) => {
    const { gate } = setUp(watch);
    const error = new Error('no socket');
    const throwing = () => {
      throw error;
    };
    await assert.rejects(gate.submit(event('direct'), throwing), (thrown) => thrown === error);
    assert.equal(gate.state, 'inactive');
    await gate.beginHistory();
    gate.installHistory([event('a')]);
    await assert.rejects(gate.drain({ send: throwing }), (thrown) => thrown === error);
    assert.equal(gate.state, 'deactivated');
    assert.deepEqual(ids(gate.pending), ['a']);
  },
);

for (const [what, answer] of /** @type {[string, any][]} */ ([
  ['nothing', undefined],
  ['null', null],
  ['a truthy text', 'yes'],
  ['an acceptance that says no', { accepted: false }],
  ['an acceptance that says 1', { accepted: 1 }],
])) {
  scene(`a sender that answers ${what} did not accept`, async (watch) => {
    const { gate } = setUp(watch);
    await assert.rejects(
      gate.submit(event('a'), () => answer),
      (/** @type {any} */ error) => {
        assert.equal(error.code, 'send_not_accepted');
        assert.deepEqual(plain(error.acceptance), QUEUED.acceptance);
        return true;
      },
    );
    await gate.beginHistory();
    gate.installHistory([event('h')]);
    await assert.rejects(
      gate.drain(async () => answer),
      { code: 'send_not_accepted' },
    );
    assert.equal(gate.state, 'deactivated');
  });
}
/** @param {any} watch @param {unknown} reason */
function abortedWith(watch, reason) {
  const controller = watch.controller();
  controller.abort(reason);
  return controller;
}

scene('an answer whose property throws is a failed send, with that error', async (watch) => {
  const { gate } = setUp(watch);
  const error = new Error('getter');
  const answer = {
    get accepted() {
      throw error;
    },
  };
  await assert.rejects(
    gate.submit(event('a'), () => answer),
    (thrown) => thrown === error,
  );
});

scene('a history snapshot that throws leaves the gate collecting, with what was collected', async (watch) => {
  const { gate, sender } = setUp(watch);
  const error = new Error('no history');
  for (const snapshot of [
    () => {
      throw error;
    },
    async () => {
      throw error;
    },
  ]) {
    const flushed = gate.flushHistory(snapshot, sender, { resume: gate.state === 'deactivated' });
    gate.submit(event('live'), sender);
    await assert.rejects(flushed, (thrown) => thrown === error);
    assert.equal(gate.state, 'collecting_history');
    gate.deactivate();
  }
  assert.equal(gate.pendingCount, 2);
  assert.equal(sender.calls.length, 0);
});

scene('a history snapshot of the wrong shape is a TypeError that names the event', async (watch) => {
  const { gate, sender } = setUp(watch);
  await assert.rejects(
    gate.flushHistory(() => /** @type {any} */ ([event('a'), { messageId: 'b' }]), sender),
    { name: 'TypeError', message: /snapshot\(\)\[1\]\.type/ },
  );
  assert.equal(gate.state, 'collecting_history');
  gate.deactivate();
  await assert.rejects(
    gate.flushHistory(() => /** @type {any} */ (null), sender, { resume: true }),
    {
      name: 'TypeError',
      message: /^snapshot\(\) must be an array/,
    },
  );
});

scene(
  "a history whose events end their own call while they are read takes nobody else's call with it",
  async (watch) => {
    for (const end of ['abort', 'drop']) {
      const { gate, sender } = setUp(watch);
      const controller = new AbortController();
      const reason = new Error('mine');
      /** @type {Promise<any>[]} */
      let others = [];
      const last = {
        ...event('b'),
        get messageId() {
          if (end === 'abort') controller.abort(reason);
          gate.drop({ close: false });
          others = [gate.submit(event('direct'), sender), gate.submit(event('next'), sender)];
          return 'b';
        },
      };
      const flushed = gate.flushHistory(() => [event('a'), last], sender, controller);
      await assert.rejects(flushed, end === 'abort' ? reason : { code: 'gate_inactive', state: 'inactive' });
      await sender.last.accept();
      await sender.last.accept();
      for (const { queued, acceptance } of await Promise.all(others))
        assert.deepEqual([queued, acceptance.accepted], [false, true]);
      assert.deepEqual(sender.ids, ['direct', 'next']);
    }
  },
);

scene('flushHistory installs only into the collection that it began', async (watch) => {
  const { gate, sender } = setUp(watch);
  const history = deferred();
  const flushed = gate.flushHistory(() => history.promise, sender);
  gate.deactivate();
  gate.resumeHistory();
  history.resolve([event('h')]);
  await assert.rejects(flushed, { code: 'gate_inactive', state: 'collecting_history' });
  const second = deferred();
  gate.deactivate();
  const late = gate.flushHistory(() => second.promise, sender, { resume: true });
  await gate.drop();
  second.resolve([event('h')]);
  await assert.rejects(late, { code: 'gate_closed' });
  assert.equal(sender.calls.length, 0);
});

scene('resumeHistory on a replacement transport: a fresh history in front of what waits', async (watch) => {
  const { gate, sender } = setUp(watch);
  await gate.beginHistory();
  gate.installHistory([event('old-1'), event('old-2')]);
  await gate.submit(event('live-1'), sender);
  const drained = gate.drain(sender);
  await sender.last.accept();
  await sender.last.fail(new Error('connection lost'));
  await assert.rejects(drained, { message: 'connection lost' });
  const replacement = new ControlledSender();
  const flushed = gate.flushHistory(async () => [event('fresh')], replacement, { resume: true });
  await settle();
  for (let i = 0; i < 3; i += 1) await replacement.last.accept();
  await flushed;
  assert.deepEqual(replacement.ids, ['fresh', 'old-2', 'live-1']);
  assert.equal(gate.state, 'inactive');
});

// --- Signals: abort at every await

scene('a signal that has aborted before the call: its reason, and nothing sent', async (watch) => {
  const { gate, sender } = setUp(watch);
  const { signal } = abortedWith(watch, 'early');
  await assert.rejects(gate.submit(event('a'), sender, { signal }), (reason) => reason === 'early');
  await assert.rejects(gate.beginHistory({ signal }), (reason) => reason === 'early');
  await assert.rejects(
    gate.flushHistory(() => [], sender, { signal }),
    (reason) => reason === 'early',
  );
  assert.equal(gate.state, 'inactive');
  await gate.beginHistory();
  gate.installHistory([event('h')]);
  await assert.rejects(gate.drain(sender, { signal }), (reason) => reason === 'early');
  assert.equal(gate.state, 'ready');
  assert.equal(sender.calls.length, 0);
});

scene('aborted while it waits for its turn: a submit and a beginHistory leave alone', async (watch) => {
  const { gate, sender } = setUp(watch);
  const hung = gate.submit(event('a'), sender);
  const controller = watch.controller();
  const submitted = gate.submit(event('b'), sender, controller);
  const begun = gate.beginHistory(controller);
  const flushed = gate.flushHistory(() => [], sender, controller);
  controller.abort('tired');
  for (const promise of [submitted, begun, flushed])
    await assert.rejects(promise, (reason) => reason === 'tired');
  await sender.last.accept();
  await hung;
  assert.equal(gate.state, 'inactive');
  assert.deepEqual(sender.ids, ['a']);
});

scene(
  'aborted while a direct send is in flight: the signal reaches the sender, and the caller gets the reason',
  async (watch) => {
    const { gate, sender } = setUp(watch);
    const controller = watch.controller();
    const sent = gate.submit(event('a'), sender, controller);
    assert.equal(sender.last.signal, controller.signal);
    controller.abort('enough');
    await sender.last.accept();
    await assert.rejects(sent, (reason) => reason === 'enough');
    assert.equal(gate.state, 'inactive');
  },
);

scene('aborted while a drain sends: deactivated at once, the reason after the send', async (watch) => {
  const { gate, sender } = setUp(watch);
  await gate.beginHistory();
  gate.installHistory([event('a'), event('b')]);
  const controller = watch.controller();
  const drained = gate.drain(sender, controller);
  controller.abort('enough');
  assert.equal(gate.state, 'deactivated');
  await sender.last.accept();
  await assert.rejects(drained, (reason) => reason === 'enough');
  assert.deepEqual(ids(gate.pending), ['b'], 'what was accepted left the queue');
});

scene('aborted while a drain waits for a send in flight: deactivated, nothing sent', async (watch) => {
  const { gate, sender } = setUp(watch);
  await gate.beginHistory();
  gate.installHistory([event('a'), event('b')]);
  const stopped = gate.drain(sender);
  gate.deactivate();
  const controller = watch.controller();
  const waiting = gate.drain(sender, controller);
  controller.abort('enough');
  await assert.rejects(waiting, (reason) => reason === 'enough');
  assert.equal(gate.state, 'deactivated');
  await sender.last.accept();
  await assert.rejects(stopped, { code: 'gate_inactive', state: 'deactivated' });
  assert.deepEqual(sender.ids, ['a']);
});

scene(
  'aborted while the snapshot is taken: the gate collects on, and a late snapshot changes nothing',
  async (watch) => {
    const { gate, sender } = setUp(watch);
    const controller = watch.controller();
    const history = deferred();
    /** @type {any} */
    let seen;
    const flushed = gate.flushHistory(
      (/** @type {any} */ options) => {
        seen = options.signal;
        return history.promise;
      },
      sender,
      controller,
    );
    assert.equal(seen, controller.signal);
    controller.abort('enough');
    await assert.rejects(flushed, (reason) => reason === 'enough');
    assert.equal(gate.state, 'collecting_history');
    history.resolve([event('late')]);
    await settle();
    assert.equal(gate.state, 'collecting_history');
    assert.equal(gate.pendingCount, 0);
  },
);

scene('aborted after everything has settled: nothing happens', async (watch) => {
  const { gate, sender } = setUp(watch);
  const controller = watch.controller();
  const sent = gate.submit(event('a'), sender, controller);
  await sender.last.accept();
  await sent;
  controller.abort('late');
  await settle();
  assert.equal(gate.state, 'inactive');
});

scene('an abort inside the sender counts for the drain that called it', async (watch) => {
  const { gate, sender } = setUp(watch);
  await gate.beginHistory();
  gate.installHistory([event('a'), event('b')]);
  const controller = watch.controller();
  sender.during = () => controller.abort('inside');
  const drained = gate.drain(sender, controller);
  assert.equal(gate.state, 'deactivated');
  await sender.last.accept();
  await assert.rejects(drained, (reason) => reason === 'inside');
  assert.deepEqual(ids(gate.pending), ['b']);
});

// --- Copies, bounds, handles

scene('payloads are copied in and out', async (watch) => {
  const { gate, sender } = setUp(watch);
  await gate.beginHistory();
  const payload = Uint8Array.of(1, 2, 3);
  await gate.submit({ messageId: 'a', type: 't', payload }, sender);
  payload.fill(9);
  gate.installHistory([]);
  gate.pending[0].payload.fill(8);
  const drained = gate.drain(sender);
  assert.deepEqual([...sender.last.event.payload], [1, 2, 3]);
  sender.last.event.payload.fill(7);
  await sender.last.refuse();
  await assert.rejects(drained, { code: 'send_not_accepted' });
  assert.deepEqual([...gate.pending[0].payload], [1, 2, 3]);
  assert.ok(Object.isFrozen(sender.last.event));
});

scene('payloads of every size go in and come out unchanged', async (watch) => {
  const { gate } = setUp(watch);
  await gate.beginHistory();
  const sizes = [0, 1, 100, 8191, 8192, 8193, 100_000, 3_000_000];
  const content = (/** @type {number} */ size) =>
    Uint8Array.from({ length: size }, (_, i) => (i * 31 + size) & 0xff);
  gate.installHistory(
    sizes.map((size) => ({
      messageId: `é-${size}`,
      type: 'ж'.repeat(size % 2000 || 1),
      payload: content(size),
    })),
  );
  /** @type {any[]} */
  const seen = [];
  await gate.drain((/** @type {any} */ sent) => {
    seen.push(sent);
    return { accepted: true };
  });
  assert.deepEqual(
    ids(seen),
    sizes.map((size) => `é-${size}`),
  );
  for (const [index, size] of sizes.entries()) {
    assert.deepEqual(seen[index].payload, content(size));
    assert.equal(seen[index].type, 'ж'.repeat(size % 2000 || 1));
  }
});

scene('capacity counts events and their bytes, waiting direct sends included', async (watch) => {
  const { gate, sender } = setUp(watch, { capacity: 2, maxBytes: 10 });
  const hung = gate.submit(event('direct', 100), sender);
  const one = gate.submit(event('b', 6), sender);
  await assert.rejects(gate.submit(event('c', 5), sender), {
    code: 'gate_capacity',
    limit: 10,
    unit: 'bytes',
  });
  const two = gate.submit(event('d', 4), sender);
  await assert.rejects(gate.submit(event('e', 0), sender), {
    code: 'gate_capacity',
    limit: 2,
    unit: 'events',
  });
  for (let i = 0; i < 3; i += 1) await sender.last.accept();
  await Promise.all([hung, one, two]);
  assert.deepEqual(sender.ids, ['direct', 'b', 'd']);
});

scene('a gate that is disposed of tells every open call, and listens to nothing any more', async (watch) => {
  const { gate, sender } = setUp(watch);
  const controller = watch.controller();
  const calls = [
    gate.submit(event('a'), sender, controller),
    gate.submit(event('b'), sender, controller),
    gate.beginHistory(),
  ];
  gate.dispose();
  gate.dispose();
  for (const call of calls) await assert.rejects(call, { code: 'disposed' });
  await sender.last.accept();
  assert.throws(() => gate.state, { code: 'disposed' });
  await assert.rejects(gate.submit(event('c'), sender), { code: 'disposed' });
  controller.abort();
});

scene('nothing of a payload is shown', async (watch) => {
  const { inspect } = await import('node:util');
  const { gate } = setUp(watch);
  await gate.beginHistory();
  const secret = new TextEncoder().encode('SECRET-TOKEN');
  gate.installHistory([{ messageId: 'a', type: 't', payload: secret }]);
  const shown = inspect([gate.pending, new lg.FlushGate()], { depth: 9 });
  assert.ok(!shown.includes(String(secret[0])) && shown.includes('[12 bytes]'), shown);
});

scene('promises that nobody awaits are no unhandled rejections', async (watch) => {
  const { gate } = setUp(watch);
  const silent = new lg.FlushGate();
  silent.submit(event('a'), () => {
    throw new Error('lost');
  });
  silent.submit(event(''), () => {});
  silent.drain(() => {});
  silent.beginHistory();
  silent.flushHistory(
    () => [],
    () => {},
  );
  await settle();
  silent.dispose();
  gate.dispose();
});

scene('memory that runs out refuses the event, and loses nothing that was taken', async () => {
  const small = await createLeasegate({ memory: { maximumBytes: 2 * 1024 * 1024 } });
  const gate = new small.FlushGate();
  const sender = new ControlledSender();
  await gate.beginHistory();
  let taken = 0;
  await assert.rejects(
    async () => {
      for (;;) {
        await gate.submit(event(`e${taken}`, 30_000), sender);
        taken += 1;
      }
    },
    { code: 'out_of_memory' },
  );
  assert.ok(taken > 10);
  assert.equal(gate.pendingCount, taken);
  assert.throws(() => gate.installHistory([event('h', 3_000_000)]), { code: 'out_of_memory' });
  gate.installHistory([]);
  let sent = 0;
  await gate.drain((/** @type {any} */ { messageId }) => {
    assert.equal(messageId, `e${sent}`);
    sent += 1;
    return { accepted: true };
  });
  assert.equal(sent, taken);
  gate.dispose();
});
