// The life of a pool as a function of a seed: at each revision the one command that comes next, decided on what the pool
// says of itself. Whoever lives it from the beginning gets to the same state, which makes any run its own witness.

export const LIMITS = {
  maxTaskRecords: 48,
  maxActiveTasks: 16,
  maxQueuedTasks: 16,
  maxTerminalTasks: 32,
  maxWorkers: 6,
  maxRetries: 2,
};

/** @param {number} seed */
export function randomOf(seed) {
  let state = seed >>> 0;
  return (/** @type {number} */ below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * The next command of a pool, durable or not: whose it is, its name, its options. It is never refused.
 * @param {any} pool @param {number} seed
 * @returns {[owner: any, name: string, options: any]}
 */
function nextCommand(pool, seed) {
  const { revision, logicalTime, ...counts } = pool.snapshot();
  const random = randomOf(seed ^ Math.imul(Number(revision) + 1, 0x9e3779b1));
  /** @type {{ expectedRevision: bigint, now: any }} */
  const at = { expectedRevision: revision, now: logicalTime + BigInt(random(4) === 0 ? random(8) : 0) };
  const queue = pool.taskQueue;
  const workers = pool.getWorkers();
  const tasks = queue.tasks();
  const pick = (/** @type {any[]} */ from) => from[random(from.length)];
  const ofStatus = (/** @type {string} */ status) =>
    tasks.filter(
      (/** @type {any} */ task) =>
        task.status === status && (task.lease === null || task.lease.expiresAt > at.now),
    );
  const leased = ofStatus('leased');
  const running = ofStatus('running');
  const queued = ofStatus('queued');
  const online = workers.filter((/** @type {any} */ { status }) => status !== 'offline');
  const offline = workers.filter(
    (/** @type {any} */ { status, currentTasks }) => status === 'offline' && currentTasks === 0,
  );
  const spec = (/** @type {string} */ workerId) => ({
    workerId,
    capacity: 1 + random(4),
    tags: random(2) ? ['gpu'] : [],
  });

  /** @type {[weight: number, possible: boolean, make: () => [any, string, any]][]} */
  const choices = [
    [6, workers.length < 6, () => [pool, 'registerWorker', { ...at, spec: spec(`worker-${revision}`) }]],
    [
      2,
      offline.length > 0,
      () => {
        const { workerId, generation } = pick(offline);
        return [pool, 'reactivateWorker', { ...at, expectedGeneration: generation, spec: spec(workerId) }];
      },
    ],
    [
      4,
      online.length > 0,
      () => {
        const { workerId, generation } = pick(online);
        return [
          pool,
          'updateWorker',
          { ...at, workerId, generation, observation: { cpuBasisPoints: random(5000) } },
        ];
      },
    ],
    [
      1,
      online.length > 2,
      () => {
        const { workerId, generation } = pick(online);
        return [pool, 'deregisterWorker', { ...at, workerId, generation }];
      },
    ],
    [
      1,
      offline.length > 0,
      () => {
        const { workerId, generation } = pick(offline);
        return [pool, 'forgetWorker', { ...at, workerId, generation }];
      },
    ],
    [
      12,
      counts.activeTasks < 16 && counts.terminalTasks + counts.activeTasks < 32 && counts.taskRecords < 48,
      () => [
        queue,
        'enqueue',
        {
          ...at,
          spec: {
            taskId: `task-${revision}`,
            scanId: 'scan',
            targetRef: 'x'.repeat(1 + random(120)),
            priority: pick(['low', 'normal', 'high']),
          },
        },
      ],
    ],
    [
      12,
      queued.some((/** @type {any} */ { notBefore }) => notBefore === null) &&
        pool.getAvailableWorker(at.now) !== null,
      () => [pool, 'assignNextAvailable', { ...at, leaseTtlSecs: 5 + random(20) }],
    ],
    [9, leased.length > 0, () => [pool, 'startTask', { ...at, lease: pick(leased).lease }]],
    [9, running.length > 0, () => [pool, 'completeTask', { ...at, lease: pick(running).lease }]],
    [
      3,
      running.length > 0,
      () => [pool, 'failTask', { ...at, lease: pick(running).lease, retryAfterSecs: random(2) * 3 }],
    ],
    [
      2,
      running.length > 0,
      () => {
        const { lease } = pick(running);
        return [
          pool,
          'renewLease',
          { ...at, lease, leaseTtlSecs: lease.expiresAt - BigInt(at.now) + BigInt(1 + random(5)) },
        ];
      },
    ],
    [1, queued.length > 0, () => [pool, 'cancelTask', { ...at, ownership: pick(queued).ownership }]],
    [1, true, () => [pool, 'recoverExpiredLeases', at]],
    [1, true, () => [pool, 'pruneDeadWorkers', at]],
    [1, true, () => [pool, 'expireOldTasks', { ...at, taskTtlSecs: 200 }]],
    [
      counts.terminalTasks > 12 ? 20 : 1,
      true,
      () => [pool, 'retireTasks', { ...at, terminalBefore: at.now, limit: 1 + random(8) }],
    ],
  ];
  const possible = choices.filter(([, can]) => can);
  let left = random(possible.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, , make] of possible) {
    if (left < weight) return make();
    left -= weight;
  }
  return [pool, 'recoverExpiredLeases', at];
}

/** Gives the next command. @param {any} pool @param {number} seed */
export function live(pool, seed) {
  const [owner, name, options] = nextCommand(pool, seed);
  return owner[name](options);
}

/** One who lives the same life without any storage. */
export class Twin {
  /** @param {any} lg @param {number} seed */
  constructor(lg, seed) {
    this.pool = new lg.WorkerPool({ limits: LIMITS });
    this.seed = seed;
  }
  /** The digest of the state at a revision that is not behind it. @param {bigint} revision */
  digestAt(revision) {
    if (revision < this.pool.revision) throw new RangeError('A twin does not go back');
    while (this.pool.revision < revision) live(this.pool, this.seed);
    return this.pool.stateDigest();
  }
}
