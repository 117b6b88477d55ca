// The coordinator as a host with promises meets it. The rules themselves are tested natively.

import assert from 'node:assert/strict';
import { createLeasegate } from 'leasegate';
import { deferred, event, FakeTransport, scene, settle } from './support/host.js';

const lg = await createLeasegate();
const NO_EVIDENCE = { dropped: 0, remoteDurabilityKnown: false };
const plain = (/** @type {any} */ value) => JSON.parse(JSON.stringify(value));

/** @param {any} watch @param {object} [options] */
function setUp(watch, options) {
  /** @type {any[]} */
  const closed = [];
  const first = new FakeTransport('t0');
  const coordinator = watch.watch(
    new lg.ReconnectCoordinator({
      session: 'session-1',
      epoch: 1,
      transport: first,
      closeTimeoutMs: 5000,
      onTransportClosed: (/** @type {any} */ c) => closed.push(c),
      ...options,
    }),
  );
  const roles = () => closed.map(({ transport, role }) => `${transport.name} ${role}`);
  return { coordinator, first, closed, roles };
}

scene('two recoveries join one flight, and the attempt runs once', async (watch) => {
  const { coordinator, first, roles } = setUp(watch, { cursor: 7 });
  const flight = deferred();
  /** @type {any[]} */
  const resumes = [];
  const attempt = (/** @type {any} */ resume) => {
    resumes.push(resume);
    return flight.promise;
  };
  const one = coordinator.recover('lost', attempt);
  const two = coordinator.recover('lost too', attempt);
  assert.equal(coordinator.state, 'replacing');
  await assert.rejects(coordinator.send(1, event('a')), { code: 'recovering' });
  const transport = new FakeTransport('t1');
  flight.resolve({ transport, epoch: 2 });
  const result = await one;
  assert.equal(result, await two, 'all who joined get the same');
  assert.equal(result.transport, transport);
  assert.equal(result.epoch, 2n);
  assert.deepEqual(plain(resumes), [{ session: 'session-1', epoch: 1, cursor: 7 }]);
  assert.equal(coordinator.state, 'connected');
  assert.equal(coordinator.epoch, 2n);
  await settle();
  assert.equal(first.closes, 1);
  assert.deepEqual(roles(), ['t0 replaced']);
  await assert.rejects(coordinator.send(1, event('stale')), { code: 'stale_epoch', got: 1n, active: 2n });
  await coordinator.send(2, event('b'));
  assert.deepEqual(transport.sent, ['b']);
  await coordinator.close();
});

scene("a waiter's abort leaves the flight alone", async (watch) => {
  const { coordinator } = setUp(watch);
  const flight = deferred();
  const controller = watch.controller();
  /** @type {any} */
  let signal;
  const attempt = (/** @type {any} */ _, /** @type {any} */ options) => {
    signal = options.signal;
    return flight.promise;
  };
  const impatient = coordinator.recover('lost', attempt, controller);
  const patient = coordinator.recover('lost', attempt);
  controller.abort('tired');
  await assert.rejects(impatient, (reason) => reason === 'tired');
  assert.equal(signal.aborted, false, 'the attempt is owned by the coordinator');
  flight.resolve({ transport: new FakeTransport('t1'), epoch: 5n });
  assert.equal((await patient).epoch, 5n);
  await coordinator.close();
});

scene('a recovery whose only waiter has left goes on all the same', async (watch) => {
  const { coordinator } = setUp(watch);
  const flight = deferred();
  const controller = watch.controller();
  const impatient = coordinator.recover('lost', () => flight.promise, controller);
  controller.abort('tired');
  await assert.rejects(impatient, (reason) => reason === 'tired');
  flight.resolve({ transport: new FakeTransport('t1'), epoch: 2 });
  await settle();
  assert.equal(coordinator.state, 'connected');
  await coordinator.close();
});

scene(
  'close during a recovery: everybody gets recovery_closed, and the late transport is closed exactly once',
  async (watch) => {
    const { coordinator, first, roles } = setUp(watch);
    const flight = deferred();
    /** @type {any} */
    let signal;
    const attempt = (/** @type {any} */ _, /** @type {any} */ options) => {
      signal = options.signal;
      return flight.promise;
    };
    const waiters = [coordinator.recover('lost', attempt), coordinator.recover('lost', attempt)];
    const closing = coordinator.close();
    for (const waiter of waiters) await assert.rejects(waiter, { code: 'recovery_closed' });
    assert.equal(signal.aborted, true);
    assert.equal(signal.reason.code, 'recovery_closed');
    await assert.rejects(coordinator.recover('again', attempt), { code: 'recovery_closed' });
    await assert.rejects(coordinator.send(1, event('a')), { code: 'recovery_closed' });
    assert.equal(coordinator.state, 'draining');
    const late = new FakeTransport('late');
    flight.resolve({ transport: late, epoch: 2 });
    assert.deepEqual(plain(await closing), first.evidence);
    assert.equal(late.closes, 1);
    assert.equal(first.closes, 1);
    assert.deepEqual(roles().sort(), ['late late', 't0 final']);
    assert.equal(coordinator.state, 'closed');
    assert.equal(coordinator.epoch, 1n);
  },
);

