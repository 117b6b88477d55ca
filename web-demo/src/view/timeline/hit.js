import { spanBox } from './layout.js';

/** The lease under a point of the rows, if any. */
export function spanAt({ layout, spans, x, count, playhead }, px, py) {
  const row = layout.rows.find(({ top, height }) => py >= top && py < top + height);
  if (!row) return null;
  for (let i = spans.length - 1; i >= 0; i -= 1) {
    const span = spans[i];
    if (span.workerId !== row.workerId || span.acquired >= count) continue;
    const until = span.ended < count ? span.endedWhen : Math.max(playhead, Number(span.lease.expiresAt));
    const box = spanBox(span, row, x, until);
    if (
      px >= box.left - 2 &&
      px <= box.left + box.width + 2 &&
      py >= box.top - 1 &&
      py <= box.top + box.height + 2
    ) {
      return span;
    }
  }
  return null;
}

/**
 * The next lease for an arrow key: left and right in time within a worker, up and down to the neighbouring worker's
 * lease that is nearest in time.
 */
export function neighbour({ layout, spans, count }, current, key) {
  const shown = spans.filter(({ acquired }) => acquired < count);
  if (shown.length === 0) return null;
  if (!current || current.acquired >= count) return shown.at(-1);
  const inRow = (workerId) => shown.filter((span) => span.workerId === workerId);
  const row = inRow(current.workerId);
  const place = row.indexOf(current);
  if (key === 'ArrowLeft') return row[place - 1] ?? current;
  if (key === 'ArrowRight') return row[place + 1] ?? current;
  if (key === 'Home') return row[0];
  if (key === 'End') return row.at(-1);
  const step = key === 'ArrowUp' ? -1 : 1;
  let index = layout.rows.findIndex(({ workerId }) => workerId === current.workerId) + step;
  for (; index >= 0 && index < layout.rows.length; index += step) {
    const others = inRow(layout.rows[index].workerId);
    if (others.length > 0) return nearest(others, current.acquiredWhen);
  }
  return current;
}

function nearest(spans, when) {
  return spans.reduce((best, span) =>
    Math.abs(span.acquiredWhen - when) < Math.abs(best.acquiredWhen - when) ? span : best,
  );
}
