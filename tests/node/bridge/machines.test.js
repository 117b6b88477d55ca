// Identities, fence, cursor, deduper, tracker, registry, lifecycles and transports through JavaScript: what the
// facade adds to rules that are tested natively.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createLeasegate } from 'leasegate';

const lg = await createLeasegate();
const MAX = 2n ** 64n - 1n;
const LONE = '\ud800';
const key = { request: 'r', session: 's', generation: 1, epoch: 1 };

test('a lone surrogate is not_utf8 everywhere, and replaced nowhere', () => {
  const id = (/** @type {string} */ kind) => ({ code: 'invalid_identifier', kind, reason: 'not_utf8' });
  assert.throws(() => lg.validateOpaqueId('a kind', LONE), id('a kind'));
  assert.throws(() => lg.validatePathIdentifier('a kind', `a${LONE}`), id('a kind'));
  assert.throws(
    () => lg.validateIdentity({ session: LONE, epoch: 1, generation: 1 }),
    id('remote_session_id'),
  );
  assert.throws(
    () => lg.validateIdentity({ session: 's', epoch: 1, generation: 1, work: LONE }),
    id('work_id'),
  );
  assert.throws(() => lg.validateControlKey({ ...key, request: LONE }), id('control_request_id'));
  assert.throws(() => new lg.WorkLifecycle(LONE), id('work_id'));
  assert.throws(() => new lg.Deduper({ capacity: 1 }).seenOrAdd(`x${LONE}`), id('message_id'));
  const tracker = new lg.DeliveryTracker();
  assert.throws(() => tracker.observe({ id: LONE, message: 'm' }), id('delivery_id'));
  tracker.observe({ id: 'd', message: 'm' });
  assert.throws(() => tracker.acknowledge({ id: 'd', ackId: LONE }), id('transport_ack_id'));
  assert.throws(() => tracker.transition({ id: 'd', state: 'failed', failure: LONE }), {
    code: 'invalid_text',
    field: 'failure',
    reason: 'not_utf8',
  });
  assert.equal(tracker.get(LONE), null);
  assert.throws(() => tracker.forget(LONE), { code: 'delivery_not_found', id: null });
  const registry = new lg.ControlRegistry();
  assert.throws(() => registry.accept({ key, subtype: 'x', toolUseId: LONE }), id('tool_use_id'));
  registry.accept({ key, subtype: 'x' });
  assert.throws(() => registry.resolve({ key, state: 'succeeded', value: `"${LONE}"` }), {
    code: 'missing_result_evidence',
  });
  assert.throws(() => registry.resolve({ key, state: 'denied', message: 'no', value: `"${LONE}"` }), {
    code: 'invalid_value',
  });
});

test('texts are refused by the name of their rule, however long they are', () => {
  const long = 'é'.repeat(2_000_000);
  assert.throws(() => lg.validateOpaqueId('k', long), { code: 'invalid_identifier', reason: 'too_long' });
  assert.throws(() => lg.validateOpaqueId('k', LONE + long), {
    code: 'invalid_identifier',
    reason: 'too_long',
  });
  lg.validateOpaqueId('k', 'é'.repeat(128));
  assert.throws(() => lg.validateOpaqueId('k', `${'é'.repeat(128)}x`), { reason: 'too_long' });
  assert.throws(() => lg.validateOpaqueId('k', `${'é'.repeat(127)}xé`), { reason: 'too_long' });
  const lifecycle = new lg.Lifecycle();
  const to = 'connecting';
  const refused = (/** @type {string} */ reason) => ({ code: 'invalid_text', field: 'reason', reason });
  assert.throws(() => lifecycle.transition({ to, reason: long }), refused('too_long'));
  assert.throws(() => lifecycle.transition({ to, reason: 'x'.repeat(4097) }), refused('too_long'));
  assert.throws(() => lifecycle.transition({ to, reason: 'x'.repeat(9000) + LONE }), refused('not_utf8'));
  lifecycle.transition({ to, reason: '€'.repeat(1365) });
  assert.equal(lifecycle.history[0].reason, '€'.repeat(1365));
});

