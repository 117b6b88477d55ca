import { demoLimits } from './limits.js';

export const normalDay = {
  id: 'normal-day',
  title: 'A normal day',
  summary: 'Tasks come in, workers with room take them under a lease, results come back.',
  learn: { text: 'Guide: a host loop', page: 'guide-leases.html' },
  seconds: 60,
  limits: demoLimits,
  leaseTtlSecs: 14,
  workers: [
    { workerId: 'ada', capacity: 2, tags: ['linux'] },
    { workerId: 'bo', capacity: 3, tags: ['linux', 'gpu'] },
    { workerId: 'cy', capacity: 3, cpuBasisPoints: 5000, tags: ['windows'] },
  ],
  arrivals: [
    { at: 2, count: 3 },
    { at: 6, every: 4, until: 50, count: [1, 3], work: [5, 10] },
    { at: 25, count: 9, priority: 'low', work: [6, 9] },
    { at: 28, count: 1, priority: 'critical', work: [4, 6] },
  ],
  troubles: [{ at: 14, verb: 'echo', args: ['ada'] }],
  captions: [
    {
      at: 0,
      look: 'timeline',
      text: 'Three workers register. Each row is a worker: its health, its slots and its generation.',
    },
    {
      on: { command: 'enqueue' },
      look: 'queue',
      text: 'A client enqueues tasks. They wait in the queue by priority, and first in, first out within one priority.',
    },
    {
      on: { command: 'assignNextAvailable' },
      look: 'timeline',
      text: 'The pool gives the next task to the worker with the most room. That is a lease: a right to work until a deadline.',
    },
    {
      on: { command: 'startTask' },
      look: 'timeline',
      text: 'The worker starts. The dashed outline reaches to the deadline of the lease: it is known before it strikes.',
    },
    {
      on: { command: 'completeTask', outcome: 'accepted' },
      look: 'ledger',
      text: 'Done in time. Every accepted command makes exactly one new revision; the ledger says what it changed.',
    },
    {
      on: { command: 'completeTask', outcome: 'replayed' },
      look: 'ledger',
      text: 'The answer to ada got lost, so ada reports again. The pool knows the lease: same answer, nothing changed, no new revision.',
    },
    {
      on: { command: 'updateWorker', actor: 'cy' },
      look: 'timeline',
      text: 'Heartbeats say how a worker feels: cy is at 50 % processor, so 2 of its 3 slots are open. They never renew a lease.',
    },
    {
      on: { command: 'enqueue', at: 28 },
      look: 'queue',
      text: 'A burst of low tasks, then one critical task: it goes to the head of the queue although it came last.',
    },
    {
      at: 40,
      look: 'ledger',
      text: 'The fingerprint sums up all of the state at a revision. The same seed gives the same fingerprints, here and on any machine.',
    },
    {
      at: 54,
      look: 'controls',
      text: 'Go back to any revision with the scrubber, or make trouble with the buttons and see what the pool makes of it.',
    },
  ],
};
