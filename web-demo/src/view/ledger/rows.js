// Which rows the ledger has, and the words in them.

export const filters = {
  all: { label: 'All', keep: () => true },
  work: { label: 'No heartbeats', keep: ({ command }) => command !== 'updateWorker' },
  refused: { label: 'Refused', keep: ({ outcome }) => outcome === 'refused' || outcome === 'failed' },
  conflicts: {
    label: 'Conflicts',
    keep: ({ code }) =>
      code === 'revision_conflict' || code === 'worker_generation_conflict' || code === 'stale_epoch',
  },
  bridge: { label: 'Gate', keep: ({ domain }) => domain === 'bridge' },
};

/** Numbers of the entries that a filter keeps, in order. */
export function keptBy(filter, entries) {
  const { keep } = filters[filter];
  const kept = [];
  for (const entry of entries) if (keep(entry)) kept.push(entry.index);
  return kept;
}

/** What happens to a line. */
const NOTICES = new Set(['lost', 'slow', 'full']);

/** How a row looks: conflicts and refusals stand out, replays are quiet. */
export function rowTone({ outcome, code }) {
  if (code === 'revision_conflict' || code === 'worker_generation_conflict' || code === 'stale_epoch')
    return 'conflict';
  if (outcome === 'refused' || outcome === 'failed') return 'refused';
  if (outcome === 'replayed') return 'replayed';
  if (NOTICES.has(outcome)) return 'notice';
  return 'accepted';
}

export function outcomeText({ outcome, code, detail, domain }) {
  if (code) return code;
  if (domain === 'bridge') return outcome;
  return detail && detail.length < 24 ? detail : outcome;
}

export function changesText({ changes, outcome, domain, detail }) {
  if (domain === 'bridge') return [detail, ...changes.map(({ id, text }) => `${id} ${text}`)].join(' · ');
  if (changes.length > 0) return changes.map(({ id, text }) => `${id} ${text}`).join(' · ');
  if (outcome === 'refused') return 'nothing changed';
  if (outcome === 'replayed') return 'nothing changed: the pool knew it';
  return domain === 'pool' ? 'only revision and time' : '';
}

/** The subject of a command: what a person would call it by. */
export function subjectText({ args, refs }) {
  const { spec, lease, workerId } = args ?? {};
  const id = spec?.taskId ?? spec?.workerId ?? lease?.taskId ?? workerId;
  return id ?? [...refs.events].slice(0, 3).join(', ');
}
