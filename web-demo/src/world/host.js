// The host's side of a coordinator: when to sweep and whom to give work. The rules are the pool's.

/** Sweeps that are due, then every task that a worker has room for. */
export function coordinate(world, actor) {
  sweep(world, actor);
  while (assignOne(world, actor, world.pool.revision)) {}
}

/** Recovers leases that have run out and takes silent workers offline, if there are any. */
function sweep({ clerk, limits }, actor) {
  const { now } = clerk;
  for (const { lease } of clerk.mirror.tasks.values()) {
    if (lease && lease.expiresAt <= now) {
      clerk.pool(actor, 'recoverExpiredLeases', {});
      break;
    }
  }
  for (const { status, lastHeartbeat } of clerk.mirror.workers.values()) {
    if (status !== 'offline' && now - Number(lastHeartbeat) > limits.heartbeatTimeoutSecs) {
      clerk.pool(actor, 'pruneDeadWorkers', {});
      break;
    }
  }
}

/** Assigns one task as decided at revision `decidedAt`; answers whether there may be more to do. */
function assignOne(world, actor, decidedAt) {
  const { clerk, pool, leaseTtlSecs } = world;
  if (!pool.taskQueue.peekNext() || !pool.getAvailableWorker(clerk.now)) return false;
  const answer = clerk.pool(actor, 'assignNextAvailable', { leaseTtlSecs }, decidedAt);
  if (answer.ok) world.agents.get(answer.value.workerId)?.give(answer.value, clerk.now);
  return answer.ok;
}

/**
 * Two hosts that have read the same revision and decide at the same time. The first one's command makes a new
 * revision; the second is refused, reads again and decides anew.
 */
export function race(world, first, second) {
  sweep(world, first);
  for (;;) {
    const read = world.pool.revision;
    if (!assignOne(world, first, read)) return;
    const { peek, room } = open(world);
    // The second host had read the same queue before the first one's command.
    const answer = world.clerk.pool(
      second,
      'assignNextAvailable',
      { leaseTtlSecs: world.leaseTtlSecs },
      read,
    );
    if (answer.ok) throw new Error('Two commands were accepted at one revision');
    if (!peek || !room) return;
    assignOne(world, second, world.pool.revision);
  }
}

function open({ pool, clerk }) {
  return { peek: pool.taskQueue.peekNext(), room: pool.getAvailableWorker(clerk.now) };
}
