import { makeTrouble, withoutTroubles } from '../../app/actions.js';
import { bridgeFrame, loading, recording, selection } from '../../app/state.js';
import { Icon } from '../icon.jsx';

/** Buttons that make trouble from the next second on. What was before stays as it was. */
export function Troubles() {
  const worker = selection.value?.kind === 'worker' ? selection.value.id : null;
  const who = worker ?? 'the busiest';
  const target = worker ? [worker] : [];
  const groups = [
    {
      name: 'Add',
      buttons: [
        { label: 'Three tasks', does: ['tasks', [3]], icon: 'plus' },
        { label: 'A critical task', does: ['tasks', [1, 'critical']], icon: 'plus' },
        { label: 'A task that fails', does: ['poison', [1]], icon: 'plus' },
        { label: 'A worker', does: ['worker', []], icon: 'plus' },
      ],
    },
    {
      name: 'Break',
      buttons: [
        { label: 'Kill a worker', hint: who, does: ['kill', target], icon: 'bolt' },
        { label: 'Miss heartbeats', hint: who, does: ['mute', target], icon: 'heart' },
        { label: 'Stall a worker', hint: who, does: ['stall', target], icon: 'clock' },
        { label: 'Two hosts race', does: ['race', [12]], icon: 'warning' },
        { label: 'Fill the queue', does: ['fill', []], icon: 'warning' },
      ],
    },
    {
      name: 'Disturb the line',
      bridge: true,
      buttons: [
        { label: 'Slow sender', does: ['slow', [12]], icon: 'clock' },
        { label: 'Failing sender', does: ['fail', [1]], icon: 'cross' },
        { label: 'Drop the connection', does: ['drop', []], icon: 'bolt' },
      ],
    },
  ];
  const made = recording.value.troubles.length;
  return (
    <section class="panel troubles" aria-labelledby="troubles-title">
      <header class="panel-head">
        <h2 id="troubles-title">Make trouble</h2>
        {made > 0 ? (
          <button type="button" class="link-button" onClick={withoutTroubles}>
            take back all {made}
          </button>
        ) : (
          <p class="quiet">strikes at the next second</p>
        )}
      </header>
      <div class="trouble-groups">
        {groups
          .filter(({ bridge }) => !bridge || bridgeFrame.value)
          .map(({ name, buttons }) => (
            <fieldset key={name} class="trouble-group">
              <legend>{name}</legend>
              {buttons.map(({ label, hint, does: [verb, args], icon }) => (
                <button
                  key={label}
                  type="button"
                  class="trouble"
                  data-trouble={verb}
                  disabled={loading.value}
                  title={hint ? `Strikes ${hint}` : undefined}
                  onClick={() => makeTrouble(verb, args)}
                >
                  <Icon name={icon} size={14} />
                  {label}
                  {hint && worker && <span class="quiet">{worker}</span>}
                </button>
              ))}
            </fieldset>
          ))}
      </div>
    </section>
  );
}
