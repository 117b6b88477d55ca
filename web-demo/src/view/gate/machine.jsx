import { GATE_STATE_TRANSITIONS } from '../../../../js/generated/bridge.js';
import { bridgeFrame } from '../../app/state.js';
import { BOX, edges, states } from './machine-drawing.js';

const pairs = Object.entries(GATE_STATE_TRANSITIONS).flatMap(([from, targets]) =>
  targets.map((to) => ({ from, to })),
);

/** The gate as a state machine: where it is, and how it last got there. */
export function Machine() {
  const { gate, last } = bridgeFrame.value;
  const lit = last ? `${last.from}>${last.to}` : null;
  const said = `The gate is ${states[gate].label}${last ? `, last ${states[last.from].label} to ${states[last.to].label}` : ''}.`;
  // The lit one is drawn last, above the others.
  const ordered = [...pairs].sort((a, b) => Number(isLit(a, lit)) - Number(isLit(b, lit)));
  return (
    <svg class="machine" viewBox="0 0 690 214" role="img" aria-label={said}>
      <title>{said}</title>
      <defs>
        {['arrow', 'arrow-lit'].map((id) => (
          <marker
            key={id}
            id={id}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerUnits="userSpaceOnUse"
            markerWidth="9"
            markerHeight="9"
            orient="auto"
          >
            <path class={id} d="M0 0L8 4L0 8z" />
          </marker>
        ))}
      </defs>
      {ordered.map((pair) => (
        <Edge key={`${pair.from}>${pair.to}`} {...pair} lit={isLit(pair, lit)} />
      ))}
      {Object.entries(states).map(([name, { x, y, label }]) => (
        <g key={name} class={name === gate ? 'state is-current' : 'state'} data-state={name}>
          <rect x={x - BOX.width / 2} y={y - BOX.height / 2} width={BOX.width} height={BOX.height} rx="10" />
          <text x={x} y={y + 4.5}>
            {label}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Edge({ from, to, lit }) {
  const { d, name, at, quiet } = edges[`${from}>${to}`];
  return (
    <g class={`edge${lit ? ' is-lit' : ''}${quiet ? ' is-quiet' : ''}`} data-edge={`${from}>${to}`}>
      <path d={d} marker-end={`url(#${lit ? 'arrow-lit' : 'arrow'})`} />
      {name && (
        <text class="edge-name" x={at[0]} y={at[1]}>
          {name}
        </text>
      )}
    </g>
  );
}

const isLit = ({ from, to }, lit) => `${from}>${to}` === lit;
