// Wrong shapes of every argument of the bridge: a TypeError or RangeError that names it, before the core sees it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { FakeTransport } from './support/host.js';

const lg = await createLeasegate();
const NOT_TEXT = [undefined, 5, {}, [], true, Symbol('s'), new String('x')];
const NOT_U64 = [1.5, Number.NaN, -1, Infinity, 2 ** 53, -1n, 2n ** 64n, '1', {}, true, new Date()];
const NOT_OBJECT = [undefined, null, 5, 'x', true];
const NOT_FUNCTION = [undefined, null, 5, 'x', {}];
const NOT_SIGNAL = [
  5,
  'x',
  true,
  {},
  new EventTarget(),
  { aborted: false },
  { aborted: false, addEventListener() {} },
];
const NOT_BYTES = [5, 'x', true, {}, [1, 2], new DataView(new ArrayBuffer(1)), new Uint16Array(1)];
const NOT_FLAG = [0, 1, 'true', {}];

const event = { messageId: 'm', type: 't' };
const key = { request: 'r', session: 's', generation: 1, epoch: 1 };
const sender = () => ({ accepted: true });
const config = { kind: 'ssh', included: true, enabled: true, endpoint: 'ssh://host' };
const made = {
  fence: new lg.EpochFence(1),
  cursor: new lg.Cursor(),
  deduper: new lg.Deduper({ capacity: 9 }),
  tracker: new lg.DeliveryTracker(),
  registry: new lg.ControlRegistry(),
  lifecycle: new lg.Lifecycle(),
  work: new lg.WorkLifecycle('w'),
  gate: new lg.FlushGate(),
  transports: new lg.TransportRegistry(),
  coordinator: new lg.ReconnectCoordinator({ session: 's', epoch: 1, transport: new FakeTransport('t') }),
};
const { gate, tracker, registry, coordinator, transports } = made;
const base = { session: 's', epoch: 1 };

