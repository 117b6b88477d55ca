import { bridgeFrame } from '../../app/state.js';
import { Icon } from '../icon.jsx';
import { Lanes } from './lanes.jsx';
import { Machine } from './machine.jsx';

/** The flush gate: history before live, one at a time, in order. */
export function Gate() {
  return (
    <section class="panel gate" id="gate" aria-labelledby="gate-title">
      <header class="panel-head">
        <h2 id="gate-title">Flush gate</h2>
        <Link />
      </header>
      <div class="gate-rooms">
        <div class="gate-flow">
          <Lanes />
          <Counts />
        </div>
        <div class="gate-machine">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where the screen is narrow */}
          <section class="machine-scroll" aria-label="State machine of the gate" tabIndex={0}>
            <Machine />
          </section>
          <GateLegend />
        </div>
      </div>
    </section>
  );
}

/** The connection: its state, its epochs, and the last sequence seen. */
function Link() {
  const { link, epochs, cursor, slow } = bridgeFrame.value;
  return (
    <div class="link">
      <span class={link === 'connected' ? 'link-state is-up' : 'link-state'}>
        <span class="health-dot" aria-hidden="true" />
        line {link}
        {slow && ', slow'}
      </span>
      <ol class="epochs" aria-label="Epochs of the connection">
        {epochs.map((epoch, i) => (
          <li key={epoch} class={i === epochs.length - 1 ? 'is-current' : undefined}>
            epoch {epoch}
          </li>
        ))}
      </ol>
      <span class="quiet">cursor {cursor}</span>
    </div>
  );
}

/** Everything taken in is somewhere. */
function Counts() {
  const { history, live, accepted, waiting, rejected, dropped } = bridgeFrame.value.counts;
  const taken = history + live;
  const sum = accepted + waiting + rejected + dropped;
  const parts = [
    ['accepted', accepted],
    ['waiting', waiting],
    ['rejected', rejected],
    ['dropped', dropped],
  ];
  return (
    <div class="counts">
      <div class="counts-bar" aria-hidden="true">
        {parts.map(
          ([name, value]) =>
            value > 0 && <span key={name} class={`count-${name}`} style={{ flexGrow: value }} />,
        )}
      </div>
      <p>
        <span class="count">
          <b>{history}</b> history
        </span>{' '}
        +{' '}
        <span class="count">
          <b>{live}</b> live
        </span>{' '}
        ={' '}
        {parts.map(([name, value], i) => (
          <span key={name}>
            {i > 0 && '+ '}
            <span class="count">
              <span class={`count-dot count-${name}`} aria-hidden="true" />
              <b>{value}</b> {name}
            </span>{' '}
          </span>
        ))}
        <span class={sum === taken ? 'adds-up' : 'adds-up is-wrong'}>
          <Icon name={sum === taken ? 'check' : 'warning'} size={12} />
          {sum === taken ? 'adds up' : `${taken} is not ${sum}`}
        </span>
      </p>
    </div>
  );
}

function GateLegend() {
  return (
    <ul class="legend gate-legend" aria-label="What the events look like">
      <li>
        <span class="event-sample event-history">e1</span> history
      </li>
      <li>
        <span class="event-sample event-live">e2</span> live
      </li>
      <li>
        <span class="event-sample event-live is-on-the-way">e3</span> on its way
      </li>
      <li>
        <span class="event-sample event-history is-again">e4</span> seen before
      </li>
      <li>
        <span class="event-sample event-live is-lost">e5</span> refused or lost
      </li>
    </ul>
  );
}
