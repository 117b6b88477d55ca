// Credentials go to the server and nowhere else: not into errors, inspection, messages or addresses that are shown.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { displayEndpoint } from 'leasegate/transports/websocket';
import { deferred, event, rawWebSocketServer, startBridge } from './support/servers.js';

const secrets = [
  's3cretToken',
  's3cretHeader',
  's3cretUser',
  's3cretPassword',
  's3cretQuery',
  's3cretProtocol',
  's3cretThrown',
];

/** Everything that a thing shows of itself. */
function showing(value) {
  const shown = [
    inspect(value, { depth: 12, showHidden: true, getters: true }),
    String(value),
    JSON.stringify(value),
  ];
  if (value instanceof Error) shown.push(value.stack, value.message, inspect(value.cause, { depth: 12 }));
  return shown.join('\n');
}

function assertSilent(value) {
  const shown = showing(value);
  for (const secret of secrets) assert.equal(shown.includes(secret), false, `${secret} in ${shown}`);
}

const withSecrets = (endpoint) =>
  endpoint.replace('://', '://s3cretUser:s3cretPassword@').concat('?key=s3cretQuery#x');

for (const kind of ['websocket', 'ccr_sse']) {
  describe(kind, { timeout: 15_000 }, () => {
    const options = { token: 's3cretToken', headers: { 'x-key': 's3cretHeader' } };

    test('they reach the server', async (t) => {
      const clients = [];
      const bridge = await startBridge(t, kind, {
        welcome: (client) => {
          clients.push({ token: client.token, headers: client.request.headers, url: client.request.url });
          return { epoch: 2 };
        },
      });
      await bridge.connect({
        ...options,
        token: async () => 's3cretToken',
        at: withSecrets(bridge.endpoint),
      });
      assert.equal(clients[0].token, 's3cretToken');
      assert.equal(clients[0].headers['x-key'], 's3cretHeader');
      assert.equal(clients[0].url, '/bridge?key=s3cretQuery');
      const basic = `Basic ${btoa('s3cretUser:s3cretPassword')}`;
      assert.equal(clients[0].headers.authorization, kind === 'websocket' ? basic : 'Bearer s3cretToken');
    });

    test('no transport, end or error shows them', async (t) => {
      const bridge = await startBridge(t, kind, { onEvent: () => new Promise(() => {}) });
      const ended = deferred();
      const transport = await bridge.connect({
        ...options,
        at: withSecrets(bridge.endpoint),
        onClose: ended.resolve,
      });
      assertSilent(transport);
      const sending = transport.send(event('m1')).catch((error) => error);
      setTimeout(() => bridge.peers[0].terminate(), 10);
      assertSilent(await sending);
      const info = await ended.promise;
      assertSilent(info);
      assertSilent(transport);
      assertSilent(bridge.closed[0]);
    });

    test('no failure to connect shows them', async (t) => {
      const refusing = await startBridge(t, kind, {
        welcome: () => {
          throw new Error('s3cretThrown');
        },
      });
      const at = withSecrets(refusing.endpoint);
      const failures = [
        refusing.connect({ ...options, at }),
        refusing.connect({ ...options, at: at.replace(/:\d+\//, ':1/') }),
        refusing.connect({ ...options, at: at.replace(/^\w+/, 'ftp') }),
        refusing.connect({ ...options, at: at.replace('127.0.0.1', '[broken') }),
        refusing.connect({ ...options, at: at.replace('s3cretUser', 's3cretUser%ff') }),
        refusing.connect({ ...options, at, connectTimeoutMs: 1 }),
        refusing.connect({ at, headers: { 'x-key': 's3cretHeader\n' } }),
        refusing.connect({ at, token: { text: 's3cretToken' } }),
        refusing.connect({
          at,
          token: () => {
            throw new Error('s3cretThrown');
          },
        }),
      ];
      if (kind === 'websocket')
        failures.push(refusing.connect({ at, protocols: ['s3cretProtocol', 's3cretProtocol'] }));
      for (const { reason: error } of await Promise.allSettled(failures)) {
        assert.equal(error.code, 'transport_connect_failed');
        assertSilent(error);
      }
    });

    test('they do not go unencrypted to another machine, unless that is wanted', async (t) => {
      const bridge = await startBridge(t, kind);
      const scheme = kind === 'websocket' ? 'ws' : 'http';
      for (const at of [`${scheme}://bridge.invalid/`, `${scheme}://127.0.0.1.bridge.invalid/`]) {
        for (const given of [{ token: 't' }, { headers: { a: 'b' } }, { at: at.replace('://', '://u:p@') }]) {
          await assert.rejects(bridge.connect({ at, ...given }), { reason: 'insecure_credentials' });
        }
        // Resolution fails: it has been tried.
        await assert.rejects(bridge.connect({ at, token: 't', allowInsecureCredentials: true }), {
          reason: 'unreachable',
        });
      }
    });
  });
}

test('a text of the server that closes is repeated nowhere', async (t) => {
  const endpoint = await rawWebSocketServer(t, (socket) => socket.close(4401, 'you sent s3cretToken'));
  const bridge = await startBridge(t, 'websocket');
  const error = await bridge.connect({ at: endpoint, token: 's3cretToken' }).catch((thrown) => thrown);
  assert.equal(error.reason, 'unauthorized');
  assertSilent(error);
});

test('an endpoint is shown without what may be secret', () => {
  assert.equal(displayEndpoint('wss://user:pw@host:8443/a/b?token=x#y'), 'wss://host:8443/a/b');
  assert.equal(displayEndpoint('https://host'), 'https://host/');
  assert.equal(displayEndpoint('nonsense?token=x'), '(not a URL)');
  assert.equal(displayEndpoint('mailto:user@host?token=x'), 'mailto://');
  assert.equal(displayEndpoint(undefined), '(not a URL)');
});
