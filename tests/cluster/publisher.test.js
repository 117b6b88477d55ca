// What a command is sent with, and sent again.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Publisher } from '../../js/cluster/publisher.js';
import { Entry } from '../../js/cluster/replica.js';
import { placesOf } from '../../js/cluster/texts.js';

/** @param {Partial<Entry>} fields */
const entryOf = (fields) => Object.assign(new Entry(/** @type {any} */ ({ attempts: 0 })), fields);

function publisherOf() {
  /** @type {{ subject: string, id: string, expected: string, reply: string }[]} */
  const sent = [];
  /** @type {(error: null, message: any) => void} */
  let answer = () => {};
  const connection = {
    info: { max_payload: 1024 },
    subscribe: (/** @type {string} */ _, /** @type {any} */ { callback }) => {
      answer = callback;
      return { unsubscribe() {} };
    },
    publish: (
      /** @type {string} */ subject,
      /** @type {Uint8Array} */ _,
      /** @type {any} */ { headers, reply },
    ) =>
      sent.push({
        subject,
        id: headers.get('Nats-Msg-Id'),
        expected: headers.get('Nats-Expected-Last-Sequence'),
        reply,
      }),
  };
  /** @type {unknown[]} */
  const told = [];
  const publisher = new Publisher({
    connection: /** @type {any} */ (connection),
    places: placesOf('p', 'pool'),
    host: 'host',
    inbox: 'in',
    onAcknowledged: (entry) => told.push(entry),
    onBroken: () => {},
    onMisplaced: (sequence) => told.push(`misplaced ${sequence}`),
  });
  const say = (/** @type {string} */ subject, /** @type {object} */ said) =>
    answer(null, { subject, string: () => JSON.stringify(said) });
  return { publisher, sent, told, say };
}

describe('a command on its way', () => {
  it('names its place and its author, and is the same message when it is sent again', () => {
    const { publisher, sent } = publisherOf();
    const entry = entryOf({ state: 'sent', place: 7, kind: 'chained', author: 'host-3' });
    publisher.send(entry);
    publisher.resend(entry);
    assert.deepEqual(sent[0], sent[1]);
    assert.equal(sent[0].subject, 'leasegate.p.pool.c.host-3');
    assert.equal(sent[0].expected, '6');
    publisher.send(entryOf({ state: 'sent', place: 8, kind: 'root', author: 'host-3' }));
    assert.notEqual(sent[2].id, sent[0].id);
  });

  it('is acknowledged at its own place only, and not after it was given up', () => {
    const { publisher, sent, told, say } = publisherOf();
    const entry = entryOf({ state: 'sent', place: 7 });
    publisher.send(entry);
    say(sent[0].reply, { error: { err_code: 10071 } });
    assert.deepEqual([told, publisher.apiCode], [[], 10071]);
    say(sent[0].reply, { stream: 's', seq: 7 });
    assert.deepEqual([told.splice(0), publisher.apiCode], [[entry], null]);
    publisher.send(entryOf({ state: 'sent', place: 8 }));
    say(sent[1].reply, { stream: 's', seq: 12 });
    assert.deepEqual(told.splice(0), ['misplaced 12']);
    publisher.send(entryOf({ state: 'sent', place: 9 }));
    publisher.forget();
    say(sent[2].reply, { stream: 's', seq: 9 });
    assert.deepEqual(told, []);
  });

  it('is not remembered for ever when its acknowledgement is lost', () => {
    const { publisher } = publisherOf();
    for (let i = 0; i < 20_000; i += 1) {
      const entry = entryOf({ state: 'sent', place: i + 2 });
      publisher.send(entry);
      entry.state = 'settled';
    }
    assert.ok(publisher.open.size <= 8_192, `${publisher.open.size}`);
  });
});
