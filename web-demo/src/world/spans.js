// Leases as bars on a timeline, read off the ledger: what each lease was, and which entries made it so.

/** How a lease ended, by what became of its task and by which command. */
function endOf(command, after) {
  if (command === 'completeTask') return 'completed';
  if (command === 'failTask') return after.status === 'failed' ? 'failed' : 'requeued';
  if (command === 'cancelTask') return 'cancelled';
  if (command === 'recoverExpiredLeases') return 'expired';
  if (command === 'expireOldTasks') return 'expired';
  return 'recovered';
}

/**
 * @typedef {object} Span
 * @property {string} leaseId
 * @property {string} taskId
 * @property {string} workerId
 * @property {object} lease
 * @property {string} priority
 * @property {number} lane which of its worker's slots it is drawn in
 * @property {number} acquired entry that made it
 * @property {number} started entry that started it, or Infinity
 * @property {number} ended entry that ended it, or Infinity
 * @property {string | null} end completed, failed, requeued, expired, recovered or cancelled
 * @property {number[]} refused entries that came too late with this lease
 */

/** @returns {Span[]} in order of lease id */
export function spansOf(entries) {
  const spans = [];
  const open = new Map();
  const byToken = new Map();
  const lanes = new Map();
  for (const entry of entries) {
    if (entry.domain !== 'pool') continue;
    for (const { kind, before, after } of entry.changed) {
      if (kind !== 'task') continue;
      const held = before?.lease ? String(before.lease.leaseId) : null;
      const holds = after.lease ? String(after.lease.leaseId) : null;
      if (held && held !== holds) close(open.get(held), entry, after);
      if (holds && held !== holds) begin(after, entry);
      if (holds && after.status === 'running' && before?.status === 'leased') {
        Object.assign(open.get(holds), { started: entry.index, startedWhen: entry.when });
      }
    }
    if (entry.outcome === 'refused' && entry.args.lease) {
      byToken.get(String(entry.args.lease.leaseId))?.refused.push(entry.index);
    }
  }
  return spans;

  function begin(task, entry) {
    const { lease } = task;
    const span = {
      leaseId: String(lease.leaseId),
      taskId: task.taskId,
      workerId: lease.workerId,
      lease,
      priority: task.priority,
      lane: takeLane(lease.workerId),
      acquired: entry.index,
      acquiredWhen: entry.when,
      started: Number.POSITIVE_INFINITY,
      startedWhen: Number.POSITIVE_INFINITY,
      ended: Number.POSITIVE_INFINITY,
      endedWhen: Number.POSITIVE_INFINITY,
      end: null,
      refused: [],
    };
    spans.push(span);
    open.set(span.leaseId, span);
    byToken.set(span.leaseId, span);
  }

  function close(span, entry, after) {
    Object.assign(span, { ended: entry.index, endedWhen: entry.when, end: endOf(entry.command, after) });
    // A recovery that had no retry left has failed the task for good.
    span.final = after.status;
    open.delete(span.leaseId);
    lanes.get(span.workerId)[span.lane] = false;
  }

  function takeLane(workerId) {
    if (!lanes.has(workerId)) lanes.set(workerId, []);
    const taken = lanes.get(workerId);
    let lane = taken.indexOf(false);
    if (lane < 0) lane = taken.length;
    taken[lane] = true;
    return lane;
  }
}
