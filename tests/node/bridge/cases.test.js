// The field cases of the bridge, P11 to P15: what went wrong elsewhere, as a host meets it here.

import assert from 'node:assert/strict';
import { createLeasegate } from 'leasegate';
import { ControlledSender, deferred, event, FakeTransport, scene, settle } from './support/host.js';

const lg = await createLeasegate();

scene("P11: a connect handler's send does not overtake the buffer", async (watch) => {
  const gate = watch.watch(new lg.FlushGate());
  const dead = new ControlledSender();
  await gate.beginHistory();
  gate.installHistory([]);
  await gate.submit(event('A'), dead);
  gate.deactivate();

  const wire = new ControlledSender();
  const coordinator = watch.watch(new lg.ReconnectCoordinator({ session: 's', epoch: 1 }));
  await coordinator.recover('first connect', async () => {
    const transport = Object.assign(new FakeTransport('t'), { send: wire.send });
    await gate.submit(event('B'), transport); // inside the handler: queued, and so behind A
    return { transport, epoch: 2 };
  });
  const drained = gate.drain(wire);
  await wire.last.accept();
  await wire.last.accept();
  await drained;
  assert.deepEqual(wire.ids, ['A', 'B']);
  await coordinator.close();
});

scene(
  'P12: a live event during the history read is not lost, and sent once, after the history',
  async (watch) => {
    const gate = watch.watch(new lg.FlushGate());
    const wire = new ControlledSender();
    const history = deferred();
    const flushed = gate.flushHistory(() => history.promise, wire);
    await gate.submit(event('e'), wire);
    history.resolve([event('h1'), event('h2')]); // read before e: without it
    await settle();
    for (let i = 0; i < 3; i += 1) await wire.last.accept();
    await flushed;
    assert.deepEqual(wire.ids, ['h1', 'h2', 'e']);
  },
);

scene('P13: an offline buffer says that it is full, and loses nothing', async (watch) => {
  const gate = watch.watch(new lg.FlushGate({ capacity: 1 }));
  const wire = new ControlledSender();
  await gate.beginHistory();
  await gate.submit(event('kept'), wire);
  await assert.rejects(gate.submit(event('refused'), wire), {
    code: 'gate_capacity',
    limit: 1,
    unit: 'events',
  });
  assert.throws(() => gate.installHistory([event('h')]), { code: 'gate_capacity', limit: 1, unit: 'events' });
  assert.equal(gate.state, 'collecting_history', 'nothing has changed');
  gate.installHistory([]);
  const drained = gate.drain(wire);
  await wire.last.accept();
  await drained;
  assert.deepEqual(wire.ids, ['kept']);
});

scene(
  "P14: an old socket's late close leaves the new one alone, and close twice reopens nothing",
  async (watch) => {
    const s1 = new FakeTransport('s1', { close: 'hang' });
    const s2 = new FakeTransport('s2');
    /** @type {any[]} */
    const closed = [];
    const coordinator = watch.watch(
      new lg.ReconnectCoordinator({
        session: 's',
        epoch: 1,
        transport: s1,
        onTransportClosed: (/** @type {any} */ { transport, role }) =>
          closed.push(`${transport.name} ${role}`),
      }),
    );
    await coordinator.recover('flaky', () => ({ transport: s2, epoch: 2 }));
    s1.closing.resolve(s1.evidence);
    await settle();
    assert.deepEqual(closed, ['s1 replaced']);
    assert.equal(coordinator.state, 'connected');
    await coordinator.send(2, event('a'));
    assert.deepEqual(s2.sent, ['a']);
    const evidence = await coordinator.close();
    assert.equal(await coordinator.close(), evidence);
    await assert.rejects(
      coordinator.recover('again', () => ({ transport: s2, epoch: 3 })),
      { code: 'recovery_closed' },
    );
    assert.deepEqual([s1.closes, s2.closes], [1, 1]);
    assert.deepEqual(closed, ['s1 replaced', 's2 final']);
  },
);

scene('P15: a control request is settled when the transport ends, and a late reply finds it so', async () => {
  const registry = new lg.ControlRegistry({ clock: () => 7 });
  const key = { request: 'r1', session: 's1', generation: 1n, epoch: 1n };
  registry.accept({ key, subtype: 'can_use_tool', toolUseId: 'tool-1' });
  registry.advance({ key, state: 'validating' });
  const [record, ...rest] = registry.cancelAll('transport ended');
  assert.deepEqual(rest, []);
  assert.equal(record.state, 'cancelled');
  assert.equal(record.message, 'transport ended');
  assert.equal(record.updatedAt, 7);
  assert.throws(() => registry.resolve({ key, state: 'succeeded', value: '{"late":true}' }), {
    code: 'control_terminal',
    state: 'cancelled',
  });
  assert.equal(registry.get(key).value, null);
  registry.forget(key);
  assert.equal(registry.size, 0);
  assert.equal(registry.get(key), null);
  assert.throws(() => registry.resolve({ key, state: 'denied', message: 'later still' }), {
    code: 'control_not_found',
  });
  registry.dispose();
});
