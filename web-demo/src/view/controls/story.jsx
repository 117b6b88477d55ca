import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { load, seek, tellAgain } from '../../app/actions.js';
import { caption, playhead, playing, recording } from '../../app/state.js';
import { scenarios } from '../../world/scenarios/index.js';
import { Icon } from '../icon.jsx';

/** Which story is told. */
export function ScenarioPicker() {
  const list = useRef(null);
  const shown = recording.value?.scenario.id;
  useLayoutEffect(() => {
    list.current.querySelector('.is-current')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shown]);
  return (
    <nav class="scenarios" aria-label="Scenarios">
      <ol ref={list}>
        {scenarios.map(({ id, title, free }, i) => {
          const current = shown === id;
          return (
            <li key={id}>
              <button
                type="button"
                class={current ? 'scenario is-current' : 'scenario'}
                aria-current={current ? 'true' : undefined}
                data-scenario={id}
                onClick={() => load({ scenario: id, seed: recording.value?.seed ?? 1, play: true })}
              >
                <span class="scenario-number" aria-hidden="true">
                  {free ? '∞' : i + 1}
                </span>
                {title}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** The story's captions, read out as they come. */
export function Story() {
  const { scenario, captions, seconds } = recording.value;
  const { index, total, current } = caption.value;
  const over = playhead.value >= seconds + 1;
  useSignalEffect(() => {
    // The panel that the caption speaks of.
    const look = caption.value.current?.look;
    for (const id of ['timeline', 'queue', 'ledger', 'gate', 'controls']) {
      document.getElementById(id)?.classList.toggle('is-spoken-of', id === look);
    }
  });
  return (
    <section class="story" aria-label="Story">
      <div class="story-steps">
        {captions.map(({ when, text }, i) => (
          <button
            key={when}
            type="button"
            class={i === index ? 'story-step is-current' : i < index ? 'story-step is-past' : 'story-step'}
            aria-label={`Caption ${i + 1} of ${total}, at ${Math.floor(when)} s`}
            title={text}
            onClick={() => {
              playing.value = false;
              seek(when);
            }}
          />
        ))}
      </div>
      <p class="story-text" aria-live="polite">
        {current?.text ?? scenario.summary}
      </p>
      <a class="story-link" href={`./docs/${scenario.learn.page}`}>
        <Icon name="book" size={14} /> {scenario.learn.text}
      </a>
      {over && (
        <button type="button" class="small" onClick={tellAgain}>
          <Icon name="again" size={12} /> tell it again
        </button>
      )}
    </section>
  );
}
