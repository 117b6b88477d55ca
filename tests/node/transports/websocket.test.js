// What only WebSockets have: close codes, a buffer to fill, a window, heartbeats of our own.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { websocketFactory } from 'leasegate/transports/websocket';
import { WebSocket } from 'ws';
import {
  deferred,
  event,
  random,
  rawWebSocketServer,
  resumeAt,
  startBridge,
  until,
  welcomeByHand,
} from './support/servers.js';

/** The standard's class: no terminate, no options, and close codes of the application only. */
class StandardWebSocket {
  static closed = [];
  #socket;
  constructor(url, protocols) {
    this.#socket = new WebSocket(url, protocols);
  }
  get readyState() {
    return this.#socket.readyState;
  }
  get bufferedAmount() {
    return this.#socket.bufferedAmount;
  }
  set binaryType(type) {
    this.#socket.binaryType = type;
  }
  addEventListener(...parameters) {
    this.#socket.addEventListener(...parameters);
  }
  removeEventListener(...parameters) {
    this.#socket.removeEventListener(...parameters);
  }
  send(data) {
    this.#socket.send(data);
  }
  close(code) {
    if (code !== undefined && code !== 1000 && (code < 3000 || code > 4999)) throw new DOMException('code');
    StandardWebSocket.closed.push(code);
    this.#socket.close(code);
  }
}

async function connect(t, endpoint, options = {}) {
  const make = websocketFactory({ resume: resumeAt(), onEvent: () => {}, ...options });
  const transport = await make({ kind: 'websocket', endpoint });
  t.after(() => transport.close({ signal: AbortSignal.abort() }));
  return transport;
}

/** What becomes of a client whose server does this after the welcome: its end, and the code that the server sees. */
async function endOf(t, act, options = {}) {
  const seen = deferred();
  const ended = deferred();
  const endpoint = await rawWebSocketServer(t, (socket) => {
    welcomeByHand(socket, (frame) => frame.frame === 'hello' && setTimeout(() => act(socket), 2));
    socket.on('close', seen.resolve);
  });
  const error = await connect(t, endpoint, { ...options, onClose: ended.resolve }).then(
    async (transport) => {
      const info = await ended.promise;
      assert.equal((await transport.close()).dropped, 0);
      return info.error;
    },
    (failure) => failure, // it came so soon that connecting failed
  );
  return { error, seen: await seen.promise };
}

