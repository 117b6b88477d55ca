import { useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { select } from '../../app/actions.js';
import { highlight } from '../../app/highlight.js';
import { count, picture, playhead, recording, theme } from '../../app/state.js';
import { readColours } from './colours.js';
import { spanAt } from './hit.js';
import { paintTimeline } from './paint.js';

/**
 * The canvas that leases are drawn on, and what the pointer does there. `width` is told how wide it is, `hovered` whose
 * lease is under the pointer.
 */
export function Drawing({ made, layout, history, x, width, height, scrollTop, hovered, focused, view }) {
  const colours = useSignal(null);
  const canvas = useRef(null);
  const holder = useRef(null);

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

  const under = (event) => {
    const box = canvas.current.getBoundingClientRect();
    return spanAt(view(), event.clientX - box.left, event.clientY - box.top + scrollTop.value);
  };
  return (
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
