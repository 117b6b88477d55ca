// The last word: whether all holds, and what it took. A side that runs by itself knows its own half.

const SHOWN_PROBLEMS = 10;

/**
 * @typedef {import('./reporter.mjs').Reporter} Reporter
 * @typedef {Awaited<ReturnType<typeof import('./run-client.mjs').runClient>>} ClientOutcome
 * @typedef {Awaited<ReturnType<typeof import('./run-server.mjs').runServer>>} ServerOutcome
 */

/** @param {Reporter} reporter @param {ClientOutcome | null} client @param {ServerOutcome | null} server @param {string[]} problems */
export function printSummary(reporter, client, server, problems) {
  reporter.line();
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) {
    reporter.line(reporter.styled('red', `Wrong: ${problem}`));
  }
  if (problems.length > SHOWN_PROBLEMS) reporter.line(`... and ${problems.length - SHOWN_PROBLEMS} more`);
  reporter.line(
    problems.length === 0
      ? reporter.styled('green', 'Every event once and in order.')
      : reporter.styled('red', 'Not every event once and in order.'),
  );
  const rows = [
    ...(client ? clientRows(reporter, client) : []),
    ...(server ? serverRows(reporter, server) : []),
    ...(client ? [['time', `${(client.millis / 1000).toFixed(1)} s`]] : []),
  ];
  for (const [name, value] of rows) reporter.line(`  ${reporter.styled('dim', name.padEnd(14))}  ${value}`);
}

/** @param {Reporter} r @param {ClientOutcome} outcome */
function clientRows(r, outcome) {
  const { received, connections, failedAttempts, epoch } = outcome;
  const { duplicates, gaps, events, sha256 } = received;
  return [
    [
      'client got',
      `${r.many(events, 'event')}, ${r.many(duplicates, 'duplicate')} removed, ${r.many(gaps, 'gap')}`,
    ],
    ['', `sha256 ${sha256}`],
    [
      'client sent',
      `${r.many(outcome.sent.events, 'event')}, all confirmed, ${r.many(outcome.sentAgain, 'send')} beyond the first`,
    ],
    ['connections', `${r.count(connections)}, ${r.many(failedAttempts, 'attempt')} in vain`],
    [
      'gate',
      `begun anew on ${r.many(outcome.gate.begun, 'connection')}, resumed on ${r.count(outcome.gate.resumed)}`,
    ],
    ['epochs', `up to ${epoch}, ${r.many(outcome.lateRefused, 'late send')} refused`],
    ['unanswered', `${r.many(outcome.unanswered, 'send')} when connections ended`],
  ];
}

/** @param {Reporter} r @param {ServerOutcome} outcome */
function serverRows(r, { received, cuts, midway }) {
  const { history, live, duplicates, events, sha256 } = received;
  return [
    ['server got', `${r.many(events, 'event')}, ${r.many(duplicates, 'duplicate')} removed`],
    ['', `${r.count(history)} of history, then ${r.count(live)} live`],
    ['', `sha256 ${sha256}`],
    ['cuts', `${r.count(cuts)}, ${r.count(midway)} of them in the middle of what was being written`],
  ];
}
