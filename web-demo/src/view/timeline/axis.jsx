import { useSignalEffect } from '@preact/signals';
import { axisTop } from 'd3-axis';
import { select } from 'd3-selection';
import { useRef } from 'preact/hooks';
import { playhead } from '../../app/state.js';
import { AXIS_HEIGHT } from './layout.js';

const PIXELS_PER_TICK = 80;
const NOW_WIDTH = 44;
const EDGE = 8;

/** Logical seconds above the rows, and where now is. */
export function Axis({ x }) {
  const group = useRef(null);
  const now = useRef(null);
  useSignalEffect(() => {
    const scale = x.value;
    const width = scale.range()[1];
    const axis = axisTop(scale)
      .ticks(Math.max(width / PIXELS_PER_TICK, 2))
      .tickSizeOuter(0)
      .tickFormat((secs) => `${secs} s`);
    const at = scale(playhead.value);
    select(group.current)
      .call(axis)
      .selectAll('.tick')
      // Under the mark of now, and where a label would be cut off.
      .attr('opacity', (secs) =>
        Math.abs(scale(secs) - at) < NOW_WIDTH || scale(secs) < EDGE || scale(secs) > width - EDGE ? 0 : 1,
      );
    now.current.style.transform = `translateX(${Math.min(Math.max(at, 22), width - 22)}px) translateX(-50%)`;
    now.current.textContent = `${playhead.value.toFixed(1)} s`;
  });
  return (
    <div class="axis" aria-hidden="true">
      <svg class="axis-svg" aria-hidden="true" width="100%" height={AXIS_HEIGHT}>
        <g ref={group} transform={`translate(0,${AXIS_HEIGHT - 1})`} />
      </svg>
      <span class="axis-now" ref={now} />
    </div>
  );
}
