// What the timeline needs of a recording besides its leases: heartbeats and the times a worker was offline.

/** @returns {{ beats: Map<string, number[]>, offline: Map<string, { from: number, until: number }[]>, joined: Map<string, number> }} */
export function workerHistory({ entries }) {
  const beats = new Map();
  const offline = new Map();
  const joined = new Map();
  for (const entry of entries) {
    for (const { kind, id, before, after } of entry.changed) {
      if (kind !== 'worker') continue;
      if (!before) {
        joined.set(id, entry.when);
        beats.set(id, []);
        offline.set(id, []);
      }
      if (entry.command === 'updateWorker') beats.get(id).push(entry.when);
      const was = before?.status === 'offline';
      const is = after.status === 'offline';
      if (is && !was) offline.get(id).push({ from: entry.when, until: Number.POSITIVE_INFINITY });
      if (was && !is) offline.get(id).at(-1).until = entry.when;
    }
  }
  return { beats, offline, joined };
}
