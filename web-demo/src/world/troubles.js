// Trouble, scripted by a scenario or made by hand: the same verbs, at a logical second.

const RESTART_SECS = 15;

const VERBS = {
  kill(world, [who]) {
    world.workerFor(who)?.kill(world.clerk.now + RESTART_SECS);
  },
  mute(world, [who, secs = 14]) {
    const agent = world.workerFor(who);
    if (agent) agent.mutedUntil = world.clerk.now + Number(secs);
  },
  stall(world, [who, secs = 20]) {
    world.workerFor(who)?.stall(Number(secs));
  },
  echo(world, [who]) {
    const agent = world.workerFor(who);
    if (agent) agent.losesAnswer = true;
  },
  race(world, [secs = 12]) {
    world.racingUntil = world.clerk.now + Number(secs);
  },
  fill(world) {
    const room = world.limits.maxQueuedTasks ?? 64;
    for (let i = 0; i <= room; i += 1) if (!world.addTask({ priority: 'any' })) return;
  },
  tasks(world, [count = 3, priority = 'any']) {
    for (let i = 0; i < Number(count); i += 1) world.addTask({ priority });
  },
  poison(world, [count = 1]) {
    for (let i = 0; i < Number(count); i += 1) world.addTask({ priority: 'high', work: [2, 3], failRate: 1 });
  },
  worker(world) {
    world.addWorker();
  },
  slow(world, [secs = 12]) {
    world.bridge?.slowDown(Number(secs));
  },
  fail(world, [times = 1]) {
    world.bridge?.failSends(Number(times));
  },
  drop(world, [failingAttempts = 0]) {
    world.bridge?.dropConnection(Number(failingAttempts));
  },
  stale(world) {
    world.bridge?.sendStale();
  },
  giveup(world) {
    world.bridge?.giveUp();
  },
};

/** @param {{ verb: string, args?: (string | number)[] }} trouble */
export function applyTrouble(world, { verb, args = [] }) {
  if (Object.hasOwn(VERBS, verb)) VERBS[verb](world, args);
}

const SAFE = /^[a-z0-9-]{1,24}$/;
const MAX_TROUBLES = 200;

/** Troubles as they stand in an address: `12.kill.ada~20.fill`. */
export function troublesToText(troubles) {
  return troubles.map(({ at, verb, args = [] }) => [at, verb, ...args].join('.')).join('~');
}

/** Whatever is malformed in an address is left out. */
export function troublesFromText(text) {
  const troubles = [];
  for (const part of (text ?? '').split('~').slice(0, MAX_TROUBLES)) {
    const [at, verb, ...args] = part.split('.');
    if (!/^\d{1,5}$/.test(at) || !Object.hasOwn(VERBS, verb ?? '') || !args.every((arg) => SAFE.test(arg)))
      continue;
    troubles.push({ at: Number(at), verb, args });
  }
  return troubles;
}
