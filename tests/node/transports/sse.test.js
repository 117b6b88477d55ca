// What only event streams have: statuses, chunks, ids, and one POST at a time.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventStreamHandler } from 'leasegate/transports/server';
import { sseFactory } from 'leasegate/transports/sse';
import {
  accepted,
  deferred,
  event,
  random,
  rawHttpServer,
  resumeAt,
  startBridge,
  streamByHand,
  streamEvent,
  until,
} from './support/servers.js';

async function connect(t, endpoint, options = {}) {
  const make = sseFactory({ resume: resumeAt(), onEvent: () => {}, ackDelayMs: 60_000, ...options });
  const transport = await make({ kind: 'ccr_sse', endpoint });
  t.after(() => transport.close({ signal: AbortSignal.abort() }));
  return transport;
}

/** What becomes of a client whose server does this after the welcome. */
async function endOf(t, act, options = {}) {
  const ended = deferred();
  const endpoint = await rawHttpServer(t, (request, response) => {
    streamByHand(response, request);
    setTimeout(() => act(response), 2);
  });
  return connect(t, endpoint, { ...options, onClose: ended.resolve }).then(
    async (transport) => {
      const info = await ended.promise;
      assert.deepEqual(await transport.close(), { dropped: 0, remoteDurabilityKnown: false });
      return info.error;
    },
    (failure) => failure, // it came so soon that connecting failed
  );
}

async function bodyOf(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return JSON.parse(body);
}

