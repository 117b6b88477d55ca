// The pieces that read what a remote side has written: JSON, base64, event streams, frames.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromBase64, toBase64 } from '../../../js/transports/base64.js';
import { EventStreamParser, MalformedStream } from '../../../js/transports/event-stream.js';
import { MalformedFrame, readClientFrame, readServerFrame } from '../../../js/transports/frames.js';
import { MalformedJson, parseJson, writeJson } from '../../../js/transports/json.js';
import { utf8Length } from '../../../js/transports/texts.js';
import { random } from './support/servers.js';

const encode = (text) => new TextEncoder().encode(text);
const limits = { maxLineBytes: 1000, maxEventBytes: 1000 };

/** All chunks into one parser. */
function parse(chunks, bounds = limits) {
  const parser = new EventStreamParser(bounds);
  return { events: chunks.flatMap((chunk) => [...parser.push(chunk)]), retryMs: parser.retryMs };
}

const corpus = [
  'data: one\n\n',
  'data: one\r\n\r\ndata: two\r\rdata: three\n\n',
  '\ufeffdata: after a mark\n\n\ufeffdata: not at the start\n\n',
  ': a comment\n:\n\ndata\n\ndata:\n\ndata:  two spaces\n\n',
  'event: named\nid: 7\ndata: a\ndata: b\n\ndata: keeps the id\n\nid\ndata: none\n\nid: a\0b\ndata: x\n\n',
  'retry: 250\nretry: x1\nunknown: field\nnocolon\ndata: é€\u{1f600}\n\n',
  'event: without data\n\ndata: type is forgotten\n\ndata: unfinished\n',
  'data: a\r\ndata: b\n\r\n\r\ndata: c\r\n\n',
];

const single = (text) => parse([encode(text)]);

test('event streams: fields, comments, endings of lines, as the standard says', () => {
  const message = (data, lastEventId = '') => ({ type: 'message', data, lastEventId });
  assert.deepEqual(single(corpus[0]).events, [message('one')]);
  assert.deepEqual(single(corpus[1]).events, [message('one'), message('two'), message('three')]);
  assert.deepEqual(single(corpus[2]).events, [message('after a mark')]);
  assert.deepEqual(single(corpus[3]).events, [message(''), message(''), message(' two spaces')]);
  assert.deepEqual(single(corpus[4]).events, [
    { type: 'named', data: 'a\nb', lastEventId: '7' },
    message('keeps the id', '7'),
    message('none'),
    message('x'),
  ]);
  assert.deepEqual(single(corpus[5]), { events: [message('é€\u{1f600}')], retryMs: 250 });
  assert.deepEqual(single(corpus[6]).events, [message('type is forgotten')]);
  assert.deepEqual(single(corpus[7]).events, [message('a\nb'), message('c')]);
});

test('event streams: wherever a stream is split, the events are the same', () => {
  for (const text of corpus) {
    const bytes = encode(text);
    const whole = parse([bytes]);
    for (let i = 0; i <= bytes.length; i += 1) {
      for (let j = i; j <= bytes.length; j += 1) {
        const chunks = [bytes.subarray(0, i), bytes.subarray(i, j), bytes.subarray(j)];
        assert.deepEqual(parse(chunks), whole, `${JSON.stringify(text)} split at ${i} and ${j}`);
      }
    }
    assert.deepEqual(parse(Array.from(bytes, (byte) => Uint8Array.of(byte))), whole);
  }
});

test('event streams: lines, events and bytes that break a rule', () => {
  const detail = (text) => {
    try {
      parse(Array.isArray(text) ? text : [encode(text)], { maxLineBytes: 20, maxEventBytes: 30 });
    } catch (error) {
      assert.ok(error instanceof MalformedStream);
      return error.detail;
    }
    return null;
  };
  assert.equal(detail(`data: ${'x'.repeat(14)}\n\n`), null);
  assert.equal(detail(`data: ${'x'.repeat(15)}\n\n`), 'line_too_long');
  assert.equal(detail(Array(21).fill(encode('x'))), 'line_too_long', 'without an end of line');
  assert.equal(detail(`:${'x'.repeat(20)}\n`), 'line_too_long', 'comments too');
  assert.equal(detail('data\n'.repeat(8)), 'event_too_long');
  assert.equal(detail('data: 1234\n\n'.repeat(8)), null, 'each event by itself');
  assert.equal(detail([Uint8Array.of(0x64, 0xff, 0x0a)]), 'not_utf8');
  assert.equal(detail([Uint8Array.of(0xc3), Uint8Array.of(0x0a)]), 'not_utf8');
});

