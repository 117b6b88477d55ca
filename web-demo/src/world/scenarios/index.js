import { busyHouse } from './busy-house.js';
import { lateWorker } from './late-worker.js';
import { normalDay } from './normal-day.js';
import { reconnect } from './reconnect.js';
import { retries } from './retries.js';
import { revisionRace } from './revision-race.js';
import { workerLoss } from './worker-loss.js';

/** In the order they are told; the last is for trying things out. */
export const scenarios = [normalDay, lateWorker, workerLoss, retries, reconnect, revisionRace, busyHouse];

export function scenarioById(id) {
  return scenarios.find((scenario) => scenario.id === id) ?? scenarios[0];
}
