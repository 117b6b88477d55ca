import { idsNamed, SWEEPS } from './pool-commands.js';

/**
 * What the host last read of the pool. Nothing here is computed: after each command the records that it can have
 * touched are read again, and the differences are what the command changed.
 */
export class Mirror {
  /** @type {Map<string, object>} */
  tasks = new Map();
  /** @type {Map<string, object>} */
  workers = new Map();
  snapshot;
  #pool;

  constructor(pool) {
    this.#pool = pool;
    this.snapshot = pool.snapshot();
  }

  /** Reads again after a command; answers the records before and after. */
  update(command, args, value) {
    this.snapshot = this.#pool.snapshot();
    const changed = [];
    const note = (kind, records, id, after) => {
      const before = records.get(id) ?? null;
      if (!after || (before && sameRecord(before, after))) return;
      records.set(id, after);
      changed.push({ kind, id, before, after });
    };
    if (SWEEPS.has(command)) {
      for (const task of this.#pool.taskQueue.tasks()) note('task', this.tasks, task.taskId, task);
      for (const worker of this.#pool.getWorkers()) note('worker', this.workers, worker.workerId, worker);
      return changed;
    }
    const named = idsNamed(args, value);
    for (const id of named.tasks) note('task', this.tasks, id, this.#pool.taskQueue.getTask(id));
    for (const id of named.workers) note('worker', this.workers, id, this.#pool.getWorker(id));
    return changed;
  }
}

/** A task's record version rises with every change; a worker has none, so its fields are compared. */
function sameRecord(before, after) {
  if (before.recordVersion !== undefined) return before.recordVersion === after.recordVersion;
  return Object.keys(before).every((key) => key === 'tags' || before[key] === after[key]);
}
