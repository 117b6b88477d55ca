// Events through gate, tracker (with forget) and registry (with forget): the memory of the core is after all of them
// where it was after the first tenth. LEASEGATE_SOAK is how many (npm test takes fewer than the contract's 1,000,000).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instanceWithMemory } from '../support/watched-memory.js';

const EVENTS = Number(process.env.LEASEGATE_SOAK ?? 200_000);
const BATCH = 500;

test(`${EVENTS} events leave no memory behind in the core`, async () => {
  const { lg, bytes } = await instanceWithMemory();
  const gate = new lg.FlushGate({ capacity: BATCH });
  const tracker = new lg.DeliveryTracker({ maxRecords: BATCH });
  const registry = new lg.ControlRegistry({ maxRecords: BATCH });
  const deduper = new lg.Deduper({ capacity: BATCH });
  const lifecycle = new lg.Lifecycle({ maxHistory: 100 });
  lifecycle.transition({ to: 'connecting' });
  const payloads = [0, 10, 100, 1_000, 20_000].map((size) => new Uint8Array(size));
  let sent = 0;
  let next = 0;
  let after = 0;
  /** @type {string[]} */
  const order = [];

  for (let done = 0; done < EVENTS; done += BATCH) {
    await gate.beginHistory();
    /** @type {string[]} */
    const ids = [];
    for (let i = 0; i < BATCH; i += 1) {
      next += 1;
      const id = `event-${next}`;
      ids.push(id);
      const payload = payloads[next % 100 === 0 ? 4 : next % 4];
      assert.equal((await gate.submit({ messageId: id, type: 'message', payload }, refuse)).queued, true);
      tracker.observe({ id, message: id, sequence: next });
      const key = { request: id, session: 'session', generation: 1, epoch: 1 };
      registry.accept({ key, subtype: 'x' });
      registry.resolve({ key, state: 'succeeded', value: JSON.stringify({ id }) });
      registry.forget(key);
      assert.equal(deduper.seenOrAdd(id), false);
    }
    gate.installHistory([]);
    order.length = 0;
    await gate.drain(async (/** @type {any} */ { messageId }) => {
      sent += 1;
      order.push(messageId);
      tracker.acknowledge({ id: messageId, ackId: 'ack' });
      tracker.transition({ id: messageId, state: 'failed', failure: 'for the sake of the text' });
      tracker.forget(messageId);
      return { accepted: true };
    });
    assert.deepEqual(order, ids);
    lifecycle.transition({ to: 'reconnect_wait', reason: 'again' });
    lifecycle.transition({ to: 'connecting' });
    if (done + BATCH === EVENTS / 10) after = bytes();
  }
  assert.equal(sent, EVENTS);
  assert.equal(tracker.size + registry.size + gate.pendingCount, 0);
  assert.equal(deduper.size, BATCH);
  assert.equal(lifecycle.history.length, 100);
  assert.ok(after > 0);
  assert.equal(bytes(), after, 'memory grew after the first tenth');
});

function refuse() {
  throw new Error('a queued event has no use for its sender');
}