describe('websocket', { timeout: 15_000 }, () => {
  test('each close code of the server has its reason', async (t) => {
    const reasons = {
      1000: 'normal',
      1001: 'going_away',
      1002: 'protocol_error',
      1003: 'protocol_error',
      1007: 'protocol_error',
      1008: 'policy',
      1009: 'too_big',
      1011: 'remote_failure',
      1012: 'going_away',
      1013: 'overloaded',
      3000: 'other',
      4400: 'protocol_error',
      4401: 'unauthorized',
      4404: 'unknown_session',
      4408: 'idle_timeout',
      4409: 'stale_epoch',
      4410: 'cursor_lost',
      4413: 'too_big',
      4999: 'other',
    };
    await Promise.all(
      Object.entries(reasons).map(async ([code, reason]) => {
        const { error } = await endOf(t, (socket) => socket.close(Number(code), 'text of the other side'));
        assert.equal(error.reason, reason, code);
        assert.equal(error.closeCode, Number(code));
        assert.equal(error.origin, 'remote');
        assert.equal(error.message.includes('text of'), false);
      }),
    );
    assert.equal((await endOf(t, (socket) => socket.close())).error.reason, 'normal');
    assert.equal((await endOf(t, (socket) => socket.terminate())).error.reason, 'abnormal');
    assert.equal((await endOf(t, (socket) => socket._socket.destroy())).error.closeCode, 1006);
  });

  test('malformed frames end the connection with 1002 and the rule that was broken', async (t) => {
    const broken = {
      'no json': 'not_json',
      '[]': 'not_an_object',
      '{"frame":"what"}': 'unknown_frame',
      '{"frame":"hello","version":1}': 'unknown_frame',
      '{"frame":"welcome","version":1,"remote_session_id":"session","worker_epoch":3}': 'unexpected_frame',
      '{"frame":"event","sequence":0,"event":{"message_id":"m","type":"t","payload":""}}': 'sequence',
      '{"frame":"event","sequence":18446744073709551616,"event":{"message_id":"m","type":"t","payload":""}}':
        'sequence',
      '{"frame":"event","sequence":1.5,"event":{"message_id":"m","type":"t","payload":""}}': 'sequence',
      '{"frame":"event","sequence":1,"event":{"message_id":"","type":"t","payload":""}}': 'message_id',
      '{"frame":"event","sequence":1,"event":{"message_id":"\\ud800","type":"t","payload":""}}': 'message_id',
      '{"frame":"event","sequence":1,"event":{"message_id":"m","type":"","payload":""}}': 'type',
      '{"frame":"event","sequence":1,"event":{"message_id":"m","type":"t","payload":"?"}}': 'payload',
      '{"frame":"event","sequence":1,"event":null}': 'event',
      '{"frame":"acceptance","send_id":9,"acceptance":{"accepted":true,"durability_known":true}}': 'send_id',
      '{"frame":"acceptance","send_id":1,"acceptance":{"accepted":1,"durability_known":true}}': 'accepted',
    };
    await Promise.all(
      Object.entries(broken).map(async ([text, detail]) => {
        const { error, seen } = await endOf(t, (socket) => socket.send(text));
        assert.deepEqual(
          [error.reason, error.origin, error.detail, seen],
          ['protocol_error', 'local', detail, 1002],
          text,
        );
      }),
    );
    const binary = await endOf(t, (socket) => socket.send(Buffer.from('{}')));
    assert.deepEqual([binary.error.detail, binary.seen], ['binary_frame', 1002]);
    const notUtf8 = await endOf(t, (socket) => socket._socket.write(Buffer.from([0x81, 0x01, 0xff])));
    assert.equal(notUtf8.error.reason, 'protocol_error');
  });

  test('a welcome of another session, or of another version, is none', async (t) => {
    const welcome = { frame: 'welcome', version: 1, remote_session_id: 'session', worker_epoch: 2 };
    for (const [change, detail] of [
      [{ remote_session_id: 'other' }, 'remote_session_id'],
      [{ version: 2 }, 'version'],
      [{ worker_epoch: 0 }, 'worker_epoch'],
      [{ frame: 'ping', ping_id: 1 }, 'unexpected_frame'],
    ]) {
      const endpoint = await rawWebSocketServer(t, (socket) => {
        socket.on('message', () => socket.send(JSON.stringify({ ...welcome, ...change })));
      });
      await assert.rejects(connect(t, endpoint), {
        code: 'transport_connect_failed',
        reason: 'protocol_error',
        detail,
      });
    }
  });

  test('a connection that breaks at once: connecting fails, or the end is told after the host has the transport', async (t) => {
    for (let round = 0; round < 20; round += 1) {
      const endpoint = await rawWebSocketServer(t, (socket) => {
        welcomeByHand(socket, () => {
          socket.send('?');
          if (round % 2) socket.terminate();
        });
      });
      let transport = null;
      const ended = deferred();
      try {
        transport = await connect(t, endpoint, {
          onClose: (info) => ended.resolve(info.transport === transport),
        });
      } catch (error) {
        assert.equal(error.code, 'transport_connect_failed');
        continue;
      }
      assert.equal(await ended.promise, true);
    }
  });

  test('hundreds of random frames end the connection or do not; nothing is thrown outside', async (t) => {
    const rand = random(3);
    const alphabet = '{}[]":,0123456789.eE-\\ frameeventpingsequence\u0000é';
    const mutate = () => {
      let text = '{"frame":"event","sequence":3,"event":{"message_id":"m","type":"t","payload":"QUJD"}}';
      for (let n = rand(3); n >= 0; n -= 1) {
        const at = rand(text.length);
        text = text.slice(0, at) + alphabet[rand(alphabet.length)] + text.slice(at + rand(2));
      }
      return text;
    };
    const endpoint = await rawWebSocketServer(t, (socket) => {
      welcomeByHand(socket, (frame) => {
        if (frame.frame !== 'hello') return;
        for (let i = 0; i < 10; i += 1) {
          if (rand(10) === 0) socket.send(Uint8Array.from({ length: rand(40) }, () => rand(256)));
          else socket.send(mutate());
        }
        socket.close(1000);
      });
    });
    const reasons = new Set();
    for (let i = 0; i < 60; i += 1) {
      const ended = deferred();
      await connect(t, endpoint, { onClose: ended.resolve }).catch(ended.resolve);
      reasons.add((await ended.promise).reason);
    }
    assert.deepEqual(
      [...reasons].filter((reason) => reason !== 'normal'),
      ['protocol_error'],
    );
  });

  test('what is too big is closed with 1009, by package ws before it is read whole', async (t) => {
    const options = { maxFrameBytes: 1024 };
    const big = await endOf(t, (socket) => socket.send('x'.repeat(1025)), options);
    assert.deepEqual([big.error.reason, big.error.origin, big.seen], ['too_big', 'local', 1009]);
    assert.equal(big.error.systemCode, 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH');
    const wide = await endOf(t, (socket) => socket.send('€'.repeat(342)), {
      ...options,
      WebSocket: StandardWebSocket,
    });
    assert.deepEqual([wide.error.reason, wide.seen], ['too_big', 4413]);
  });

  test('the class of the standard will do; it closes with codes that the standard allows', async (t) => {
    StandardWebSocket.closed = [];
    const broken = await endOf(t, (socket) => socket.send('?'), { WebSocket: StandardWebSocket });
    assert.deepEqual([broken.error.detail, broken.seen], ['not_json', 4400]);
    const bridge = await startBridge(t, 'websocket');
    const transport = await bridge.connect({ WebSocket: StandardWebSocket });
    assert.equal((await transport.send(event('m1'))).accepted, true);
    assert.deepEqual(await transport.close(), { dropped: 0, remoteDurabilityKnown: true });
    assert.deepEqual(StandardWebSocket.closed, [4400, 1000]);
    await assert.rejects(bridge.connect({ WebSocket: StandardWebSocket, headers: { a: 'b' } }), {
      reason: 'headers_unsupported',
    });
  });

  test('a slow reader: sends wait above the high-water mark, stay in order, and can be aborted', async (t) => {
    const seen = [];
    const bridge = await startBridge(t, 'websocket', {
      onEvent: ({ messageId }) => {
        seen.push(messageId);
        return { accepted: true, durabilityKnown: true };
      },
    });
    let socket;
    class Watched extends WebSocket {
      constructor(...parameters) {
        super(...parameters);
        socket = this;
      }
    }
    const highWaterBytes = 200_000;
    const transport = await bridge.connect({ highWaterBytes, maxPendingBytes: 2 ** 30, WebSocket: Watched });
    await bridge.deafen();
    const payload = new Uint8Array(150_000);
    const sends = [];
    let most = 0;
    for (let i = 0; i < 60; i += 1) {
      sends.push(transport.send(event(`m${i}`, payload)));
      most = Math.max(most, socket.bufferedAmount);
    }
    const abort = new AbortController();
    const waiting = transport.send(event('aborted', payload), { signal: abort.signal });
    abort.abort('no longer');
    await assert.rejects(waiting, (reason) => reason === 'no longer');
    assert.equal(transport.pendingSends, 60, 'what had not left is forgotten');
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.ok(socket.bufferedAmount > 0 && most <= highWaterBytes + 210_000, `${most} bytes buffered`);
    bridge.undeafen();
    await Promise.all(sends);
    assert.deepEqual(
      seen,
      Array.from({ length: 60 }, (_, i) => `m${i}`),
    );
    assert.deepEqual(await transport.close(), { dropped: 0, remoteDurabilityKnown: true });
  });

  test('sends that wait for room are dropped and counted when the server is killed', async (t) => {
    const bridge = await startBridge(t, 'websocket');
    const transport = await bridge.connect({ highWaterBytes: 1000, maxPendingBytes: 2 ** 30 });
    await bridge.deafen();
    const sends = Array.from({ length: 20 }, (_, i) =>
      transport.send(event(`m${i}`, new Uint8Array(1_000_000))),
    );
    const settled = Promise.allSettled(sends);
    bridge.kill();
    const accepted = (await settled).filter(({ status }) => status === 'fulfilled').length;
    assert.deepEqual(await transport.close(), { dropped: 20 - accepted, remoteDurabilityKnown: false });
  });

  test('the window: a server has no more events unacknowledged than the client allows', async (t) => {
    const bridge = await startBridge(t, 'websocket');
    let gate = deferred();
    let handled = 0;
    await bridge.connect({
      windowEvents: 4,
      onEvent: async () => {
        await gate.promise;
        handled += 1;
      },
    });
    await until(() => bridge.peers.length === 1);
    const [peer] = bridge.peers;
    for (let i = 1; i <= 12; i += 1) void peer.send({ sequence: i, event: event(`m${i}`) });
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(peer.pendingEvents, 8);
    gate.resolve();
    gate = { promise: undefined };
    await until(() => peer.ackedSequence === 12n);
    assert.equal(handled, 12);
  });

  test('a server that ignores the window is sent away', async (t) => {
    const frame = (i) =>
      `{"frame":"event","sequence":${i},"event":{"message_id":"m","type":"t","payload":""}}`;
    const { error } = await endOf(
      t,
      (socket) => {
        for (let i = 1; i <= 5; i += 1) socket.send(frame(i));
      },
      { windowEvents: 3, onEvent: () => new Promise(() => {}) },
    );
    assert.equal(error.detail, 'receive_window');
  });

  test('heartbeats: pings are answered, and a client that is pinged and not read from keeps one answer', async (t) => {
    const pongs = [];
    let server;
    const endpoint = await rawWebSocketServer(t, (socket) => {
      server = socket;
      welcomeByHand(socket, (frame) => frame.frame === 'pong' && pongs.push(frame.ping_id));
    });
    let socket;
    class Watched extends WebSocket {
      constructor(...parameters) {
        super(...parameters);
        socket = this;
      }
    }
    const asked = deferred();
    await connect(t, endpoint, { WebSocket: Watched, highWaterBytes: 1, onEvent: asked.resolve });
    Object.defineProperty(socket, 'bufferedAmount', { value: 10, configurable: true });
    for (let i = 1; i <= 500; i += 1) server.send(`{"frame":"ping","ping_id":${i}}`);
    server.send('{"frame":"event","sequence":1,"event":{"message_id":"m","type":"t","payload":""}}');
    await asked.promise;
    assert.deepEqual(pongs, []);
    delete socket.bufferedAmount;
    await until(() => pongs.length > 0);
    assert.deepEqual(pongs, [500]);
  });

  test('an opening handshake that HTTP refuses gives the status', async (t) => {
    for (const [status, reason] of [
      [401, 'unauthorized'],
      [403, 'policy'],
      [503, 'overloaded'],
      [302, 'other'],
    ]) {
      const endpoint = await rawWebSocketServer(t, () => {}, {
        verifyClient: (_, done) =>
          done(false, status, 'secret words', { location: 'ws://elsewhere.invalid/' }),
      });
      await assert.rejects(connect(t, endpoint), { code: 'transport_connect_failed', reason, status });
    }
  });

  test('closing: a server that does not answer the handshake is left after closeTimeoutMs', async (t) => {
    const bridge = await startBridge(t, 'websocket');
    const transport = await bridge.connect({ closeTimeoutMs: 30 });
    await bridge.deafen();
    const started = performance.now();
    assert.deepEqual(await transport.close(), { dropped: 0, remoteDurabilityKnown: false });
    assert.ok(performance.now() - started < 1000);
  });

  test('the server: nonsense, silence and a late hello end the connection', async (t) => {
    const bridge = await startBridge(t, 'websocket', { helloTimeoutMs: 400 });
    const codeFor = async (...texts) => {
      const socket = new WebSocket(bridge.endpoint);
      socket.on('open', () => {
        for (const text of texts) socket.send(text);
      });
      return new Promise((resolve) => socket.on('close', resolve));
    };
    const hello =
      '{"frame":"hello","version":1,"resume_point":{"remote_session_id":"s","previous_epoch":1,"cursor":{"observed_sequence":0}},"receive_window":{"events":1,"bytes":1}}';
    assert.deepEqual(
      await Promise.all([
        codeFor('?'),
        codeFor('{"frame":"ping","ping_id":1}'),
        codeFor(hello, hello),
        codeFor(),
        codeFor(hello, '{"frame":"event","send_id":1,"event":{"message_id":"m","type":"t","payload":"?"}}'),
      ]),
      [1002, 1002, 1002, 4408, 1002],
    );
  });
});
