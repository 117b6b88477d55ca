import { demoLimits } from './limits.js';

export const reconnect = {
  id: 'reconnect',
  title: 'History before live, across a reconnect',
  summary: 'The far side gets the frozen history first, then what happened since, whatever the line does.',
  seconds: 66,
  limits: demoLimits,
  leaseTtlSecs: 16,
  workers: [
    { workerId: 'ada', capacity: 2 },
    { workerId: 'bo', capacity: 2 },
  ],
  arrivals: [
    { at: 1, count: 4, work: [3, 5] },
    { at: 8, every: 4, until: 56, count: [1, 2], work: [4, 7] },
  ],
  captions: [],
};
