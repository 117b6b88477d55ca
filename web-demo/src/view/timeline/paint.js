import { holds } from '../../app/highlight.js';
import { ends, icons } from '../icons.js';
import { heartbeatY, spanBox } from './layout.js';

const RADIUS = 4;
const SOON_SECS = 3;
const paths = new Map();

/**
 * Paints the rows for one moment. Everything follows from its arguments: same moment, same picture.
 * @param {CanvasRenderingContext2D} c scaled to CSS pixels, with the first visible row at its top
 */
export function paintTimeline(c, view) {
  const { width, height, scrollTop, layout, x, playhead, colours } = view;
  c.clearRect(0, 0, width, height);
  c.save();
  c.translate(0, -scrollTop);
  const visible = layout.rows.filter(
    ({ top, height: h }) => top + h >= scrollTop && top <= scrollTop + height,
  );
  paintGrid(c, view);
  for (const row of visible) paintRow(c, view, row);
  const shown = new Set(visible.map(({ workerId }) => workerId));
  const [from, to] = x.domain();
  for (const span of view.spans) {
    if (span.acquired >= view.count) break;
    if (!shown.has(span.workerId)) continue;
    if (span.endedWhen < from && span.refused.length === 0 && span.ended < view.count) continue;
    if (span.acquiredWhen > to) continue;
    paintSpan(c, view, span);
  }
  for (const row of visible) paintStaleMark(c, view, row);
  c.restore();
  c.fillStyle = colours.now;
  c.fillRect(Math.round(x(playhead)) - 1, 0, 2, height);
}

function paintGrid(c, { x, colours, scrollTop, height, playhead, width }) {
  c.fillStyle = colours.grid;
  for (const tick of x.ticks(Math.max(width / 80, 2))) c.fillRect(Math.round(x(tick)), scrollTop, 1, height);
  // What has not happened yet.
  c.globalAlpha = 0.45;
  c.fillRect(x(playhead), scrollTop, width - x(playhead), height);
  c.globalAlpha = 1;
}

function paintRow(c, view, row) {
  const { x, colours, width, playhead, history } = view;
  c.fillStyle = colours.line;
  c.fillRect(0, row.top + row.height - 1, width, 1);
  for (const { from, until } of history.offline.get(row.workerId) ?? []) {
    if (from > playhead) continue;
    hatch(c, x(from), row.top, x(Math.min(until, playhead)) - x(from), row.height - 1, colours.offline);
  }
  const y = heartbeatY(row);
  c.fillStyle = colours.beat;
  const [first, last] = x.domain();
  for (const when of history.beats.get(row.workerId) ?? []) {
    if (when > playhead) break;
    if (when < first || when > last) continue;
    c.beginPath();
    c.arc(x(when), y, 2, 0, Math.PI * 2);
    c.fill();
  }
}

/** From when on the worker would count as silent. */
function paintStaleMark(c, { x, colours, playhead, workers, heartbeatTimeoutSecs }, row) {
  const worker = workers.get(row.workerId);
  if (!worker || worker.status === 'offline') return;
  const stale = Number(worker.lastHeartbeat) + heartbeatTimeoutSecs + 1;
  const left = stale - playhead;
  c.strokeStyle = left < SOON_SECS ? colours.danger : colours.muted;
  c.lineWidth = left < SOON_SECS ? 2 : 1;
  const y = heartbeatY(row);
  c.beginPath();
  c.moveTo(x(stale), y - 4);
  c.lineTo(x(stale), y + 4);
  c.stroke();
  if (left < SOON_SECS) {
    c.setLineDash([2, 3]);
    c.beginPath();
    c.moveTo(x(Number(worker.lastHeartbeat)), y);
    c.lineTo(x(stale), y);
    c.stroke();
    c.setLineDash([]);
  }
}

function paintSpan(c, view, span) {
  const { x, colours, playhead, count, found } = view;
  const row = view.layout.byWorker.get(span.workerId);
  const over = span.ended < count;
  const started = span.started < count;
  const until = over ? span.endedWhen : playhead;
  const box = spanBox(span, row, x, until);
  const state = over ? span.end : started ? 'running' : 'leased';
  const chosen = holds(span, found);
  c.globalAlpha = found && !chosen ? 0.28 : 1;
  if (!over) paintDeadline(c, view, span, box);
  if (span.refused.length > 0) paintLateReport(c, view, span, box);

  c.fillStyle = colours[ends[state].token];
  rounded(c, box.left, box.top, box.width, box.height);
  c.fill();
  // Before it was started: lighter.
  const startX = started ? x(span.startedWhen) : x(until);
  c.save();
  c.clip();
  c.fillStyle = colours.panel;
  c.globalAlpha *= 0.55;
  c.fillRect(box.left, box.top, startX - box.left, box.height);
  c.restore();
  if (chosen || view.focus === span.leaseId) {
    c.strokeStyle = colours.select;
    c.lineWidth = 2;
    rounded(c, box.left - 1.5, box.top - 1.5, box.width + 3, box.height + 3);
    c.stroke();
  }
  paintLabel(c, view, span, box, startX, state);
  c.globalAlpha = 1;
}

