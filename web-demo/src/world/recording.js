import { TICKS_PER_SECOND } from './bridge/surface.js';
import { captionsOf } from './captions.js';
import { settle } from './settle.js';
import { spansOf } from './spans.js';
import { World } from './world.js';

/** The longest day: what an address may ask for. */
export const MAX_SECONDS = 600;

/**
 * Lives a scenario from its first second to its last, in one go. What comes back is data: the ledger, the pool's
 * journal, and what the views need to show any moment of it.
 * @param {object} lg an instance of leasegate
 * @param {{ scenario: object, seed: number, troubles?: object[], seconds?: number }} what
 */
export async function record(lg, { scenario, seed, troubles = [], seconds = scenario.seconds }) {
  const world = new World(lg, scenario, seed);
  try {
    const { entries } = world.clerk;
    const due = [...(scenario.troubles ?? []), ...troubles];
    for (let now = 0; now <= seconds; now += 1) {
      const first = entries.length;
      world.second(
        now,
        due.filter(({ at }) => at === now),
      );
      for (let quarter = 0; quarter < TICKS_PER_SECOND; quarter += 1) {
        if (quarter > 0) world.quarter(now, quarter);
        await settle();
        world.bridge?.writeOutcomes();
      }
      spreadOverSecond(entries, first, now);
    }
    world.pool.checkInvariants();
    return Object.freeze({
      scenario,
      seed,
      troubles,
      seconds,
      entries,
      journal: world.journal(),
      firstFingerprint: world.clerk.firstFingerprint,
      captions: captionsOf(scenario, entries),
      spans: spansOf(entries),
    });
  } finally {
    world.dispose();
  }
}

/** Logical time has whole seconds; on the screen the commands of one second follow each other within it. */
function spreadOverSecond(entries, first, now) {
  const count = entries.length - first;
  for (let i = 0; i < count; i += 1) {
    entries[first + i].when = Math.round((now + (i + 1) / (count + 1)) * 1000) / 1000;
  }
}

/** How many entries have happened at this moment. */
export function entriesUntil(entries, when) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle].when <= when) low = middle + 1;
    else high = middle;
  }
  return low;
}