describe('ccr_sse', { timeout: 15_000 }, () => {
  test('the stream is asked for with the cursor as Last-Event-ID; a POST says who it speaks for', async (t) => {
    const requests = [];
    const endpoint = await rawHttpServer(t, async (request, response) => {
      requests.push(request);
      if (request.method === 'GET') return streamByHand(response, request);
      const frame = await bodyOf(request);
      response.end(
        JSON.stringify({
          frame: 'acceptance',
          send_id: frame.send_id,
          acceptance: { accepted: true, durability_known: false },
        }),
      );
    });
    const resume = { session: 'é: 1', epoch: 2n ** 64n - 1n, cursor: 2n ** 63n };
    const sendEndpoint = `${endpoint}/send`;
    const transport = await connect(t, endpoint, {
      resume,
      sendEndpoint,
      token: 'secret',
      headers: { 'x-extra': 'yes' },
    });
    await transport.send(event('m1'));
    const [get, post] = requests;
    assert.equal(get.headers['last-event-id'], '9223372036854775808');
    assert.equal(get.headers['leasegate-epoch'], '18446744073709551615');
    assert.equal(get.headers.accept, 'text/event-stream');
    assert.equal(post.url, '/bridge/send');
    assert.equal(post.headers['leasegate-epoch'], '2', 'the epoch of the welcome');
    for (const { headers } of requests) {
      assert.equal(headers['leasegate-session'], '%C3%A9%3A%201');
      assert.equal(headers.authorization, 'Bearer secret');
      assert.equal(headers['x-extra'], 'yes');
    }
  });

  test('answers that are no event stream, by status and by type', async (t) => {
    const answers = {
      200: 'protocol_error',
      204: 'other',
      401: 'unauthorized',
      403: 'policy',
      404: 'unknown_session',
    };
    Object.assign(answers, {
      409: 'stale_epoch',
      410: 'cursor_lost',
      429: 'overloaded',
      500: 'remote_failure',
      599: 'remote_failure',
    });
    for (const [status, reason] of Object.entries(answers)) {
      const endpoint = await rawHttpServer(t, (_, response) => {
        response.writeHead(Number(status), { 'content-type': 'text/html' });
        response.end('secret words');
      });
      const error = await connect(t, endpoint).catch((thrown) => thrown);
      assert.deepEqual(
        [error.code, error.reason, error.status],
        ['transport_connect_failed', reason, Number(status)],
      );
      assert.equal(JSON.stringify(error).includes('secret'), false);
    }
  });

  test('a redirect is not followed: it could carry the headers elsewhere', async (t) => {
    const visited = [];
    const elsewhere = await rawHttpServer(t, (request) => visited.push(request.url));
    const endpoint = await rawHttpServer(t, (_, response) =>
      response.writeHead(307, { location: elsewhere }).end(),
    );
    await assert.rejects(connect(t, endpoint, { token: 'secret' }), { code: 'transport_connect_failed' });
    assert.deepEqual(visited, []);
  });

  test('what is wrong in the stream ends it, with the rule that was broken', async (t) => {
    const frame = (data) => (response) => response.write(`data: ${data}\n\n`);
    const options = { maxFrameBytes: 1024 };
    for (const [act, reason, detail] of [
      [frame('?'), 'protocol_error', 'not_json'],
      [frame('{"frame":"pong","ping_id":1}'), 'protocol_error', 'unexpected_frame'],
      [
        (response) => response.write(streamEvent(3, 'm').replace('id: 3', 'id: 4')),
        'protocol_error',
        'last_event_id',
      ],
      [
        (response) => response.write(streamEvent(3, 'm').replace('id: 3\n', '')),
        'protocol_error',
        'last_event_id',
      ],
      [(response) => response.write(Buffer.from([0xff, 0x0a])), 'protocol_error', 'not_utf8'],
      [(response) => response.write('x'.repeat(2000)), 'too_big', 'line_too_long'],
      [(response) => response.write('data\n'.repeat(400)), 'too_big', 'event_too_long'],
    ]) {
      const error = await endOf(t, act, options);
      assert.deepEqual([error.reason, error.origin, error.detail], [reason, 'local', detail]);
    }
    assert.equal((await endOf(t, (response) => response.end())).reason, 'normal');
    assert.equal((await endOf(t, (response) => response.destroy())).reason, 'abnormal');
  });

  test('hundreds of random pieces of stream: an end with a reason, nothing thrown outside', async (t) => {
    const rand = random(5);
    const pieces = [
      'data',
      ':',
      ' ',
      '\n',
      '\r',
      '\r\n',
      'id: 3',
      'retry: 5',
      '{"frame":"event"',
      '}',
      'é',
      '\0',
      '\n\n',
    ];
    const endpoint = await rawHttpServer(t, (request, response) => {
      streamByHand(response, request);
      setImmediate(() => {
        for (let i = 0; i < 12; i += 1)
          response.write(rand(12) ? pieces[rand(pieces.length)] : Buffer.of(rand(256)));
        response.end();
      });
    });
    const reasons = new Set();
    for (let i = 0; i < 40; i += 1) {
      const ended = deferred();
      await connect(t, endpoint, { onClose: ended.resolve }).catch(ended.resolve);
      reasons.add((await ended.promise).reason);
    }
    assert.deepEqual([...reasons].sort(), ['normal', 'protocol_error']);
  });

  test('one byte a chunk, comments between, and every ending of lines: the events are the same', async (t) => {
    const endpoint = await rawHttpServer(t, async (request, response) => {
      streamByHand(response, request);
      const stream = `retry: 1234\n:\n${streamEvent(5, 'm5')}: c\r\n${streamEvent(6, 'm6').replaceAll('\n', '\r\n')}${streamEvent(7, 'm7').replaceAll('\n', '\r')}`;
      for (const byte of Buffer.from(stream)) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
    });
    const got = [];
    const transport = await connect(t, endpoint, { onEvent: ({ sequence }) => got.push(sequence) });
    await until(() => got.length === 3);
    assert.deepEqual(got, [5n, 6n, 7n]);
    assert.equal(transport.retryMs, 1234);
  });

  test('comments keep a stream alive, and a busy host is no silence of the server', async (t) => {
    const ends = [];
    const endpoint = await rawHttpServer(t, (request, response) => {
      streamByHand(response, request);
      response.write(streamEvent(1, 'm1'));
      const timer = setInterval(() => response.write(':\n\n'), 15);
      response.on('close', () => clearInterval(timer));
    });
    const handled = deferred();
    await connect(t, endpoint, {
      idleTimeoutMs: 100,
      onEvent: () => new Promise((resolve) => setTimeout(resolve, 250)).then(handled.resolve),
      onClose: ({ reason }) => ends.push(reason),
    });
    await handled.promise;
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual(ends, []);
  });

  test('a host that does not keep up holds the server back', async (t) => {
    const bridge = await startBridge(t, 'ccr_sse', { maxPendingBytes: 2 ** 30 });
    const gate = deferred();
    let got = 0;
    await bridge.connect({
      onEvent: async () => {
        await gate.promise;
        got += 1;
      },
    });
    await until(() => bridge.peers.length === 1);
    const [peer] = bridge.peers;
    const payload = new Uint8Array(300_000);
    for (let i = 1; i <= 40; i += 1) void peer.send({ sequence: i, event: event(`m${i}`, payload) });
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(peer.pendingEvents > 10, `${peer.pendingEvents} wait`);
    gate.resolve();
    await until(() => got === 40);
  });

  test('there is one POST at a time, in the order of the calls', async (t) => {
    let busy = 0;
    const seen = [];
    const bridge = await startBridge(t, 'ccr_sse', {
      onEvent: async ({ messageId }) => {
        busy += 1;
        assert.equal(busy, 1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        seen.push(messageId);
        busy -= 1;
        return accepted;
      },
    });
    const transport = await bridge.connect();
    const ids = Array.from({ length: 30 }, (_, i) => `m${i}`);
    await Promise.all(ids.map((id) => transport.send(event(id))));
    assert.deepEqual(seen, ids);
  });

  test('an answer to a POST is an acceptance of that send; anything else ends the transport', async (t) => {
    const acceptance = (send_id, record) =>
      JSON.stringify({ frame: 'acceptance', send_id, acceptance: record });
    const yes = { accepted: true, durability_known: true };
    for (const [status, body, reason] of [
      [200, 'no json', 'protocol_error'],
      [200, '', 'protocol_error'],
      [200, acceptance(2, yes), 'protocol_error'],
      [200, acceptance(1, {}), 'protocol_error'],
      [200, 'x'.repeat(100_000), 'too_big'],
      [409, '', 'stale_epoch'],
      [401, '<html>', 'unauthorized'],
      [413, '', 'too_big'],
      [500, '', 'remote_failure'],
      [0, '', 'abnormal'],
    ]) {
      const endpoint = await rawHttpServer(t, (request, response) => {
        if (request.method === 'GET') streamByHand(response, request);
        else if (status === 0) request.socket.destroy();
        else response.writeHead(status).end(body);
      });
      const transport = await connect(t, endpoint);
      const sends = [transport.send(event('m1')), transport.send(event('m2'))];
      for (const send of sends)
        await assert.rejects(send, { code: 'transport_closed', reason }, `${status} ${body.slice(0, 40)}`);
      assert.deepEqual(await transport.close(), { dropped: 2, remoteDurabilityKnown: false });
    }
    const endpoint = await rawHttpServer(t, (request, response) => {
      if (request.method === 'GET') streamByHand(response, request);
      else response.writeHead(503).end(acceptance(1, { accepted: false, durability_known: false }));
    });
    const transport = await connect(t, endpoint);
    assert.equal((await transport.send(event('m1'))).accepted, false, 'a refusal in words is an answer');
    assert.deepEqual(await transport.close(), { dropped: 0, remoteDurabilityKnown: false });
  });

  test('closing sends the acknowledgement that is due', async (t) => {
    const bridge = await startBridge(t, 'ccr_sse');
    const handled = deferred();
    const transport = await bridge.connect({ ackDelayMs: 60_000, onEvent: () => handled.resolve() });
    await until(() => bridge.peers.length === 1);
    await bridge.peers[0].send({ sequence: 9, event: event('m9') });
    await handled.promise;
    await new Promise(setImmediate);
    await transport.close();
    assert.deepEqual(bridge.acks, [9n]);
  });

  test('the server: a newer stream of a session ends the older one, whose POSTs are stale', async (t) => {
    let epoch = 1n;
    const bridge = await startBridge(t, 'ccr_sse', {
      welcome: () => {
        epoch += 1n;
        return { epoch };
      },
    });
    const ended = deferred();
    const first = await bridge.connect({ onClose: ended.resolve });
    const second = await bridge.connect();
    assert.equal((await ended.promise).reason, 'normal');
    await assert.rejects(first.send(event('m1')), { code: 'transport_closed' });
    assert.equal((await second.send(event('m2'))).accepted, true);
    assert.equal(bridge.closed[0].reason, 'stale_epoch');
  });

  test('the server: requests by hand meet their status', async (t) => {
    const bridge = await startBridge(t, 'ccr_sse', { maxFrameBytes: 1024, maxStreams: 1 });
    const transport = await bridge.connect({ token: 'secret' });
    const own = {
      'leasegate-protocol': '1',
      'leasegate-session': 'session',
      'leasegate-epoch': transport.epoch.toString(),
      authorization: 'Bearer secret',
    };
    const ask = async (method, headers, body) => {
      const response = await fetch(bridge.endpoint, { method, headers: { ...own, ...headers }, body });
      return [response.status, await response.text()];
    };
    const frame = '{"frame":"event","send_id":1,"event":{"message_id":"m","type":"t","payload":""}}';
    assert.equal((await ask('POST', {}, frame))[0], 200);
    assert.deepEqual(await ask('POST', { authorization: 'Bearer secres' }, frame), [401, '']);
    assert.deepEqual(await ask('POST', { authorization: '' }, frame), [401, '']);
    assert.deepEqual(await ask('POST', { 'leasegate-epoch': '1' }, frame), [409, '']);
    assert.deepEqual(await ask('POST', { 'leasegate-session': 'other' }, frame), [409, '']);
    assert.deepEqual(await ask('POST', { 'leasegate-session': '%zz' }, frame), [400, '']);
    assert.deepEqual(await ask('POST', { 'leasegate-protocol': '2' }, frame), [400, '']);
    assert.deepEqual(await ask('POST', {}, 'no json'), [400, '']);
    assert.deepEqual(await ask('POST', {}, '{"frame":"ack","sequence":5}'), [400, '']);
    assert.deepEqual(await ask('POST', {}, 'x'.repeat(2000)), [413, '']);
    assert.deepEqual(await ask('GET', { 'leasegate-session': 'second' }), [429, '']);
    assert.deepEqual(await ask('GET', { 'last-event-id': '-1' }), [400, '']);
    assert.equal((await ask('PUT', {}, 'x'))[0], 405);
    assert.equal((await transport.send(event('m2'))).accepted, true, 'the stream is none the worse');
  });

  test('tells clients how long to wait before they come again, and takes no other time than one', async (t) => {
    const host = { welcome: () => ({ epoch: 1n }), onEvent: () => accepted };
    for (const retryMs of [-1, 1.5, Number.NaN, 2 ** 31])
      assert.throws(() => eventStreamHandler({ ...host, retryMs }), RangeError, String(retryMs));
    assert.throws(() => eventStreamHandler({ ...host, retryMs: '5' }), TypeError);
    for (const retryMs of [0, 1_500, undefined]) {
      const bridge = await startBridge(t, 'ccr_sse', { retryMs });
      const transport = await bridge.connect();
      assert.equal(transport.retryMs, retryMs ?? null);
    }
  });
});
