// What can go wrong between hosts, and its names. Records, target references, credentials and what a server or a client
// library says in words never get into an error: only names and numbers do.

import { LeasegateError } from '../errors.js';

/** Every code of its own, with its fields. docs/errors.md is held to this. */
export const CLUSTER_ERRORS = Object.freeze({
  cluster_unavailable: ['reason', 'apiCode', 'subject', 'outcome'],
  cluster_closed: ['outcome'],
  cluster_busy: ['limit'],
  cluster_stream_unfit: ['stream', 'setting'],
  cluster_limits_differ: ['name'],
  cluster_clock_skew: ['skewSecs', 'maxSkewSecs'],
  cluster_record_too_large: ['actual', 'limit'],
  cluster_diverged: ['sequence', 'reason'],
  cluster_result_lost: ['taskId', 'reason'],
});

const REASONS = {
  timeout: 'it was not settled in time',
  connection_closed: 'the connection is closed',
  jetstream: 'JetStream does not answer, or refuses',
  no_jetstream: 'there is no JetStream on this server or for this account, or no leader of it yet',
  not_permitted: 'the account is not permitted to',
};

/** What an operator can do something about. @type {Record<number, string>} */
const API_MEANINGS = {
  10002: 'the account may store no more',
  10005: 'there are not so many servers for the copies',
  10023: 'the servers have no room for it',
  10047: 'the server may store no more',
  10074: 'more than one copy needs a cluster of servers',
  10077: 'the stream, or the disk under it, is full',
};

const OUTCOMES = {
  not_sent: 'The command was not sent.',
  unknown: 'The command was sent, and may have been accepted or may be yet.',
};

const DIVERGENCE = {
  record_refused: 'holds a record that does not apply',
  record_differs: 'holds another record than the one that was acknowledged there',
  not_in_order: 'has a gap',
  stream_replaced: 'is another one than before',
  stream_went_back: 'has lost messages that had been acknowledged',
  history_missing: 'begins after what this host has seen, and no snapshot reaches as far',
  snapshot_invalid: 'has a snapshot that cannot be read',
  unknown_subject: 'holds a message that no host of this version sends',
  core_failed: 'can no longer be followed: the core has failed',
};

/** @typedef {{ operation: 'publish' | 'subscription', subject: string }} Denied what an account may not do */

/**
 * @param {keyof typeof REASONS} reason @param {keyof typeof OUTCOMES} outcome @param {number | null} [apiCode]
 * @param {unknown} [cause] @param {Denied | null} [denied]
 */
export function unavailableError(reason, outcome, apiCode = null, cause, denied = null) {
  const meaning = apiCode === null ? undefined : API_MEANINGS[apiCode];
  const api = apiCode === null ? '' : ` (JetStream error ${apiCode}${meaning ? `: ${meaning}` : ''})`;
  const verb = denied?.operation === 'subscription' ? 'subscribe' : 'publish';
  const what = denied === null ? '' : ` ${verb} to ${denied.subject}`;
  return new LeasegateError(
    'cluster_unavailable',
    `The cluster cannot be reached: ${REASONS[reason]}${what}${api}. ${OUTCOMES[outcome]}`,
    { reason, apiCode, subject: denied?.subject ?? null, outcome },
    cause === undefined ? undefined : { cause },
  );
}

/** @param {keyof typeof OUTCOMES} outcome */
export function closedError(outcome) {
  return new LeasegateError('cluster_closed', `This host has left the cluster. ${OUTCOMES[outcome]}`, {
    outcome,
  });
}

/** @param {number} limit */
export function busyError(limit) {
  return new LeasegateError('cluster_busy', `${limit} commands of this host wait already.`, { limit });
}

/** @param {string} stream @param {string} setting */
export function unfitError(stream, setting) {
  return new LeasegateError(
    'cluster_stream_unfit',
    `The stream ${stream} cannot carry a coordinator: ${setting} is not as it must be.`,
    { stream, setting },
  );
}

/** @param {string} name of a limit, in snake_case */
export function limitsDifferError(name) {
  return new LeasegateError('cluster_limits_differ', `The cluster was begun with another ${name}.`, { name });
}

/** @param {bigint} skewSecs @param {number} maxSkewSecs */
export function skewError(skewSecs, maxSkewSecs) {
  const where = skewSecs < 0n ? 'behind' : 'ahead of';
  const size = skewSecs < 0n ? -skewSecs : skewSecs;
  return new LeasegateError(
    'cluster_clock_skew',
    `This host's clock is ${size} s ${where} the server's; at most ${maxSkewSecs} s are allowed.`,
    { skewSecs, maxSkewSecs },
  );
}

/** @param {number} actual @param {number} limit */
export function tooLargeError(actual, limit) {
  return new LeasegateError(
    'cluster_record_too_large',
    `The command makes a message of ${actual} bytes; the server takes at most ${limit}.`,
    { actual, limit },
  );
}

/** @param {number} sequence @param {keyof typeof DIVERGENCE} reason @param {unknown} [cause] */
export function divergedError(sequence, reason, cause) {
  return new LeasegateError(
    'cluster_diverged',
    `This host has stopped at message ${sequence}: the stream ${DIVERGENCE[reason]}.`,
    { sequence: BigInt(sequence), reason },
    cause === undefined ? undefined : { cause },
  );
}

/** @param {string} taskId @param {'missing' | 'damaged'} reason */
export function resultLostError(taskId, reason) {
  return new LeasegateError('cluster_result_lost', `The bytes of the result of ${taskId} are ${reason}.`, {
    taskId,
    reason,
  });
}

/** @param {bigint} expected @param {bigint} actual */
export function conflictError(expected, actual) {
  return new LeasegateError(
    'revision_conflict',
    `The command was decided on revision ${expected}, but the current one is ${actual}.`,
    { expected, actual },
  );
}
