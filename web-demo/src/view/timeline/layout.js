// Where everything on the timeline stands, in CSS pixels.

import { scaleLinear } from 'd3-scale';

export const AXIS_HEIGHT = 26;
const ROW_PADDING = 9;
const HEARTBEAT_HEIGHT = 8;
const ROOMY_WORKERS = 12;
const FEW_LANES = 8;
const MIN_PIXELS_PER_SEC = 9;
const NOW_AT = 0.66;

/** Rows of all workers that ever join, in order of joining: rows stay where they are, whatever the moment. */
export function layoutRows({ entries, spans }) {
  const workers = new Map();
  for (const { command, outcome, args } of entries) {
    if (command === 'registerWorker' && outcome === 'accepted')
      workers.set(args.spec.workerId, args.spec.capacity);
  }
  for (const span of spans) workers.set(span.workerId, Math.max(workers.get(span.workerId), span.lane + 1));
  const lanesInAll = [...workers.values()].reduce((sum, lanes) => sum + lanes, 0);
  const laneHeight = workers.size > ROOMY_WORKERS ? 11 : lanesInAll > FEW_LANES ? 21 : 25;
  const rows = [];
  let top = 0;
  for (const [workerId, lanes] of workers) {
    const height = Math.max(lanes * laneHeight + ROW_PADDING + HEARTBEAT_HEIGHT, 52);
    rows.push({ workerId, lanes, top, height, laneHeight });
    top += height;
  }
  return { rows, height: top, byWorker: new Map(rows.map((row) => [row.workerId, row])) };
}

/** The window of time that is shown: all of it where there is room, else a window that goes with the playhead. */
export function timeScale(width, end, playhead) {
  const windowSecs = Math.min(end, width / MIN_PIXELS_PER_SEC);
  const from = Math.min(Math.max(playhead - windowSecs * NOW_AT, 0), end - windowSecs);
  return scaleLinear([from, from + windowSecs], [0, width]);
}

/** The box of a span in its row. `until` is where it ends on the screen. */
export function spanBox(span, row, x, until) {
  const left = x(span.acquiredWhen);
  return {
    left,
    top: row.top + ROW_PADDING / 2 + span.lane * row.laneHeight + 1,
    width: Math.max(x(until) - left, 2),
    height: row.laneHeight - 3,
  };
}

export function heartbeatY(row) {
  return row.top + row.height - HEARTBEAT_HEIGHT / 2 - 1;
}
