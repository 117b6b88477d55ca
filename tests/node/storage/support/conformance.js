// What every storage has to do, and what a durable handle does on every storage. Also bundled for browsers: it imports
// nothing of Node's.

import { receiptOf } from '../../results/support/receipt.js';
import { LIMITS, live, Twin } from './life.js';

/**
 * Where the cases run.
 * @typedef {object} Host
 * @property {any} lg an instance
 * @property {(options?: { keepChapters?: number }) => any} storage the same place each time, empty at first
 */

const header = Uint8Array.of(1, 2, 3);
const options = { onFailure() {} };

/** @param {number} size @param {number} seed */
const bytesOf = (size, seed) =>
  Uint8Array.from({ length: size }, (_, index) => (index * 31 + seed * 7) & 255);

/** @param {...Uint8Array} parts */
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** @param {unknown} value */
const shown = (value) =>
  JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return `${each}n`;
    return each instanceof Uint8Array ? [...each].join(' ') : each;
  });

/** @param {unknown} actual @param {unknown} expected @param {string} [what] */
function equal(actual, expected, what = 'value') {
  const [left, right] = [shown(actual), shown(expected)];
  if (left !== right) throw new Error(`${what}: ${left?.slice(0, 300)} is not ${right?.slice(0, 300)}`);
}

/** @param {Promise<unknown>} promise @param {string} code */
async function refused(promise, code) {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  );
  if (error?.code !== code) throw new Error(`${code} was expected, but it was ${error?.stack ?? error}`);
  return error;
}

/** The state of a chapter sequence. @param {any} session */
const bases = (session) =>
  session.chapters.map(({ base, snapshot, journal }) => [base, snapshot !== null, journal !== null]);

