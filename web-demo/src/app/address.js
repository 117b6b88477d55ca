// The whole state in the address: a link shows the same picture.

import { effect } from '@preact/signals';
import { MAX_SECONDS } from '../world/recording.js';
import { scenarioById } from '../world/scenarios/index.js';
import { troublesFromText, troublesToText } from '../world/troubles.js';
import { load } from './actions.js';
import { loading, playhead, playing, recording, selection } from './state.js';

const KINDS = new Set(['task', 'lease', 'worker', 'event', 'entry']);
let written = null;

/** What an address asks for. Whatever is malformed falls back to the default. */
export function parseAddress(hash) {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const scenario = scenarioById(query.get('scenario'));
  return {
    scenario: scenario.id,
    seed: whole(query.get('seed'), 1, 0xffff_ffff),
    troubles: troublesFromText(query.get('do')),
    seconds: query.has('secs')
      ? Math.max(whole(query.get('secs'), scenario.seconds, MAX_SECONDS), 10)
      : scenario.seconds,
    at: Number(/^\d{1,4}(\.\d{1,3})?$/.exec(query.get('at') ?? '')?.[0] ?? 0),
    select: selectionOf(query.get('sel')),
  };
}

/** The address of what is shown. */
export function addressNow() {
  const { scenario, seed, troubles, seconds } = recording.value;
  const parts = [`scenario=${scenario.id}`, `seed=${seed}`, `at=${Math.round(playhead.value * 1000) / 1000}`];
  if (seconds !== scenario.seconds) parts.push(`secs=${seconds}`);
  if (troubles.length > 0) parts.push(`do=${troublesToText(troubles)}`);
  if (selection.value) parts.push(`sel=${selection.value.kind}:${selection.value.id}`);
  return `#${parts.join('&')}`;
}

/** Keeps the address up to date while the picture stands still, and follows it when it is changed from outside. */
export function followAddress() {
  effect(() => {
    if (playing.value || loading.value || !recording.value) return;
    written = addressNow();
    if (location.hash !== written) history.replaceState(null, '', written);
  });
  addEventListener('hashchange', () => {
    if (location.hash !== written) load(parseAddress(location.hash));
  });
}

function whole(text, otherwise, max) {
  return /^\d{1,10}$/.test(text ?? '') ? Math.min(Number(text), max) : otherwise;
}

function selectionOf(text) {
  const [kind, id] = (text ?? '').split(':');
  return KINDS.has(kind) && /^[\w.-]{1,64}$/.test(id ?? '') ? { kind, id } : null;
}
