import { Icon } from '../icon.jsx';
import { ends } from '../icons.js';

const SHOWN = ['leased', 'running', 'completed', 'requeued', 'failed', 'expired', 'recovered'];

export function Legend() {
  return (
    <ul class="legend" aria-label="What the bars mean">
      {SHOWN.map((name) => (
        <li key={name}>
          <span class={`swatch swatch-${ends[name].token}`}>
            {ends[name].icon && <Icon name={ends[name].icon} size={10} />}
          </span>
          {ends[name].label}
        </li>
      ))}
      <li>
        <span class="swatch swatch-deadline" />
        until the deadline
      </li>
      <li>
        <span class="swatch swatch-late">
          <Icon name="cross" size={10} />
        </span>
        late report refused
      </li>
      <li>
        <span class="swatch swatch-beat" />
        heartbeat
      </li>
    </ul>
  );
}
