// A program whose transports are closed, lost or refused ends by itself: no timer, socket or listener is left.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { startBridge } from './support/servers.js';

const program = `
  import { websocketFactory } from 'leasegate/transports/websocket';
  import { sseFactory } from 'leasegate/transports/sse';
  process.on('unhandledRejection', (error) => { console.log('unhandled', error); process.exit(3); });
  const [kind, endpoint] = process.argv.slice(1);
  const factory = kind === 'websocket' ? websocketFactory : sseFactory;
  const event = { messageId: 'm', type: 't', payload: new Uint8Array(3) };
  const resume = (session) => ({ session, epoch: 1, cursor: 0 });
  const connect = (session, { signal, ...options } = {}) =>
    factory({ resume: resume(session), onEvent: () => {}, ...options })({ kind, endpoint }, { signal });
  const out = [];

  const closed = await connect('plain');
  await closed.send(event);
  out.push((await closed.close()).dropped);

  const cut = await connect('hang');
  const sent = cut.send(event).catch((error) => error.code);
  await new Promise((resolve) => setTimeout(resolve, 10));
  out.push((await cut.close({ signal: AbortSignal.abort() })).dropped, await sent);

  let told;
  const reason = new Promise((resolve) => { told = resolve; });
  const lost = await connect('kill', { onClose: (info) => told(info.reason) });
  out.push(await lost.send(event).catch((error) => error.code), (await lost.close()).dropped, await reason);

  out.push(await connect('refuse').catch((error) => error.reason));
  out.push(await connect('never', { connectTimeoutMs: 50 }).catch((error) => error.reason));
  const abort = new AbortController();
  const aborted = connect('never', { signal: abort.signal }).catch((reason) => reason);
  setTimeout(() => abort.abort('aborted'), 10);
  out.push(await aborted);
  console.log(JSON.stringify(out));
  // Package ws has a timer of its own until the system tells it that a socket is closed.
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  for (const deadline = Date.now() + 1000; timers() > 0 && Date.now() < deadline; ) await new Promise(setImmediate);
  console.log(timers(), 'timers');
`;

for (const kind of ['websocket', 'ccr_sse']) {
  test(`${kind}: the process ends by itself`, { timeout: 15_000 }, async (t) => {
    const { refuse } = await import('leasegate/transports/server');
    const bridge = await startBridge(t, kind, {
      welcome: ({ resume }) => {
        if (resume.session === 'refuse') throw refuse('policy');
        return resume.session === 'never' ? new Promise(() => {}) : { epoch: 2 };
      },
      onEvent: (_, peer) => {
        if (peer.session === 'kill') setTimeout(() => peer.terminate(), 1);
        return peer.session === 'plain' ? { accepted: true } : new Promise(() => {});
      },
    });
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', program, '--', kind, bridge.endpoint],
      {
        cwd: new URL('../../..', import.meta.url),
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    let spoken = 0;
    child.stdout.on('data', (data) => {
      output += data;
      spoken = performance.now();
    });
    const code = await new Promise((resolve) => child.on('exit', resolve));
    const lingered = performance.now() - spoken;
    assert.equal(code, 0, output);
    const [results, timers] = output.trim().split('\n');
    assert.deepEqual(JSON.parse(results), [
      0,
      1,
      'transport_closed',
      'transport_closed',
      1,
      'abnormal',
      'policy',
      'timeout',
      'aborted',
    ]);
    if (kind === 'websocket') assert.equal(timers, '0 timers');
    assert.ok(lingered < 2500, `ended ${Math.round(lingered)} ms after its last word`);
  });
}
