import { demoLimits } from './limits.js';

export const lateWorker = {
  id: 'late-worker',
  title: 'A late worker is fenced off',
  summary: 'A lease runs out, the task moves on, and the late report is refused.',
  learn: { text: 'Guide: late workers', page: 'guide-leases.html#late-workers' },
  seconds: 60,
  limits: demoLimits,
  leaseTtlSecs: 10,
  workers: [
    { workerId: 'ada', capacity: 1 },
    { workerId: 'bo', capacity: 3 },
  ],
  arrivals: [
    { at: 2, count: 4, priority: 'normal', work: [4, 6] },
    { at: 12, every: 7, until: 47, count: [1, 2], work: [4, 6] },
  ],
  troubles: [
    { at: 5, verb: 'stall', args: ['ada', 22] },
    { at: 41, verb: 'stall', args: ['bo', 8] },
  ],
  captions: [
    { at: 0, look: 'timeline', text: 'Two workers, and leases of ten seconds. Watch ada.' },
    {
      on: { command: 'startTask', actor: 'ada' },
      look: 'timeline',
      text: 'ada starts its task in time. Nothing looks wrong.',
    },
    {
      at: 6,
      look: 'timeline',
      text: 'Now ada stalls: a full disk, a long pause, a lost network. Its heartbeats still arrive, but a heartbeat renews no lease.',
    },
    {
      at: 9.5,
      look: 'timeline',
      text: 'The deadline draws near. Nobody has to notice anything: the lease says itself until when it holds.',
    },
    {
      on: { command: 'recoverExpiredLeases' },
      look: 'timeline',
      text: 'The deadline has struck. The host recovers the lease: the task is queued again, with its next generation and one retry spent.',
    },
    {
      on: { command: 'assignNextAvailable' },
      look: 'timeline',
      text: (entry) =>
        `The task goes to ${entry.value.workerId} as attempt ${entry.value.attempt}, under a new lease. Two processes now believe they own it.`,
    },
    {
      on: { command: 'completeTask', actor: 'bo' },
      look: 'ledger',
      text: 'The new lease completes it: this report is the one that counts.',
    },
    {
      on: { command: 'completeTask', actor: 'ada', outcome: 'refused' },
      look: 'ledger',
      text: 'ada wakes up and reports with its old lease: stale_ownership. The fence holds, and the good result stays.',
    },
    {
      at: 41.2,
      look: 'timeline',
      text: 'Once more, with a shorter stall of bo: its lease runs out while it works on. Late is late, if only by a little.',
    },
    {
      at: 53,
      look: 'ledger',
      text: 'Select a refused row to see the lease, the task and the attempt it belonged to.',
    },
  ],
};
