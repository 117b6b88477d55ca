// The transports where they belong: built by a TransportRegistry, owned by a ReconnectCoordinator, fed by a FlushGate.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { sseFactory } from 'leasegate/transports/sse';
import { websocketFactory } from 'leasegate/transports/websocket';
import { accepted, deferred, event, random, startBridge } from './support/servers.js';

const lg = await createLeasegate();
const total = 300n;

for (const kind of ['websocket', 'ccr_sse']) {
  describe(kind, { timeout: 15_000 }, () => {
    test('connections that break at random: every event once and in order, in both directions', async (t) => {
      const rand = random(11);
      const taken = new Map();
      const server = await startBridge(t, kind, {
        onEvent: ({ messageId }) => {
          taken.set(messageId, (taken.get(messageId) ?? 0) + 1);
          return accepted;
        },
        onConnect: async (peer) => {
          const killAt = peer.resume.cursor + 1n + BigInt(rand(90));
          for (let i = peer.resume.cursor + 1n; i <= total; i += 1n) {
            await peer.send({ sequence: i, event: event(`m${i}`) });
            if (i !== killAt || i === total) continue;
            await new Promise((resolve) => setTimeout(resolve, rand(8)));
            return peer.terminate();
          }
        },
      });

      const roles = [];
      const coordinator = new lg.ReconnectCoordinator({
        session: 'session',
        epoch: 1,
        onTransportClosed: ({ role }) => roles.push(role),
      });
      const gate = new lg.FlushGate();
      const seen = new lg.Deduper({ capacity: 1000 });
      const got = [];
      const done = deferred();
      const options = {
        onEvent: ({ sequence, event: { messageId } }) => {
          const { advanced, gap } = coordinator.observeSequence(sequence);
          assert.equal(gap, false);
          if (!advanced || seen.seenOrAdd(messageId)) return;
          got.push(sequence);
          if (sequence === total) done.resolve();
        },
        onClose: ({ reason, transport }) => {
          if (reason !== 'closed_locally' && transport === installed) void reconnect(reason);
        },
        ...(kind === 'ccr_sse' ? { ackDelayMs: 1 } : {}),
      };
      const registry = new lg.TransportRegistry();
      registry.register(
        'websocket',
        websocketFactory(kind === 'websocket' ? options : { onEvent: () => {} }),
      );
      registry.register('ccr_sse', sseFactory(kind === 'ccr_sse' ? options : { onEvent: () => {} }));
      const config = { kind, included: true, enabled: true, endpoint: server.endpoint };

      let installed = null;
      let failed = 0;
      async function reconnect(reason) {
        if (gate.state === 'draining' || gate.state === 'inactive') gate.deactivate();
        try {
          ({ transport: installed } = await coordinator.recover(reason, async (resume, { signal }) => {
            const transport = await registry.build({ ...config, resume }, { signal });
            return { transport, epoch: transport.epoch };
          }));
        } catch (error) {
          failed += 1;
          assert.equal(error.cause.code, 'transport_connect_failed');
          return reconnect(reason);
        }
        await flush();
      }
      const sender = (outbound, { signal }) => coordinator.send(coordinator.epoch, outbound, { signal });
      async function flush() {
        if (gate.state === 'ready' || gate.state === 'deactivated') await gate.drain(sender).catch(() => {});
      }

      await gate.beginHistory();
      const history = Array.from({ length: 20 }, (_, i) => event(`history ${i}`));
      for (let i = 0; i < 40; i += 1) void gate.submit(event(`live ${i}`), sender);
      gate.installHistory(history);
      await reconnect('start');
      await done.promise;
      while (gate.pendingCount > 0) {
        await flush();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }

      assert.deepEqual(
        got,
        Array.from({ length: Number(total) }, (_, i) => BigInt(i + 1)),
      );
      const sent = [...taken.keys()];
      assert.deepEqual(sent, [
        ...history.map(({ messageId }) => messageId),
        ...Array.from({ length: 40 }, (_, i) => `live ${i}`),
      ]);
      assert.ok(coordinator.epoch > 3n, `epoch ${coordinator.epoch}, ${failed} attempts failed`);
      assert.equal((await coordinator.close()).dropped, 0);
      assert.equal(roles.at(-1), 'final');
    });

    test('a transport that cannot be built says why, behind the error of the registry', async () => {
      const registry = new lg.TransportRegistry();
      const factory = kind === 'websocket' ? websocketFactory : sseFactory;
      registry.register(kind, factory({ resume: { session: 's', epoch: 1 }, onEvent: () => {} }));
      const scheme = kind === 'websocket' ? 'ws' : 'http';
      const config = { kind, included: true, enabled: true, endpoint: `${scheme}://127.0.0.1:1/` };
      const error = await registry.build(config).catch((thrown) => thrown);
      assert.equal(error.code, 'transport_construct_failed');
      assert.equal(error.cause.code, 'transport_connect_failed');
      assert.equal(error.cause.reason, 'unreachable');
    });
  });
}
