// Time, as the host sees it. The pool has no clock: it is told the second with every command.

/** How often a worker says that it is alive, in milliseconds. */
export const HEARTBEAT_MS = 500;

/** How often the host looks for workers and leases that have run out, in milliseconds. */
export const SWEEP_MS = 250;

/** The pool's seconds of silence after which a worker counts as lost. */
export const HEARTBEAT_TIMEOUT_SECS = 2;

/** Seconds from now on. They never go back, whatever is done to the computer's clock. */
export function startClock() {
  const start = performance.now();
  return () => Math.floor((performance.now() - start) / 1000);
}
