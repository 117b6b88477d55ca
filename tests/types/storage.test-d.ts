// Compiled, never run: what compiles here is a promise, and every @ts-expect-error is one too.

import {
  createLeasegate,
  LeasegateError,
  type Attempt,
  type CompletionReceipt,
  type DurableAggregator,
  type DurablePool,
  type QueuedTask,
  type Recovery,
  type StoreOutcome,
  type TaskLease,
  type Transition,
  type WorkerNode,
} from 'leasegate';
import { fileStorage, type Storage, type StorageSession } from 'leasegate/storage/file';
import { indexedDbStorage } from 'leasegate/storage/indexeddb';
import { sqliteStorage } from 'leasegate/storage/sqlite';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): T | undefined => undefined;

const lg = await createLeasegate();
const storage: Storage = fileStorage({ directory: 'd', fsync: { everyMs: 5 }, keepChapters: null });
sqliteStorage({ file: 'f', synchronous: 'normal', Database: null });
indexedDbStorage({ name: 'n', durability: 'relaxed', keepChapters: 3 });

const pool = await lg.openDurablePool({ storage, limits: { maxWorkers: 4n }, snapshotEveryBytes: 1024 });
yes<Same<typeof pool, DurablePool>>();
yes<Same<typeof pool.durableRevision, bigint>>();
yes<Same<typeof pool.failure, LeasegateError | null>>();
yes<Same<typeof pool.recovery, Recovery>>();
yes<Same<typeof pool.recovery.snapshotRevision, bigint | null>>();

// Commands are those of a pool, answered later; reads are at once.
const at = { expectedRevision: pool.revision, now: 1 };
const registering = pool.registerWorker({ ...at, spec: { workerId: 'w', capacity: 1 } });
yes<Same<typeof registering, Promise<Transition<WorkerNode>>>>();
const { value: lease } = await pool.assignNextAvailable(
  { ...at, leaseTtlSecs: 5 },
  { signal: AbortSignal.timeout(9) },
);
yes<Same<typeof lease, TaskLease>>();
const tried = await pool.taskQueue.try.enqueue(
  { ...at, spec: { taskId: 't', scanId: 's', targetRef: 'r' } },
  { signal: null },
);
yes<Same<typeof tried, Attempt<QueuedTask>>>();
if (!tried.ok && tried.error.code === 'durable_backlog_full')
  yes<Same<typeof tried.error.unit, 'commands' | 'bytes'>>();
yes<Same<ReturnType<typeof pool.getWorker>, WorkerNode | null>>();
yes<Same<ReturnType<typeof pool.flush>, Promise<void>>>();
await pool.checkpoint({});
await using closing = pool;
void closing;

const results: DurableAggregator = await lg.openDurableAggregator({ storage, limits: { maxResults: 4 } });
declare const receipt: CompletionReceipt;
const stored = results.storeResult({ expectedRevision: 0, receipt, bytes: new Uint8Array() });
yes<Same<typeof stored, Promise<Transition<StoreOutcome>>>>();
yes<Same<ReturnType<typeof results.getResult>, Uint8Array | null>>();
await results.close();

// A storage of one's own.
declare const session: StorageSession;
const own: Storage = {
  open: async ({ onFailure }) => {
    yes<Same<typeof onFailure, (error: LeasegateError) => void>>();
    return session;
  },
};
await lg.openDurablePool({ storage: own });

// @ts-expect-error a storage is needed
lg.openDurablePool({ limits: {} });
// @ts-expect-error these are limits of results
lg.openDurablePool({ storage, limits: { maxResults: 1 } });
// @ts-expect-error answers are promises
pool.pruneDeadWorkers(at).revision;
// @ts-expect-error records go to the storage only
pool.takeRecords();
// @ts-expect-error it is closed, not disposed of
pool.dispose();
// @ts-expect-error no such policy
fileStorage({ directory: 'd', fsync: 'sometimes' });
// @ts-expect-error a file is needed
sqliteStorage({ directory: 'd' });

declare const thrown: unknown;
if (thrown instanceof LeasegateError) {
  switch (thrown.code) {
    case 'storage_failed':
      yes<Same<typeof thrown.systemCode, string | null>>();
      break;
    case 'storage_damaged':
      yes<Same<typeof thrown.offset, number | null>>();
      yes<Same<typeof thrown.reason, 'journal' | 'snapshot' | 'gap' | 'database'>>();
      break;
    case 'storage_locked':
      break;
  }
}
