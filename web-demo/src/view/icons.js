// Small signs in a box of 16 by 16, as paths that both SVG and canvas draw with a stroke.

export const icons = {
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2v3.2H9.8',
  clock: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M8 5v3.2l2.2 1.5',
  bolt: 'M9 1.5 4 9h4l-1 5.5L12 7H8z',
  stop: 'M4 4h8v8H4z',
  play: 'M4.5 3v10l8.5-5z',
  pause: 'M5 3v10M11 3v10',
  back: 'M12 3v10L5 8zM4 3v10',
  forward: 'M4 3v10l7-5zM12 3v10',
  heart: 'M8 13.5S2.5 10 2.5 6.2A2.9 2.9 0 0 1 8 4.9a2.9 2.9 0 0 1 5.5 1.3C13.5 10 8 13.5 8 13.5z',
  plus: 'M8 3v10M3 8h10',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  auto: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M8 2.5v11M8 5h3.8M8 8h5.3M8 11h3.8',
  warning: 'M8 2.2 14.2 13H1.8zM8 6.5v3M8 11.3v.2',
  book: 'M8 4C6.5 2.8 4.5 2.6 2.5 3v9.5c2-.4 4-.2 5.5 1 1.5-1.2 3.5-1.4 5.5-1V3C11.5 2.6 9.5 2.8 8 4zm0 0v9.5',
  down: 'M8 3v9M4 8.5 8 12.5l4-4',
};

/** How each end of a lease looks: its sign, and the colour token of its bar. */
export const ends = {
  leased: { label: 'leased, not started', icon: null, token: 'leased' },
  running: { label: 'running', icon: null, token: 'running' },
  completed: { label: 'completed', icon: 'check', token: 'completed' },
  requeued: { label: 'failed, requeued', icon: 'again', token: 'requeued' },
  failed: { label: 'failed for good', icon: 'cross', token: 'failed' },
  expired: { label: 'expired', icon: 'clock', token: 'expired' },
  recovered: { label: 'worker lost, recovered', icon: 'bolt', token: 'recovered' },
  cancelled: { label: 'cancelled', icon: 'stop', token: 'cancelled' },
};
