// What is said about a number of rounds.

/** @param {readonly number[]} sorted @param {number} share */
function quantile(sorted, share) {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  return below + (sorted[Math.ceil(at)] - below) * (at % 1);
}

/**
 * The median, and as its spread the half of the rounds in the middle, in shares of the median.
 * @param {readonly number[]} values
 */
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const median = quantile(sorted, 0.5);
  const spread = median === 0 ? 0 : (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median;
  return { median, spread, least: sorted[0], rounds: values.length };
}