scene('close twice shares one evidence', async (watch) => {
  const { coordinator, first, closed } = setUp(watch);
  const one = coordinator.close();
  const two = coordinator.close();
  const evidence = await one;
  assert.equal(evidence, await two);
  assert.equal(evidence, await coordinator.close());
  assert.deepEqual(plain(evidence), first.evidence);
  assert.equal(first.closes, 1);
  assert.equal(closed.length, 1);
  assert.equal(closed[0].evidence, evidence);
});

scene('close twice shares one error', async (watch) => {
  const error = new Error('reset');
  const transport = new FakeTransport('t', { close: error });
  const { coordinator, closed } = setUp(watch, { transport });
  for (let i = 0; i < 2; i += 1) await assert.rejects(coordinator.close(), (thrown) => thrown === error);
  assert.equal(coordinator.state, 'closed');
  assert.deepEqual(closed, [{ transport, role: 'final', error }]);
});

scene('close without a transport has no evidence', async (watch) => {
  const { coordinator } = setUp(watch, { transport: null });
  assert.equal(coordinator.state, 'connecting');
  assert.deepEqual(plain(await coordinator.close()), NO_EVIDENCE);
});

scene('close inside an attempt ends within the close timeout', async (watch) => {
  const { coordinator } = setUp(watch, { closeTimeoutMs: 30 });
  /** @type {any} */
  let inside;
  const recovered = coordinator.recover('lost', async () => {
    inside = coordinator.close();
    await inside;
    return null;
  });
  await assert.rejects(recovered, { code: 'recovery_closed' });
  assert.equal((await inside).dropped, 2);
  assert.equal(coordinator.state, 'closed');
});

scene(
  'a transport that does not close in time: close_timeout, its signal aborted, and late evidence still told',
  async (watch) => {
    const transport = new FakeTransport('slow', { close: 'hang' });
    const { coordinator, closed } = setUp(watch, { transport, closeTimeoutMs: 20 });
    const closing = coordinator.close();
    await assert.rejects(closing, { code: 'close_timeout' });
    assert.equal(coordinator.state, 'closed');
    assert.equal(transport.closeSignal?.aborted, true);
    assert.equal(/** @type {any} */ (transport.closeSignal).reason.code, 'close_timeout');
    assert.deepEqual(closed, []);
    transport.closing.resolve({ dropped: 9, remoteDurabilityKnown: false });
    await settle();
    assert.equal(closed.length, 1);
    assert.equal(closed[0].role, 'final');
    assert.equal(closed[0].evidence.dropped, 9);
    await assert.rejects(coordinator.close(), { code: 'close_timeout' }, 'every further close gets the same');
  },
);

scene('close waits for background closes too', async (watch) => {
  const slow = new FakeTransport('slow', { close: 'hang' });
  const { coordinator, roles } = setUp(watch, { transport: slow });
  await coordinator.recover('lost', () => ({ transport: new FakeTransport('t1'), epoch: 2 }));
  const closing = coordinator.close();
  await settle();
  assert.equal(coordinator.state, 'draining');
  slow.closing.resolve(slow.evidence);
  await closing;
  assert.deepEqual(roles().sort(), ['slow replaced', 't1 final']);
});

scene('a waiter of close whose signal aborts stops waiting; the close goes on', async (watch) => {
  const transport = new FakeTransport('slow', { close: 'hang' });
  const { coordinator } = setUp(watch, { transport });
  const controller = watch.controller();
  const impatient = coordinator.close(controller);
  const patient = coordinator.close();
  controller.abort('tired');
  await assert.rejects(impatient, (reason) => reason === 'tired');
  transport.closing.resolve(transport.evidence);
  assert.equal((await patient).dropped, 2);
  const aborted = watch.controller();
  aborted.abort('early');
  await assert.rejects(coordinator.close(aborted), (reason) => reason === 'early');
});

for (const early of [true, false]) {
  scene(
    `the owner's signal is a close${early ? ', also when it has aborted already' : ''}`,
    async (watch) => {
      const owner = watch.controller();
      if (early) owner.abort();
      const { coordinator, first, roles } = setUp(watch, { signal: owner.signal });
      if (!early) {
        assert.equal(coordinator.state, 'connected');
        owner.abort();
      }
      await assert.rejects(
        coordinator.recover('x', () => null),
        { code: 'recovery_closed' },
      );
      await settle();
      assert.equal(coordinator.state, 'closed');
      assert.equal(first.closes, 1);
      assert.deepEqual(roles(), ['t0 final']);
    },
  );
}

