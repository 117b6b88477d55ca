import { demoLimits } from './limits.js';

const WORKERS = 64;

export const busyHouse = {
  id: 'busy-house',
  title: 'A busy house',
  summary: '64 workers and more than 5,000 commands: how it holds up.',
  free: true,
  quietBridge: true,
  learn: { text: 'How the core is built', page: 'architecture.html#the-core' },
  seconds: 110,
  limits: {
    ...demoLimits,
    maxTaskRecords: 2048,
    maxTerminalTasks: 2048,
    maxActiveTasks: 512,
    maxQueuedTasks: 256,
    maxWorkers: 96,
  },
  leaseTtlSecs: 14,
  workers: Array.from({ length: WORKERS }, (_, i) => ({
    workerId: `w${String(i + 1).padStart(2, '0')}`,
    capacity: 2 + (i % 3),
    cpuBasisPoints: (i % 5) * 1000,
  })),
  arrivals: [{ at: 1, every: 1, until: 108, count: [5, 9], work: [5, 11], failRate: 0.06 }],
  troubles: [
    { at: 20, verb: 'kill', args: ['w07'] },
    { at: 33, verb: 'stall', args: ['w11', 20] },
    { at: 45, verb: 'mute', args: ['w23'] },
    { at: 60, verb: 'race', args: [10] },
  ],
  captions: [
    {
      at: 0,
      look: 'timeline',
      text: '64 workers, seven tasks a second, some of which fail. The module in this page does all of it.',
    },
    {
      at: 20,
      look: 'timeline',
      text: 'Now and then something breaks: w07 dies here. Scroll the workers to find it.',
    },
    {
      at: 60,
      look: 'ledger',
      text: 'For ten seconds two hosts race. Thousands of rows, each with its fingerprint.',
    },
    {
      at: 90,
      look: 'ledger',
      text: 'Going back plays the ledger again from its first command, in a fresh pool.',
    },
  ],
};
