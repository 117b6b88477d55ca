// The types of a history, compiled only.

import {
  type ChangedCounter,
  type CompletionReceipt,
  createLeasegate,
  type History,
  type JournalRecord,
  type LossReason,
  type QueuedTask,
  type ScanTask,
  type TaskEvent,
  type WorkerPool,
} from 'leasegate';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function yes<T extends true>(): T;

const lg = await createLeasegate();
declare const bytes: Uint8Array;
using history: History = new lg.History(bytes, { snapshot: bytes, interval: 10, maxSnapshots: null });
new lg.History(bytes.buffer as ArrayBuffer);
// @ts-expect-error -- a journal is needed
new lg.History();
// @ts-expect-error -- a number
new lg.History(bytes, { interval: 5n });

const { first, last } = history.revisions;
yes<Same<typeof first, bigint>>();
const state = history.at(last);
for (const task of state.tasks) if (task.status === 'running') task.lease.expiresAt;
// @ts-expect-error -- frozen
state.tasks.push(state.tasks[0]);
yes<Same<typeof state.next, QueuedTask | null>>();
yes<Same<ReturnType<typeof history.poolAt>, WorkerPool>>();
yes<Same<ReturnType<typeof history.recordAt>, JournalRecord | null>>();
for (const { command } of history.records({ from: 1, to: 5n })) command.kind;
// @ts-expect-error -- a revision is no string
history.at('5');

const diff = history.diff(1, last);
for (const counter of diff.counters) {
  yes<Same<typeof counter, ChangedCounter>>();
  if (counter.field === 'logicalTime') yes<Same<typeof counter.before, bigint>>();
  if (counter.field === 'queuedTasks') yes<Same<typeof counter.after, number>>();
}
for (const { before, after, fields } of diff.tasks.changed) {
  yes<Same<typeof before, ScanTask>>();
  for (const field of fields) void [before[field], after[field]];
  // @ts-expect-error -- it follows from other fields
  fields.includes('ownership');
}
const [worker] = diff.workers.added;
const id: string | undefined = worker?.workerId;

const story = history.explain('task');
yes<Same<typeof story.task, ScanTask | null>>();
for (const event of story.events) {
  yes<Same<typeof event, TaskEvent>>();
  switch (event.kind) {
    case 'completed':
      yes<Same<typeof event.receipt, CompletionReceipt>>();
      break;
    case 'requeued':
      yes<Same<typeof event.reason, LossReason>>();
      yes<Same<typeof event.notBefore, bigint | null>>();
      break;
    case 'retired':
      // @ts-expect-error -- nobody holds a task that is over
      event.leaseId;
      break;
    // @ts-expect-error -- no such kind
    case 'forgotten':
      break;
  }
}
const applied: number = history.append(bytes).applied;
void [id, applied];