for (const [what, attempt, expected] of /** @type {[string, (t: any) => any, any][]} */ ([
  ['throws at once', () => () => fail(new RangeError('now')), { name: 'RangeError', message: 'now' }],
  ['rejects', () => async () => fail(new RangeError('later')), { name: 'RangeError', message: 'later' }],
  ['answers nothing', () => () => undefined, { code: 'no_transport' }],
  ['answers no transport', () => () => ({ transport: null, epoch: 9 }), { code: 'no_transport' }],
  ['answers an object that is none', () => () => ({ transport: {}, epoch: 9 }), { code: 'no_transport' }],
  [
    'answers what cannot be closed',
    () => () => ({ transport: { send: () => ({ accepted: true }) }, epoch: 9 }),
    { code: 'no_transport' },
  ],
])) {
  scene(`an attempt that ${what}: everybody gets it, and the installed transport stays`, async (watch) => {
    const { coordinator, first } = setUp(watch);
    const waiters = [coordinator.recover('lost', attempt(null)), coordinator.recover('lost', attempt(null))];
    for (const waiter of waiters) await assert.rejects(waiter, expected);
    assert.equal(coordinator.state, 'reconnect_wait');
    assert.equal(first.closes, 0);
    await coordinator.close();
    assert.equal(first.closes, 1);
  });
}
/** @param {Error} error @returns {never} */
function fail(error) {
  throw error;
}

for (const [what, epoch, got] of /** @type {[string, any, bigint][]} */ ([
  ['the same epoch', 1, 1n],
  ['no epoch', undefined, 0n],
  ['an epoch that is no integer', 1.5, 0n],
  ['an epoch below 0', -1, 0n],
])) {
  scene(`an attempt with ${what} is refused, and its transport closed`, async (watch) => {
    const { coordinator, first, roles } = setUp(watch);
    const transport = new FakeTransport('t1');
    await assert.rejects(
      coordinator.recover('lost', () => ({ transport, epoch })),
      {
        code: 'epoch_not_advanced',
        got,
        current: 1n,
      },
    );
    await settle();
    assert.deepEqual(roles(), ['t1 refused']);
    assert.equal(first.closes, 0);
    assert.equal(coordinator.state, 'reconnect_wait');
    await coordinator.close();
  });
}

scene(
  'the installed transport may come back with a higher epoch; one that was closed counts as none',
  async (watch) => {
    const { coordinator, first, roles } = setUp(watch);
    const { transport, epoch } = await coordinator.recover('ping', () => ({ transport: first, epoch: 2 }));
    assert.equal(transport, first);
    assert.equal(epoch, 2n);
    await coordinator.recover('lost', () => ({ transport: new FakeTransport('t1'), epoch: 3 }));
    await settle();
    assert.deepEqual(roles(), ['t0 replaced']);
    await assert.rejects(
      coordinator.recover('lost', () => ({ transport: first, epoch: 4 })),
      { code: 'no_transport' },
    );
    await coordinator.close();
    assert.equal(first.closes, 1);
  },
);

scene('a send in flight is neither recalled nor awaited by recover or close', async (watch) => {
  const sent = deferred();
  const transport = Object.assign(new FakeTransport('t0'), { send: () => sent.promise });
  const { coordinator } = setUp(watch, { transport });
  const sending = coordinator.send(1, event('a'));
  await coordinator.recover('lost', () => ({ transport: new FakeTransport('t1'), epoch: 2 }));
  await coordinator.close();
  sent.resolve({ accepted: true, remoteAckId: 'r-1' });
  assert.equal((await sending).remoteAckId, 'r-1');
});

scene(
  "a transport's send: its own error, what it did not accept, its own copy, and the signal",
  async (watch) => {
    /** @type {any} */
    let behave = null;
    /** @type {any} */
    let seen;
    const transport = Object.assign(new FakeTransport('t0'), {
      send: (/** @type {any} */ sent, /** @type {any} */ options) => {
        seen = { sent, signal: options.signal };
        return behave();
      },
    });
    const { coordinator } = setUp(watch, { transport });
    const error = new Error('socket');
    behave = () => fail(error);
    await assert.rejects(coordinator.send(1, event('a')), (thrown) => thrown === error);
    behave = () => ({ accepted: false, queueIdentity: 'full' });
    await assert.rejects(coordinator.send(1, event('a')), (/** @type {any} */ e) => {
      return e.code === 'send_not_accepted' && e.acceptance.queueIdentity === 'full';
    });
    behave = () => ({ accepted: true });
    const controller = watch.controller();
    const given = event('a');
    await coordinator.send(1n, given, controller);
    assert.equal(seen.signal, controller.signal);
    seen.sent.payload.fill(0);
    assert.deepEqual([...given.payload], [1, 1, 1, 1]);
    controller.abort('no');
    seen = null;
    await assert.rejects(coordinator.send(1, given, controller), (reason) => reason === 'no');
    await assert.rejects(coordinator.send(1, { messageId: '', type: 't' }), {
      code: 'invalid_identifier',
      reason: 'empty',
    });
    await assert.rejects(coordinator.send(1, { messageId: 'a', type: '' }), { code: 'invalid_event' });
    assert.equal(seen, null);
    await coordinator.close();
  },
);