/** The outline reaches from now to the deadline, which is known before it strikes. */
function paintDeadline(c, { x, colours, playhead }, span, box) {
  const deadline = Number(span.lease.expiresAt);
  const soon = deadline - playhead < SOON_SECS;
  c.strokeStyle = soon ? colours.danger : colours.muted;
  c.lineWidth = soon ? 2 : 1;
  c.setLineDash([3, 3]);
  const now = box.left + box.width;
  c.strokeRect(now, box.top + 0.5, Math.max(x(deadline) - now, 0), box.height - 1);
  c.setLineDash([]);
  c.beginPath();
  c.moveTo(x(deadline), box.top - 2);
  c.lineTo(x(deadline), box.top + box.height + 2);
  c.lineWidth = 2;
  c.stroke();
}

/** What the worker still believed after its lease had ended, up to the report that was refused. */
function paintLateReport(c, { x, colours, count, entries }, span, box) {
  const y = box.top + box.height / 2;
  for (const index of span.refused) {
    if (index >= count) continue;
    const at = x(entries[index].when);
    const from = span.ended < count ? x(span.endedWhen) : at;
    c.strokeStyle = colours.danger;
    c.lineWidth = 1.5;
    c.setLineDash([1, 3]);
    c.beginPath();
    c.moveTo(from, y);
    c.lineTo(at, y);
    c.stroke();
    c.setLineDash([]);
    c.fillStyle = colours.danger;
    c.beginPath();
    c.arc(at, y, Math.min(7, box.height / 2 + 1), 0, Math.PI * 2);
    c.fill();
    sign(c, 'cross', at, y, Math.min(9, box.height), colours['on-bar']);
  }
}

/** The sign of its end and the name of its task, where the bar is dark enough and there is room for them. */
function paintLabel(c, { colours }, span, box, startX, state) {
  const { icon } = ends[state];
  const small = box.height < 12;
  const signSize = small ? 8 : 11;
  const right = box.left + box.width - 4;
  const signRoom = icon && box.width > signSize + 6 ? signSize + 4 : 0;
  if (signRoom > 0) {
    sign(c, icon, right - signSize / 2, box.top + box.height / 2, signSize, colours['on-bar']);
  }
  if (small) return;
  c.font = '600 11px system-ui, sans-serif';
  const text = span.lease.attempt > 1 ? `${span.taskId} ·${span.lease.attempt}` : span.taskId;
  const needs = c.measureText(text).width;
  const light = startX - box.left;
  let left = startX + 4;
  c.fillStyle = colours['on-bar'];
  if (needs + 8 <= light) {
    left = box.left + 5;
    c.fillStyle = colours.text;
  } else if (left + needs > right - signRoom) return;
  c.textBaseline = 'middle';
  c.fillText(text, left, box.top + box.height / 2 + 0.5);
}

function sign(c, name, x, y, size, colour) {
  if (!paths.has(name)) paths.set(name, new Path2D(icons[name]));
  c.save();
  c.translate(x - size / 2, y - size / 2);
  c.scale(size / 16, size / 16);
  c.strokeStyle = colour;
  c.lineWidth = 2.4;
  c.lineCap = 'round';
  c.lineJoin = 'round';
  c.stroke(paths.get(name));
  c.restore();
}

function rounded(c, left, top, width, height) {
  c.beginPath();
  c.roundRect(left, top, width, height, Math.min(RADIUS, width / 2));
}

function hatch(c, left, top, width, height, colour) {
  if (width <= 0) return;
  c.save();
  c.beginPath();
  c.rect(left, top, width, height);
  c.clip();
  c.strokeStyle = colour;
  c.lineWidth = 2;
  c.beginPath();
  for (let x = left - height; x < left + width; x += 8) {
    c.moveTo(x, top + height);
    c.lineTo(x + height, top);
  }
  c.stroke();
  c.restore();
}
