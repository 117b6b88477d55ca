// The recorded runs of the bridge and the recorded endpoints, through the public API. Texts that are not UTF-8 go in
// as texts with a lone surrogate, so no line is left out.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLeasegate } from 'leasegate';
import { BridgeReplay } from './support/replay.js';

const vectors = new URL('../../vectors/', import.meta.url);
const folder = new URL('bridge/', vectors);
const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const lines = (/** @type {URL} */ file) => readFileSync(file, 'utf8').split('\n').filter(Boolean);
const lg = await createLeasegate();
let played = 0;

/** Fields that the contract has and the recordings lack. */
const ADDED = new Map([
  ['control_terminal', ['state']],
  ['transport_unavailable', ['reason']],
  ['transport_construct_failed', ['reason', 'evidence', 'error']],
]);

/** @param {unknown} value */
const show = (value) => JSON.stringify(value) ?? String(value);

/**
 * Every place where they differ, as `path: expected ..., actual ...`.
 * @param {any} expected @param {any} actual @param {string} path @returns {string[]}
 */
function differences(expected, actual, path) {
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    if (Object.is(expected, actual)) return [];
    if (/\.payload$/.test(path) && !expected && !actual) return []; // null and empty are the same
    if (expected === '<default>' && typeof actual === 'string' && actual !== '') return [];
    return [`${path}: expected ${show(expected)}, actual ${show(actual)}`];
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...names].flatMap((name) => differences(expected[name], actual[name], `${path}.${name}`));
}

/** @param {any} out @param {any} said */
function adapted(out, said) {
  if (!out.err || !said.err) return said;
  const err = { ...said.err };
  for (const name of ADDED.get(err.code) ?? []) delete err[name];
  const adaptedSaid = { ...said, err };
  if ('value' in out && ['sender_error', 'host_error'].includes(out.err.code)) adaptedSaid.value = out.value;
  // An id that is not valid is repeated in no error.
  if (err.code === 'delivery_not_found' && err.id === null && isRefused(out.err.id)) err.id = out.err.id;
  return adaptedSaid;
}

/** @param {string} id */
function isRefused(id) {
  try {
    lg.validateOpaqueId('delivery_id', id ?? '');
    return false;
  } catch {
    return true;
  }
}

for (const [index, file] of files.entries()) {
  test(`${file}: JavaScript answers every line as recorded`, async () => {
    const replay = new BridgeReplay(lg, index % 2 === 0);
    for (const [number, text] of lines(new URL(file, folder)).entries()) {
      const line = JSON.parse(text);
      const where = `${file}:${number + 1}`;
      let said;
      try {
        said = await replay.play(line);
      } catch (error) {
        throw new Error(`${where}: ${error}\n  command: ${text.slice(0, 400)}`, { cause: error });
      }
      const found = differences(line.out, adapted(line.out, said), 'out');
      if (found.length > 0) assert.fail(`${where}: ${found.join('\n  ')}\n  command: ${text.slice(0, 400)}`);
      played += 1;
    }
    await replay.dispose();
  });
}

test('the recordings are complete: 80 files, 14,148 lines', () => {
  assert.equal(files.length, 80);
  assert.equal(played, 14_148);
});

test('endpoints.jsonl: every endpoint is accepted or refused as recorded', async () => {
  const registry = new lg.TransportRegistry();
  registry.register('websocket', () => ({ kind: 'websocket', send() {}, close() {} }));
  const recorded = lines(new URL('endpoints.jsonl', vectors));
  assert.equal(recorded.length, 201);
  for (const [number, text] of recorded.entries()) {
    const { endpoint, accepted } = JSON.parse(text);
    const answer = await registry.build({ kind: 'websocket', included: true, enabled: true, endpoint }).then(
      () => true,
      (error) => error,
    );
    if (accepted) assert.equal(answer, true, `endpoints.jsonl:${number + 1} ${text}`);
    else {
      assert.equal(answer.code, 'transport_unavailable', `endpoints.jsonl:${number + 1} ${text}`);
      assert.equal(answer.state, endpoint === '' ? 'unconfigured' : 'malformed_configuration');
    }
  }
  registry.dispose();
});
