// Generated from src/schema by "npm run generate". Do not edit.
// @ts-nocheck

import { getBytes, getCounter, getOptionalCounter, getPlacedBytes, getSet, getText } from '../boundary/get.js';
import { defineRecord } from '../boundary/records.js';
import { readIds, readOwnership } from '../journal/recorded-parts.js';
import { Priority, readCompletionReceipt, readTaskLease, WorkerStatus, WorkerTag } from './coordination.js';

export class TaskSpec {
  constructor(taskId, scanId, targetRef, phases, priority) {
    this.taskId = taskId;
    this.scanId = scanId;
    this.targetRef = targetRef;
    this.phases = phases;
    this.priority = priority;
    Object.freeze(this);
  }
}
defineRecord(TaskSpec, ['targetRef']);

function readTaskSpec(f, at, ids) {
  return new TaskSpec(getText(f, at), getText(f, at + 1), getText(f, at + 2), getBytes(f, at + 3), Priority[f.u32[at * 2 + 8]]);
}

export class WorkerSpec {
  constructor(workerId, capacity, cpuBasisPoints, memoryBasisPoints, networkBasisPoints, tags) {
    this.workerId = workerId;
    this.capacity = capacity;
    this.cpuBasisPoints = cpuBasisPoints;
    this.memoryBasisPoints = memoryBasisPoints;
    this.networkBasisPoints = networkBasisPoints;
    this.tags = tags;
    Object.freeze(this);
  }
}
defineRecord(WorkerSpec, []);

function readWorkerSpec(f, at, ids) {
  return new WorkerSpec(getText(f, at), f.u32[at * 2 + 2], f.u32[at * 2 + 4], f.u32[at * 2 + 6], f.u32[at * 2 + 8], getSet(f, at + 5, WorkerTag));
}

export class WorkerObservation {
  constructor(status, cpuBasisPoints, memoryBasisPoints, networkBasisPoints) {
    this.status = status;
    this.cpuBasisPoints = cpuBasisPoints;
    this.memoryBasisPoints = memoryBasisPoints;
    this.networkBasisPoints = networkBasisPoints;
    Object.freeze(this);
  }
}
defineRecord(WorkerObservation, []);

function readWorkerObservation(f, at, ids) {
  return new WorkerObservation(WorkerStatus[f.u32[at * 2]], f.u32[at * 2 + 2], f.u32[at * 2 + 4], f.u32[at * 2 + 6]);
}

export class RegisterWorker {
  constructor(now, spec) {
    this.kind = 'register_worker';
    this.now = now;
    this.spec = spec;
    Object.freeze(this);
  }
}
defineRecord(RegisterWorker, []);

export class ReactivateWorker {
  constructor(now, expectedGeneration, spec) {
    this.kind = 'reactivate_worker';
    this.now = now;
    this.expectedGeneration = expectedGeneration;
    this.spec = spec;
    Object.freeze(this);
  }
}
defineRecord(ReactivateWorker, []);

export class UpdateWorker {
  constructor(now, workerId, generation, observation) {
    this.kind = 'update_worker';
    this.now = now;
    this.workerId = workerId;
    this.generation = generation;
    this.observation = observation;
    Object.freeze(this);
  }
}
defineRecord(UpdateWorker, []);

export class DeregisterWorker {
  constructor(now, workerId, generation) {
    this.kind = 'deregister_worker';
    this.now = now;
    this.workerId = workerId;
    this.generation = generation;
    Object.freeze(this);
  }
}
defineRecord(DeregisterWorker, []);

export class PruneDeadWorkers {
  constructor(now) {
    this.kind = 'prune_dead_workers';
    this.now = now;
    Object.freeze(this);
  }
}
defineRecord(PruneDeadWorkers, []);

export class Enqueue {
  constructor(now, spec) {
    this.kind = 'enqueue';
    this.now = now;
    this.spec = spec;
    Object.freeze(this);
  }
}
defineRecord(Enqueue, []);

export class AssignTask {
  constructor(now, taskId, workerId, leaseTtlSecs) {
    this.kind = 'assign_task';
    this.now = now;
    this.taskId = taskId;
    this.workerId = workerId;
    this.leaseTtlSecs = leaseTtlSecs;
    Object.freeze(this);
  }
}
defineRecord(AssignTask, []);

export class AssignNext {
  constructor(now, workerId, leaseTtlSecs) {
    this.kind = 'assign_next';
    this.now = now;
    this.workerId = workerId;
    this.leaseTtlSecs = leaseTtlSecs;
    Object.freeze(this);
  }
}
defineRecord(AssignNext, []);

export class AssignNextAvailable {
  constructor(now, leaseTtlSecs) {
    this.kind = 'assign_next_available';
    this.now = now;
    this.leaseTtlSecs = leaseTtlSecs;
    Object.freeze(this);
  }
}
defineRecord(AssignNextAvailable, []);

export class StartTask {
  constructor(now, lease) {
    this.kind = 'start_task';
    this.now = now;
    this.lease = lease;
    Object.freeze(this);
  }
}
defineRecord(StartTask, []);

