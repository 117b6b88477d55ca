// Records as other implementations of the bridge speak them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';

const lg = await createLeasegate();
const MAX = 2n ** 64n - 1n;
const NOW = Date.UTC(2026, 10, 29, 18, 30, 15, 123);

/** Per kind: a record with everything, its text, the same with what is optional left out, and that text. */
const EXAMPLES = /** @type {[string, any, string, any, string][]} */ ([
  [
    'outbound_event',
    { messageId: 'm-1', type: 'message', payload: Uint8Array.of(1, 2, 255) },
    '{"message_id":"m-1","type":"message","payload":"AQL/"}',
    { messageId: 'm', type: 't' },
    '{"message_id":"m","type":"t","payload":""}',
  ],
  [
    'acceptance',
    { accepted: true, queueIdentity: 'q', remoteAckId: 'r', durabilityKnown: true },
    '{"accepted":true,"queue_identity":"q","remote_ack_id":"r","durability_known":true}',
    { accepted: false, durabilityKnown: false },
    '{"accepted":false,"durability_known":false}',
  ],
  [
    'close_evidence',
    { dropped: 3, remoteDurabilityKnown: true },
    '{"dropped":3,"remote_durability_known":true}',
    { dropped: 0n, remoteDurabilityKnown: false },
    '{"dropped":0,"remote_durability_known":false}',
  ],
  [
    'identity_tuple',
    { bridgeInstance: 'b', environment: 'e', work: 'w', session: 's', epoch: MAX, generation: MAX - 1n },
    '{"bridge_instance_id":"b","environment_id":"e","work_id":"w","remote_session_id":"s","worker_epoch":18446744073709551615,"surface_generation":18446744073709551614}',
    { session: 's', epoch: 1, generation: 2n, work: '' },
    '{"remote_session_id":"s","worker_epoch":1,"surface_generation":2}',
  ],
  [
    'control_key',
    { request: 'r', session: 's', generation: 9007199254740993n, epoch: 1n },
    '{"request_id":"r","remote_session_id":"s","surface_generation":9007199254740993,"worker_epoch":1}',
    { request: 'r', session: 's', generation: 1, epoch: 1 },
    '{"request_id":"r","remote_session_id":"s","surface_generation":1,"worker_epoch":1}',
  ],
  [
    'control_record',
    {
      key: { request: 'r', session: 's', generation: 1n, epoch: MAX },
      toolUseId: 't',
      subtype: 'can_use_tool',
      state: 'succeeded',
      value: '{"n":18446744073709551616.50,"a":[1 , 2]}',
      message: 'fine',
      updatedAt: NOW,
    },
    '{"key":{"request_id":"r","remote_session_id":"s","surface_generation":1,"worker_epoch":18446744073709551615},"tool_use_id":"t","subtype":"can_use_tool","state":"succeeded","value":{"n":18446744073709551616.50,"a":[1 , 2]},"message":"fine","updated_at":"2026-11-29T18:30:15.123Z"}',
    {
      key: { request: 'r', session: 's', generation: 1, epoch: 1 },
      subtype: 'x',
      state: 'received',
      updatedAt: 0,
    },
    '{"key":{"request_id":"r","remote_session_id":"s","surface_generation":1,"worker_epoch":1},"subtype":"x","state":"received","updated_at":"1970-01-01T00:00:00.000Z"}',
  ],
  [
    'cursor',
    { sequence: MAX },
    '{"observed_sequence":18446744073709551615}',
    { sequence: 0 },
    '{"observed_sequence":0}',
  ],
  [
    'observation',
    { previous: 1n, current: MAX, advanced: true, duplicate: false, gap: true },
    '{"previous":1,"current":18446744073709551615,"advanced":true,"duplicate":false,"gap":true}',
    { previous: 0, current: 0, advanced: false, duplicate: false, gap: false },
    '{"previous":0,"current":0,"advanced":false,"duplicate":false,"gap":false}',
  ],
  [
    'delivery_evidence',
    {
      id: 'd',
      message: 'm',
      sequence: MAX,
      state: 'failed',
      transportAckId: 'a',
      transportAckedAt: NOW,
      updatedAt: NOW,
      failure: 'line\nbreak "é" \u2028',
    },
    `{"delivery_id":"d","message_id":"m","observed_sequence":18446744073709551615,"state":"failed","transport_ack_id":"a","transport_acked_at":"2026-11-29T18:30:15.123Z","updated_at":"2026-11-29T18:30:15.123Z","failure":"line\\nbreak \\"é\\" \u2028"}`,
    { id: 'd', message: 'm', state: 'observed', updatedAt: 1 },
    '{"delivery_id":"d","message_id":"m","state":"observed","updated_at":"1970-01-01T00:00:00.001Z"}',
  ],
  [
    'transition',
    { from: 'new', to: 'connecting', at: NOW, reason: 'start' },
    '{"from":"new","to":"connecting","at":"2026-11-29T18:30:15.123Z","reason":"start"}',
    { from: 'draining', to: 'closed', at: NOW },
    '{"from":"draining","to":"closed","at":"2026-11-29T18:30:15.123Z"}',
  ],
  [
    'submit_result',
    {
      queued: false,
      acceptance: { accepted: true, queueIdentity: 'q', remoteAckId: 'r', durabilityKnown: true },
    },
    '{"queued":false,"acceptance":{"accepted":true,"queue_identity":"q","remote_ack_id":"r","durability_known":true}}',
    { queued: true, acceptance: { accepted: false, durabilityKnown: false } },
    '{"queued":true,"acceptance":{"accepted":false,"durability_known":false}}',
  ],
  [
    'resume_point',
    { session: 's', epoch: MAX, cursor: MAX - 2n },
    '{"remote_session_id":"s","previous_epoch":18446744073709551615,"cursor":{"observed_sequence":18446744073709551613}}',
    { session: 's', epoch: 1, cursor: 0 },
    '{"remote_session_id":"s","previous_epoch":1,"cursor":{"observed_sequence":0}}',
  ],
  [
    'transport_config',
    { kind: 'websocket', included: true, enabled: false, endpoint: 'wss://host' },
    '{"kind":"websocket","included":true,"enabled":false,"endpoint":"wss://host"}',
    { kind: 'not yet known', included: false, enabled: true },
    '{"kind":"not yet known","included":false,"enabled":true}',
  ],
]);
const KINDS = EXAMPLES.map(([kind]) => kind);