/** What is called with each wrong value, the argument that its error names, and the wrong values. */
const CASES = /** @type {[string, (wrong: any) => unknown, readonly unknown[]][]} */ ([
  ['kind', (wrong) => lg.validateOpaqueId(wrong, 'v'), NOT_TEXT],
  ['value', (wrong) => lg.validateOpaqueId('k', wrong), NOT_TEXT],
  ['value', (wrong) => lg.validatePathIdentifier('k', wrong), NOT_TEXT],
  ['tuple', (wrong) => lg.validateIdentity(wrong), NOT_OBJECT],
  ['tuple.session', (wrong) => lg.validateIdentity({ session: wrong, epoch: 1, generation: 1 }), NOT_TEXT],
  ['tuple.epoch', (wrong) => lg.validateIdentity({ session: 's', epoch: wrong, generation: 1 }), NOT_U64],
  [
    'tuple.work',
    (wrong) => lg.validateIdentity({ session: 's', epoch: 1, generation: 1, work: wrong }),
    [5, {}],
  ],
  ['key', (wrong) => lg.validateControlKey(wrong), NOT_OBJECT],
  [
    'key.generation',
    (wrong) => lg.validateControlKey({ ...key, generation: wrong }),
    [undefined, ...NOT_U64],
  ],
  ['initial', (wrong) => new lg.EpochFence(wrong), [undefined, null, ...NOT_U64]],
  ['epoch', (wrong) => made.fence.check(wrong), [undefined, null, ...NOT_U64]],
  ['epoch', (wrong) => made.fence.advance(wrong), [undefined, null, ...NOT_U64]],
  ['sequence', (wrong) => new lg.Cursor(wrong), NOT_U64],
  ['sequence', (wrong) => made.cursor.observe(wrong), [undefined, null, ...NOT_U64]],
  ['id', (wrong) => made.deduper.seenOrAdd(wrong), [null, ...NOT_TEXT]],
  ['options', (wrong) => tracker.observe(wrong), NOT_OBJECT],
  ['id', (wrong) => tracker.observe({ id: wrong, message: 'm' }), NOT_TEXT],
  ['message', (wrong) => tracker.observe({ id: 'd', message: wrong }), NOT_TEXT],
  ['sequence', (wrong) => tracker.observe({ id: 'd', message: 'm', sequence: wrong }), NOT_U64],
  ['state', (wrong) => tracker.transition({ id: 'd', state: wrong }), [...NOT_TEXT, 'lost', 'Observed']],
  ['failure', (wrong) => tracker.transition({ id: 'd', state: 'failed', failure: wrong }), [5, {}]],
  ['ackId', (wrong) => tracker.acknowledge({ id: 'd', ackId: wrong }), NOT_TEXT],
  ['id', (wrong) => tracker.get(wrong), NOT_TEXT],
  ['id', (wrong) => tracker.forget(wrong), NOT_TEXT],
  ['key', (wrong) => registry.accept({ key: wrong, subtype: 'x' }), NOT_OBJECT],
  ['subtype', (wrong) => registry.accept({ key, subtype: wrong }), NOT_TEXT],
  ['toolUseId', (wrong) => registry.accept({ key, subtype: 'x', toolUseId: wrong }), [5, {}]],
  ['state', (wrong) => registry.advance({ key, state: wrong }), [...NOT_TEXT, 'done']],
  ['state', (wrong) => registry.resolve({ key, state: wrong, message: 'm' }), [...NOT_TEXT, 'done']],
  [
    'value',
    (wrong) => registry.resolve({ key, state: 'succeeded', value: wrong }),
    NOT_BYTES.filter((v) => v !== 'x'),
  ],
  ['message', (wrong) => registry.resolve({ key, state: 'denied', message: wrong }), [5, {}]],
  ['reason', (wrong) => registry.cancel({ key, reason: wrong }), [5, {}]],
  ['reason', (wrong) => registry.cancelAll(wrong), [5, {}]],
  ['key', (wrong) => registry.get(wrong), NOT_OBJECT],
  ['key.request', (wrong) => registry.forget({ ...key, request: wrong }), NOT_TEXT],
  ['to', (wrong) => made.lifecycle.transition({ to: wrong }), [...NOT_TEXT, 'open']],
  ['reason', (wrong) => made.lifecycle.transition({ to: 'closed', reason: wrong }), [5, {}]],
  ['id', (wrong) => new lg.WorkLifecycle(wrong), NOT_TEXT],
  ['to', (wrong) => made.work.transition(wrong), [...NOT_TEXT, 'closed']],
  ['options', (wrong) => new lg.FlushGate(wrong), [5, 'x', true]],
  ['event', (wrong) => gate.submit(wrong, sender), NOT_OBJECT],
  ['event.messageId', (wrong) => gate.submit({ ...event, messageId: wrong }, sender), NOT_TEXT],
  ['event.type', (wrong) => gate.submit({ ...event, type: wrong }, sender), NOT_TEXT],
  ['event.payload', (wrong) => gate.submit({ ...event, payload: wrong }, sender), NOT_BYTES],
  ['sender', (wrong) => gate.submit(event, wrong), [...NOT_FUNCTION, { send: 5 }]],
  ['options', (wrong) => gate.submit(event, sender, wrong), [5, 'x', true]],
  ['signal', (wrong) => gate.submit(event, sender, { signal: wrong }), NOT_SIGNAL],
  ['signal', (wrong) => gate.beginHistory({ signal: wrong }), NOT_SIGNAL],
  ['events', (wrong) => gate.installHistory(wrong), [...NOT_OBJECT, {}, new Set()]],
  ['events[1]', (wrong) => gate.installHistory([event, wrong]), NOT_OBJECT],
  ['events[0].messageId', (wrong) => gate.installHistory([{ ...event, messageId: wrong }]), NOT_TEXT],
  ['events[0].type', (wrong) => gate.installHistory([{ ...event, type: wrong }]), NOT_TEXT],
  ['events[0].payload', (wrong) => gate.installHistory([{ ...event, payload: wrong }]), NOT_BYTES],
  ['sender', (wrong) => gate.drain(wrong), NOT_FUNCTION],
  ['snapshot', (wrong) => gate.flushHistory(wrong, sender), NOT_FUNCTION],
  ['sender', (wrong) => gate.flushHistory(() => [], wrong), NOT_FUNCTION],
  ['resume', (wrong) => gate.flushHistory(() => [], sender, { resume: wrong }), NOT_FLAG],
  ['close', (wrong) => gate.drop({ close: wrong }), NOT_FLAG],
  ['kind', (wrong) => transports.register(wrong, sender), NOT_TEXT],
  ['factory', (wrong) => transports.register('ssh', wrong), NOT_FUNCTION],
  ['options', (wrong) => transports.build(wrong), NOT_OBJECT],
  ['kind', (wrong) => transports.build({ ...config, kind: wrong }), NOT_TEXT],
  ['included', (wrong) => transports.build({ ...config, included: wrong }), NOT_FLAG],
  ['endpoint', (wrong) => transports.build({ ...config, endpoint: wrong }), [5, {}, true]],
  ['signal', (wrong) => transports.build(config, { signal: wrong }), NOT_SIGNAL],
  ['options', (wrong) => new lg.ReconnectCoordinator(wrong), NOT_OBJECT],
  ['session', (wrong) => new lg.ReconnectCoordinator({ ...base, session: wrong }), NOT_TEXT],
  ['epoch', (wrong) => new lg.ReconnectCoordinator({ ...base, epoch: wrong }), [undefined, ...NOT_U64]],
  ['cursor', (wrong) => new lg.ReconnectCoordinator({ ...base, cursor: wrong }), NOT_U64],
  [
    'transport',
    (wrong) => new lg.ReconnectCoordinator({ ...base, transport: wrong }),
    [5, 'x', {}, { send() {} }],
  ],
  ['signal', (wrong) => new lg.ReconnectCoordinator({ ...base, signal: wrong }), NOT_SIGNAL],
  ['clock', (wrong) => new lg.ReconnectCoordinator({ ...base, clock: wrong }), [5, 'x', {}]],
  [
    'onTransportClosed',
    (wrong) => new lg.ReconnectCoordinator({ ...base, onTransportClosed: wrong }),
    [5, 'x', {}],
  ],
  [
    'closeTimeoutMs',
    (wrong) => new lg.ReconnectCoordinator({ ...base, closeTimeoutMs: wrong }),
    [-1, 1.5, 2 ** 31, '5', 5n],
  ],
  ['reason', (wrong) => coordinator.recover(wrong, () => null), [5, {}]],
  ['attempt', (wrong) => coordinator.recover('r', wrong), NOT_FUNCTION],
  ['signal', (wrong) => coordinator.recover('r', () => null, { signal: wrong }), NOT_SIGNAL],
  ['epoch', (wrong) => coordinator.send(wrong, event), [undefined, ...NOT_U64]],
  ['event', (wrong) => coordinator.send(1, wrong), NOT_OBJECT],
  ['event.payload', (wrong) => coordinator.send(1, { ...event, payload: wrong }), NOT_BYTES],
  ['sequence', (wrong) => coordinator.observeSequence(wrong), [undefined, ...NOT_U64]],
  ['signal', (wrong) => coordinator.close({ signal: wrong }), NOT_SIGNAL],
]);

