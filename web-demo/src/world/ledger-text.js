// The ledger as lines of text: what the golden files hold and what two machines compare.

/** @param {{ scenario: object, seed: number, entries: object[] }} recording */
export function ledgerText({ scenario, seed, entries }) {
  const lines = entries.map(line);
  return `${scenario.id}, seed ${seed}\n${lines.join('\n')}\n`;
}

function line(entry) {
  const revision = entry.domain === 'pool' ? `r${entry.expected}/${entry.actual}` : '-';
  const outcome = entry.code ?? (entry.detail ? `${entry.outcome} (${entry.detail})` : entry.outcome);
  const changes = entry.changes.map(({ id, text }) => `${id}: ${text}`).join('; ');
  const parts = [
    `${entry.at}s`,
    entry.actor,
    entry.command + argumentsText(entry),
    revision,
    outcome,
    changes || '-',
    entry.fingerprint.slice(0, 12),
  ];
  return parts.join(' | ');
}

function argumentsText({ args, refs }) {
  if (!args) return refs.events.size > 0 ? ` ${[...refs.events].join(' ')}` : '';
  const { spec, lease, workerId } = args;
  if (lease) return ` ${lease.taskId} lease ${lease.leaseId}`;
  const id = spec?.taskId ?? spec?.workerId ?? workerId;
  return id ? ` ${id}` : '';
}
