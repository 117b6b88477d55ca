// The bridge: the flush gate beside a plain loop over an array that copies the payloads, and the other contracts a call
// at a time.

import { createLeasegate } from 'leasegate';

const EVENTS = 100_000;
const PAYLOAD_BYTES = 100;
/** Live at a time: what a busy host has. */
const CALLS = 50_000;

const payload = new Uint8Array(PAYLOAD_BYTES).fill(7);
const events = () =>
  Array.from({ length: EVENTS }, (_, index) => ({
    messageId: `message-${100_000 + index}`,
    type: index % 3 === 0 ? 'assistant' : 'message',
    payload,
  }));
const accepted = { accepted: true };
const sender = async () => accepted;

/** @type {Record<string, () => Promise<any>>} */
export const subjects = {
  async gate() {
    const lg = await createLeasegate();
    const all = events();
    return {
      async run() {
        const gate = new lg.FlushGate();
        await gate.beginHistory();
        for (const event of all) gate.submit(event, sender);
        gate.installHistory([]);
        await gate.drain(sender);
        gate.dispose();
        return EVENTS;
      },
    };
  },
  async 'plain loop'() {
    const all = events();
    return {
      async run() {
        const queue = [];
        for (const { messageId, type, payload: bytes } of all)
          queue.push({ messageId, type, payload: bytes.slice() });
        let next = 0;
        while (next < queue.length) {
          const answer = await sender(/** @type {any} */ (queue[next]));
          if (!answer.accepted) throw new Error('not accepted');
          next += 1;
        }
        return EVENTS;
      },
    };
  },
};

/** Strings as they come out of a message: flat. @param {string} prefix @returns {string[]} */
const texts = (prefix) =>
  JSON.parse(JSON.stringify(Array.from({ length: CALLS }, (_, index) => `${prefix}-${100_000 + index}`)));

/**
 * Calls that need the calls before them: each is a subject that has the others done beforehand.
 * @param {string} name @param {(lg: any) => any} make @param {Record<string, (object: any, i: number) => void>} calls
 */
function contract(name, make, calls) {
  const names = Object.keys(calls);
  names.forEach((call, index) => {
    subjects[`${name}.${call}`] = async () => {
      const lg = await createLeasegate();
      /** @type {any} */
      let object;
      return {
        before() {
          object = make(lg);
          for (const earlier of names.slice(0, index))
            for (let i = 0; i < CALLS; i += 1) calls[earlier](object, i);
        },
        run() {
          const run = calls[call];
          for (let i = 0; i < CALLS; i += 1) run(object, i);
          return CALLS;
        },
        after: () => object.dispose(),
      };
    };
  });
}

const ids = texts('delivery');
const keys = ids.map((request) => ({ request, session: 'session-1', generation: 1n, epoch: 5n }));

contract('fence', (lg) => new lg.EpochFence(7n), { check: (fence) => fence.check(7n) });
contract('cursor', (lg) => new lg.Cursor(), { observe: (cursor, i) => cursor.observe(i + 1) });
contract('deduper', (lg) => new lg.Deduper({ capacity: 10_000 }), {
  seenOrAdd: (deduper, i) => deduper.seenOrAdd(ids[i]),
});
contract('tracker', (lg) => new lg.DeliveryTracker({ maxRecords: CALLS }), {
  observe: (tracker, i) => tracker.observe({ id: ids[i], message: 'message-1', sequence: i }),
  transition: (tracker, i) => tracker.transition({ id: ids[i], state: 'received' }),
  acknowledge: (tracker, i) => tracker.acknowledge({ id: ids[i], ackId: 'ack-1' }),
  get: (tracker, i) => tracker.get(ids[i]),
  end: (tracker, i) => tracker.transition({ id: ids[i], state: 'processed' }),
  forget: (tracker, i) => tracker.forget(ids[i]),
});
contract('registry', (lg) => new lg.ControlRegistry({ maxRecords: CALLS }), {
  accept: (registry, i) => registry.accept({ key: keys[i], subtype: 'can_use_tool' }),
  advance: (registry, i) => registry.advance({ key: keys[i], state: 'validating' }),
  get: (registry, i) => registry.get(keys[i]),
  resolve: (registry, i) => registry.resolve({ key: keys[i], state: 'succeeded', value: '{"ok":true}' }),
  forget: (registry, i) => registry.forget(keys[i]),
});