for (const [name, call, wrongs] of CASES) {
  test(`${String(call).replace(/^\(wrong\) => /, '')}: the error names ${name}`, async () => {
    for (const wrong of wrongs) {
      let thrown = null;
      try {
        await call(wrong);
      } catch (error) {
        thrown = /** @type {any} */ (error);
      }
      const shown =
        typeof wrong === 'symbol'
          ? 'a symbol'
          : JSON.stringify(wrong, (_, v) => (typeof v === 'bigint' ? `${v}n` : v));
      assert.ok(thrown instanceof TypeError || thrown instanceof RangeError, `${shown}: ${thrown}`);
      assert.ok(thrown.message.startsWith(`${name} `), `${shown}: ${thrown.message}`);
    }
  });
}

test('none of it has changed anything', async () => {
  assert.equal(gate.state, 'inactive');
  assert.equal(gate.pendingCount + tracker.size + registry.size, 0);
  assert.equal(made.lifecycle.state, 'new');
  assert.equal(coordinator.state, 'connected');
  assert.equal(coordinator.history.length, 2);
  await coordinator.close();
});

test('bytes cannot lie about their length, and detached ones are refused', async () => {
  await gate.beginHistory();
  class Liar extends Uint8Array {
    get length() {
      return 1_000_000;
    }
  }
  const own = Uint8Array.of(4, 5, 6);
  Object.defineProperty(own, 'length', { value: 1_000_000 });
  for (const payload of [
    new Liar([1, 2, 3]),
    own,
    Buffer.from([7, 8]),
    new Uint8Array(new SharedArrayBuffer(2)),
  ]) {
    await gate.submit({ ...event, payload }, sender);
  }
  assert.deepEqual(
    gate.pending.map((/** @type {any} */ { payload }) => payload.length),
    [3, 3, 2, 2],
  );
  assert.equal(Object.getPrototypeOf(gate.pending[2].payload), Uint8Array.prototype);
  const buffer = new ArrayBuffer(8);
  const view = new Uint8Array(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  for (const payload of [buffer, view]) {
    await assert.rejects(gate.submit({ ...event, payload }, sender), {
      name: 'TypeError',
      message: /detached/,
    });
  }
  assert.equal(await gate.drop(), 4);
});
