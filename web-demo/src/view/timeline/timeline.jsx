import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { endOf, select } from '../../app/actions.js';
import { highlight } from '../../app/highlight.js';
import { count, picture, playhead, recording, theme } from '../../app/state.js';
import { Axis } from './axis.jsx';
import { readColours } from './colours.js';
import { spanSentence } from './describe.js';
import { neighbour, spanAt } from './hit.js';
import { workerHistory } from './history.js';
import { layoutRows, timeScale } from './layout.js';
import { Legend } from './legend.jsx';
import { paintTimeline } from './paint.js';
import { Tooltip } from './tooltip.jsx';
import { WorkerLabels } from './worker-labels.jsx';

const MAX_HEIGHT = 430;
/** A drawing that takes keys of its own has to be reached by them. */
const FOCUSABLE = { tabIndex: 0 };
const KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']);

/** Workers and their leases against logical time. */
export function Timeline() {
  const made = recording.value;
  const layout = useMemo(() => layoutRows(made), [made]);
  const history = useMemo(() => workerHistory(made), [made]);
  const width = useSignal(0);
  const scrollTop = useSignal(0);
  const colours = useSignal(null);
  const hovered = useSignal(null);
  const focused = useSignal(null);
  const canvas = useRef(null);
  const holder = useRef(null);
  const height = Math.min(layout.height, MAX_HEIGHT);
  const x = useComputed(() => timeScale(Math.max(width.value, 50), endOf(recording.value), playhead.value));

  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      width.value = Math.floor(entry.contentRect.width);
    });
    watch.observe(holder.current);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const repaint = () => {
      colours.value = readColours(holder.current);
    };
    dark.addEventListener('change', repaint);
    return () => {
      watch.disconnect();
      dark.removeEventListener('change', repaint);
    };
  }, []);

  useSignalEffect(() => {
    theme.value; // its colours are what is read
    colours.value = readColours(holder.current);
  });

  useSignalEffect(() => {
    const state = picture.value;
    const shown = recording.value;
    if (!state || !colours.value || width.value === 0 || shown !== made) return;
    const c = prepare(canvas.current, width.value, height);
    paintTimeline(c, {
      width: width.value,
      height,
      scrollTop: scrollTop.value,
      layout,
      history,
      x: x.value,
      spans: made.spans,
      entries: made.entries,
      count: count.value,
      playhead: playhead.value,
      workers: new Map(state.workers.map((worker) => [worker.workerId, worker])),
      heartbeatTimeoutSecs: made.scenario.limits.heartbeatTimeoutSecs,
      colours: colours.value,
      found: highlight.value,
      focus: focused.value,
    });
  });

  const view = () => ({
    layout,
    spans: made.spans,
    x: x.value,
    count: count.value,
    playhead: playhead.value,
  });
  const under = (event) => {
    const box = canvas.current.getBoundingClientRect();
    return spanAt(view(), event.clientX - box.left, event.clientY - box.top + scrollTop.value);
  };
  const spanOf = (leaseId) => made.spans.find((span) => span.leaseId === leaseId) ?? null;
  const onKeyDown = (event) => {
    if (event.key === 'Enter' && focused.value) select('lease', focused.value);
    else if (KEYS.has(event.key)) {
      const span = neighbour(view(), spanOf(focused.value), event.key);
      focused.value = span?.leaseId ?? null;
      if (span) reveal(event.currentTarget, layout.byWorker.get(span.workerId));
    } else if (event.key === 'Escape') focused.value = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const told = spanOf(focused.value);
  const pointed = spanOf(hovered.value ?? focused.value);

  return (
    <section class="panel timeline" id="timeline" aria-labelledby="timeline-title">
      <header class="panel-head">
        <h2 id="timeline-title">Leases</h2>
        <Numbers />
      </header>
      <div class="timeline-axis-row">
        <span class="timeline-corner">worker</span>
        <Axis x={x} />
      </div>
      <div class="timeline-stage">
        {/* The drawing cannot hold elements of its own, so the keys move through it and the sentence below is read. */}
        <div
          class="timeline-scroll"
          role="application"
          aria-roledescription="lease timeline"
          aria-label="Leases of all workers. Arrow keys go from lease to lease, Enter selects."
          {...FOCUSABLE}
          style={{ height: `${height + 2}px` }}
          onScroll={(event) => {
            scrollTop.value = event.currentTarget.scrollTop;
          }}
          onKeyDown={onKeyDown}
          onFocus={() => {
            if (!focused.value) focused.value = neighbour(view(), null, '')?.leaseId ?? null;
          }}
          onBlur={() => {
            focused.value = null;
          }}
        >
          <div class="timeline-rows" style={{ height: `${layout.height}px` }}>
            <WorkerLabels rows={layout.rows} />
            <div class="timeline-holder" ref={holder} style={{ height: `${height}px` }}>
              <canvas
                ref={canvas}
                class="timeline-canvas"
                onPointerMove={(event) => {
                  hovered.value = under(event)?.leaseId ?? null;
                }}
                onPointerLeave={() => {
                  hovered.value = null;
                }}
                onClick={(event) => {
                  const span = under(event);
                  if (span) select('lease', span.leaseId);
                }}
              />
            </div>
          </div>
        </div>
        {pointed && pointed.acquired < count.value && (
          <Tooltip
            span={pointed}
            row={layout.byWorker.get(pointed.workerId)}
            x={x}
            scrollTop={scrollTop}
            height={height}
          />
        )}
      </div>
      <p class="sr-only" aria-live="polite">
        {told && told.acquired < count.value ? spanSentence(told, count.value, playhead.peek()) : ''}
      </p>
      <Legend />
    </section>
  );
}

function Numbers() {
  const { tasks, snapshot } = picture.value;
  const of = (...statuses) => tasks.filter(({ status }) => statuses.includes(status)).length;
  const numbers = [
    ['queued', snapshot.queuedTasks],
    ['leased', of('leased')],
    ['running', of('running')],
    ['completed', of('completed')],
    ['failed', of('failed')],
  ];
  return (
    <dl class="numbers">
      {numbers.map(([name, value]) => (
        <div key={name} class={`number number-${name}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A canvas as sharp as the screen; its size is set only when it changes, since that clears it. */
function prepare(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const c = canvas.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  return c;
}

function reveal(scroller, { top, height }) {
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  if (top + height > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = top + height - scroller.clientHeight;
}