test('the kind of a validation is echoed, cut at 256 bytes between characters', () => {
  const kind = (/** @type {string} */ given) => {
    try {
      lg.validateOpaqueId(given, '');
    } catch (error) {
      return /** @type {any} */ (error).kind;
    }
  };
  assert.equal(kind('any kind'), 'any kind');
  assert.equal(kind('x'.repeat(10_000)), 'x'.repeat(256));
  assert.equal(kind('é'.repeat(10_000)), 'é'.repeat(128));
  assert.equal(kind('€'.repeat(10_000)), '€'.repeat(85));
});

test('64-bit integers keep every digit, both ways', () => {
  const fence = new lg.EpochFence(MAX - 1n);
  assert.throws(() => fence.check(MAX), { code: 'stale_epoch', got: MAX, active: MAX - 1n });
  fence.advance(MAX);
  assert.equal(fence.current, MAX);
  const cursor = new lg.Cursor(2 ** 53 - 1);
  assert.deepEqual(
    { ...cursor.observe(MAX) },
    {
      previous: 2n ** 53n - 1n,
      current: MAX,
      advanced: true,
      duplicate: false,
      gap: true,
    },
  );
  const registry = new lg.ControlRegistry();
  registry.accept({ key: { ...key, generation: MAX, epoch: MAX - 1n }, subtype: 'x' });
  const accepted = registry.get({ ...key, generation: MAX, epoch: MAX - 1n });
  assert.equal(accepted.key.generation, MAX);
  // A key is structural, and survives JSON.
  assert.deepEqual(registry.get(JSON.parse(JSON.stringify(accepted.key))), accepted);
  assert.deepEqual(registry.get(structuredClone(accepted.key)), accepted);
});

test('records are frozen plain data, for console.log, JSON and structured clone', () => {
  const tracker = new lg.DeliveryTracker({ clock: () => 1_700_000_000_000 });
  tracker.observe({ id: 'd', message: 'm', sequence: MAX });
  tracker.acknowledge({ id: 'd', ackId: 'a' });
  const record = tracker.get('d');
  assert.ok(Object.isFrozen(record));
  assert.deepEqual(structuredClone(record), { ...record });
  assert.deepEqual(JSON.parse(JSON.stringify(record)), {
    id: 'd',
    message: 'm',
    sequence: String(MAX),
    state: 'observed',
    transportAckId: 'a',
    transportAckedAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    failure: null,
  });
  const registry = new lg.ControlRegistry();
  registry.accept({ key, subtype: 'x' });
  registry.resolve({ key, state: 'succeeded', value: '{"secret":"hunter2"}' });
  assert.ok(!inspect(registry.get(key)).includes('hunter2'));
  assert.equal(registry.get(key).value, '{"secret":"hunter2"}');
});

test('values are kept exactly as given, as text or as bytes, up to 1 MiB', () => {
  const registry = new lg.ControlRegistry();
  const resolved = (/** @type {any} */ value) => {
    registry.accept({ key, subtype: 'x' });
    try {
      registry.resolve({ key, state: 'succeeded', value });
      return registry.get(key).value;
    } finally {
      registry.cancelAll();
      registry.forget(key);
    }
  };
  const spaced = ' {"a" : 1.0,\r\n"b":"\\u00e9é"}\t';
  assert.equal(resolved(spaced), spaced);
  assert.equal(resolved(new TextEncoder().encode(spaced)), spaced);
  assert.equal(resolved(new TextEncoder().encode(spaced).buffer), spaced);
  const largest = `"${'x'.repeat(lg.MAX_CONTROL_VALUE_BYTES - 2)}"`;
  assert.equal(resolved(largest), largest);
  assert.throws(() => resolved(`${largest} `), {
    code: 'value_too_large',
    limit: lg.MAX_CONTROL_VALUE_BYTES,
  });
  assert.throws(() => resolved(`${largest}x`), { code: 'missing_result_evidence' });
  assert.throws(() => resolved(''), { code: 'missing_result_evidence' });
  assert.throws(() => resolved(Uint8Array.of(0xff)), { code: 'missing_result_evidence' });
  assert.throws(() => resolved(17), { name: 'TypeError', message: /^value must be/ });
  for (const size of [2_600, 2_731, 8_190, 8_192, 20_000]) {
    const text = `"${'é'.repeat(size)}"`;
    assert.equal(resolved(text), text);
  }
});

