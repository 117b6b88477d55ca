// The last word: what was done, what it took, and what could not be done.

import { printable } from './reporter.mjs';

const SHOWN_PROBLEMS = 50;
const hint = 'To see every digest: --list. To keep them: --output FILE.';

/**
 * @param {import('./reporter.mjs').Reporter} reporter
 * @param {object} facts
 * @param {import('./options.mjs').Options} facts.options
 * @param {import('./walk-tree.mjs').Tree} facts.tree
 * @param {import('./hash-files.mjs').Hashed} facts.hashed
 * @param {import('./walk-tree.mjs').Problem[]} facts.problems
 * @param {string} facts.listDigest
 * @param {number} facts.millis
 */
export function printSummary(reporter, { options, tree, hashed, problems, listDigest, millis }) {
  const done = hashed.digests.filter((digest) => digest !== null).length;
  const { length: total } = tree.files;
  const rate = reporter.size(Math.round((hashed.bytes * 1000) / millis));
  const late = hashed.refused > 0 ? `, ${reporter.many(hashed.refused, 'late answer')} refused` : '';
  const pools = hashed.pools > 1 ? ` in ${hashed.pools} pools` : '';
  const size = hashed.bytes >= 1024 ? ` (${reporter.size(hashed.bytes)})` : '';
  const rows = [
    ['files', done === total ? reporter.count(done) : `${reporter.count(done)} of ${reporter.count(total)}`],
    ['bytes', `${reporter.count(hashed.bytes)}${size}`],
    ['retries', `${reporter.count(hashed.retries)}${late}`],
    ['revisions', `${reporter.count(hashed.revisions)}${pools}`],
    ['time', `${(millis / 1000).toFixed(1)} s (${rate}/s)`],
    ['list', `sha256 ${listDigest}`],
  ];

  for (const { path, reason } of problems.slice(0, SHOWN_PROBLEMS)) {
    reporter.line(reporter.styled('red', `Not read: ${printable(path) || '.'}: ${printable(reason)}`));
  }
  if (problems.length > SHOWN_PROBLEMS) reporter.line(`... and ${problems.length - SHOWN_PROBLEMS} more`);
  reporter.line();
  reporter.line(
    problems.length === 0
      ? reporter.styled('green', total === 0 ? 'There was nothing to hash.' : 'All files hashed.')
      : reporter.styled('red', `${reporter.many(problems.length, 'path')} could not be read.`),
  );
  for (const [name, value] of rows) reporter.line(`  ${reporter.styled('dim', name.padEnd(9))}  ${value}`);
  if (options.output) reporter.line(`The digests are in ${printable(options.output)}.`);
  else if (!options.list) reporter.line(reporter.styled('dim', hint));
}
