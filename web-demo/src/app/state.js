// What the page knows. Everything that is shown follows from these signals.

import { computed, signal } from '@preact/signals';
import { entriesUntil } from '../world/recording.js';

/** The instance of leasegate in this page. */
export const lg = signal(null);
/** What went wrong on the way up, said to the reader. */
export const failure = signal(null);

export const recording = signal(null);
/** The way to any moment of the recording that is shown. */
export const past = signal(null);
export const loading = signal(true);

/** The moment that is shown, in logical seconds. */
export const playhead = signal(0);
export const playing = signal(false);
export const speed = signal(1);
/** How many entries of the ledger have happened at the playhead. */
export const count = computed(() =>
  recording.value ? entriesUntil(recording.value.entries, playhead.value) : 0,
);

/** The pool's state at the playhead, as the module gives it out of the pool's journal. */
export const picture = computed(() => {
  // The past belongs to its recording: both change at once.
  if (!recording.value || !past.value) return null;
  return past.value.stateAt(count.value);
});

const revision = computed(() => picture.value?.snapshot.revision ?? 0n);
/** How the revision at the playhead came to be; null for the first. */
export const revisionNow = computed(() => past.value?.revision(revision.value) ?? null);

/** The lives of tasks in the recording that is shown, each gone through once. */
export const lives = computed(() => {
  const known = new Map();
  const { value } = past;
  return (taskId) => {
    if (!known.has(taskId)) known.set(taskId, value?.lifeOf(taskId) ?? []);
    return known.get(taskId);
  };
});

/** The bridge as it was after the last entry. */
export const bridgeFrame = computed(() => {
  if (!recording.value) return null;
  return count.value > 0 ? recording.value.entries[count.value - 1].bridge : null;
});

/** @type {import('@preact/signals').Signal<{ kind: 'task' | 'lease' | 'worker' | 'event' | 'entry', id: string } | null>} */
export const selection = signal(null);
/** Which rows the ledger shows. */
export const filter = signal('all');
export const theme = signal('auto');

/** The caption that belongs to the playhead, and its place among them. */
export const caption = computed(() => {
  const captions = recording.value?.captions ?? [];
  let index = -1;
  while (index + 1 < captions.length && captions[index + 1].when <= playhead.value) index += 1;
  return { index, total: captions.length, current: captions[index] ?? null };
});
