import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { select } from '../../app/actions.js';
import { reducedMotion } from '../../app/clock.js';
import { highlight } from '../../app/highlight.js';
import { bridgeFrame } from '../../app/state.js';
import { chipsOf, laneHeight, LANES, placeChips } from './lane-layout.js';

const ENTER_MS = 380;

/** Events on their way: history and live submissions, the gate's queue, and what the sender got. */
export function Lanes() {
  const frame = bridgeFrame.value;
  const box = useRef(null);
  const width = useSignal(0);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      width.value = entry.contentRect.width;
    });
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const chips = chipsOf(frame);
  const { placed, left } = placeChips(chips, width.value);
  const counts = {
    history: frame.before.length || frame.history.length,
    live: frame.counts.live,
    queue: frame.pending.length,
    got: frame.got.length,
  };
  return (
    <div class="lanes">
      <ul class="lane-heads">
        {LANES.map(({ name, title, share }) => (
          <li key={name} style={{ flexGrow: share }}>
            <h3>{title}</h3>
            <span class="lane-count">{counts[name]}</span>
          </li>
        ))}
      </ul>
      <div class="lane-field" ref={box} style={{ height: `${laneHeight(width.value)}px` }}>
        <div class="lane-grounds" aria-hidden="true">
          {LANES.map(({ name, share }) => (
            <span key={name} class={`lane-ground lane-${name}`} style={{ flexGrow: share }}>
              {left[name] > 0 && <span class="lane-left">+{left[name]}</span>}
            </span>
          ))}
        </div>
        {width.value > 0 && placed.map((chip) => <Chip key={chip.key} chip={chip} width={width.value} />)}
      </div>
    </div>
  );
}

function Chip({ chip, width }) {
  const { id, lane, source, x, y, mark, trace, lost, onTheWay, again, note } = chip;
  const ref = useRef(null);
  const place = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  // An event comes in from the lane that it was submitted in.
  useLayoutEffect(() => {
    if (reducedMotion.matches || mark || trace || lane === 'history' || lane === 'live') return;
    const from = source === 'history' ? 0.04 : LANES[0].share + 0.04;
    ref.current.animate(
      [
        { transform: `translate(${width * from}px, ${y}px)`, opacity: 0.3 },
        { transform: place, opacity: 1 },
      ],
      {
        duration: ENTER_MS,
        easing: 'ease-out',
      },
    );
  }, []);
  const style = { transform: place, width: `${chip.width.toFixed(1)}px` };
  if (mark) {
    return (
      <span class="event event-mark" style={style} ref={ref}>
        {id}
      </span>
    );
  }
  const chosen = highlight.value?.events.has(id) ?? false;
  const classes = ['event', `event-${source}`];
  if (trace) classes.push('is-trace');
  if (lost) classes.push('is-lost');
  if (onTheWay) classes.push('is-on-the-way');
  if (again) classes.push('is-again');
  if (chosen) classes.push('is-chosen');
  return (
    <button
      type="button"
      ref={ref}
      class={classes.join(' ')}
      style={style}
      aria-pressed={chosen}
      aria-label={`Event ${id}, ${source}, ${note || 'accepted'}`}
      title={`${id}: ${source}, ${note || 'accepted'}`}
      onClick={() => select('event', id)}
    >
      {id}
    </button>
  );
}
