import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { seekEntry, select } from '../../app/actions.js';
import { highlight, touches } from '../../app/highlight.js';
import { count, filter, picture, recording } from '../../app/state.js';
import { Icon } from '../icon.jsx';
import { Row, ROW_HEIGHT } from './row.jsx';
import { filters, keptBy } from './rows.js';

const OVERSCAN = 4;
const AT_END_PIXELS = 4;

/** Every command, the latest at the bottom. Only the rows in sight are in the page. */
export function Ledger() {
  const box = useRef(null);
  const scrollTop = useSignal(0);
  const height = useSignal(400);
  const following = useSignal(true);
  const kept = useComputed(() => keptBy(filter.value, recording.value.entries));
  const total = useComputed(() => countUntil(kept.value, count.value));

  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      height.value = entry.contentRect.height;
    });
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);

  useSignalEffect(() => {
    const end = Math.max(total.value * ROW_HEIGHT - height.value, 0);
    if (!following.value) return;
    scrollTop.value = end;
    queueMicrotask(() => {
      if (box.current) box.current.scrollTop = end;
    });
  });

  // A selected row comes into sight when it was selected elsewhere.
  useSignalEffect(() => {
    const entry = highlight.value?.entry ?? null;
    if (entry === null || !box.current) return;
    const place = kept.peek().indexOf(entry);
    const top = place * ROW_HEIGHT;
    const view = scrollTop.peek();
    if (place < 0 || (top >= view && top + ROW_HEIGHT <= view + height.peek())) return;
    following.value = false;
    box.current.scrollTop = Math.max(top - height.peek() / 2, 0);
  });

  const rows = rowsInSight({ kept, total, scrollTop, height });
  const chosenEntry = highlight.value?.entry ?? null;

  return (
    <section class="panel ledger" id="ledger" aria-labelledby="ledger-title">
      <header class="panel-head">
        <h2 id="ledger-title">Ledger</h2>
        <p class="quiet">
          {total.value} {total.value === 1 ? 'command' : 'commands'}, revision{' '}
          {String(picture.value.snapshot.revision)}
        </p>
      </header>
      <Filters />
      <div class="ledger-frame">
        <div
          class="ledger-scroll"
          ref={box}
          role="listbox"
          tabIndex={0}
          aria-label="Commands. Arrow keys choose one, Enter goes to its moment."
          aria-activedescendant={
            chosenEntry !== null && rows.some(({ key }) => key === chosenEntry)
              ? `row-${chosenEntry}`
              : undefined
          }
          onScroll={(event) => {
            const { scrollTop: top, clientHeight, scrollHeight } = event.currentTarget;
            scrollTop.value = top;
            following.value = top + clientHeight >= scrollHeight - AT_END_PIXELS;
          }}
          onKeyDown={(event) => onKeyDown(event, kept.value, total.value)}
        >
          <div class="ledger-rows" role="presentation" style={{ height: `${total.value * ROW_HEIGHT}px` }}>
            {rows}
          </div>
        </div>
        {!following.value && (
          <button
            type="button"
            class="to-latest"
            onClick={() => {
              following.value = true;
            }}
          >
            <Icon name="down" size={12} /> Latest
          </button>
        )}
        {total.value === 0 && <p class="empty">Nothing here yet.</p>}
      </div>
    </section>
  );
}

function Filters() {
  return (
    <fieldset class="filters">
      <legend class="sr-only">Show</legend>
      {Object.entries(filters).map(([name, { label }]) => (
        <label key={name} class={filter.value === name ? 'filter is-on' : 'filter'}>
          <input
            type="radio"
            name="filter"
            value={name}
            checked={filter.value === name}
            onChange={() => {
              filter.value = name;
            }}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** The rows in sight, and a few around them. */
function rowsInSight({ kept, total, scrollTop, height }) {
  const first = Math.max(Math.floor(scrollTop.value / ROW_HEIGHT) - OVERSCAN, 0);
  const last = Math.min(Math.ceil((scrollTop.value + height.value) / ROW_HEIGHT) + OVERSCAN, total.value);
  const rows = [];
  for (let place = first; place < last; place += 1) {
    const entry = recording.value.entries[kept.value[place]];
    rows.push(
      <Row
        key={entry.index}
        entry={entry}
        place={place}
        total={total.value}
        chosen={highlight.value?.entry === entry.index}
        related={touches(entry, highlight.value)}
      />,
    );
  }
  return rows;
}

const STEPS = { ArrowUp: -1, ArrowDown: 1, PageUp: -8, PageDown: 8, Home: -Infinity, End: Infinity };

/** Chooses another row, or goes to the moment of the chosen one. */
function onKeyDown(event, kept, total) {
  const chosen = highlight.value?.entry ?? null;
  const by = STEPS[event.key];
  if (event.key === 'Enter' && chosen !== null) seekEntry(chosen + 1);
  else if (by === undefined || total === 0) return;
  else {
    const place = chosen === null ? total : kept.indexOf(chosen);
    const to = Math.min(Math.max(place + by, 0), total - 1);
    if (kept[to] !== chosen) select('entry', String(kept[to]));
  }
  event.preventDefault();
  event.stopPropagation();
}

/** How many of these ascending numbers are below a bound. */
function countUntil(numbers, bound) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
