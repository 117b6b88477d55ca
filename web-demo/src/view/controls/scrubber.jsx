import { useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { endOf, seek, seekEntry, step } from '../../app/actions.js';
import { count, picture, playhead, playing, recording, theme } from '../../app/state.js';
import { rowTone } from '../ledger/rows.js';
import { readColours } from '../timeline/colours.js';

const HEIGHT = 26;
const BIG_STEP = 10;

/** Any moment of the recording. The marks are its commands: taller where something was refused. */
export function Scrubber() {
  const canvas = useRef(null);
  const holder = useRef(null);
  const width = useSignal(0);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      width.value = Math.floor(entry.contentRect.width);
    });
    watch.observe(holder.current);
    return () => watch.disconnect();
  }, []);
  useSignalEffect(() => {
    theme.value; // its colours are what is read
    if (width.value > 0 && recording.value)
      paintMarks(canvas.current, holder.current, width.value, recording.value);
  });
  const end = endOf(recording.value);
  const moves = {
    ArrowLeft: () => step(-1),
    ArrowDown: () => step(-1),
    ArrowRight: () => step(1),
    ArrowUp: () => step(1),
    PageDown: () => step(-BIG_STEP),
    PageUp: () => step(BIG_STEP),
    Home: () => seekEntry(0),
    End: () => seek(end),
  };
  return (
    <div class="scrubber" ref={holder}>
      <div class="scrubber-marks" aria-hidden="true">
        <canvas ref={canvas} />
      </div>
      <input
        type="range"
        min="0"
        max={String(end)}
        step="0.001"
        value={String(playhead.value)}
        aria-label="Moment; arrow keys go from command to command"
        aria-valuetext={`${Math.floor(playhead.value)} seconds, revision ${picture.value.snapshot.revision}, ${count.value} commands`}
        onPointerDown={() => {
          playing.value = false;
        }}
        onInput={(event) => seek(Number(event.currentTarget.value))}
        onKeyDown={(event) => {
          const move = moves[event.key];
          if (!move) return;
          event.preventDefault();
          event.stopPropagation();
          playing.value = false;
          move();
        }}
      />
    </div>
  );
}

function paintMarks(canvas, holder, width, made) {
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(HEIGHT * ratio);
  const c = canvas.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, HEIGHT);
  const colours = readColours(holder);
  const end = endOf(made);
  const look = {
    accepted: [colours.muted, 5, 0.5],
    notice: [colours.warn, 10, 0.9],
    replayed: [colours.running, 10, 0.9],
    refused: [colours.danger, 15, 1],
    conflict: [colours.warn, 15, 1],
  };
  // The tall ones last: nothing hides them.
  for (const tone of ['accepted', 'notice', 'replayed', 'conflict', 'refused']) {
    const [colour, height, alpha] = look[tone];
    c.fillStyle = colour;
    c.globalAlpha = alpha;
    for (const entry of made.entries) {
      if (rowTone(entry) !== tone) continue;
      c.fillRect((entry.when / end) * (width - 16) + 8 - 0.75, HEIGHT - height - 4, 1.5, height);
    }
  }
}
