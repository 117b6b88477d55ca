// Where the gate's states and transitions stand in a picture of 690 by 214. Which transitions there are is not said
// here: they come from the table that the core itself is made from.

export const BOX = { width: 118, height: 40 };

export const states = {
  inactive: { x: 64, y: 62, label: 'inactive' },
  collecting_history: { x: 251, y: 62, label: 'collecting history' },
  ready: { x: 438, y: 62, label: 'ready' },
  draining: { x: 625, y: 62, label: 'draining' },
  deactivated: { x: 438, y: 172, label: 'deactivated' },
  closed: { x: 64, y: 172, label: 'closed' },
};

/** A path each, and a name where there is room for one. Those that `drop` takes are quiet. */
export const edges = {
  'inactive>collecting_history': { d: 'M123 62H191', name: 'begin', at: [156, 54] },
  'collecting_history>ready': { d: 'M310 62H378', name: 'install', at: [343, 54] },
  'ready>draining': { d: 'M497 62H565', name: 'drain', at: [530, 54] },
  'draining>inactive': {
    d: 'M625 42V28Q625 20 617 20H72Q64 20 64 28V41',
    name: 'empty: stands open again',
    at: [344, 14],
  },
  'draining>deactivated': {
    d: 'M625 82V164Q625 172 617 172H498',
    name: 'stopped, failed',
    at: [560, 187],
  },
  'deactivated>draining': { d: 'M480 152L580 83', name: 'drain', at: [515, 112] },
  'deactivated>collecting_history': {
    d: 'M379 164H259Q251 164 251 156V83',
    name: 'resume',
    at: [312, 156],
  },
  'collecting_history>deactivated': { d: 'M296 82L392 151' },
  'ready>deactivated': { d: 'M438 82V151' },
  'collecting_history>inactive': { d: 'M205 82Q160 108 112 83', quiet: true },
  'ready>inactive': { d: 'M400 82Q250 142 98 83', quiet: true },
  'deactivated>inactive': { d: 'M379 180Q180 180 84 83', quiet: true },
  'inactive>closed': { d: 'M48 82V151', quiet: true, name: 'drop', at: [28, 120] },
  'collecting_history>closed': { d: 'M214 82Q170 144 124 160', quiet: true },
  'ready>closed': { d: 'M384 82Q260 164 124 168', quiet: true },
  'draining>closed': { d: 'M590 82Q380 236 124 176', quiet: true },
  'deactivated>closed': { d: 'M390 193Q250 212 124 184', quiet: true },
};
