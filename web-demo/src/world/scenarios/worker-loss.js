import { demoLimits } from './limits.js';

export const workerLoss = {
  id: 'worker-loss',
  title: 'A worker is lost and comes back',
  summary: 'Silence takes a worker offline; its generation keeps the old one out.',
  learn: { text: 'Guide: sweeps', page: 'guide-leases.html#sweep' },
  seconds: 64,
  limits: demoLimits,
  leaseTtlSecs: 30,
  workers: [
    { workerId: 'ada', capacity: 2 },
    { workerId: 'bo', capacity: 3 },
    { workerId: 'cy', capacity: 2 },
  ],
  arrivals: [
    { at: 2, count: 4, work: [10, 14] },
    { at: 8, every: 5, until: 50, count: [1, 2], work: [6, 10] },
    { at: 34, count: 3, priority: 'critical', work: [10, 12] },
  ],
  troubles: [
    { at: 9, verb: 'kill', args: ['bo'] },
    { at: 36, verb: 'mute', args: ['ada', 16] },
    { at: 36, verb: 'stall', args: ['ada', 8] },
  ],
  captions: [
    {
      at: 0,
      look: 'timeline',
      text: 'Three workers. Each has generation 1, and every lease names the generation it was given to.',
    },
    {
      at: 3,
      look: 'timeline',
      text: 'Dots below the bars are heartbeats. The thin mark ahead is when a worker would count as silent.',
    },
    { at: 9, look: 'timeline', text: 'bo dies in mid-work. No message says so; its heartbeats just stop.' },
    {
      on: { command: 'pruneDeadWorkers' },
      look: 'timeline',
      text: 'Silent for too long: the host prunes. bo goes offline, its generation rises, and its leases are recovered in one step.',
    },
    {
      on: { command: 'assignNextAvailable' },
      look: 'timeline',
      text: 'What bo held is queued again and goes to workers that are there.',
    },
    {
      on: { code: 'worker_generation_conflict', actor: 'bo' },
      look: 'ledger',
      text: 'bo restarts and says it is generation 1. That generation is over: refused, whatever it may still believe.',
    },
    {
      on: { command: 'reactivateWorker', outcome: 'accepted' },
      look: 'timeline',
      text: 'It comes back properly, as a new generation, with empty hands.',
    },
    {
      at: 36.2,
      look: 'timeline',
      text: 'Another kind of loss: the heartbeats of ada get lost on the way, but ada works on.',
    },
    {
      on: { command: 'pruneDeadWorkers' },
      look: 'timeline',
      text: 'From outside both look the same, so both are treated the same: offline, leases recovered.',
    },
    {
      on: { code: 'stale_ownership', actor: 'ada' },
      look: 'ledger',
      text: 'ada reports work that is no longer its own: stale_ownership. Done twice perhaps, counted once.',
    },
    { at: 57, look: 'controls', text: 'Try it yourself: select a worker and press “Kill a worker”.' },
  ],
};
