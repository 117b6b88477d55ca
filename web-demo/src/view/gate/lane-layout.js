// Where each event stands: four lanes, from left to right, and its place in its lane.

export const LANES = [
  { name: 'history', title: 'History', share: 0.17 },
  { name: 'live', title: 'Live', share: 0.17 },
  { name: 'queue', title: 'Gate queue', share: 0.24 },
  { name: 'got', title: 'Sender got', share: 0.42 },
];
const CHIP_HEIGHT = 25;
const CHIP_GAP = 5;
const MIN_CHIP = 46;
const MAX_CHIP = 66;
const PADDING = 7;
const WIDE = 560;

/** Narrow lanes are taller. */
const rowsFor = (width) => (width < WIDE ? 9 : 6);

/** The chips of a frame, each with a key that goes with it from lane to lane. */
export function chipsOf(frame) {
  const chips = [];
  const seen = new Map();
  const keyOf = (source, id) => {
    const nth = (seen.get(`${source}:${id}`) ?? 0) + 1;
    seen.set(`${source}:${id}`, nth);
    return `${source}:${id}:${nth}`;
  };
  let epoch = '1';
  for (const { id, source, epoch: own, again } of frame.got) {
    if (own !== epoch) chips.push({ key: `epoch:${own}`, lane: 'got', id: `epoch ${own}`, mark: true });
    epoch = own;
    chips.push({ key: keyOf(source, id), lane: 'got', id, source, again, note: again ? 'seen before' : '' });
  }
  for (const { id, source, onTheWay } of frame.pending) {
    chips.push({
      key: keyOf(source, id),
      lane: 'queue',
      id,
      source,
      onTheWay,
      note: onTheWay ? 'on its way' : 'waits',
    });
  }
  const queued = new Set(frame.pending.filter(({ source }) => source === 'live').map(({ id }) => id));
  for (const id of frame.before)
    chips.push({ key: keyOf('history', id), lane: 'history', id, source: 'history', note: 'kept' });
  for (const { id, place } of frame.history) {
    if (place === 'frozen')
      chips.push({ key: keyOf('history', id), lane: 'history', id, source: 'history', note: 'frozen' });
    else
      chips.push({
        key: `trace:${id}`,
        lane: 'history',
        id,
        source: 'history',
        trace: true,
        note: 'installed',
      });
  }
  for (const [i, { id, place }] of frame.live.entries()) {
    const direct = place === 'waiting' && !queued.has(id);
    const lost = place === 'rejected' || place === 'dropped';
    if (direct)
      chips.push({
        key: keyOf('live', id),
        lane: 'live',
        id,
        source: 'live',
        onTheWay: true,
        note: 'sent at once',
      });
    else
      chips.push({
        key: `live-trace:${id}:${i}:${place}`,
        lane: 'live',
        id,
        source: 'live',
        trace: !lost,
        lost,
        note: lost ? place : 'moved on',
      });
  }
  return chips;
}

/** Gives every chip its box; what does not fit in a lane is left out, the earliest first, and counted. */
export function placeChips(chips, width) {
  const placed = [];
  const left = {};
  let x = 0;
  for (const { name, share } of LANES) {
    const room = width * share - 2 * PADDING;
    const columns = Math.max(Math.floor((room + CHIP_GAP) / (MIN_CHIP + CHIP_GAP)), 1);
    const chipWidth = Math.min((room - (columns - 1) * CHIP_GAP) / columns, MAX_CHIP);
    const own = chips.filter(({ lane }) => lane === name);
    const capacity = columns * rowsFor(width);
    // The queue shows its head, the others their latest.
    const shown = name === 'queue' ? own.slice(0, capacity) : own.slice(-capacity);
    left[name] = own.length - shown.length;
    for (const [i, chip] of shown.entries()) {
      placed.push({
        ...chip,
        x: x + PADDING + (i % columns) * (chipWidth + CHIP_GAP),
        y: PADDING + Math.floor(i / columns) * (CHIP_HEIGHT + CHIP_GAP),
        width: chipWidth,
      });
    }
    x += width * share;
  }
  return { placed, left };
}

export const laneHeight = (width) => 2 * PADDING + rowsFor(width) * (CHIP_HEIGHT + CHIP_GAP) - CHIP_GAP;
