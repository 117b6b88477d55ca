// Compiled, never run: what compiles here is a promise, and every @ts-expect-error is one too.

import {
  createLeasegate,
  LeasegateError,
  type MAX_RETRIES,
  taskAgeSecs,
  type Attempt,
  type CompletionReceipt,
  type FailureOutcome,
  type QueuedTaskFence,
  type ScanTask,
  type TaskLease,
  type Transition,
  type WorkerPool,
} from 'leasegate';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): T | undefined => undefined;

const lg = await createLeasegate();
const pool: WorkerPool = new lg.WorkerPool({ limits: { maxRetries: 2, maxWorkers: 4n } });
yes<Same<typeof MAX_RETRIES, 32>>();
yes<Same<typeof lg.MAX_RETRIES, 32>>();
yes<Same<typeof pool.revision, bigint>>();

// Quantities go in as bigint or number, and come out as bigint.
const enqueued = pool.taskQueue.enqueue({
  expectedRevision: 0,
  now: 1n,
  spec: { taskId: 't', scanId: 's', targetRef: 'r', priority: 'high', phases: [1, 2] },
});
yes<Same<typeof enqueued.revision, bigint>>();
const fence: QueuedTaskFence = enqueued.value.ownership;
const leased: Transition<TaskLease> = pool.assignNextAvailable({
  expectedRevision: 1,
  now: 1,
  leaseTtlSecs: 60,
});
const lease = leased.value;
yes<Same<typeof lease.leaseId, bigint>>();
yes<Same<typeof lease.attempt, number>>();

// Tokens are structural: records, clones and hand-made objects.
pool.startTask({ expectedRevision: 2, now: 1, lease });
pool.startTask({ expectedRevision: 2, now: 1, lease: structuredCloneOf(lease) });
pool.startTask({
  expectedRevision: 2,
  now: 1,
  lease: {
    taskId: 't',
    workerId: 'w',
    workerGeneration: 1,
    taskGeneration: 0,
    attempt: 1,
    leaseId: 1,
    acquiredAt: 1,
    expiresAt: 61,
  },
});
pool.cancelTask({ expectedRevision: 2, now: 1, ownership: fence });
pool.cancelTask({ expectedRevision: 2, now: 1, ownership: lease });
declare function structuredCloneOf<T>(value: T): T;

// Tasks narrow by status, outcomes by kind, attempts by ok, errors by code.
const task: ScanTask | null = pool.taskQueue.getTask('t');
if (task?.status === 'running') {
  const held: TaskLease = task.lease;
  yes<Same<typeof task.assignedTo, string>>();
  void held;
}
if (task?.status === 'completed') yes<Same<typeof task.completedAt, bigint>>();

const failed: FailureOutcome = pool.failTask({ expectedRevision: 3, now: 2, lease }).value;
if (failed.kind === 'requeued') yes<Same<typeof failed.taskGeneration, bigint>>();
// @ts-expect-error -- only a requeue has a new generation
else failed.taskGeneration;

const attempt: Attempt<{ readonly receipt: CompletionReceipt }> = pool.try.completeTask({
  expectedRevision: 3,
  now: 2,
  lease,
});
if (attempt.ok) yes<Same<typeof attempt.value.receipt, CompletionReceipt>>();
else if (attempt.error.code === 'revision_conflict') yes<Same<typeof attempt.error.actual, bigint>>();
// @ts-expect-error -- a refused attempt has no value
if (!attempt.ok) attempt.value;

try {
  pool.checkInvariants();
} catch (error) {
  if (error instanceof LeasegateError) {
    switch (error.code) {
      case 'worker_capacity_reached':
        yes<Same<typeof error.limit, number>>();
        break;
      case 'task_not_queued':
        yes<Same<typeof error.taskId, string>>();
        yes<Same<typeof error.status, ScanTask['status']>>();
        break;
      case 'no_queued_task':
        // @ts-expect-error -- this code has no fields
        error.taskId;
        break;
      // @ts-expect-error -- no such code
      case 'no_such_code':
        break;
    }
    const message: string = error.message;
    void message;
  }
}

const age: bigint = taskAgeSecs({ createdAt: 1n }, 5);
const queue = new lg.TaskQueue();
const results = new lg.ResultAggregator({ limits: { maxResults: 10 } });
declare const receipt: CompletionReceipt;
const stored: 'stored' | 'already_stored' = results.storeResult({
  expectedRevision: 0,
  receipt,
  bytes: new Uint8Array(1),
}).value.kind;
const bytes: Uint8Array | null = results.getResult('t');
void [age, stored, bytes];
queue[Symbol.dispose]();
pool.dispose();

// What must not compile.
// @ts-expect-error -- a limit's name misspelt
new lg.WorkerPool({ limits: { maxWorkerz: 1 } });
// @ts-expect-error -- strings are no quantities
pool.pruneDeadWorkers({ expectedRevision: '1', now: 1 });
// @ts-expect-error -- now is missing
pool.pruneDeadWorkers({ expectedRevision: 1 });
pool.taskQueue.enqueue({
  expectedRevision: 1,
  now: 1,
  // @ts-expect-error -- no such priority
  spec: { taskId: 't', scanId: 's', targetRef: 'r', priority: 'urgent' },
});
// @ts-expect-error -- no such tag
pool.registerWorker({ expectedRevision: 1, now: 1, spec: { workerId: 'w', capacity: 1, tags: ['mac'] } });
// @ts-expect-error -- a fence is no lease
pool.startTask({ expectedRevision: 1, now: 1, lease: fence });
// @ts-expect-error -- records are read-only
lease.leaseId = 2n;
// @ts-expect-error -- errors are made by leasegate
new LeasegateError('revision_conflict');
