// What a host makes of a consumer that leaves something out.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Feed } from '../../js/cluster/feed.js';
import { placesOf } from '../../js/cluster/texts.js';

const turns = async (count = 20) => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

function feedOf() {
  /** @type {number[]} */
  const seen = [];
  /** @type {any[]} */
  const errors = [];
  /** @type {((message: any) => void)[]} */
  const consumers = [];
  const state = { first_seq: 1, last_seq: 100 };
  let behind = 0;
  const connection = {
    isClosed: () => false,
    subscribe: (/** @type {string} */ _, /** @type {any} */ { callback }) => {
      consumers.push((message) => callback(null, message));
      return { unsubscribe() {} };
    },
  };
  const jsm = {
    streams: { info: async () => ({ created: 'then', config: { num_replicas: 1 }, state: { ...state } }) },
    consumers: {
      add: async () => ({ name: 'c', created: '2026-01-01T00:00:00Z' }),
      delete: async () => true,
    },
  };
  const feed = new Feed({
    connection: /** @type {any} */ (connection),
    jsm: /** @type {any} */ (jsm),
    places: placesOf('p', 'pool'),
    inbox: 'in',
    created: 'then',
    position: () => ({ sequence: seen.at(-1) ?? 1, from: seen.at(-1) ?? 1, known: null }),
    onMessages: (messages) => seen.push(...messages.map(({ sequence }) => sequence)),
    onBehind: async () => {
      behind += 1;
      seen.push(state.first_seq - 1); // a snapshot
    },
    onOpened: () => {},
    onStopped: (error) => errors.push(error),
  });
  const bring = (/** @type {number} */ sequence, /** @type {number} */ delivered) =>
    consumers.at(-1)?.({
      subject: 'leasegate.p.pool.r.x-1',
      data: new Uint8Array(1),
      reply: `$JS.ACK.S.c.1.${sequence}.${delivered}.1700000000000000000.0`,
    });
  return { feed, seen, errors, consumers, state, bring, behind: () => behind };
}

describe('a feed', () => {
  it('begins anew at a gap, whether the consumer or the stream has left something out', async () => {
    const { feed, seen, errors, consumers, bring } = feedOf();
    feed.reopen();
    await turns();
    bring(2, 1);
    bring(3, 2);
    await turns();
    assert.deepEqual([seen, consumers.length], [[2, 3], 1]);
    bring(5, 4); // a message got lost on the way
    await turns();
    assert.deepEqual([seen, consumers.length], [[2, 3], 2]);
    bring(4, 1);
    bring(6, 2); // the consumer counts on, over a hole in the stream
    await turns();
    assert.deepEqual([seen, consumers.length], [[2, 3, 4], 3]);
    assert.deepEqual(errors, []);
    feed.close();
  });

  it('stops when the hole is there again and again', async () => {
    const { feed, seen, errors, bring } = feedOf();
    feed.reopen();
    for (let i = 0; i < 10 && errors.length === 0; i += 1) {
      await turns();
      bring(4, 1);
    }
    assert.equal(errors[0]?.reason, 'not_in_order');
    assert.deepEqual(seen, []);
    feed.close();
  });

  it('asks for a snapshot when the stream was trimmed behind the hole', async () => {
    const { feed, errors, consumers, state, bring, behind } = feedOf();
    feed.reopen();
    await turns();
    bring(2, 1);
    state.first_seq = 50;
    bring(60, 2);
    for (let i = 0; i < 100 && consumers.length < 2; i += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual([behind(), consumers.length, errors.length], [1, 2, 0]);
    feed.close();
  });
});