for (const [kind, full, fullText, least, leastText] of EXAMPLES) {
  test(`${kind}: goes out in the contract's names and comes back the same`, () => {
    assert.equal(lg.toWire(kind, full), fullText);
    assert.equal(lg.toWire(kind, least), leastText);
    const record = lg.fromWire(kind, fullText);
    assert.ok(Object.isFrozen(record));
    assert.deepEqual({ ...record, key: null, acceptance: null }, { ...full, key: null, acceptance: null });
    for (const text of [fullText, leastText]) {
      assert.equal(lg.toWire(kind, lg.fromWire(kind, text)), text);
      JSON.parse(text);
    }
  });

  test(`${kind}: white space, the order of the members and unknown ones do not matter`, () => {
    const members = Object.entries(JSON.parse(leastText)).reverse();
    const exact = (/** @type {string} */ name) =>
      new RegExp(`"${name}":(\\{[^}]*\\}|"(?:[^"\\\\]|\\\\.)*"|[^,}]+)`).exec(leastText)?.[1];
    const shuffled = members.map(([name]) => ` "${name}"\t:\n${exact(name)} `).join(',');
    const text = `\n { "unknown" : {"deep":[[["}"]],{"a":"\\"]"}]} ,${shuffled}, "more": [1e400, null] } \r\n`;
    assert.deepEqual(lg.fromWire(kind, text), lg.fromWire(kind, leastText));
  });

  test(`${kind}: every member that is missing, null or of another type is malformed by its name`, () => {
    const members = JSON.parse(leastText);
    for (const name of Object.keys(members)) {
      if (name === 'payload') continue;
      const without = { ...members };
      delete without[name];
      for (const text of [
        JSON.stringify(without),
        ...['null', '[]', '{}', '"\\ud800"', '1.5', '-1', '1e3', '18446744073709551616'].map((value) =>
          leastText.replace(new RegExp(`"${name}":(\\{.*?\\}|"[^"]*"|[a-z0-9]+)`), `"${name}":${value}`),
        ),
      ]) {
        let thrown = null;
        try {
          lg.fromWire(kind, text);
        } catch (error) {
          thrown = /** @type {any} */ (error);
        }
        assert.ok(thrown, text);
        assert.deepEqual([thrown.code, thrown.kind], ['malformed_wire', kind], text);
        assert.equal(typeof thrown.field, 'string', text);
        assert.ok(!thrown.message.includes('ud800'));
      }
    }
  });
}

