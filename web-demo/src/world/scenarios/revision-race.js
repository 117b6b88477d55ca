import { demoLimits } from './limits.js';

export const revisionRace = {
  id: 'revision-race',
  title: 'Two hosts, one revision',
  summary: 'Two hosts decide on the same revision; exactly one of them is right.',
  learn: { text: 'Guide: decide on a revision', page: 'guide-leases.html#decide-on-a-revision' },
  seconds: 54,
  limits: demoLimits,
  leaseTtlSecs: 14,
  workers: [
    { workerId: 'ada', capacity: 2 },
    { workerId: 'bo', capacity: 2 },
    { workerId: 'cy', capacity: 3 },
  ],
  arrivals: [
    { at: 2, count: 2, work: [5, 8] },
    { at: 8, every: 4, until: 44, count: [2, 3], work: [5, 8] },
  ],
  troubles: [{ at: 8, verb: 'race', args: [34] }],
  captions: [
    {
      at: 0,
      look: 'ledger',
      text: 'One host, one pool. Every command names the revision that it was decided on.',
    },
    {
      on: { command: 'assignNextAvailable' },
      look: 'ledger',
      text: 'Expected and actual revision are equal: accepted, and the revision moves on by one.',
    },
    {
      at: 8,
      look: 'ledger',
      text: 'A second host starts by mistake: a deployment that overlaps, a failover that came too early.',
    },
    {
      on: { code: 'revision_conflict' },
      look: 'ledger',
      text: (entry) =>
        `Both had read revision ${entry.expected} and both want to give work away. ${entry.actor} comes second: revision_conflict, nothing changed.`,
    },
    {
      on: { command: 'assignNextAvailable', outcome: 'accepted' },
      look: 'ledger',
      text: 'The loser reads again and decides anew: it gets the next task instead of the same one twice.',
    },
    {
      at: 20,
      look: 'timeline',
      text: 'Whoever is first changes from second to second, but no task has two leases. Look for overlapping bars: there are none.',
    },
    {
      at: 32,
      look: 'ledger',
      text: 'Filter the ledger by “Conflicts” to see them all. None of them left a trace in the state: the fingerprint stayed.',
    },
    { at: 43, look: 'ledger', text: 'The second host is gone, and so are the conflicts.' },
    {
      at: 49,
      look: 'controls',
      text: 'The button “Two hosts race” brings the second host back whenever you like.',
    },
  ],
};
