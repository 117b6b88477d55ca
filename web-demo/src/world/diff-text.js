// What a revision changed, said for a person.

/** What the fields of records are called, in the order in which they are shown; others are not shown. */
const FIELDS = {
  status: 'status',
  priority: 'priority',
  generation: 'generation',
  currentTasks: 'tasks',
  effectiveCapacity: 'slots',
  availableSlots: 'free slots',
  completedTasks: 'completed',
  lastHeartbeat: 'heartbeat',
  assignedTo: 'worker',
  lease: 'lease',
  attempt: 'attempt',
  retryCount: 'retries',
  taskGeneration: 'generation',
  recordVersion: 'version',
  createdAt: 'created',
  startedAt: 'started',
  completedAt: 'ended',
  notBefore: 'waits until',
  capacity: 'capacity',
  cpuBasisPoints: 'processor',
};
const SECONDS = new Set(['lastHeartbeat', 'createdAt', 'startedAt', 'completedAt', 'notBefore']);

function valueText(field, value) {
  if (value === null) return 'none';
  if (field === 'lease') return `${value.leaseId} until ${value.expiresAt} s`;
  if (field === 'cpuBasisPoints') return `${value / 100} %`;
  return SECONDS.has(field) ? `${value} s` : String(value);
}

/**
 * What a revision changed: `{ kind, id, note, fields: [{ name, before, after }] }`.
 * @param {object} diff of leasegate's History
 */
export function diffText({ tasks, workers }) {
  return [...sortOf('task', 'taskId', tasks), ...sortOf('worker', 'workerId', workers)];
}

function sortOf(kind, idName, { added, removed, changed }) {
  return [
    ...added.map((record) => ({
      kind,
      id: record[idName],
      note: `new, ${record.priority ?? record.status}`,
      fields: [],
    })),
    ...removed.map((record) => ({ kind, id: record[idName], note: 'gone', fields: [] })),
    ...changed.map(({ before, after, fields }) => ({
      kind,
      id: after[idName],
      note: '',
      fields: Object.keys(FIELDS)
        .filter((field) => fields.includes(field))
        .map((field) => ({
          name: FIELDS[field],
          before: valueText(field, before[field]),
          after: valueText(field, after[field]),
        })),
    })),
  ];
}
