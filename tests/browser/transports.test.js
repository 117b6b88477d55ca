// The transport adapters in a real browser, against the library's own server: each connects from where it left off,
// carries events both ways, and says how it ended.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventStreamHandler, webSocketHandler } from 'leasegate/transports/server';
import { WebSocketServer } from 'ws';
import { startChromium } from './support/chromium.js';
import { openPage, pageOf, serve } from './support/page.js';

const PAGE = `
  import { sseFactory } from 'leasegate/transports/sse';
  import { websocketFactory } from 'leasegate/transports/websocket';

  globalThis.talk = async (kind) => {
    const got = [];
    let ended;
    const closed = new Promise((resolve) => { ended = resolve; });
    const make = (kind === 'websocket' ? websocketFactory : sseFactory)({
      resume: { session: 'session-1', epoch: 6n, cursor: 2n ** 60n },
      onEvent: ({ sequence, event }) => { got.push([String(sequence), event.messageId, new TextDecoder().decode(event.payload)]); },
      onClose: ended,
    });
    const endpoint = (kind === 'websocket' ? 'ws' : 'http') + '://' + location.host + '/' + kind;
    const transport = await make({ kind, endpoint }, {});
    const answers = [];
    for (const messageId of ['m-1', 'm-2']) {
      answers.push(await transport.send({ messageId, type: 'note', payload: new TextEncoder().encode('to the server') }, {}));
    }
    const { error } = await closed;
    const evidence = await transport.close({});
    return { epoch: String(transport.epoch), got, answers, evidence, code: error.code, reason: error.reason };
  };
  globalThis.ready = true;
`;

/** What the server heard, and the connection that the page has. */
const heard = [];

const options = {
  welcome: ({ resume }) => {
    heard.push(['cursor', resume.cursor]);
    return { epoch: resume.epoch + 1n };
  },
  onConnect: async (peer) => {
    for (const step of [1n, 2n]) {
      const event = {
        messageId: `s-${step}`,
        type: 'note',
        payload: new TextEncoder().encode('to the page'),
      };
      await peer.send({ sequence: peer.resume.cursor + step, event });
    }
  },
  onEvent: ({ messageId, payload }, peer) => {
    heard.push([messageId, new TextDecoder().decode(payload)]);
    if (messageId === 'm-2') setTimeout(() => peer.terminate(), 50); // after the answer is on its way
    return { accepted: true, durabilityKnown: true };
  },
};

let site;
let browser;

before(async () => {
  const page = await pageOf({
    stdin: { contents: PAGE, resolveDir: import.meta.dirname ?? '.' },
    external: ['ws'],
  });
  const streams = eventStreamHandler(options);
  site = await serve((request, response) => {
    if (request.url.startsWith('/ccr_sse')) streams(request, response);
    else page(request, response);
  });
  const sockets = new WebSocketServer({ server: site.server, path: '/websocket' });
  sockets.on('connection', webSocketHandler(options));
  browser = await startChromium();
});

after(async () => {
  await browser?.close();
  site?.close();
});

for (const kind of ['websocket', 'ccr_sse']) {
  test(`${kind} in a browser: resumes, carries events both ways, and a cut is told`, async () => {
    heard.length = 0;
    const { page } = await openPage(browser, site.address);
    const said = await page.evaluate((name) => globalThis.talk(name), kind);
    await page.close();
    const cursor = 2n ** 60n;
    assert.deepEqual(heard, [
      ['cursor', cursor],
      ['m-1', 'to the server'],
      ['m-2', 'to the server'],
    ]);
    assert.equal(said.epoch, '7');
    assert.deepEqual(said.got, [
      [String(cursor + 1n), 's-1', 'to the page'],
      [String(cursor + 2n), 's-2', 'to the page'],
    ]);
    assert.deepEqual(
      said.answers.map(({ accepted, durabilityKnown }) => [accepted, durabilityKnown]),
      [
        [true, true],
        [true, true],
      ],
    );
    assert.equal(said.evidence.dropped, 0);
    assert.equal(said.code, 'transport_closed');
    assert.equal(typeof said.reason, 'string');
  });
}
