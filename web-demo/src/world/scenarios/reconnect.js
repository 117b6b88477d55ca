import { demoLimits } from './limits.js';

export const reconnect = {
  id: 'reconnect',
  title: 'History before live',
  summary: 'The far side gets the frozen history first, then what happened since, whatever the line does.',
  learn: { text: 'Guide: the flush gate', page: 'bridge.html#flush-gate' },
  seconds: 66,
  limits: demoLimits,
  leaseTtlSecs: 16,
  bridge: { connectAt: 12 },
  gateFirst: true,
  workers: [
    { workerId: 'ada', capacity: 2 },
    { workerId: 'bo', capacity: 2 },
  ],
  arrivals: [
    { at: 1, count: 3, work: [2, 4] },
    { at: 4, every: 3, until: 61, count: [1, 2], work: [3, 5] },
  ],
  troubles: [
    { at: 12, verb: 'slow', args: [6] },
    { at: 26, verb: 'drop' },
    { at: 29, verb: 'slow', args: [5] },
    { at: 32, verb: 'drop', args: [1] },
    { at: 38, verb: 'slow', args: [4] },
    { at: 46, verb: 'stale' },
    { at: 50, verb: 'fail', args: [1] },
    { at: 57, verb: 'slow', args: [9] },
    { at: 57, verb: 'drop' },
    { at: 63, verb: 'giveup' },
  ],
  captions: [
    {
      at: 0,
      look: 'gate',
      text: 'Work goes on while nobody watches. What happens is kept as history; the gate stands open and idle.',
    },
    {
      on: { command: 'beginHistory' },
      look: 'gate',
      text: 'A far side connects. The host freezes the history, and from this moment the gate holds live events back.',
    },
    {
      on: { command: 'installHistory' },
      look: 'gate',
      text: 'The history is installed in front of the live events that have come in since. Nothing has been sent yet.',
    },
    {
      on: { command: 'drain', outcome: 'started' },
      look: 'gate',
      text: 'Draining: head after head, one at a time. An event leaves the queue only when the sender has accepted it.',
    },
    {
      on: { command: 'drain', outcome: 'done' },
      look: 'gate',
      text: 'The last one is out, and in the same step the gate stands open again: live events now go straight through.',
    },
    {
      on: { command: 'lost' },
      look: 'gate',
      text: 'The connection drops. The host begins a new history at once, so live events wait while one recovery runs.',
    },
    {
      on: { command: 'recover', outcome: 'connected' },
      look: 'gate',
      text: 'Connected again, with a higher epoch. A fresh history goes out first; what the far side has seen before, it can tell by the id.',
    },
    {
      on: { command: 'lost' },
      look: 'gate',
      text: 'Dropped again, this time in mid-flush. The event in flight was not accepted, so it stays at the head. The gate is deactivated: nothing overtakes.',
    },
    {
      on: { command: 'recover', code: 'no_transport' },
      look: 'ledger',
      text: 'The first attempt brings no transport. The old epoch stays, everybody who waited is told, and the host tries again.',
    },
    {
      on: { command: 'recover', outcome: 'connected' },
      look: 'gate',
      text: 'Third epoch. The history goes in front of the queue that was kept, and all of it drains in order.',
    },
    {
      on: { code: 'stale_epoch' },
      look: 'ledger',
      text: 'Somebody still sends with the epoch before: stale_epoch. An old connection cannot speak for the new one.',
    },
    {
      on: { code: 'send_not_accepted' },
      look: 'ledger',
      text: 'A sender that does not accept did not take the event. It is given in again; no event is lost in silence.',
    },
    {
      on: { command: 'dropped' },
      look: 'gate',
      text: 'The line fails for good and the host gives up. Drop says exactly how many events were lost: the counts add up to the last one.',
    },
  ],
};