scene(
  'a recover, close or send from within whatever the coordinator calls finds it consistent',
  async (watch) => {
    const { coordinator, roles } = setUp(watch);
    /** @type {Promise<any>[]} */
    const inner = [];
    const recovered = coordinator.recover('lost', (/** @type {any} */ _, /** @type {any} */ { signal }) => {
      inner.push(coordinator.recover('joined', () => fail(new Error('a second attempt'))));
      signal.addEventListener('abort', () => inner.push(coordinator.recover('late', () => null)), {
        once: true,
      });
      return { transport: new FakeTransport('t1'), epoch: 2 };
    });
    const result = await recovered;
    assert.equal(await inner[0], result);
    await coordinator.close();
    assert.deepEqual(roles().sort(), ['t0 replaced', 't1 final']);
    assert.equal(inner.length, 1);
  },
);

scene("an observer that throws or rejects stands in nobody's way", async (watch) => {
  for (const onTransportClosed of [
    () => fail(new Error('observer')),
    async () => fail(new Error('observer')),
  ]) {
    const { coordinator } = setUp(watch, { onTransportClosed });
    assert.equal((await coordinator.close()).dropped, 2);
  }
});

scene('the history tells every state, its time and why', async (watch) => {
  let now = 100;
  const { coordinator } = setUp(watch, { clock: () => (now += 1), transport: null });
  await coordinator.recover('first connect', () => ({ transport: new FakeTransport('t1'), epoch: 2 }));
  await coordinator.close();
  const states = coordinator.history.map((/** @type {any} */ { to }) => to);
  assert.deepEqual(states, ['connecting', 'connected', 'draining', 'closed']);
  const times = coordinator.history.map((/** @type {any} */ { at }) => at);
  assert.deepEqual(
    [...times].sort((a, b) => a - b),
    times,
  );
});

scene('observeSequence works in every state', async (watch) => {
  const { coordinator } = setUp(watch);
  assert.equal(coordinator.observeSequence(5).advanced, true);
  await coordinator.close();
  assert.equal(coordinator.observeSequence(7n).gap, true);
  assert.equal(coordinator.cursor, 7n);
  assert.throws(() => coordinator.observeSequence(0), { code: 'invalid_sequence' });
});

scene('a clock that fails while a transport closes keeps nothing from settling', async (watch) => {
  let fine = true;
  const { coordinator } = setUp(watch, { clock: () => (fine ? 5 : Number.NaN) });
  const closing = coordinator.close();
  fine = false;
  assert.equal((await closing).dropped, 2);
  await assert.rejects(coordinator.close(), { name: 'TypeError', message: /^clock\(\)/ });
});

scene(
  'a clock that uses the instance itself tells the time of a close that ran out of time',
  async (watch) => {
    const pool = new lg.WorkerPool();
    const clock = () => {
      pool.snapshot();
      return 1000;
    };
    const transport = new FakeTransport('t', { close: 'hang' });
    const { coordinator } = setUp(watch, { clock, transport, closeTimeoutMs: 10 });
    await assert.rejects(coordinator.close(), { code: 'close_timeout' });
    assert.deepEqual(
      coordinator.history.map((/** @type {any} */ { to, at }) => [to, at]),
      ['connecting', 'connected', 'draining', 'closed'].map((to) => [to, 1000]),
    );
    transport.closing.resolve(transport.evidence);
  },
);

scene('Symbol.asyncDispose closes', async (watch) => {
  const { coordinator, first } = setUp(watch);
  await coordinator[Symbol.asyncDispose]();
  assert.equal(first.closes, 1);
  assert.equal(coordinator.state, 'closed');
});

scene('a construction that fails takes nothing over', async () => {
  const transport = new FakeTransport('t');
  for (const options of [{ session: '' }, { epoch: 0 }, { session: '\ud800' }]) {
    assert.throws(() => new lg.ReconnectCoordinator({ session: 's', epoch: 1, transport, ...options }));
  }
  await settle();
  assert.equal(transport.closes, 0);
});
