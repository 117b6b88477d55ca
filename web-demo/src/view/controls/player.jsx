import { useSignal } from '@preact/signals';
import { extend, seekRevision, step, togglePlay } from '../../app/actions.js';
import { addressNow } from '../../app/address.js';
import { count, loading, picture, playhead, playing, recording, speed } from '../../app/state.js';
import { Icon } from '../icon.jsx';
import { Scrubber } from './scrubber.jsx';

const SPEEDS = [0.5, 1, 2, 4, 8, 16];

/** Play, pause, step, speed, and the way to any revision. */
export function Player() {
  return (
    <section class="player" id="controls" aria-label="Playback">
      <div class="player-buttons">
        <button
          type="button"
          class="round"
          aria-label="One command back"
          disabled={count.value === 0}
          onClick={() => step(-1)}
        >
          <Icon name="back" solid />
        </button>
        <button
          type="button"
          class="round round-main"
          aria-label={playing.value ? 'Pause' : 'Play'}
          disabled={loading.value}
          onClick={togglePlay}
        >
          <Icon name={playing.value ? 'pause' : 'play'} size={20} solid={!playing.value} />
        </button>
        <button
          type="button"
          class="round"
          aria-label="One command on"
          disabled={count.value === recording.value.entries.length}
          onClick={() => step(1)}
        >
          <Icon name="forward" solid />
        </button>
        <label class="speed">
          <span class="sr-only">Speed</span>
          <select
            value={String(speed.value)}
            onChange={(event) => {
              speed.value = Number(event.currentTarget.value);
            }}
          >
            {SPEEDS.map((value) => (
              <option key={value} value={String(value)}>
                {value}×
              </option>
            ))}
          </select>
        </label>
      </div>
      <Scrubber />
      <Readout />
    </section>
  );
}

function Readout() {
  const state = picture.value;
  const wanted = useSignal('');
  return (
    <div class="readout">
      <form
        class="readout-revision"
        onSubmit={(event) => {
          event.preventDefault();
          if (/^\d{1,9}$/.test(wanted.value)) seekRevision(BigInt(wanted.value));
          wanted.value = '';
        }}
      >
        <label>
          <span class="readout-name">revision</span>
          <input
            type="text"
            inputMode="numeric"
            aria-label="Revision; type one to go there"
            value={wanted.value}
            placeholder={String(state.snapshot.revision)}
            onInput={(event) => {
              wanted.value = event.currentTarget.value;
            }}
          />
        </label>
      </form>
      <div class="readout-print">
        <span class="readout-name">fingerprint</span>
        <code title={state.fingerprint} data-fingerprint={state.fingerprint}>
          {state.fingerprint.slice(0, 12)}
        </code>
        <span
          class={state.equal ? 'equal' : 'equal is-wrong'}
          title="What the journal leads to and what was recorded have the same fingerprint here"
        >
          {state.equal ? <Icon name="check" size={12} /> : <Icon name="warning" size={12} />}
          <span class="sr-only">
            {state.equal ? 'equal to the recorded one' : 'NOT equal to the recorded one'}
          </span>
        </span>
      </div>
      <More />
    </div>
  );
}

function More() {
  const copied = useSignal(false);
  const atEnd = playhead.value >= recording.value.seconds + 1;
  return (
    <div class="readout-more">
      {atEnd && (
        <button type="button" class="small" disabled={recording.value.seconds >= 600} onClick={extend}>
          <Icon name="plus" size={12} /> one more minute
        </button>
      )}
      <button
        type="button"
        class="small"
        onClick={async () => {
          const address = new URL(addressNow(), location.href).href;
          history.replaceState(null, '', address);
          try {
            await navigator.clipboard.writeText(address);
            copied.value = true;
            setTimeout(() => {
              copied.value = false;
            }, 2000);
          } catch {
            // Not allowed here: the address bar has it.
          }
        }}
      >
        <Icon name="link" size={12} />
        <span aria-live="polite">{copied.value ? 'copied' : 'link'}</span>
      </button>
    </div>
  );
}
