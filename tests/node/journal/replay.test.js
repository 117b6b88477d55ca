// From bytes to handles: journals, snapshots, both together, and the files that pin the format.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLeasegate, LeasegateError } from 'leasegate';
import { joined, poolStory, receiptOf, resultStory } from './support/story.js';

const lg = await createLeasegate();
const LIMITS = { maxRetries: 1 };
const story = poolStory(lg, LIMITS);
const LAST = BigInt(story.entries.length);
const golden = (/** @type {string} */ name) =>
  readFileSync(new URL(`../../native/journal/golden/${name}`, import.meta.url));
/** The snapshot at every revision, from 0. */
const snapshots = Array.from({ length: story.entries.length + 1 }, (_, until) =>
  lg.WorkerPool.replay(story.journal, { untilRevision: until }).pool.exportSnapshot(),
);

// The digests that the native tests expect of the same files.
const [COORDINATION, RESULTS] = [
  ...readFileSync(new URL('../../native/journal/golden_test.cpp', import.meta.url), 'utf8').matchAll(
    /digest_of\(j\.machine\) == "([0-9a-f]{64})"/g,
  ),
].map(([, digest]) => digest);

test('the pinned journals and snapshots lead to the states and digests that they lead to natively', () => {
  const { pool, report } = lg.WorkerPool.replay(golden('coordination.journal'));
  assert.equal(report.stopped, null);
  assert.equal(pool.stateDigest(), COORDINATION);
  assert.deepEqual(Buffer.from(pool.exportSnapshot()), golden('coordination.snapshot'));
  assert.equal(lg.WorkerPool.fromSnapshot(golden('coordination.snapshot')).stateDigest(), COORDINATION);
  pool.checkInvariants();

  const { aggregator, report: other } = lg.ResultAggregator.replay(golden('results.journal'));
  assert.equal(other.stopped, null);
  assert.equal(aggregator.stateDigest(), RESULTS);
  assert.deepEqual(Buffer.from(aggregator.exportSnapshot()), golden('results.snapshot'));
  assert.equal(lg.ResultAggregator.fromSnapshot(golden('results.snapshot')).stateDigest(), RESULTS);
});

test('what is written here is what is written natively', () => {
  for (const [name, Class] of /** @type {[string, any][]} */ ([
    ['coordination.journal', lg.WorkerPool],
    ['results.journal', lg.ResultAggregator],
  ])) {
    const file = golden(name);
    const { limits, size } = lg.readJournalHeader(file);
    /** @type {Uint8Array[]} */
    const written = [];
    const handle = new Class({ limits, journal: (/** @type {any} */ { bytes }) => written.push(bytes) });
    const header = handle.journalHeader();
    handle.applyBatch(file.subarray(size));
    assert.deepEqual(Buffer.from(joined([header, ...written])), file);
  }
});

test('a digest is the SHA-256 of the body of a snapshot', () => {
  const snapshot = story.pool.exportSnapshot();
  const digest = createHash('sha256').update(snapshot.subarray(14, -4)).digest('hex');
  assert.equal(story.pool.stateDigest(), digest);
});

test('a journal leads to any revision of it', () => {
  for (let until = 0; until <= story.entries.length; until += 1) {
    const { pool, report } = lg.WorkerPool.replay(story.journal, { untilRevision: until });
    assert.deepEqual([report.applied, report.revision, report.stopped], [until, BigInt(until), null]);
    assert.equal(pool.revision, BigInt(until));
    pool.checkInvariants();
    pool.dispose();
  }
  assert.equal(lg.WorkerPool.replay(story.journal).pool.stateDigest(), story.pool.stateDigest());
  assert.equal(lg.WorkerPool.replay(story.journal, null).report.revision, LAST);
});

