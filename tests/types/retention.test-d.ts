// Compiled, never run: what compiles here is a promise, and every @ts-expect-error is one too.

import {
  createLeasegate,
  type Attempt,
  type ErrorCode,
  type FailTaskOptions,
  type ForgetWorkerOptions,
  type LeasegateError,
  type LimitName,
  type LimitRelationship,
  type QueuedTask,
  type QueuedTaskFence,
  type RemoveResultsOptions,
  type RenewLeaseOptions,
  type RetireTasksOptions,
  type ScanTask,
  type TaskLease,
  type Transition,
} from 'leasegate';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): T | undefined => undefined;

const lg = await createLeasegate();
const pool = new lg.WorkerPool();
const results = new lg.ResultAggregator();
declare const lease: TaskLease;
declare const fence: QueuedTaskFence;
const fenced = { expectedRevision: 1n, now: 1 };

// A renewal takes a lease in any of its shapes and answers the next one.
const renewed = pool.renewLease({ ...fenced, lease, leaseTtlSecs: 60 });
yes<Same<typeof renewed, Transition<TaskLease>>>();
pool.renewLease({ ...fenced, lease: renewed.value, leaseTtlSecs: 60n });
pool.renewLease({ ...fenced, lease: { ...lease, leaseId: 1, expiresAt: 9 }, leaseTtlSecs: 60n });
const renewal: RenewLeaseOptions = { ...fenced, lease, leaseTtlSecs: 1 };
yes<Same<ReturnType<typeof pool.try.renewLease>, Attempt<TaskLease>>>();
// @ts-expect-error -- for how long is missing
pool.renewLease({ ...fenced, lease });
// @ts-expect-error -- a task in the queue has no lease to renew
pool.renewLease({ ...fenced, lease: fence, leaseTtlSecs: 60 });
// @ts-expect-error -- the end is not given, but follows from now and the length
pool.renewLease({ ...fenced, lease, leaseTtlSecs: 60, expiresAt: 61 });

// Retirement names a second and a number.
const retired = pool.retireTasks({ ...fenced, terminalBefore: 1n, limit: 100 });
yes<Same<typeof retired, Transition<number>>>();
const retirement: RetireTasksOptions = { ...fenced, terminalBefore: 1, limit: 100n };
yes<Same<ReturnType<typeof pool.try.retireTasks>, Attempt<number>>>();
// @ts-expect-error -- there is no retiring without a limit
pool.retireTasks({ ...fenced, terminalBefore: 1 });
// @ts-expect-error -- nor without a second
pool.retireTasks({ ...fenced, limit: 100 });
// @ts-expect-error -- a date is no second
pool.retireTasks({ ...fenced, terminalBefore: new Date(), limit: 100 });
// @ts-expect-error -- tasks are not named one by one
pool.retireTasks({ ...fenced, terminalBefore: 1, limit: 100, taskIds: ['t'] });

// A worker is forgotten in one generation.
const forgotten = pool.forgetWorker({ ...fenced, workerId: 'w', generation: 2n });
yes<Same<typeof forgotten, Transition<number>>>();
const farewell: ForgetWorkerOptions = { ...fenced, workerId: 'w', generation: 2 };
yes<Same<ReturnType<typeof pool.try.forgetWorker>, Attempt<number>>>();
// @ts-expect-error -- the generation is missing
pool.forgetWorker({ ...fenced, workerId: 'w' });
// @ts-expect-error -- that is what reactivateWorker calls it
pool.forgetWorker({ ...fenced, workerId: 'w', expectedGeneration: 2n });

// Results leave by a list of ids; the aggregator has no time.
const removed = results.removeResults({ expectedRevision: 1, taskIds: ['t'] });
yes<Same<typeof removed, Transition<number>>>();
results.removeResults({ expectedRevision: 1n, taskIds: ['a', 'b'] as const });
const removal: RemoveResultsOptions = { expectedRevision: 1, taskIds: [] };
yes<Same<ReturnType<typeof results.try.removeResults>, Attempt<number>>>();
// @ts-expect-error -- a single id is no list
results.removeResults({ expectedRevision: 1, taskIds: 't' });
// @ts-expect-error -- nor is a set
results.removeResults({ expectedRevision: 1, taskIds: new Set(['t']) });
// @ts-expect-error -- an aggregator knows no time
results.removeResults({ expectedRevision: 1, now: 1, taskIds: ['t'] });
// @ts-expect-error -- the revision is missing
results.removeResults({ taskIds: ['t'] });

// A delay is optional: absent in each of the ways, or seconds.
pool.failTask({ ...fenced, lease });
for (const retryAfterSecs of [10, 10n, null, undefined]) pool.failTask({ ...fenced, lease, retryAfterSecs });
const failure: FailTaskOptions = { ...fenced, lease, retryAfterSecs: 10 };
pool.try.failTask(failure);
// @ts-expect-error -- text is no number of seconds
pool.failTask({ ...fenced, lease, retryAfterSecs: '10' });
// @ts-expect-error -- a delay's name misspelt
pool.failTask({ ...fenced, lease, retryAfter: 10 });
// @ts-expect-error -- only a failure is retried later
pool.completeTask({ ...fenced, lease, retryAfterSecs: 10 });

// Only a queued task can wait, and what waits is queued.
const task: ScanTask | null = pool.taskQueue.getTask('t');
if (task !== null) {
  yes<Same<typeof task.notBefore, bigint | null>>();
  if (task.status === 'queued') yes<Same<typeof task.notBefore, bigint | null>>();
  else yes<Same<typeof task.notBefore, null>>();
  if (task.status === 'running') yes<Same<typeof task.notBefore, null>>();
  if (task.status === 'failed') yes<Same<typeof task.notBefore, null>>();
  if (task.notBefore !== null) {
    yes<Same<typeof task, QueuedTask>>();
    yes<Same<typeof task.ownership, QueuedTaskFence>>();
    // @ts-expect-error -- records are read-only
    task.notBefore = 1n;
  }
}

// Errors: what the code says, and the names that are new.
declare const error: LeasegateError;
if (error.code === 'task_not_due') {
  yes<Same<typeof error.taskId, string>>();
  yes<Same<typeof error.notBefore, bigint>>();
  // @ts-expect-error -- the task is queued, which needs no saying
  error.status;
}
if (error.code === 'invalid_limit') yes<Same<typeof error.name, LimitName>>();
const codes: ErrorCode[] = ['task_not_due'];
const names: LimitName[] = ['retire_limit', 'lease_ttl_secs', 'task_ttl_secs'];
const reasons: LimitRelationship[] = ['renewal_not_later', 'retry_delay_exceeds_limit'];
const attempt = pool.try.assignTask({ ...fenced, taskId: 't', workerId: 'w', leaseTtlSecs: 5 });
if (!attempt.ok && attempt.error.code === 'task_not_due') {
  yes<Same<typeof attempt.error.notBefore, bigint>>();
}

// What a pool is made of stays what it is.
// @ts-expect-error -- a pool's queue is its own
pool.taskQueue = new lg.TaskQueue();
// @ts-expect-error -- and so are the commands that do not throw
pool.try = new lg.WorkerPool().try;

void [renewal, retirement, farewell, removal, codes, names, reasons];