test('a text that is no JSON object is malformed as a whole', () => {
  for (const text of [
    '',
    ' ',
    'x',
    '{',
    '{"a":1,}',
    '[]',
    '"x"',
    '7',
    'null',
    'true',
    '{}{}',
    '\ufeff{}',
    "{'a':1}",
  ]) {
    for (const kind of KINDS) {
      assert.throws(() => lg.fromWire(kind, text), { code: 'malformed_wire', kind, field: null }, text);
    }
  }
});

test('base64 is taken in its one form only', () => {
  const read = (/** @type {string} */ payload) =>
    lg.fromWire('outbound_event', JSON.stringify({ message_id: 'm', type: 't', payload })).payload;
  for (let size = 0; size < 70; size += 1) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 37 + size) & 0xff);
    assert.deepEqual(read(Buffer.from(bytes).toString('base64')), bytes);
  }
  for (const payload of [
    'A',
    'AA',
    'AAA',
    'A===',
    'AA=A',
    '====',
    'AB==',
    'AAB=',
    'AA==AA==',
    'AA A',
    'AA-_',
    'AAé=',
    '\nAAA',
  ]) {
    assert.throws(() => read(payload), { code: 'malformed_wire', field: 'payload' }, payload);
  }
  const large = new Uint8Array(3_000_001).fill(0xa5);
  assert.deepEqual(
    lg.fromWire('outbound_event', lg.toWire('outbound_event', { messageId: 'm', type: 't', payload: large }))
      .payload,
    large,
  );
  assert.equal(
    lg.fromWire('outbound_event', '{"message_id":"m","type":"t","payload":null}').payload.length,
    0,
  );
});

test('times are RFC 3339, whatever their offset and precision', () => {
  const read = (/** @type {string} */ at) =>
    lg.fromWire('transition', JSON.stringify({ from: 'new', to: 'closed', at })).at;
  assert.equal(read('2026-11-29T18:30:15.123Z'), NOW);
  assert.equal(read('2026-11-29T18:30:15.123999999Z'), NOW);
  assert.equal(read('2026-11-29T20:00:15.123+01:30'), NOW);
  assert.equal(read('2026-11-29t10:30:15.123-08:00'), NOW);
  assert.equal(read('2026-11-29T18:30:15z'), NOW - 123);
  assert.equal(read('2024-02-29T00:00:00Z'), Date.UTC(2024, 1, 29));
  assert.equal(read('9999-12-31T23:59:59.999Z'), 253_402_300_799_999);
  for (const at of [
    '2026-11-29',
    '2026-11-29T18:30:15',
    '2026-11-29 18:30:15Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-11-29T24:00:00Z',
    '2026-11-29T18:60:00Z',
    '2026-11-29T18:30:15.Z',
    '2026-11-29T18:30:15+24:00',
    '1969-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    `2026-11-29T18:30:15.${'1'.repeat(100)}Z`,
    '',
  ]) {
    assert.throws(() => read(at), { code: 'malformed_wire', field: 'at' }, at);
  }
});