test('a snapshot of any revision, and the journal from the beginning or from there on, lead to the same state', () => {
  for (const [at, snapshot] of snapshots.entries()) {
    const whole = lg.WorkerPool.replay(story.journal, { snapshot });
    assert.deepEqual([whole.report.applied, whole.report.revision], [story.entries.length - at, LAST]);
    assert.equal(whole.pool.stateDigest(), story.pool.stateDigest());
    const base = lg.WorkerPool.fromSnapshot(snapshot);
    const rest = joined(story.entries.slice(at).map(({ bytes }) => bytes));
    const later = joined([base.journalHeader(), rest]);
    assert.equal(lg.readJournalHeader(later).base, BigInt(at));
    const { pool, report } = lg.WorkerPool.replay(later, { snapshot });
    assert.deepEqual([report.applied, report.stopped], [story.entries.length - at, null]);
    assert.equal(pool.stateDigest(), story.pool.stateDigest());
    assert.deepEqual(pool.exportSnapshot(), story.pool.exportSnapshot());
  }
});

test('a journal of a header alone leads to a new machine, or to its snapshot', () => {
  const header = new lg.WorkerPool({ limits: LIMITS }).journalHeader();
  const { pool, report } = lg.WorkerPool.replay(header);
  assert.deepEqual({ ...report }, { applied: 0, revision: 0n, offset: header.length, stopped: null });
  assert.equal(pool.revision, 0n);
  const none = lg.WorkerPool.replay(story.journal, { untilRevision: 0 }).report;
  assert.deepEqual({ ...none }, { applied: 0, revision: 0n, offset: header.length, stopped: null });
});

test('a snapshot is the state: what it makes answers alike from then on', () => {
  const at = 12;
  const restored = lg.WorkerPool.fromSnapshot(snapshots[at]);
  assert.deepEqual(restored.exportSnapshot(), snapshots[at]);
  restored.checkInvariants();
  const report = restored.applyBatch(joined(story.entries.slice(at).map(({ bytes }) => bytes)));
  assert.equal(report.stopped, null);
  assert.equal(restored.stateDigest(), story.pool.stateDigest());
});

test('the report of a replay says where a journal is torn or damaged; the pool is as it was before', () => {
  const torn = lg.WorkerPool.replay(story.journal.subarray(0, -1));
  assert.equal(torn.report.revision, LAST - 1n);
  assert.equal(torn.pool.revision, LAST - 1n);
  assert.equal(torn.report.stopped?.error.code, 'journal_truncated');
  assert.equal(torn.report.stopped?.index, story.entries.length - 1);
  const cut = torn.report.stopped?.offset ?? 0;
  assert.equal(lg.WorkerPool.replay(story.journal.subarray(0, cut)).report.stopped, null, 'cut there');
  const bytes = story.journal.slice();
  bytes[cut + 10] ^= 1;
  assert.equal(lg.WorkerPool.replay(bytes).report.stopped?.error.code, 'journal_checksum_mismatch');
});

test('a replayed pool can be recorded further: its sink is given what comes after', () => {
  /** @type {any[]} */
  const entries = [];
  const { pool } = lg.WorkerPool.replay(story.journal, { journal: (entry) => entries.push(entry) });
  assert.equal(entries.length, 0);
  pool.pruneDeadWorkers({ expectedRevision: LAST, now: story.now });
  assert.deepEqual(
    entries.map(({ revision }) => revision),
    [LAST + 1n],
  );
  const again = lg.WorkerPool.replay(joined([story.journal, entries[0].bytes]));
  assert.equal(again.pool.stateDigest(), pool.stateDigest());
  const restored = lg.WorkerPool.fromSnapshot(snapshots[3], { journal: {} });
  restored.pruneDeadWorkers({ expectedRevision: 3, now: story.now });
  assert.equal([...lg.readRecords(restored.takeRecords())][0].revision, 4n);
});

test('a journal that begins later needs a snapshot that is not earlier', () => {
  const base = lg.WorkerPool.fromSnapshot(snapshots[10]);
  const later = joined([base.journalHeader(), ...story.entries.slice(10).map(({ bytes }) => bytes)]);
  assert.throws(() => lg.WorkerPool.replay(later), { code: 'journal_snapshot_required', revision: 10n });
  assert.throws(() => lg.WorkerPool.replay(later, { snapshot: snapshots[9] }), {
    code: 'journal_snapshot_required',
    revision: 10n,
  });
  for (const at of [10, 11, story.entries.length])
    assert.equal(lg.WorkerPool.replay(later, { snapshot: snapshots[at] }).report.revision, LAST);
  assert.throws(() => lg.WorkerPool.replay(story.journal, { snapshot: snapshots[10], untilRevision: 9 }), {
    code: 'journal_revision_gap',
    message: 'The snapshot of revision 10 is later than untilRevision, which is 9.',
    expected: 9n,
    actual: 10n,
  });
  const exact = lg.WorkerPool.replay(story.journal, { snapshot: snapshots[10], untilRevision: 10 });
  assert.deepEqual([exact.report.applied, exact.report.revision], [0, 10n]);
});

