/**
 * Tells the host, after what is under way is done. What it throws is ignored: it is an observer.
 * @param {unknown} observer absent or a function @param {unknown[]} values
 */
export function tell(observer, ...values) {
  if (typeof observer !== 'function') return;
  Promise.resolve()
    .then(() => observer(...values))
    .catch(() => {});
}