/** @type {{ name: string, run: (host: Host) => Promise<void> }[]} */
export const conformance = [
  {
    name: 'a new storage has no chapters; what is appended to the first one is there again, in order',
    async run({ storage }) {
      let session = await storage().open(options);
      equal(bases(session), []);
      await session.beginChapter({ base: 0n, snapshot: null, header });
      const groups = [bytesOf(10, 1), bytesOf(1, 2), bytesOf(5000, 3)];
      for (const [index, bytes] of groups.entries())
        await session.append({ bytes, revision: BigInt(index * 3 + 1) });
      await session.sync();
      await session.close();
      session = await storage().open(options);
      equal(bases(session), [[0n, false, true]]);
      equal(await session.readJournal(0n), joined(header, ...groups));
      await session.append({ bytes: bytesOf(4, 4), revision: 9n });
      await session.close();
      session = await storage().open(options);
      equal(await session.readJournal(0n), joined(header, ...groups, bytesOf(4, 4)));
      await session.close();
    },
  },
  {
    name: 'a chapter begins with its snapshot and ends where the next begins, and the oldest go',
    async run({ storage }) {
      let session = await storage({ keepChapters: 2 }).open(options);
      await session.beginChapter({ base: 0n, snapshot: null, header });
      await session.append({ bytes: bytesOf(5, 1), revision: 4n });
      await session.beginChapter({ base: 4n, snapshot: bytesOf(100, 2), header: bytesOf(3, 2) });
      await session.append({ bytes: bytesOf(6, 3), revision: 6n });
      equal(
        bases(session).map(([base]) => base),
        [0n, 4n],
      );
      equal(await session.readJournal(0n), joined(header, bytesOf(5, 1)));
      await session.beginChapter({ base: 6n, snapshot: bytesOf(200, 4), header: bytesOf(3, 4) });
      await session.append({ bytes: bytesOf(7, 5), revision: 7n });
      await session.close();
      session = await storage({ keepChapters: 2 }).open(options);
      equal(bases(session), [
        [4n, true, true],
        [6n, true, true],
      ]);
      equal(await session.readSnapshot(4n), bytesOf(100, 2));
      equal(await session.readJournal(4n), joined(bytesOf(3, 2), bytesOf(6, 3)));
      equal(await session.readSnapshot(6n), bytesOf(200, 4));
      equal(await session.readJournal(6n), joined(bytesOf(3, 4), bytesOf(7, 5)));
      await session.close();
    },
  },
  {
    name: 'a damaged chapter is not counted among those that are kept, and stays while an older one needs it',
    async run({ storage }) {
      const session = await storage({ keepChapters: 2 }).open(options);
      const begin = async (/** @type {bigint} */ base, /** @type {bigint[]} */ ...damaged) => {
        const snapshot = base === 0n ? null : bytesOf(9, 1);
        await session.beginChapter({ base, snapshot, header, damaged });
        await session.append({ bytes: bytesOf(5, 1), revision: base + 1n });
        return bases(session).map((/** @type {[bigint]} */ [each]) => each);
      };
      await begin(0n);
      await begin(1n);
      equal(await begin(2n, 1n), [0n, 1n, 2n]);
      equal(await session.readJournal(1n), joined(header, bytesOf(5, 1)));
      equal(await begin(3n, 1n), [2n, 3n]);
      equal(await begin(4n), [3n, 4n]);
      await session.close();
    },
  },
  {
    name: 'a chapter without records gives way to another one with its base',
    async run({ storage }) {
      let session = await storage().open(options);
      await session.beginChapter({ base: 0n, snapshot: null, header });
      await session.append({ bytes: bytesOf(5, 1), revision: 4n });
      await session.beginChapter({ base: 4n, snapshot: bytesOf(100, 2), header: bytesOf(3, 2) });
      await session.close();
      session = await storage().open(options);
      await session.beginChapter({ base: 4n, snapshot: bytesOf(50, 3), header: bytesOf(4, 3) });
      await session.append({ bytes: bytesOf(6, 3), revision: 5n });
      await session.close();
      session = await storage().open(options);
      equal(bases(session), [
        [0n, false, true],
        [4n, true, true],
      ]);
      equal(await session.readSnapshot(4n), bytesOf(50, 3));
      equal(await session.readJournal(4n), joined(bytesOf(4, 3), bytesOf(6, 3)));
      await session.close();
    },
  },
  {
    name: 'revisions that no number holds, and a group of megabytes',
    async run({ storage }) {
      const base = 2n ** 62n;
      const bytes = new Uint8Array(3 * 1024 * 1024).fill(7);
      let session = await storage().open(options);
      await session.beginChapter({ base: base - 1n, snapshot: bytesOf(1, 1), header });
      await session.beginChapter({ base, snapshot: bytesOf(2, 2), header });
      await session.append({ bytes: bytesOf(9, 9), revision: base + 1n });
      await session.append({ bytes, revision: base + 100n });
      await session.close();
      session = await storage().open(options);
      equal(
        bases(session).map(([each]) => each),
        [base - 1n, base],
      );
      const journal = await session.readJournal(base);
      equal(journal.length, 3 + 9 + bytes.length);
      equal(journal.subarray(0, 13), joined(header, bytesOf(9, 9), Uint8Array.of(7)));
      equal(
        journal.subarray(12).every((/** @type {number} */ byte) => byte === 7),
        true,
      );
      await session.close();
    },
  },
  {
    name: 'bytes that were appended are the caller’s again',
    async run({ storage }) {
      const session = await storage().open(options);
      await session.beginChapter({ base: 0n, snapshot: null, header });
      const bytes = Uint8Array.of(1, 2, 3, 4);
      await session.append({ bytes: bytes.subarray(1, 3), revision: 1n });
      bytes.fill(9);
      equal(await session.readJournal(0n), joined(header, Uint8Array.of(2, 3)));
      await session.close();
    },
  },
  {
    name: 'a journal that a crash may leave torn can be cut',
    async run({ storage }) {
      let session = await storage().open(options);
      await session.beginChapter({ base: 0n, snapshot: null, header });
      await session.append({ bytes: bytesOf(50, 1), revision: 1n });
      await session.close();
      if (session.atomicAppends) return;
      session = await storage().open(options);
      await session.truncateJournal(0n, 20);
      await session.append({ bytes: bytesOf(5, 2), revision: 2n });
      await session.close();
      session = await storage().open(options);
      equal(await session.readJournal(0n), joined(header, bytesOf(17, 1), bytesOf(5, 2)));
      await session.close();
    },
  },
  {
    name: 'one session at a time: another is refused until the first is closed, which may be done twice',
    async run({ storage }) {
      const session = await storage().open(options);
      await refused(storage().open(options), 'storage_locked');
      await refused(storage().open(options), 'storage_locked');
      await session.close();
      await session.close();
      await (await storage().open(options)).close();
    },
  },
  {
    name: 'a durable pool is what it was, whenever it is opened again',
    async run({ lg, storage }) {
      const twin = new Twin(lg, 11);
      for (let times = 0; times < 4; times += 1) {
        const pool = await lg.openDurablePool({
          storage: storage(),
          limits: LIMITS,
          snapshotEveryBytes: 3000,
        });
        equal(pool.recovery.revision, pool.revision);
        equal(pool.durableRevision, pool.revision);
        equal(pool.stateDigest(), twin.digestAt(pool.revision), 'digest');
        for (let turn = 0; turn < 15; turn += 1) {
          const answers = Array.from({ length: 1 + turn }, () => live(pool, 11));
          const revisions = (await Promise.all(answers)).map(({ revision }) => revision);
          equal(revisions.at(-1), pool.durableRevision);
        }
        await refused(lg.openDurablePool({ storage: storage() }), 'storage_locked');
        await pool.close();
        await pool.close();
        await refused(pool.pruneDeadWorkers({ expectedRevision: 0, now: 0 }), 'disposed');
      }
      const pool = await lg.openDurablePool({ storage: storage() });
      equal(pool.revision, 480n);
      equal(pool.stateDigest(), twin.digestAt(480n), 'digest');
      await pool.close();
    },
  },
  {
    name: 'a storage keeps its contract and its limits',
    async run({ lg, storage }) {
      const pool = await lg.openDurablePool({ storage: storage(), limits: { maxWorkers: 3 } });
      await pool.registerWorker({ expectedRevision: 0, now: 0, spec: { workerId: 'w', capacity: 1 } });
      await pool.close();
      await refused(lg.openDurableAggregator({ storage: storage() }), 'journal_wrong_contract');
      const error = await refused(
        lg.openDurablePool({ storage: storage(), limits: { maxWorkers: 4 } }),
        'journal_limits_differ',
      );
      equal(error.name, 'max_workers');
      for (const limits of [undefined, {}, { maxWorkers: 3n }, { maxRetries: 3 }]) {
        const again = await lg.openDurablePool({ storage: storage(), limits });
        equal(again.getWorkers().length, 1);
        await again.close();
      }
    },
  },
  {
    name: 'a durable aggregator keeps results with all of their bytes',
    async run({ lg, storage }) {
      let results = await lg.openDurableAggregator({ storage: storage(), snapshotEveryBytes: 40_000 });
      for (let index = 0; index < 6; index += 1) {
        const bytes = bytesOf(20_000 + index, index);
        const { value } = await results.storeResult({
          expectedRevision: results.revision,
          receipt: receiptOf(`t${index}`),
          bytes,
        });
        equal(value.kind, 'stored');
      }
      equal((await results.removeResults({ expectedRevision: results.revision, taskIds: ['t2'] })).value, 1);
      const again = {
        expectedRevision: results.revision,
        receipt: receiptOf('t1'),
        bytes: bytesOf(20_001, 1),
      };
      equal((await results.storeResult(again)).value.kind, 'already_stored');
      const refusal = await results.try.storeResult({ ...again, bytes: bytesOf(3, 3) });
      equal(refusal.error.code, 'conflicting_result');
      const digest = results.stateDigest();
      await results.close();
      results = await lg.openDurableAggregator({ storage: storage() });
      equal(results.stateDigest(), digest, 'digest');
      equal([results.revision, results.resultCount, results.totalBytes], [7n, 5, 100_013]);
      equal(results.getResult('t5'), bytesOf(20_005, 5));
      equal(results.getResult('t2'), null);
      equal(
        results.aggregateResults(['t4', 't0']).map(({ bytes }) => bytes.length),
        [20_004, 20_000],
      );
      await results.close();
    },
  },
];
