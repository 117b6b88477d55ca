// Canvas cannot read CSS variables: they are resolved once a theme.

const NAMES = [
  'panel',
  'text',
  'muted',
  'line',
  'grid',
  'now',
  'danger',
  'warn',
  'offline',
  'leased',
  'running',
  'completed',
  'requeued',
  'failed',
  'expired',
  'recovered',
  'cancelled',
  'on-bar',
  'beat',
  'select',
];

export function readColours(element) {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const colours = {};
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}