test('JSON: integers keep every digit, the rest is as JSON.parse has it', () => {
  const plain = (value) =>
    typeof value === 'bigint'
      ? Number(value)
      : Array.isArray(value)
        ? value.map(plain)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
          : value;
  const texts = [
    '{}',
    '[]',
    ' [1, -2 ,3.5e2,\t0.25, true,false,null ]\r\n',
    '{"a":{"b":[{}]},"__proto__":"x"}',
  ];
  texts.push('"\\"\\\\\\/\\b\\n\\u00e9\\ud83d\\ude00 é"', '"a\\\\"', '["\\\\\\"","x"]', '""', '{"":""}');
  for (const text of texts) assert.deepEqual(plain(parseJson(text)), JSON.parse(text), text);
  assert.equal(parseJson('18446744073709551615'), 2n ** 64n - 1n);
  assert.equal(parseJson('-9007199254740993'), -(2n ** 53n) - 1n);
  assert.equal(
    writeJson({ a: 2n ** 64n - 1n, b: undefined, c: [true, null, 'é"\n'] }),
    '{"a":18446744073709551615,"c":[true,null,"é\\"\\n"]}',
  );
});

test('JSON: what is no JSON, stands twice or nests too deep is refused', () => {
  const texts = [
    '',
    ' ',
    '{',
    '}',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '01',
    '1.',
    '.5',
    '+1',
    '--1',
    'tru',
    'nul',
    'NaN',
    '"',
    '"\\"',
  ];
  texts.push('"\\x"', '"\u0000"', '"a\nb"', '1 2', '{"a" 1}', "'a'", '{"a":1,"a":2}', '1'.repeat(21), '[1');
  texts.push(
    `${'['.repeat(18)}${']'.repeat(18)}`,
    '\ufeff{}',
    '"\\u12"',
    '{"a":1}x',
    '[,1]',
    '{"a":}',
    '{1:2}',
  );
  for (const text of texts) assert.throws(() => parseJson(text), MalformedJson, text);
});

test('JSON: a payload of many megabytes is read in one piece', () => {
  const payload = 'QUJD'.repeat(4_000_000);
  assert.equal(parseJson(`{"payload":"${payload}"}`).payload.length, payload.length);
});

test('base64: bytes come back, and there is one way to write them', () => {
  const rand = random(1);
  for (let length = 0; length < 70; length += 1) {
    const bytes = Uint8Array.from({ length }, () => rand(256));
    const text = toBase64(bytes);
    assert.equal(text, Buffer.from(bytes).toString('base64'));
    assert.deepEqual(fromBase64(text), bytes);
  }
  for (const text of [
    'A',
    'AA',
    'AAA',
    'AA=A',
    '====',
    'A===',
    'AB==',
    'AAB=',
    'AA-_',
    'AAA\n',
    'AAAé',
    'AA==AA==',
    'AAA=====',
  ]) {
    assert.equal(fromBase64(text), null, text);
  }
});

test('bytes of UTF-8 are counted without making them', () => {
  for (const text of ['', 'abc', 'é', '€', '\u{1f600}', 'aé€\u{1f600}z'])
    assert.equal(utf8Length(text), encode(text).length);
});

test('frames: random damage is a malformed frame or a frame, never anything else', () => {
  const rand = random(42);
  const good = [
    '{"frame":"welcome","version":1,"remote_session_id":"s","worker_epoch":2}',
    '{"frame":"event","sequence":3,"event":{"message_id":"m","type":"t","payload":"QUJD"}}',
    '{"frame":"event","send_id":3,"event":{"message_id":"m","type":"t","payload":""}}',
    '{"frame":"acceptance","send_id":1,"acceptance":{"accepted":true,"durability_known":false,"remote_ack_id":"r"}}',
    '{"frame":"ping","ping_id":1}',
    '{"frame":"ack","sequence":1}',
    '{"frame":"hello","version":1,"resume_point":{"remote_session_id":"s","previous_epoch":1,"cursor":{"observed_sequence":0}},"receive_window":{"events":1,"bytes":1},"token":"t"}',
  ];
  const alphabet = '{}[]":,0123456789.eE+-\\/nulltruefalse \u0000é\ud800abcxyz';
  let malformed = 0;
  for (let i = 0; i < 4000; i += 1) {
    let text = good[rand(good.length)];
    for (let n = rand(4); n >= 0; n -= 1) {
      const at = rand(text.length + 1);
      text = text.slice(0, at) + (alphabet[rand(alphabet.length)] ?? '') + text.slice(at + rand(3));
    }
    for (const read of [readServerFrame, readClientFrame]) {
      try {
        read(text);
      } catch (error) {
        assert.ok(error instanceof MalformedFrame, `${text}: ${error}`);
        assert.match(error.detail, /^[a-z_0-9]+$/);
        malformed += 1;
      }
    }
  }
  assert.ok(malformed > 4000);
});
