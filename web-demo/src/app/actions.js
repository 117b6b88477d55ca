import { batch } from '@preact/signals';
import { Past } from '../world/past.js';
import { MAX_SECONDS, record } from '../world/recording.js';
import { scenarioById } from '../world/scenarios/index.js';
import { count, lg, loading, past, playhead, playing, recording, selection } from './state.js';

const EXTENSION_SECS = 60;
let latest = 0;

/**
 * Records what is asked for and shows it at the moment `at`; null keeps the playhead, moving or not, where it is by
 * then. A later call overtakes an earlier one.
 */
export async function load({ scenario, seed, troubles = [], seconds, at = 0, select = null, play = false }) {
  latest += 1;
  const mine = latest;
  loading.value = true;
  const made = await record(lg.value, { scenario: scenarioById(scenario), seed, troubles, seconds });
  if (mine !== latest) return;
  batch(() => {
    past.value?.dispose();
    recording.value = made;
    past.value = new Past(lg.value, made);
    playhead.value = Math.min(Math.max(at ?? playhead.value, 0), made.seconds + 1);
    selection.value = select;
    if (at !== null) playing.value = play;
    loading.value = false;
  });
}

export function seek(when) {
  playhead.value = Math.min(Math.max(when, 0), endOf(recording.value));
}

/** To the moment just after the first `entries` of the ledger. */
export function seekEntry(entries) {
  playing.value = false;
  playhead.value =
    entries <= 0 ? 0 : recording.value.entries[Math.min(entries, recording.value.entries.length) - 1].when;
}

export function step(by) {
  seekEntry(count.value + by);
}

/** To the first moment at which the pool has this revision. */
export function seekRevision(revision) {
  const { entries } = recording.value;
  const index = entries.findIndex((entry) => entry.revision >= revision);
  seekEntry(revision <= 0n ? 0 : index < 0 ? entries.length : index + 1);
}

export function togglePlay() {
  if (!playing.value && playhead.value >= endOf(recording.value)) playhead.value = 0;
  playing.value = !playing.value;
}

export function tellAgain() {
  batch(() => {
    playhead.value = 0;
    playing.value = true;
  });
}

/** Trouble made by hand strikes at the next logical second; everything before it stays as it was. */
export async function makeTrouble(verb, args = []) {
  const { scenario, seed, troubles, seconds } = recording.value;
  const at = Math.floor(playhead.value) + 1;
  await load({
    scenario: scenario.id,
    seed,
    troubles: [...troubles, { at, verb, args: args.map(String) }],
    seconds: at + 20 > seconds ? Math.min(at + EXTENSION_SECS, MAX_SECONDS) : seconds,
    // Whoever looks at a still picture sees at once what the button did.
    at: playing.value ? null : at + 0.999,
    select: selection.value,
  });
}

export function extend() {
  const { scenario, seed, troubles, seconds } = recording.value;
  return load({
    scenario: scenario.id,
    seed,
    troubles,
    seconds: Math.min(seconds + EXTENSION_SECS, MAX_SECONDS),
    at: playhead.value,
    select: selection.value,
    play: true,
  });
}

export function withoutTroubles() {
  const { scenario, seed } = recording.value;
  return load({ scenario: scenario.id, seed, at: null });
}

export function clearSelection() {
  selection.value = null;
}

export function select(kind, id) {
  const same = selection.value?.kind === kind && selection.value.id === id;
  selection.value = same ? null : { kind, id };
}

/** The last moment of a recording: the end of its last second. */
export function endOf({ seconds }) {
  return seconds + 1;
}
