import { computed } from '@preact/signals';
import { count, recording, selection } from './state.js';

/**
 * What the selection stands for, everywhere: the ids of tasks, leases, workers, events and entries that belong to it.
 * A selected row stands for all that its command touched.
 */
export const highlight = computed(() => {
  const chosen = selection.value;
  const made = recording.value;
  if (!chosen || !made) return null;
  const found = { tasks: new Set(), leases: new Set(), workers: new Set(), events: new Set(), entry: null };
  if (chosen.kind === 'task') found.tasks.add(chosen.id);
  if (chosen.kind === 'worker') found.workers.add(chosen.id);
  if (chosen.kind === 'event') {
    found.events.add(chosen.id);
    for (const { refs } of made.entries) {
      if (refs.events.size === 1 && refs.events.has(chosen.id))
        for (const id of refs.tasks) found.tasks.add(id);
    }
  }
  if (chosen.kind === 'lease') {
    const span = made.spans.find(({ leaseId }) => leaseId === chosen.id);
    found.leases.add(chosen.id);
    if (span) found.tasks.add(span.taskId);
  }
  if (chosen.kind === 'entry') {
    const entry = made.entries[Number(chosen.id)];
    // What has not happened yet lights up nothing.
    if (!entry || entry.index >= count.value) return null;
    found.entry = entry.index;
    for (const id of entry.refs.tasks) found.tasks.add(id);
    for (const id of entry.refs.leases) found.leases.add(id);
    for (const id of entry.refs.events) found.events.add(id);
    if (found.tasks.size === 0) for (const id of entry.refs.workers) found.workers.add(id);
  }
  return found;
});

/** Whether a row of the ledger belongs to what is highlighted. */
export function touches(entry, found) {
  if (!found) return false;
  const any = (ids, wanted) => [...wanted].some((id) => ids.has(id));
  if (found.events.size > 0) return any(entry.refs.events, found.events);
  if (found.leases.size > 0) return any(entry.refs.leases, found.leases);
  if (found.tasks.size > 0) return any(entry.refs.tasks, found.tasks);
  return any(entry.refs.workers, found.workers);
}

/** Whether a lease on the timeline does. */
export function holds(span, found) {
  if (!found) return false;
  if (found.leases.size > 0) return found.leases.has(span.leaseId);
  return found.tasks.has(span.taskId) || found.workers.has(span.workerId);
}
