// What a command changed, said for a person.

/** @param {{ kind: string, id: string, before: any, after: any }} change */
export function describeChange({ kind, id, before, after }) {
  return { kind, id, text: kind === 'task' ? taskChange(before, after) : workerChange(before, after) };
}

function taskChange(before, after) {
  if (!before) return `new, ${after.priority}`;
  if (before.status === after.status) return after.status;
  const parts = [`${before.status} → ${after.status}`];
  if (after.status === 'leased') parts.push(`attempt ${after.attempt}`, `until ${after.lease.expiresAt} s`);
  if (after.retryCount > before.retryCount) parts.push(`retry ${after.retryCount}`);
  return parts.join(', ');
}

function workerChange(before, after) {
  const slots = (node) => `${node.currentTasks}/${node.effectiveCapacity}`;
  if (!before)
    return `joins, ${after.capacity} ${after.capacity === 1n || after.capacity === 1 ? 'slot' : 'slots'}`;
  const parts = [];
  if (before.status !== after.status) parts.push(`${before.status} → ${after.status}`);
  if (before.generation !== after.generation)
    parts.push(`generation ${before.generation} → ${after.generation}`);
  if (slots(before) !== slots(after)) parts.push(`${slots(before)} → ${slots(after)} slots`);
  if (parts.length === 0) parts.push(`heartbeat at ${after.lastHeartbeat} s`);
  return parts.join(', ');
}