test('cancelAll answers the records in order, and only those that were active', () => {
  const registry = new lg.ControlRegistry();
  const make = (/** @type {string} */ request, /** @type {any} */ generation) => ({
    ...key,
    request,
    generation,
  });
  for (const [request, generation] of /** @type {[string, any][]} */ ([
    ['b', 1],
    ['a', 10],
    ['a', 9],
    ['é', 1],
  ])) {
    registry.accept({ key: make(request, generation), subtype: 'x' });
  }
  registry.cancel({ key: make('b', 1), reason: 'before' });
  const records = registry.cancelAll();
  assert.deepEqual(
    records.map((/** @type {any} */ r) => `${r.key.request}${r.key.generation}`),
    ['a9', 'a10', 'é1'],
  );
  assert.ok(records.every((/** @type {any} */ r) => r.state === 'cancelled' && r.message !== ''));
  assert.deepEqual(registry.cancelAll('again'), []);
  assert.equal(registry.get(make('b', 1)).message, 'before');
});

test('limits of 0 or less are invalid_capacity; what is no integer is a TypeError or RangeError', () => {
  const makers = /** @type {[string, (limit: any) => any][]} */ ([
    ['capacity', (capacity) => new lg.Deduper({ capacity })],
    ['maxRecords', (maxRecords) => new lg.DeliveryTracker({ maxRecords })],
    ['maxRecords', (maxRecords) => new lg.ControlRegistry({ maxRecords })],
    ['maxHistory', (maxHistory) => new lg.Lifecycle({ maxHistory })],
    ['capacity', (capacity) => new lg.FlushGate({ capacity })],
    ['maxBytes', (maxBytes) => new lg.FlushGate({ maxBytes })],
  ]);
  for (const [name, make] of makers) {
    for (const limit of [0, 0n, -1, -1n, -(2n ** 70n), Number.MIN_SAFE_INTEGER]) {
      assert.throws(() => make(limit), { code: 'invalid_capacity' }, `${name} ${limit}`);
    }
    for (const limit of [1.5, Number.NaN, Infinity, -Infinity, 2 ** 53, 2n ** 64n]) {
      assert.throws(() => make(limit), { name: 'RangeError', message: new RegExp(`^${name} must be`) });
    }
    for (const limit of ['1', {}, true]) {
      assert.throws(() => make(limit), { name: 'TypeError', message: new RegExp(`^${name} must be`) });
    }
    make(MAX).dispose();
    make(1n).dispose();
  }
  assert.throws(() => new lg.Deduper({}), { name: 'TypeError', message: /^capacity must be/ });
  assert.throws(() => new lg.Deduper(), { name: 'TypeError', message: /^options must be/ });
});

