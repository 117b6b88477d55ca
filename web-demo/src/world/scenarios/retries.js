import { demoLimits } from './limits.js';

export const retries = {
  id: 'retries',
  title: 'Retries run out',
  summary: 'A task that always fails is tried again a bounded number of times.',
  learn: { text: 'Guide: answers and retries', page: 'guide-leases.html#take-answers' },
  seconds: 56,
  limits: { ...demoLimits, maxRetries: 2 },
  leaseTtlSecs: 12,
  workers: [
    { workerId: 'ada', capacity: 2 },
    { workerId: 'bo', capacity: 2 },
  ],
  arrivals: [
    { at: 2, count: 2, priority: 'normal', work: [5, 8] },
    { at: 4, taskId: 'poison', priority: 'high', work: [3, 4], failRate: 1 },
    { at: 6, every: 5, until: 44, count: [1, 2], work: [5, 9] },
    { at: 27, taskId: 'slowpoke', priority: 'critical', work: [30, 40] },
  ],
  captions: [
    { at: 0, look: 'timeline', text: 'Here a task may be tried again twice: maxRetries is 2.' },
    {
      on: { command: 'enqueue', task: 'poison' },
      look: 'queue',
      text: 'Among the others comes “poison”: whoever works on it will fail.',
    },
    {
      on: { command: 'failTask', task: 'poison', detail: 'requeued' },
      look: 'timeline',
      text: 'First failure. The task is queued again, at the back of its priority: retry 1, generation 1.',
    },
    {
      on: { command: 'failTask', task: 'poison', detail: 'requeued' },
      look: 'timeline',
      text: 'Second failure: retry 2. Each attempt has a lease of its own, so reports of an earlier one cannot be mistaken for this one.',
    },
    {
      on: { command: 'failTask', task: 'poison', detail: 'retry_exhausted' },
      look: 'ledger',
      text: 'Third failure: retry_exhausted. The task has failed for good, and the queue is free of it. Nothing grows without a bound.',
    },
    {
      on: { command: 'enqueue', task: 'slowpoke' },
      look: 'queue',
      text: '“slowpoke” never fails, but needs longer than a lease lasts. That is spent retries too.',
    },
    {
      on: { command: 'recoverExpiredLeases', task: 'slowpoke' },
      look: 'timeline',
      text: 'Its lease ran out: recovered and queued again. The worker does not know yet and works on.',
    },
    {
      on: { command: 'recoverExpiredLeases', task: 'slowpoke' },
      look: 'timeline',
      text: 'Ran out again. One lease is left.',
    },
  ],
};
