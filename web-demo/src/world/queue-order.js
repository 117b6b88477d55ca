export const PRIORITIES = ['critical', 'high', 'normal', 'low'];

/**
 * The queue in its true order: by priority, and within one first in, first out. A pool shows only its head, so the
 * order of coming in is read off the ledger; a recovery puts tasks back in the order of their leases.
 * @param {object[]} entries the ledger
 * @param {number} count how many of its entries have happened
 * @param {Iterable<object>} tasks all tasks as they are then
 */
export function queueOrder(entries, count, tasks) {
  const queued = new Map();
  for (const task of tasks) if (task.status === 'queued') queued.set(task.taskId, task);
  const came = new Map();
  for (let i = count - 1; i >= 0 && came.size < queued.size; i -= 1) {
    for (const { kind, id, before, after } of entries[i].changed) {
      if (kind !== 'task' || after.status !== 'queued' || came.has(id) || !queued.has(id)) continue;
      came.set(id, [i, before?.lease ? Number(before.lease.leaseId) : 0]);
    }
  }
  return [...queued.values()].sort((a, b) => {
    const rank = PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority);
    if (rank !== 0) return rank;
    const [x, y] = [came.get(a.taskId), came.get(b.taskId)];
    return x[0] - y[0] || x[1] - y[1];
  });
}
