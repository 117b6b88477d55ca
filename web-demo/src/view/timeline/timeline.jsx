import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { endOf, select } from '../../app/actions.js';
import { count, playhead, recording } from '../../app/state.js';
import { Axis } from './axis.jsx';
import { spanSentence } from './describe.js';
import { Drawing } from './drawing.jsx';
import { neighbour } from './hit.js';
import { workerHistory } from './history.js';
import { layoutRows, timeScale } from './layout.js';
import { Legend } from './legend.jsx';
import { Numbers } from './numbers.jsx';
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
  const hovered = useSignal(null);
  const focused = useSignal(null);
  const height = Math.min(layout.height, MAX_HEIGHT);
  const x = useComputed(() => timeScale(Math.max(width.value, 50), endOf(recording.value), playhead.value));

  const view = () => ({
    layout,
    spans: made.spans,
    x: x.value,
    count: count.value,
    playhead: playhead.value,
  });
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
            <Drawing {...{ made, layout, history, x, width, height, scrollTop, hovered, focused, view }} />
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

function reveal(scroller, { top, height }) {
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  if (top + height > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = top + height - scroller.clientHeight;
}
