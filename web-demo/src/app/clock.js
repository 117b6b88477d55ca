import { effect } from '@preact/signals';
import { endOf, seek } from './actions.js';
import { playhead, playing, recording, speed } from './state.js';

const LONGEST_FRAME_SECS = 0.25;
export const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/** Moves the playhead with the screen's frames; second by second for those who asked for less motion. */
export function runClock() {
  let frame = 0;
  let last = 0;
  let exact = 0;
  effect(() => {
    cancelAnimationFrame(frame);
    if (!playing.value) return;
    last = performance.now();
    exact = playhead.peek();
    frame = requestAnimationFrame(tick);
  });

  function tick(now) {
    // Somebody moved the playhead in the meantime.
    if (Math.abs(playhead.peek() - exact) > 1) exact = playhead.peek();
    exact += Math.min((now - last) / 1000, LONGEST_FRAME_SECS) * speed.peek();
    last = now;
    const end = endOf(recording.peek());
    if (exact >= end) {
      seek(end);
      playing.value = false;
      return;
    }
    seek(reducedMotion.matches ? Math.max(Math.floor(exact) - 0.001, playhead.peek()) : exact);
    frame = requestAnimationFrame(tick);
  }
}
