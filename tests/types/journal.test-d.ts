// The journal's types, compiled only: they narrow by kind, by contract and by whether a run stopped.

import {
  type BatchReport,
  type BatchStop,
  createLeasegate,
  type DEFAULT_JOURNAL_BYTES,
  type DistributedLimits,
  type JournalCommand,
  type JournalEntry,
  type JournalHeader,
  type JournalRecord,
  type JournalSink,
  type LeasegateError,
  type MAX_JOURNAL_BYTES,
  type ResultAggregator,
  type ResultLimits,
  type TaskLease,
  type WorkerPool,
} from 'leasegate';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function yes<T extends true>(): T;

const lg = await createLeasegate();
const sink: JournalSink = ({ bytes, revision }) => void [bytes.length, revision > 0n];
new lg.WorkerPool({ journal: sink });
new lg.WorkerPool({ journal: { maxBytes: 1000 } });
new lg.WorkerPool({ journal: {} });
new lg.WorkerPool({ journal: null });
new lg.ResultAggregator({ limits: { maxResults: 1 }, journal: sink });
// @ts-expect-error -- a sink is a function, or nothing but a size
new lg.WorkerPool({ journal: 'file' });
const entries: JournalEntry[] = [];
new lg.WorkerPool({ journal: (entry) => entries.push(entry) });
new lg.WorkerPool({ journal: ({ bytes }) => bytes });
new lg.WorkerPool({
  journal() {
    throw new Error('full');
  },
});
declare const plain: (entry: JournalEntry) => void;
new lg.WorkerPool({ journal: plain });
// @ts-expect-error -- what a sink answers later comes too late
new lg.WorkerPool({ journal: async (entry) => void entries.push(entry) });
// @ts-expect-error -- nor may it be anything else that is awaited
new lg.WorkerPool({ journal: (): PromiseLike<number> => Promise.resolve(5) });
// @ts-expect-error -- a queue by itself has no journal
new lg.TaskQueue({ journal: sink });
// @ts-expect-error -- a number of bytes
new lg.WorkerPool({ journal: { maxBytes: 5n } });

declare const entry: JournalEntry;
yes<Same<typeof entry.bytes, Uint8Array>>();
// @ts-expect-error -- entries are read-only
entry.revision = 5n;

declare const bytes: Uint8Array;
const { pool, report } = lg.WorkerPool.replay(bytes, { untilRevision: 5, snapshot: bytes, journal: sink });
yes<Same<typeof pool, WorkerPool>>();
yes<Same<typeof report, BatchReport>>();
const { aggregator } = lg.ResultAggregator.replay(bytes.buffer as ArrayBuffer);
yes<Same<typeof aggregator, ResultAggregator>>();
// @ts-expect-error -- only what an aggregator leads to
lg.ResultAggregator.replay(bytes).pool;
yes<Same<ReturnType<typeof lg.WorkerPool.fromSnapshot>, WorkerPool>>();
const answer = pool.applyBatch(bytes, { untilRevision: 5n });
// @ts-expect-error -- it may not have stopped
answer.stopped.error;
if (answer.stopped !== null) {
  const { error }: BatchStop = answer.stopped;
  yes<Same<typeof error, LeasegateError>>();
  if (error.code === 'journal_truncated') {
    yes<Same<typeof error.bytes, number>>();
    yes<Same<typeof error.offset, number>>();
  } else if (error.code === 'journal_revision_gap') {
    yes<Same<typeof error.expected, bigint>>();
  } else if (error.code === 'journal_snapshot_invalid') {
    const wrong: 'limits' | 'invariant' | string = error.reason;
    void wrong;
  }
}
yes<Same<typeof answer.offset, number>>();
yes<Same<ReturnType<typeof pool.takeRecords>, Uint8Array>>();
yes<Same<ReturnType<typeof pool.stateDigest>, string>>();
// @ts-expect-error -- revisions are no strings
pool.applyBatch(bytes, { untilRevision: '5' });
// @ts-expect-error -- bytes are no arrays here
pool.applyBatch([1, 2, 3]);

const header: JournalHeader = lg.readJournalHeader(bytes);
if (header.contract === 'coordination') {
  yes<Same<typeof header.limits, { readonly [K in keyof DistributedLimits]: number }>>();
  const workers: number = header.limits.maxWorkers;
  void workers;
} else {
  yes<Same<typeof header.limits, { readonly [K in keyof ResultLimits]: number }>>();
  // @ts-expect-error -- a limit of the other contract
  header.limits.maxWorkers;
}

for (const record of lg.readRecords(bytes, { offset: header.size })) {
  yes<Same<typeof record, JournalRecord>>();
  const { command } = record;
  switch (command.kind) {
    case 'enqueue':
      yes<Same<typeof command.spec.taskId, string>>();
      yes<Same<typeof command.now, bigint>>();
      break;
    case 'fail_task':
      yes<Same<typeof command.lease, TaskLease>>();
      yes<Same<typeof command.retryAfterSecs, bigint | null>>();
      break;
    case 'cancel_task':
      if ('leaseId' in command.ownership) yes<Same<typeof command.ownership, TaskLease>>();
      break;
    case 'store_result':
      yes<Same<typeof command.bytes, Uint8Array>>();
      // @ts-expect-error -- results have no time
      command.now;
      break;
    case 'remove_results':
      yes<Same<typeof command.taskIds, readonly string[]>>();
      break;
    // @ts-expect-error -- no such kind
    case 'enqueued':
      break;
  }
}
type Kinds = JournalCommand['kind'];
const kind: Kinds = 'forget_worker';
void kind;
yes<Same<typeof lg.MAX_JOURNAL_BYTES, typeof MAX_JOURNAL_BYTES>>();
yes<Same<typeof DEFAULT_JOURNAL_BYTES, 16777216>>();