test('a snapshot under other limits is not the journal’s', () => {
  const other = new lg.WorkerPool({ limits: { ...LIMITS, maxWorkers: 5 } });
  assert.throws(() => lg.WorkerPool.replay(story.journal, { snapshot: other.exportSnapshot() }), {
    code: 'journal_limits_differ',
    name: 'max_workers',
  });
});

test('bytes that are no journal or snapshot are refused by name', () => {
  const { journal: results } = resultStory(lg);
  const snapshot = snapshots[5];
  const damaged = snapshot.slice();
  damaged[30] ^= 1;
  const version = story.journal.slice();
  version[4] = 2;
  /** @type {[() => unknown, string][]} */
  const cases = [
    [() => lg.WorkerPool.replay(new Uint8Array(100)), 'journal_bad_magic'],
    [() => lg.WorkerPool.replay(new Uint8Array(0)), 'journal_truncated'],
    [() => lg.WorkerPool.replay(story.journal.subarray(0, 20)), 'journal_truncated'],
    [() => lg.WorkerPool.replay(version), 'journal_unknown_version'],
    [() => lg.WorkerPool.replay(results), 'journal_wrong_contract'],
    [() => lg.ResultAggregator.replay(story.journal), 'journal_wrong_contract'],
    [() => lg.WorkerPool.replay(snapshot), 'journal_bad_magic'],
    [() => lg.WorkerPool.replay(story.journal, { snapshot: story.journal }), 'journal_bad_magic'],
    [() => lg.WorkerPool.fromSnapshot(story.journal), 'journal_bad_magic'],
    [() => lg.WorkerPool.fromSnapshot(snapshot.subarray(0, -1)), 'journal_truncated'],
    [() => lg.WorkerPool.fromSnapshot(damaged), 'journal_checksum_mismatch'],
    [() => lg.WorkerPool.fromSnapshot(joined([snapshot, Uint8Array.of(0)])), 'journal_malformed'],
    [() => lg.ResultAggregator.fromSnapshot(snapshot), 'journal_wrong_contract'],
    [() => lg.readJournalHeader(snapshot), 'journal_bad_magic'],
    [() => lg.readJournalHeader(story.journal.subarray(0, 10)), 'journal_truncated'],
  ];
  for (const [call, code] of cases)
    assert.throws(call, (/** @type {any} */ error) => {
      assert.ok(error instanceof LeasegateError);
      assert.equal(error.code, code, String(call));
      return true;
    });
});

test('the results come back from journals and snapshots in the same way', () => {
  const { results, journal, entries } = resultStory(lg);
  const { aggregator, report } = lg.ResultAggregator.replay(journal);
  assert.deepEqual([report.applied, report.revision, report.stopped], [4, 4n, null]);
  assert.equal(aggregator.stateDigest(), results.stateDigest());
  assert.deepEqual(aggregator.getResult('a'), new Uint8Array(0));
  assert.equal(aggregator.getResult('c'), null);
  const early = lg.ResultAggregator.replay(journal, { untilRevision: 3n }).aggregator;
  assert.deepEqual(early.getResult('c'), new Uint8Array(600).fill(600));
  const restored = lg.ResultAggregator.fromSnapshot(early.exportSnapshot(), { journal: {} });
  assert.equal(restored.stateDigest(), early.stateDigest());
  restored.applyBatch(entries[3].bytes);
  assert.equal(restored.stateDigest(), results.stateDigest());
  assert.deepEqual(restored.takeRecords(), entries[3].bytes);
  const stored = restored.storeResult({
    expectedRevision: 4,
    receipt: receiptOf('a'),
    bytes: new Uint8Array(0),
  });
  assert.equal(stored.value.kind, 'already_stored', 'it knows its receipts');
});