export class CompleteTask {
  constructor(now, lease) {
    this.kind = 'complete_task';
    this.now = now;
    this.lease = lease;
    Object.freeze(this);
  }
}
defineRecord(CompleteTask, []);

export class FailTask {
  constructor(now, lease, retryAfterSecs) {
    this.kind = 'fail_task';
    this.now = now;
    this.lease = lease;
    this.retryAfterSecs = retryAfterSecs;
    Object.freeze(this);
  }
}
defineRecord(FailTask, []);

export class CancelTask {
  constructor(now, ownership) {
    this.kind = 'cancel_task';
    this.now = now;
    this.ownership = ownership;
    Object.freeze(this);
  }
}
defineRecord(CancelTask, []);

export class RecoverExpiredLeases {
  constructor(now) {
    this.kind = 'recover_expired_leases';
    this.now = now;
    Object.freeze(this);
  }
}
defineRecord(RecoverExpiredLeases, []);

export class ExpireOldTasks {
  constructor(now, taskTtlSecs) {
    this.kind = 'expire_old_tasks';
    this.now = now;
    this.taskTtlSecs = taskTtlSecs;
    Object.freeze(this);
  }
}
defineRecord(ExpireOldTasks, []);

export class RenewLease {
  constructor(now, lease, leaseTtlSecs) {
    this.kind = 'renew_lease';
    this.now = now;
    this.lease = lease;
    this.leaseTtlSecs = leaseTtlSecs;
    Object.freeze(this);
  }
}
defineRecord(RenewLease, []);

export class RetireTasks {
  constructor(now, terminalBefore, limit) {
    this.kind = 'retire_tasks';
    this.now = now;
    this.terminalBefore = terminalBefore;
    this.limit = limit;
    Object.freeze(this);
  }
}
defineRecord(RetireTasks, []);

export class ForgetWorker {
  constructor(now, workerId, generation) {
    this.kind = 'forget_worker';
    this.now = now;
    this.workerId = workerId;
    this.generation = generation;
    Object.freeze(this);
  }
}
defineRecord(ForgetWorker, []);

export class StoreResult {
  constructor(receipt, bytes) {
    this.kind = 'store_result';
    this.receipt = receipt;
    this.bytes = bytes;
    Object.freeze(this);
  }
}
defineRecord(StoreResult, ['bytes']);

export class RemoveResults {
  constructor(taskIds) {
    this.kind = 'remove_results';
    this.taskIds = taskIds;
    Object.freeze(this);
  }
}
defineRecord(RemoveResults, []);

/** The command of a record, by the number of its kind. */
export function readCommand(f, at, ids, kind) {
  switch (kind) {
    case 1:
      return new RegisterWorker(getCounter(f, at), readWorkerSpec(f, at + 1, ids));
    case 2:
      return new ReactivateWorker(getCounter(f, at), getCounter(f, at + 1), readWorkerSpec(f, at + 2, ids));
    case 3:
      return new UpdateWorker(getCounter(f, at), getText(f, at + 1), getCounter(f, at + 2), readWorkerObservation(f, at + 3, ids));
    case 4:
      return new DeregisterWorker(getCounter(f, at), getText(f, at + 1), getCounter(f, at + 2));
    case 5:
      return new PruneDeadWorkers(getCounter(f, at));
    case 6:
      return new Enqueue(getCounter(f, at), readTaskSpec(f, at + 1, ids));
    case 7:
      return new AssignTask(getCounter(f, at), getText(f, at + 1), getText(f, at + 2), getCounter(f, at + 3));
    case 8:
      return new AssignNext(getCounter(f, at), getText(f, at + 1), getCounter(f, at + 2));
    case 9:
      return new AssignNextAvailable(getCounter(f, at), getCounter(f, at + 1));
    case 10:
      return new StartTask(getCounter(f, at), readTaskLease(f, at + 1, ids));
    case 11:
      return new CompleteTask(getCounter(f, at), readTaskLease(f, at + 1, ids));
    case 12:
      return new FailTask(getCounter(f, at), readTaskLease(f, at + 1, ids), getOptionalCounter(f, at + 10));
    case 13:
      return new CancelTask(getCounter(f, at), readOwnership(f, at + 1, ids));
    case 14:
      return new RecoverExpiredLeases(getCounter(f, at));
    case 15:
      return new ExpireOldTasks(getCounter(f, at), getCounter(f, at + 1));
    case 16:
      return new RenewLease(getCounter(f, at), readTaskLease(f, at + 1, ids), getCounter(f, at + 10));
    case 17:
      return new RetireTasks(getCounter(f, at), getCounter(f, at + 1), getCounter(f, at + 2));
    case 18:
      return new ForgetWorker(getCounter(f, at), getText(f, at + 1), getCounter(f, at + 2));
    case 64:
      return new StoreResult(readCompletionReceipt(f, at, ids), getPlacedBytes(f, at + 7));
    case 65:
      return new RemoveResults(readIds(f, at));
    default:
      throw new Error('unreachable: unknown kind of record');
  }
}
