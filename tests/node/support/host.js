// A pool that keeps its own revision: a host that is the only one. Times are the caller's.

/** @param {any} lg an instance @param {object} [limits] */
export function hostOf(lg, limits) {
  const pool = new lg.WorkerPool({ limits });
  const at = (now) => ({ expectedRevision: pool.revision, now });
  return {
    pool,
    at,
    worker: (workerId, now = 0, capacity = 4) =>
      pool.registerWorker({ ...at(now), spec: { workerId, capacity } }).value,
    deregister: (workerId, now, generation = 1) =>
      pool.deregisterWorker({ ...at(now), workerId, generation }).value,
    forget: (workerId, now, generation = 2) => pool.forgetWorker({ ...at(now), workerId, generation }).value,
    enqueue: (taskId, now = 0, more = {}) =>
      pool.taskQueue.enqueue({ ...at(now), spec: { taskId, scanId: 'scan', targetRef: 'target', ...more } })
        .value,
    assign: (workerId, now, leaseTtlSecs = 10) =>
      pool.assignNext({ ...at(now), workerId, leaseTtlSecs }).value,
    start: (lease, now) => pool.startTask({ ...at(now), lease }).value,
    renew: (lease, now, leaseTtlSecs = 10) => pool.renewLease({ ...at(now), lease, leaseTtlSecs }).value,
    complete: (lease, now) => pool.completeTask({ ...at(now), lease }).value,
    fail: (lease, now, retryAfterSecs) => pool.failTask({ ...at(now), lease, retryAfterSecs }).value,
    cancel: (ownership, now) => pool.cancelTask({ ...at(now), ownership }).value,
    recover: (now) => pool.recoverExpiredLeases(at(now)).value,
    retire: (terminalBefore, limit, now = terminalBefore) =>
      pool.retireTasks({ ...at(now), terminalBefore, limit }).value,
    task: (taskId) => pool.taskQueue.getTask(taskId),
    ids: () => pool.taskQueue.tasks().map(({ taskId }) => taskId),
  };
}