test('bounds: records, history and window', () => {
  const tracker = new lg.DeliveryTracker({ maxRecords: 2 });
  tracker.observe({ id: 'a', message: 'm' });
  tracker.observe({ id: 'b', message: 'm' });
  assert.throws(() => tracker.observe({ id: 'c', message: 'm' }), { code: 'delivery_capacity', limit: 2 });
  tracker.transition({ id: 'a', state: 'cancelled' });
  tracker.forget('a');
  tracker.observe({ id: 'c', message: 'm' });
  const registry = new lg.ControlRegistry({ maxRecords: 1 });
  registry.accept({ key, subtype: 'x' });
  assert.throws(() => registry.accept({ key: { ...key, epoch: 2 }, subtype: 'x' }), {
    code: 'control_capacity',
    limit: 1,
  });
  const lifecycle = new lg.Lifecycle({ maxHistory: 2, clock: () => 3 });
  for (const to of ['connecting', 'reconnect_wait', 'connecting', 'connected']) lifecycle.transition({ to });
  assert.deepEqual(
    lifecycle.history.map((/** @type {any} */ t) => ({ ...t })),
    [
      { from: 'reconnect_wait', to: 'connecting', at: 3, reason: null },
      { from: 'connecting', to: 'connected', at: 3, reason: null },
    ],
  );
  assert.equal(lifecycle.droppedHistory, 2);
  const deduper = new lg.Deduper({ capacity: 2 });
  assert.deepEqual(
    ['a', 'b', 'a', 'c', 'a'].map((id) => deduper.seenOrAdd(id)),
    [false, false, true, false, false],
  );
  assert.equal(deduper.size, 2);
});

test('a clock that answers nonsense is a TypeError, and nothing has changed', () => {
  for (const now of [
    Number.NaN,
    1.5,
    -1,
    '5',
    null,
    undefined,
    new Date(),
    2 ** 53,
    5n,
    Promise.resolve(5),
  ]) {
    const tracker = new lg.DeliveryTracker({ clock: () => /** @type {any} */ (now) });
    assert.throws(() => tracker.observe({ id: 'd', message: 'm' }), {
      name: 'TypeError',
      message: /^clock\(\) must/,
    });
    assert.equal(tracker.size, 0);
    tracker.dispose();
  }
  for (const Class of [lg.DeliveryTracker, lg.ControlRegistry, lg.Lifecycle]) {
    assert.throws(() => new Class({ clock: /** @type {any} */ (5) }), {
      name: 'TypeError',
      message: /^clock must/,
    });
  }
  const error = new Error('no time');
  const lifecycle = new lg.Lifecycle({
    clock: () => {
      throw error;
    },
  });
  assert.throws(
    () => lifecycle.transition({ to: 'connecting' }),
    (thrown) => thrown === error,
  );
});

test('a clock or getter that calls leasegate again, or disposes, does no harm', () => {
  /** @type {any} */
  const other = new lg.DeliveryTracker();
  const tracker = new lg.DeliveryTracker({
    clock: () => {
      other.observe({ id: 'inner', message: 'm' });
      return 5;
    },
  });
  tracker.observe({
    id: 'outer',
    get message() {
      lg.validateOpaqueId('k', 'something else');
      return 'the message';
    },
  });
  assert.equal(tracker.get('outer').message, 'the message');
  assert.equal(other.get('inner').message, 'm');
  const doomed = new lg.DeliveryTracker({
    clock: () => {
      doomed.dispose();
      return 5;
    },
  });
  assert.throws(() => doomed.observe({ id: 'd', message: 'm' }), { code: 'disposed' });
});

test('every handle can be disposed of twice, and refuses every use afterwards', () => {
  const handles = /** @type {[any, (handle: any) => unknown][]} */ ([
    [new lg.EpochFence(1), (h) => h.current],
    [new lg.Cursor(), (h) => h.observe(1)],
    [new lg.Deduper({ capacity: 1 }), (h) => h.size],
    [new lg.DeliveryTracker(), (h) => h.get('a')],
    [new lg.ControlRegistry(), (h) => h.cancelAll()],
    [new lg.Lifecycle(), (h) => h.history],
    [new lg.WorkLifecycle('w'), (h) => h.state],
    [new lg.FlushGate(), (h) => h.pending],
    [new lg.TransportRegistry(), (h) => h.register('ssh', () => null)],
  ]);
  for (const [handle, use] of handles) {
    assert.match(inspect(handle), new RegExp(`^${handle.constructor.name} \\{ (?!disposed)`));
    handle.dispose();
    handle[Symbol.dispose]?.();
    assert.throws(() => use(handle), { code: 'disposed' });
    assert.equal(inspect(handle), `${handle.constructor.name} { disposed }`);
  }
});