test('hostile depth and length are taken in stride', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const text = `{"observed_sequence":5,"x":${deep}}`;
  assert.equal(lg.fromWire('cursor', text).sequence, 5n);
  assert.throws(() => lg.fromWire('cursor', `{"observed_sequence":${'9'.repeat(1_000_000)}}`), {
    code: 'malformed_wire',
    field: 'observed_sequence',
  });
  assert.throws(() => lg.fromWire('cursor', `{"observed_sequence":${deep}}`), { code: 'malformed_wire' });
  const twice = lg.fromWire('cursor', '{"observed_sequence":1,"observed_sequence":2}');
  assert.equal(twice.sequence, 2n, 'as everywhere, the last one counts');
  assert.equal(lg.fromWire('cursor', '{"observed\\u005fsequence":3}').sequence, 3n);
  assert.throws(() => lg.fromWire('cursor', '{"__proto__":{"observed_sequence":1}}'), {
    field: 'observed_sequence',
  });
});

test('what toWire is given wrongly is a TypeError or RangeError by its name', () => {
  const event = { messageId: 'm', type: 't' };
  for (const [kind, record, name, message] of /** @type {[any, any, string, RegExp][]} */ ([
    ['pigeon', {}, 'TypeError', /^kind must be one of/],
    ['toString', {}, 'TypeError', /^kind must be one of/],
    ['cursor', null, 'TypeError', /^cursor must be an object/],
    ['cursor', {}, 'TypeError', /^cursor\.sequence must be/],
    ['cursor', { sequence: 1.5 }, 'RangeError', /^cursor\.sequence must be/],
    ['cursor', { sequence: 2n ** 64n }, 'RangeError', /^cursor\.sequence must be/],
    ['outbound_event', { ...event, messageId: '\ud800' }, 'TypeError', /^outbound_event\.messageId must be/],
    ['outbound_event', { ...event, payload: 'text' }, 'TypeError', /^outbound_event\.payload must be/],
    [
      'control_record',
      { ...exampleOf('control_record'), value: '{' },
      'TypeError',
      /^control_record\.value must be JSON/,
    ],
    [
      'control_record',
      { ...exampleOf('control_record'), state: 'new' },
      'TypeError',
      /^control_record\.state must be/,
    ],
    [
      'control_record',
      { ...exampleOf('control_record'), key: { request: 'r' } },
      'TypeError',
      /^control_record\.key\.session must/,
    ],
    ['transition', { ...exampleOf('transition'), at: -1 }, 'RangeError', /^transition\.at must be/],
    [
      'transition',
      { ...exampleOf('transition'), at: 253_402_300_800_000 },
      'RangeError',
      /^transition\.at must be/,
    ],
    [
      'acceptance',
      { accepted: 1, durabilityKnown: true },
      'TypeError',
      /^acceptance\.accepted must be a boolean/,
    ],
  ])) {
    assert.throws(() => lg.toWire(kind, record), { name, message });
  }
  assert.throws(() => lg.fromWire('pigeon', '{}'), { name: 'TypeError', message: /^kind must be/ });
  assert.throws(() => lg.fromWire('cursor', /** @type {any} */ ({})), {
    name: 'TypeError',
    message: /^text must be/,
  });
});
/** @param {string} kind */
function exampleOf(kind) {
  return EXAMPLES.find(([name]) => name === kind)?.[1];
}

test('what the classes answer goes out, and what comes in goes into them', () => {
  const cursor = new lg.Cursor(41n);
  assert.equal(lg.toWire('cursor', cursor), '{"observed_sequence":41}');
  const registry = new lg.ControlRegistry({ clock: () => NOW });
  const key = lg.fromWire('control_key', EXAMPLES[4][2]);
  registry.accept({ key, subtype: 'x' });
  registry.resolve({ key, state: 'succeeded', value: ' {"a": 1} ' });
  const text = lg.toWire('control_record', registry.get(key));
  assert.equal(lg.fromWire('control_record', text).value, '{"a": 1}');
  lg.validateIdentity(lg.fromWire('identity_tuple', EXAMPLES[3][4]));
});
