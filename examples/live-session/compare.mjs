// Both sides' accounts, held against each other and against what was asked for.

import { sameSum } from './events.mjs';

/**
 * @param {import('./options.mjs').Options} options
 * @param {import('./summary.mjs').ClientOutcome} client @param {import('./summary.mjs').ServerOutcome | null} server
 * @returns {string[]} what does not hold
 */
export function compare({ events, history, drops }, client, server) {
  if (server === null) return [...client.problems, 'the server came to no end'];
  /** @type {[string, boolean][]} */
  const claims = [
    ['the client has every event of the server', sameSum(client.received, server.sent)],
    ['the server has every event of the client', sameSum(server.received, client.sent)],
    [
      'as many events as were asked for',
      client.received.events === events && server.received.events === events,
    ],
    ['history came first, all of it', server.received.history === history],
    ['no gap in what the client got', client.received.gaps === 0],
    ['the wire was cut as often as was asked for', server.cuts === drops],
    ['both are in the same epoch', client.epoch === server.epoch],
  ];
  const broken = claims.filter(([, holds]) => !holds).map(([claim]) => `it does not hold that ${claim}`);
  return [...client.problems, ...server.problems, ...broken];
}
