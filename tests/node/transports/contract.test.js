// What both transports promise, on real sockets.

import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, test } from 'node:test';
import { LeasegateError } from 'leasegate';
import { refuse } from 'leasegate/transports/server';
import { TransportError } from 'leasegate/transports/websocket';
import { accepted, deferred, event, random, resumeAt, startBridge, text, until } from './support/servers.js';

const MAX_U64 = 2n ** 64n - 1n;
const codeOf = (code, fields = {}) => ({ code, ...fields });

for (const kind of ['websocket', 'ccr_sse']) {
  describe(kind, { timeout: 15_000 }, () => {
    test('connecting carries the resume point and brings the epoch, all 64 bits of both', async (t) => {
      const clients = [];
      const bridge = await startBridge(t, kind, {
        welcome: (client) => {
          clients.push(client);
          return { epoch: MAX_U64 };
        },
      });
      const resume = { session: 'sessión: 7 \u{1f600}', epoch: MAX_U64 - 1n, cursor: 2n ** 53n + 1n };
      const transport = await bridge.connect({ resume: async () => resume });
      assert.deepEqual(clients[0].resume, resume);
      assert.equal(transport.kind, kind);
      assert.equal(transport.epoch, MAX_U64);
      assert.equal(transport.session, resume.session);
      assert.deepEqual(await transport.close(), { dropped: 0, remoteDurabilityKnown: false });
    });

    test('a send gets the answer of the server to that very event, in the order of the calls', async (t) => {
      const seen = [];
      const bridge = await startBridge(t, kind, {
        onEvent: async ({ messageId, type, payload }) => {
          seen.push([messageId, type, [...payload]]);
          if (messageId === 'm1') await new Promise((resolve) => setTimeout(resolve, 5));
          return {
            accepted: true,
            queueIdentity: 'queue',
            remoteAckId: `ack ${messageId}`,
            durabilityKnown: true,
          };
        },
      });
      const transport = await bridge.connect();
      const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
      const answers = await Promise.all([
        transport.send(event('m1', bytes)),
        transport.send(event('m2', '', 'tÿpe')),
        transport.send(event('m3', 'x'), { signal: new AbortController().signal }),
      ]);
      assert.deepEqual(seen, [
        ['m1', 'message', [...bytes]],
        ['m2', 'tÿpe', []],
        ['m3', 'message', [120]],
      ]);
      assert.deepEqual(
        answers.map(({ remoteAckId }) => remoteAckId),
        ['ack m1', 'ack m2', 'ack m3'],
      );
      assert.deepEqual(answers[1], {
        accepted: true,
        queueIdentity: 'queue',
        remoteAckId: 'ack m2',
        durabilityKnown: true,
      });
      assert.ok(Object.isFrozen(answers[1]));
      assert.deepEqual(await transport.close(), { dropped: 0, remoteDurabilityKnown: true });
    });

    test('the payload is copied before send returns', async (t) => {
      const seen = [];
      const bridge = await startBridge(t, kind, {
        onEvent: ({ payload }) => seen.push(text(payload)) && accepted,
      });
      const transport = await bridge.connect();
      const first = event('m1', 'before');
      const sent = transport.send(first);
      first.payload.fill(0);
      await sent;
      assert.deepEqual(seen, ['before']);
    });

    test('an event that the server did not accept is an answer, neither an error nor a loss', async (t) => {
      const bridge = await startBridge(t, kind, { onEvent: () => undefined });
      const transport = await bridge.connect();
      assert.deepEqual(await transport.send(event('m1')), {
        accepted: false,
        queueIdentity: null,
        remoteAckId: null,
        durabilityKnown: false,
      });
      assert.deepEqual(await transport.close(), { dropped: 0, remoteDurabilityKnown: false });
    });

    test('events come in order, one at a time, and are acknowledged once handled', async (t) => {
      const bridge = await startBridge(t, kind);
      const got = [];
      let busy = false;
      await bridge.connect({
        resume: resumeAt(2n ** 63n),
        onEvent: async ({ sequence, event: { messageId, payload } }) => {
          assert.equal(busy, false);
          busy = true;
          await new Promise((resolve) => setTimeout(resolve, got.length % 3));
          got.push([sequence, messageId, text(payload)]);
          busy = false;
        },
      });
      await until(() => bridge.peers.length === 1);
      const [peer] = bridge.peers;
      const expected = [];
      for (let i = 1n; i <= 20n; i += 1n) {
        void peer.send({ sequence: peer.resume.cursor + i, event: event(`m${i}`, `é${i}`) });
        expected.push([2n ** 63n + i, `m${i}`, `é${i}`]);
      }
      await until(() => peer.ackedSequence === 2n ** 63n + 20n);
      assert.deepEqual(got, expected);
      assert.equal(bridge.acks.at(-1), 2n ** 63n + 20n);
    });

    test('a handler that fails ends the connection, with its error as the cause', async (t) => {
      const bridge = await startBridge(t, kind);
      const ended = deferred();
      const mistake = new Error('my mistake');
      const transport = await bridge.connect({
        onEvent: () => {
          throw mistake;
        },
        onClose: ended.resolve,
      });
      await until(() => bridge.peers.length === 1);
      await bridge.peers[0].send({ sequence: 7, event: event('m7') });
      const info = await ended.promise;
      assert.equal(info.transport, transport);
      assert.equal(info.reason, 'handler_failed');
      assert.equal(info.error.cause, mistake);
      await until(() => bridge.closed.length === 1);
      assert.equal(bridge.peers[0].ackedSequence, 0n);
      await assert.rejects(
        transport.send(event('m1')),
        codeOf('transport_closed', { reason: 'handler_failed' }),
      );
    });

    test('close waits for the answers that are due, and every close gets the same evidence', async (t) => {
      const gate = deferred();
      const bridge = await startBridge(t, kind, { onEvent: () => gate.promise });
      const ends = [];
      const transport = await bridge.connect({ onClose: ({ reason }) => ends.push(reason) });
      const sends = [transport.send(event('m1')), transport.send(event('m2'))];
      await until(() => transport.pendingSends === 2);
      const closing = transport.close();
      await assert.rejects(
        transport.send(event('m3')),
        codeOf('transport_closed', { reason: 'closed_locally' }),
      );
      gate.resolve(accepted);
      const evidence = await closing;
      assert.deepEqual(evidence, { dropped: 0, remoteDurabilityKnown: true });
      assert.equal(await transport.close({ signal: AbortSignal.abort() }), evidence);
      assert.equal((await Promise.all(sends)).length, 2);
      assert.deepEqual(ends, ['closed_locally']);
    });

    test('a close that is aborted counts exactly the sends without an answer', async (t) => {
      const gate = deferred();
      const bridge = await startBridge(t, kind, {
        onEvent: ({ messageId }) => (messageId === 'm1' ? accepted : gate.promise),
      });
      const transport = await bridge.connect();
      await transport.send(event('m1'));
      const sends = ['m2', 'm3', 'm4'].map((id) => transport.send(event(id)));
      const abort = new AbortController();
      const closing = transport.close();
      assert.equal(transport.close({ signal: abort.signal }), closing);
      abort.abort();
      for (const send of sends) {
        await assert.rejects(
          send,
          codeOf('transport_closed', { reason: 'closed_locally', kind, origin: 'local' }),
        );
      }
      assert.deepEqual(await closing, { dropped: 3, remoteDurabilityKnown: false });
      gate.resolve(accepted);
    });

    test('a connection that breaks settles every send, and tells its end once', async (t) => {
      const bridge = await startBridge(t, kind, {
        onEvent: ({ messageId }) => (messageId === 'm1' ? accepted : new Promise(() => {})),
      });
      const ends = [];
      const transport = await bridge.connect({ onClose: (info) => ends.push(info) });
      await transport.send(event('m1'));
      const sends = ['m2', 'm3'].map((id) => transport.send(event(id)));
      await new Promise((resolve) => setTimeout(resolve, 10));
      bridge.peers[0].terminate();
      for (const send of sends)
        await assert.rejects(send, codeOf('transport_closed', { reason: 'abnormal' }));
      assert.deepEqual(await transport.close(), { dropped: 2, remoteDurabilityKnown: false });
      assert.equal(ends.length, 1);
      assert.ok(ends[0].error instanceof TransportError && ends[0].error instanceof LeasegateError);
    });

    test('aborts: before a send nothing goes out; on its way the caller leaves and the event counts', async (t) => {
      const seen = [];
      const gate = deferred();
      const bridge = await startBridge(t, kind, {
        onEvent: ({ messageId }) => {
          seen.push(messageId);
          return gate.promise;
        },
      });
      const transport = await bridge.connect();
      await assert.rejects(
        transport.send(event('m0'), { signal: AbortSignal.abort('early') }),
        (e) => e === 'early',
      );
      const abort = new AbortController();
      const sent = transport.send(event('m1'), { signal: abort.signal });
      await until(() => seen.length === 1);
      abort.abort('late');
      await assert.rejects(sent, (reason) => reason === 'late');
      assert.deepEqual(seen, ['m1']);
      assert.equal(transport.pendingSends, 1);
      assert.deepEqual(await transport.close({ signal: AbortSignal.abort() }), {
        dropped: 1,
        remoteDurabilityKnown: false,
      });
      gate.resolve(accepted);
    });

    test('an answer that comes after its caller has left still counts', async (t) => {
      const gate = deferred();
      const bridge = await startBridge(t, kind, { onEvent: () => gate.promise });
      const transport = await bridge.connect();
      const abort = new AbortController();
      const sent = transport.send(event('m1'), { signal: abort.signal });
      await new Promise((resolve) => setTimeout(resolve, 10));
      abort.abort('late');
      await assert.rejects(sent, (reason) => reason === 'late');
      const closing = transport.close();
      gate.resolve(accepted);
      assert.deepEqual(await closing, { dropped: 0, remoteDurabilityKnown: true });
    });

    test('bounds: sends, their bytes, one frame; what is refused changes nothing', async (t) => {
      const gate = deferred();
      const bridge = await startBridge(t, kind, { onEvent: () => gate.promise });
      const transport = await bridge.connect({
        maxPendingEvents: 2,
        maxPendingBytes: 3000,
        maxFrameBytes: 2048,
      });
      await assert.rejects(
        transport.send(event('m0', new Uint8Array(2048))),
        codeOf('transport_message_too_large', { kind, limit: 2048 }),
      );
      const first = transport.send(event('m1', new Uint8Array(1200)));
      await assert.rejects(
        transport.send(event('m2', new Uint8Array(1200))),
        codeOf('transport_capacity', { kind, limit: 3000, unit: 'bytes' }),
      );
      const second = transport.send(event('m3'));
      await assert.rejects(
        transport.send(event('m4')),
        codeOf('transport_capacity', { limit: 2, unit: 'events' }),
      );
      gate.resolve(accepted);
      await Promise.all([first, second, transport.send(event('m5')).catch(() => {})]);
      await transport.send(event('m6'));
      assert.equal((await transport.close()).dropped, 0);
    });

    test('arguments of the wrong shape are refused by name', async (t) => {
      const bridge = await startBridge(t, kind);
      const transport = await bridge.connect();
      for (const [wrong, message] of [
        [null, /event must be an object/],
        [{ ...event('m'), messageId: 7 }, /event\.messageId/],
        [{ ...event('m'), type: undefined }, /event\.type/],
        [{ ...event('m'), payload: 'text' }, /event\.payload/],
        [{ ...event('m'), payload: [1, 2] }, /event\.payload/],
      ]) {
        await assert.rejects(transport.send(wrong), { name: 'TypeError', message });
      }
      for (const wrong of [
        event(''),
        event('a\nb'),
        event('x'.repeat(257)),
        event('\ud800'),
        event('m', '', ''),
      ]) {
        await assert.rejects(transport.send(wrong), codeOf('invalid_event'));
      }
      await assert.rejects(
        bridge.connect({ maxPendingEventz: 1 }),
        /options\.maxPendingEventz is not an option/,
      );
      await assert.rejects(bridge.connect({ maxPendingEvents: 0 }), RangeError);
      await assert.rejects(bridge.connect({ onEvent: null }), /options\.onEvent/);
      await assert.rejects(bridge.connect({ resume: { session: '', epoch: 1 } }), /resume\.session/);
      await assert.rejects(bridge.connect({ resume: { session: 's', epoch: 0 } }), /resume\.epoch/);
      await assert.rejects(bridge.connect({ resume: undefined }), /resume/);
    });

    test('a server says why it does not welcome a client', async (t) => {
      const bridge = await startBridge(t, kind, {
        welcome: ({ resume }) => {
          if (resume.session === 'mistake') throw new Error('secret-detail');
          throw refuse(resume.session);
        },
      });
      const connect = (session) => bridge.connect({ resume: resumeAt(0n, session) });
      for (const reason of [
        'unauthorized',
        'policy',
        'unknown_session',
        'stale_epoch',
        'cursor_lost',
        'overloaded',
      ]) {
        await assert.rejects(
          connect(reason),
          codeOf('transport_connect_failed', { reason, origin: 'remote' }),
        );
      }
      const mistake = await connect('mistake').catch((error) => error);
      assert.equal(mistake.reason, 'remote_failure');
      assert.equal(JSON.stringify(mistake).includes('secret-detail'), false);
    });

    test('connecting ends by the signal, by the deadline, and when nobody listens', async (t) => {
      const bridge = await startBridge(t, kind, { welcome: () => new Promise(() => {}) });
      await assert.rejects(
        bridge.connect({ signal: AbortSignal.abort('never') }),
        (reason) => reason === 'never',
      );
      const abort = new AbortController();
      const connecting = bridge.connect({ signal: abort.signal });
      setTimeout(() => abort.abort('enough'), 20);
      await assert.rejects(connecting, (reason) => reason === 'enough');
      await assert.rejects(
        bridge.connect({ connectTimeoutMs: 30 }),
        codeOf('transport_connect_failed', { reason: 'timeout', origin: 'local' }),
      );
      await assert.rejects(
        bridge.connect({ token: () => new Promise(() => {}), connectTimeoutMs: 10 }),
        codeOf('transport_connect_failed', { reason: 'timeout' }),
      );
      const server = net.createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address();
      await new Promise((resolve) => server.close(resolve));
      const scheme = kind === 'websocket' ? 'ws' : 'http';
      await assert.rejects(
        bridge.connect({ at: `${scheme}://127.0.0.1:${port}/` }),
        codeOf('transport_connect_failed', { reason: 'unreachable', systemCode: 'ECONNREFUSED' }),
      );
      for (const at of ['ftp://127.0.0.1/', 'nonsense', undefined, `${scheme}://`]) {
        const make = bridge.connect({ at: at ?? null });
        await assert.rejects(make, codeOf('transport_connect_failed', { reason: 'unsupported_endpoint' }));
      }
    });

    test('a server that takes the socket and says nothing meets the deadline', async (t) => {
      const bridge = await startBridge(t, kind);
      const sockets = new Set();
      const mute = net
        .createServer((socket) => sockets.add(socket.on('error', () => {})))
        .listen(0, '127.0.0.1');
      await new Promise((resolve) => mute.once('listening', resolve));
      t.after(() => {
        for (const socket of sockets) socket.destroy();
        mute.close();
      });
      const at = `${kind === 'websocket' ? 'ws' : 'http'}://127.0.0.1:${mute.address().port}/`;
      await assert.rejects(
        bridge.connect({ at, connectTimeoutMs: 30 }),
        codeOf('transport_connect_failed', { reason: 'timeout' }),
      );
    });

    test('an answer that never comes ends the connection', async (t) => {
      const bridge = await startBridge(t, kind, { onEvent: () => new Promise(() => {}) });
      const transport = await bridge.connect({ sendTimeoutMs: 30 });
      await assert.rejects(
        transport.send(event('m1')),
        codeOf('transport_closed', { reason: 'send_timeout' }),
      );
      assert.deepEqual(await transport.close(), { dropped: 1, remoteDurabilityKnown: false });
    });

    test('a server that falls silent is given up', async (t) => {
      // Its own heartbeats are too rare, and a WebSocket server answers no ping while it is deaf.
      const bridge = await startBridge(t, kind, { heartbeatIntervalMs: 40_000 });
      const ended = deferred();
      const heartbeat = kind === 'websocket' ? { heartbeatIntervalMs: 10 } : {};
      await bridge.connect({ idleTimeoutMs: 60, ...heartbeat, onClose: ended.resolve });
      if (kind === 'websocket') {
        await new Promise((resolve) => setTimeout(resolve, 150));
        assert.equal(bridge.closed.length, 0, 'heartbeats keep it');
        await bridge.deafen();
      }
      assert.equal((await ended.promise).reason, 'idle_timeout');
    });

    test('lost connections: the host resumes from its cursor and gets every event once, in order', async (t) => {
      const total = 400n;
      const rand = random(7);
      const bridge = await startBridge(t, kind, {
        onConnect: async (peer) => {
          const killAt = peer.resume.cursor + 1n + BigInt(rand(80));
          for (let i = peer.resume.cursor + 1n; i <= total; i += 1n) {
            if (i === killAt && i < total) {
              await new Promise((resolve) => setTimeout(resolve, rand(6))); // some of it may arrive
              return peer.terminate();
            }
            await peer.send({ sequence: i, event: event(`m${i}`) });
          }
        },
      });
      const got = [];
      let epoch = 1n;
      let connections = 0;
      while (got.length < Number(total)) {
        const ended = deferred();
        const done = deferred();
        const transport = await bridge
          .connect({
            resume: { session: 'session', epoch, cursor: BigInt(got.length) },
            onEvent: ({ sequence }) => {
              got.push(sequence);
              if (sequence === total) done.resolve();
            },
            onClose: ended.resolve,
          })
          .catch((error) => assert.equal(error.code, 'transport_connect_failed'));
        connections += 1;
        if (!transport) continue; // lost before the welcome
        epoch = transport.epoch;
        await Promise.race([ended.promise, done.promise]);
        await transport.close();
      }
      assert.deepEqual(
        got,
        Array.from({ length: Number(total) }, (_, i) => BigInt(i + 1)),
      );
      assert.ok(connections > 4, `${connections} connections`);
    });
  });
}