test('isTerminal answers from the tables', () => {
  assert.equal(lg.isTerminal('delivery', 'processed'), true);
  assert.equal(lg.isTerminal('control', 'responding'), false);
  assert.equal(lg.isTerminal('transport', 'closed'), true);
  assert.equal(lg.isTerminal('work', 'unowned'), true);
  assert.throws(() => lg.isTerminal('gate', 'closed'), { name: 'TypeError', message: /^machine must/ });
  assert.throws(() => lg.isTerminal('toString', 'closed'), { name: 'TypeError', message: /^machine must/ });
  assert.throws(() => lg.isTerminal('work', 'constructor'), { name: 'TypeError', message: /^state must/ });
});

test('TransportRegistry: what a factory is given, and what becomes of what it makes', async () => {
  const registry = new lg.TransportRegistry();
  const config = {
    kind: 'websocket',
    included: true,
    enabled: true,
    endpoint: 'wss://host/path',
    token: 'extra',
  };
  /** @type {any} */
  let make;
  /** @type {any[]} */
  const given = [];
  registry.register('websocket', (/** @type {any[]} */ ...all) => {
    given.push(all);
    return make();
  });
  const transport = { kind: 'websocket', send() {}, close() {} };
  make = async () => transport;
  const controller = new AbortController();
  assert.equal(await registry.build(config, controller), transport);
  assert.equal(given[0][0], config);
  assert.equal(given[0][1].signal, controller.signal);

  const cause = new Error('refused');
  make = () => {
    throw cause;
  };
  await assert.rejects(registry.build(config), (/** @type {any} */ error) => {
    assert.deepEqual(
      [error.code, error.kind, error.reason],
      ['transport_construct_failed', 'websocket', 'factory_failed'],
    );
    assert.equal(error.cause, cause);
    return !Object.keys(error).includes('cause');
  });
  make = () => undefined;
  await assert.rejects(registry.build(config), {
    code: 'transport_construct_failed',
    reason: 'no_transport',
  });
  const evidence = { dropped: 1, remoteDurabilityKnown: true };
  make = () => ({ kind: 'ssh', close: async () => evidence });
  await assert.rejects(registry.build(config), {
    code: 'transport_construct_failed',
    reason: 'wrong_kind',
    evidence,
  });
  make = () => ({ kind: 5, close: () => Promise.reject(cause) });
  await assert.rejects(registry.build(config), { reason: 'wrong_kind', error: cause });

  controller.abort('no');
  const calls = given.length;
  await assert.rejects(registry.build(config, controller), (reason) => reason === 'no');
  assert.equal(given.length, calls);
  await assert.rejects(registry.build({ ...config, enabled: false }, controller), { state: 'gate_disabled' });
  await assert.rejects(registry.build({ ...config, kind: `x${LONE}` }), { reason: 'unknown_kind', kind: '' });
  await assert.rejects(registry.build({ ...config, endpoint: `ws://${LONE}` }), {
    reason: 'endpoint_not_utf8',
  });
  const long = `wss://host/${'é'.repeat(50_000)}`;
  make = () => transport;
  assert.equal(await registry.build({ ...config, endpoint: long }), transport);
  await assert.rejects(registry.build({ ...config, endpoint: `${long}%zz` }), { reason: 'endpoint_escape' });
  assert.throws(() => registry.register('websocket', make), {
    code: 'transport_already_registered',
    kind: 'websocket',
  });
  assert.throws(() => registry.register(/** @type {any} */ ('carrier_pigeon'), make), {
    code: 'unknown_transport_kind',
  });
});
