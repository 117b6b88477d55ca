// Reading records without a machine: every field of every kind of command comes back as it was given.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createLeasegate, LeasegateError } from 'leasegate';
import { FRAME_HEAD_BYTES, FRAME_TAIL_BYTES, MAX_HEADER_BYTES } from '../../../js/generated/journal.js';
import * as journal from '../../../src/schema/journal.mjs';
import { joined, plain, poolStory, receiptOf, resultStory } from './support/story.js';

const lg = await createLeasegate();
const story = poolStory(lg);
const results = resultStory(lg);

test('the stories hold every kind of command', () => {
  const kinds = [...story.given, ...results.given].map(({ kind }) => kind);
  const all = Object.values(journal.kinds).flatMap((contract) => Object.keys(contract));
  assert.deepEqual(new Set(kinds), new Set(all));
});

for (const [name, { records, given }] of Object.entries({ coordination: story, results })) {
  test(`${name}: every record says field by field what was given`, () => {
    const read = [...lg.readRecords(records)];
    assert.equal(read.length, given.length);
    for (const [i, { command, index, revision }] of read.entries()) {
      const { ...wanted } = given[i];
      assert.deepEqual(plain(command), plain(wanted), `record ${i}`);
      assert.deepEqual([index, revision], [i, BigInt(i + 1)]);
      assert.ok(Object.isFrozen(command));
    }
  });

  test(`${name}: offsets and sizes tile the bytes, from any record on`, () => {
    const read = [...lg.readRecords(records)];
    let at = 0;
    for (const { offset, size } of read) {
      assert.equal(offset, at);
      at += size;
    }
    assert.equal(at, records.length);
    for (const [i, { offset }] of read.entries()) {
      const [first] = lg.readRecords(records, { offset });
      assert.deepEqual({ ...first }, { ...read[i], index: 0 });
      assert.equal([...lg.readRecords(records, { offset })].length, read.length - i);
    }
    assert.deepEqual([...lg.readRecords(records, { offset: records.length })], []);
  });
}

test('a journal’s records begin behind its header', () => {
  const { size } = lg.readJournalHeader(story.journal);
  assert.equal([...lg.readRecords(story.journal, { offset: size })].length, story.given.length);
});

test('what surrounds a body is as long as the schema says', () => {
  const { size } = lg.readJournalHeader(story.journal);
  assert.ok(size <= MAX_HEADER_BYTES);
  const { buffer, byteOffset } = story.records;
  for (const { offset, size } of lg.readRecords(story.records)) {
    const body = new DataView(buffer, byteOffset).getUint32(offset, true);
    assert.equal(size, FRAME_HEAD_BYTES + body + FRAME_TAIL_BYTES);
  }
});

test('texts and integers at their ends come back exactly', () => {
  const limits = { maxWorkers: 4096 };
  const pool = new lg.WorkerPool({ limits, journal: {} });
  const now = 2n ** 64n - 1n;
  const taskId = 'x'.repeat(256);
  const targetRef = '€'.repeat(341);
  const phases = new Uint8Array(256).map((_, i) => i);
  pool.taskQueue.enqueue({
    expectedRevision: 0,
    now: 2 ** 53 - 1,
    spec: { taskId, scanId: 's', targetRef, phases, priority: 'low' },
  });
  pool.pruneDeadWorkers({ expectedRevision: 1, now });
  const [first, second] = lg.readRecords(pool.takeRecords());
  assert.deepEqual(plain(first.command), {
    kind: 'enqueue',
    now: 2n ** 53n - 1n,
    spec: { taskId, scanId: 's', targetRef, phases, priority: 'low' },
  });
  assert.deepEqual(plain(second.command), { kind: 'prune_dead_workers', now });
});

test('a long list of ids and large bytes come back whole', () => {
  const aggregator = new lg.ResultAggregator({
    limits: { maxResults: 65_536, maxAggregateItems: 65_536 },
    journal: { maxBytes: 64 * 1024 * 1024 },
  });
  const taskIds = Array.from({ length: 3000 }, (_, i) => `id-${i}`.padEnd(1 + (i % 250), 'x'));
  for (const taskId of taskIds) {
    aggregator.storeResult({
      expectedRevision: aggregator.revision,
      receipt: receiptOf(taskId),
      bytes: new Uint8Array(1),
    });
  }
  aggregator.removeResults({ expectedRevision: aggregator.revision, taskIds });
  const bytes = new Uint8Array(1024 * 1024).map((_, i) => i * 31);
  aggregator.storeResult({ expectedRevision: aggregator.revision, receipt: receiptOf('big'), bytes });
  const read = [...lg.readRecords(aggregator.takeRecords())];
  const removal = read.at(-2)?.command;
  assert.deepEqual(removal?.kind === 'remove_results' && removal.taskIds, taskIds);
  const stored = read.at(-1)?.command;
  assert.ok(stored?.kind === 'store_result' && Buffer.from(stored.bytes).equals(bytes));
});

test('neither target references nor result bytes are shown', () => {
  const [enqueue] = [...lg.readRecords(story.records)].filter(({ command }) => command.kind === 'enqueue');
  const shown = inspect(enqueue, { depth: 9 });
  assert.match(shown, /enqueue/);
  assert.doesNotMatch(shown, /example\.test/);
  assert.doesNotMatch(inspect([...lg.readRecords(results.records)], { depth: 9 }), /44, 44|88, 88/);
  assert.match(JSON.stringify(enqueue), /example\.test/, 'as JSON they are data');
});

test('a record that cannot be read throws, after all before it were given', () => {
  /** @type {[string, Uint8Array, number][]} */
  const starts = [...lg.readRecords(story.records)].map(({ offset }) => offset);
  const bytes = story.records.slice();
  bytes[starts[5] + 9] ^= 1;
  for (const [broken, count, code] of /** @type {[Uint8Array, number, string][]} */ ([
    [bytes, 5, 'journal_checksum_mismatch'],
    [story.records.subarray(0, starts[7] + 3), 7, 'journal_truncated'],
    [joined([story.records, new Uint8Array(10)]), starts.length, 'journal_truncated'],
    [story.journal, 0, 'journal_checksum_mismatch'],
  ])) {
    let read = 0;
    assert.throws(
      () => {
        for (const record of lg.readRecords(broken)) read += record.index >= 0 ? 1 : 0;
      },
      (error) => error instanceof LeasegateError && error.code === code,
    );
    assert.equal(read, count, code);
  }
});

test('two readings at once do not disturb each other, nor commands in between', () => {
  const pool = new lg.WorkerPool();
  const one = lg.readRecords(story.records);
  const other = lg.readRecords(results.records);
  const kinds = [];
  for (const record of one) {
    kinds.push(record.command.kind);
    other.next();
    pool.pruneDeadWorkers({ expectedRevision: pool.revision, now: 0 });
  }
  assert.deepEqual(
    kinds,
    story.given.map(({ kind }) => kind),
  );
});

test('bytes that go elsewhere in the middle are no end of the journal', () => {
  const bytes = story.records.slice();
  const reading = lg.readRecords(bytes);
  reading.next();
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  assert.throws(() => reading.next(), { name: 'TypeError', message: /detached/ });
});
