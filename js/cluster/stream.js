// The stream of one coordinator on the server: made if it is not there, refused if it could lose or reorder a record.

import { JetStreamApiError } from '@nats-io/jetstream';
import { unavailableError, unfitError } from './errors.js';
import { pause } from './waiting.js';

/** @typedef {import('@nats-io/jetstream').JetStreamManager} JetStreamManager */
/** @typedef {import('./texts.js').Places} Places */

const WRONG_LAST_SEQUENCE = 10071;
const STREAM_NOT_FOUND = 10059;
const STREAM_NAME_IN_USE = 10058;

const GENESIS_TRIES = 100;
const GENESIS_PAUSE_MS = 50;

/** No stream has so many messages. Below 2^53, so that every client can say it. */
const IMPOSSIBLE_SEQUENCE = 9_007_199_254_740_991;

/**
 * @param {Places} places @param {{ replicas: number, maxBytes: number, dedupeWindowSecs: number }} settings
 */
function wantedConfig(places, { replicas, maxBytes, dedupeWindowSecs }) {
  return {
    name: places.stream,
    subjects: places.subjects,
    retention: 'limits',
    discard: 'new',
    storage: 'file',
    max_age: 0,
    max_msgs: -1,
    max_msgs_per_subject: -1,
    max_bytes: maxBytes,
    max_msg_size: -1,
    num_replicas: replicas,
    duplicate_window: dedupeWindowSecs * 1e9,
    deny_delete: true,
    deny_purge: false,
    allow_rollup_hdrs: false,
    no_ack: false,
  };
}

/** What must hold of a stream that is there: each could lose, hide, reorder or invent a record. @type {readonly (readonly [string, (config: any, places: Places) => boolean])[]} */
const RULES = [
  [
    'subjects',
    ({ subjects }, places) => [...places.subjects].sort().join() === [...(subjects ?? [])].sort().join(),
  ],
  ['retention', ({ retention }) => retention === 'limits'],
  ['discard', ({ discard }) => discard === 'new'],
  ['storage', ({ storage }) => storage === 'file'],
  ['max_age', ({ max_age }) => !max_age],
  ['max_msgs', ({ max_msgs }) => max_msgs === undefined || max_msgs <= 0],
  ['max_msgs_per_subject', ({ max_msgs_per_subject: most }) => most === undefined || most <= 0],
  ['max_msg_size', ({ max_msg_size }) => max_msg_size === undefined || max_msg_size <= 0],
  ['deny_delete', ({ deny_delete }) => deny_delete === true],
  ['deny_purge', ({ deny_purge }) => !deny_purge],
  ['allow_rollup_hdrs', ({ allow_rollup_hdrs }) => !allow_rollup_hdrs],
  ['sealed', ({ sealed }) => !sealed],
  ['no_ack', ({ no_ack }) => !no_ack],
  ['mirror', ({ mirror }) => !mirror],
  ['sources', ({ sources }) => !sources || sources.length === 0],
  ['subject_transform', ({ subject_transform }) => !subject_transform],
  ['allow_msg_ttl', ({ allow_msg_ttl }) => !allow_msg_ttl],
];

/** @param {any} config @param {Places} places @param {{ replicas: number }} settings */
function check(config, places, { replicas }) {
  for (const [setting, holds] of RULES) if (!holds(config, places)) throw unfitError(places.stream, setting);
  if ((config.num_replicas ?? 1) < replicas) throw unfitError(places.stream, 'num_replicas');
}

/** The number of an error of JetStream's API, if it is one. @param {unknown} error */
const apiCodeOf = (error) => (error instanceof JetStreamApiError ? error.code : null);

/** What a permission is missing for. @param {any} error of the client library @returns {import('./errors.js').Denied | null} */
export function deniedBy(error) {
  for (const each of [error, error?.cause])
    if (each?.name === 'PermissionViolationError')
      return { operation: each.operation, subject: String(each.subject) };
  return null;
}

/** Why a request of ours, which was no command, has failed. @param {any} error of the client library */
export function requestError(error) {
  const denied = deniedBy(error);
  if (denied !== null) return unavailableError('not_permitted', 'not_sent', null, error, denied);
  const { name } = error ?? {};
  if (name === 'JetStreamNotEnabled') return unavailableError('no_jetstream', 'not_sent', null, error);
  if (name === 'ClosedConnectionError' || name === 'DrainingConnectionError')
    return unavailableError('connection_closed', 'not_sent', null, error);
  return unavailableError('jetstream', 'not_sent', apiCodeOf(error), error);
}

/**
 * @param {JetStreamManager} jsm @param {Places} places
 * @param {{ replicas: number, maxBytes: number, dedupeWindowSecs: number }} settings
 */
export async function ensureStream(jsm, places, settings) {
  const info = (await existing(jsm, places)) ?? (await made(jsm, places, settings));
  check(info.config, places, settings);
  return info;
}

/** @param {JetStreamManager} jsm @param {Places} places */
async function existing(jsm, places) {
  try {
    return await jsm.streams.info(places.stream);
  } catch (error) {
    if (apiCodeOf(error) === STREAM_NOT_FOUND) return null;
    throw requestError(error);
  }
}

/** @param {JetStreamManager} jsm @param {Places} places @param {any} settings */
async function made(jsm, places, settings) {
  try {
    return await jsm.streams.add(/** @type {any} */ (wantedConfig(places, settings)));
  } catch (error) {
    const there = apiCodeOf(error) === STREAM_NAME_IN_USE ? await existing(jsm, places) : null;
    if (there !== null) return there; // another host was faster
    throw requestError(error);
  }
}

/**
 * A server, or something between it and this host, that passes over the expectation would let two hosts have one place.
 * So a message that cannot be expected must be refused, for exactly that reason.
 * @param {import('@nats-io/jetstream').JetStreamClient} js @param {Places} places
 */
export async function probeExpectation(js, places) {
  try {
    await js.publish(places.probe, new Uint8Array(0), { expect: { lastSequence: IMPOSSIBLE_SEQUENCE } });
  } catch (error) {
    const code = apiCodeOf(error);
    if (code === WRONG_LAST_SEQUENCE) return;
    throw requestError(error);
  }
  throw unfitError(places.stream, 'expected_last_sequence');
}

/**
 * The first message of a stream says of which machine it is. Of hosts that begin at once, one puts it.
 * @param {import('@nats-io/jetstream').JetStreamClient} js @param {JetStreamManager} jsm @param {Places} places @param {Uint8Array} header
 * @returns {Promise<Uint8Array | null>} what stands there; null when it has been trimmed away
 */
export async function ensureGenesis(js, jsm, places, header) {
  try {
    const { state } = await jsm.streams.info(places.stream);
    if (state.last_seq === 0) {
      await js.publish(places.genesis, header, { expect: { lastSequence: 0 } });
      return header;
    }
  } catch (error) {
    if (apiCodeOf(error) !== WRONG_LAST_SEQUENCE) throw requestError(error);
  }
  return readGenesis(jsm, places);
}

/**
 * Of several copies, one may refuse a second message as it is only about to store the first: so it is waited for.
 * @param {JetStreamManager} jsm @param {Places} places
 */
async function readGenesis(jsm, places) {
  for (let tries = 0; ; tries += 1) {
    const { state } = await jsm.streams.info(places.stream);
    if (state.first_seq > 1) return null;
    const first = await jsm.streams.getMessage(places.stream, { seq: 1 });
    if (first?.subject === places.genesis) return first.data;
    if (first !== null || tries === GENESIS_TRIES) throw unfitError(places.stream, 'genesis');
    await pause(GENESIS_PAUSE_MS);
  }
}
