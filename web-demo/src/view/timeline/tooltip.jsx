import { count, playhead } from '../../app/state.js';
import { spanFacts } from './describe.js';
import { spanBox } from './layout.js';

const WIDTH = 236;

/** Beside the lease under the pointer or the focus; read aloud elsewhere. */
export function Tooltip({ span, row, x, scrollTop, height }) {
  const over = span.ended < count.value;
  const box = spanBox(span, row, x.value, over ? span.endedWhen : playhead.value);
  const room = x.value.range()[1];
  const left = Math.min(Math.max(box.left, 4), Math.max(room - WIDTH - 4, 4));
  const top = box.top - scrollTop.value;
  const below = top < height / 2;
  const y = below ? top + box.height + 8 : top - 8;
  return (
    <div
      class="tooltip"
      aria-hidden="true"
      style={{ transform: `translate(${left}px, ${y}px)${below ? '' : ' translateY(-100%)'}` }}
    >
      <p class="tooltip-title">
        {span.taskId} <span class="quiet">{span.priority}</span>
      </p>
      <dl>
        {spanFacts(span, count.value, playhead.value).map(([name, value]) => (
          <div key={name} class="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
