// What happens live takes its time: about a second, however much it is.

import { setTimeout as delay } from 'node:timers/promises';

const TICK_MS = 4;
const TICKS = 200;

/**
 * @param {number} first @param {number} last
 * @param {(number: number) => unknown} produce
 * @param {{ signal: AbortSignal, hasRoom?: () => boolean }} options the producer waits while there is no room
 */
export async function produceLive(first, last, produce, { signal, hasRoom = () => true }) {
  const burst = Math.ceil((last - first + 1) / TICKS);
  for (let number = first; number <= last; ) {
    await delay(TICK_MS, undefined, { signal });
    for (let n = 0; n < burst && number <= last && hasRoom(); n += 1) {
      produce(number);
      number += 1;
    }
  }
}
