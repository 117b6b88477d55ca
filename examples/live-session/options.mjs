// What the user asks for.

import { parseArgs } from 'node:util';

export const usage = `Usage: live-session.mjs [options]

A server and a client, two processes on this machine, live through one session while their connection is cut at
random: both end with every event of the other exactly once and in order, or the exit code says that they do not.

  -t, --transport NAME  websocket, sse, or both, one after the other (default)
  -n, --events N        events in each direction, 20 to 100,000 (default: 1,000); a quarter of them is history
  -d, --drops N         how often the connection is cut, 0 to 100 (default: 6)
  -s, --seed S          decides where (default: 1)
  -p, --payload BYTES   of each event, 0 to 65,536 (default: 64)
      --json            print one line of JSON a transport, and nothing else
  -h, --help            print this

Each side by itself, in two terminals:

  node examples/live-session/server.mjs [options]
  node examples/live-session/client.mjs --endpoint URL [options]

Exit code: 0 every event once and in order, 1 not so, 2 wrong usage, 130 interrupted.
`;

/** The user's mistake: its message is all there is to say. */
export class UsageError extends Error {}

/**
 * @typedef {object} Options
 * @property {('websocket' | 'sse')[]} transports
 * @property {number} events of each side
 * @property {number} history how many of them are there before anybody connects
 * @property {number} drops
 * @property {number} seed
 * @property {number} payload in bytes
 * @property {string | null} endpoint
 * @property {boolean} json
 * @property {boolean} help
 */

const MAX_HISTORY_BYTES = 32 * 1024 * 1024;

/** @param {string[]} argv @returns {Options} */
export function readOptions(argv) {
  const values = parse(argv);
  const events = wholeNumber('events', values.events, 20, 100_000);
  const history = Math.floor(events / 4);
  const payload = wholeNumber('payload', values.payload, 0, 65_536);
  if (history * payload > MAX_HISTORY_BYTES) {
    throw new UsageError('--events and --payload make a history of more than 32 MiB');
  }
  return {
    transports: transportsOf(values.transport),
    events,
    history,
    drops: wholeNumber('drops', values.drops, 0, 100),
    seed: wholeNumber('seed', values.seed, 0, 2 ** 31),
    payload,
    endpoint: values.endpoint ?? null,
    json: values.json ?? false,
    help: values.help ?? false,
  };
}

/** The same options for another process. @param {Options} options */
export function toArguments({ events, drops, seed, payload }) {
  return Object.entries({ events, drops, seed, payload }).map(([name, value]) => `--${name}=${value}`);
}

/** @param {string[]} args */
function parse(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        transport: { type: 'string', short: 't', default: 'both' },
        events: { type: 'string', short: 'n', default: '1000' },
        drops: { type: 'string', short: 'd', default: '6' },
        seed: { type: 'string', short: 's', default: '1' },
        payload: { type: 'string', short: 'p', default: '64' },
        endpoint: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(`${/** @type {Error} */ (error).message.split('. ')[0]}; see --help`);
  }
}

/** @param {string | undefined} name @returns {Options['transports']} */
function transportsOf(name) {
  if (name === 'both') return ['websocket', 'sse'];
  if (name === 'websocket' || name === 'sse') return [name];
  throw new UsageError('--transport must be websocket, sse or both');
}

/** @param {string} name @param {string | undefined} text @param {number} least @param {number} most */
function wholeNumber(name, text, least, most) {
  const value = /^\d{1,10}$/.test(text ?? '') ? Number(text) : -1;
  if (value < least || value > most) {
    const range = `${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`;
    throw new UsageError(`--${name} must be a number from ${range}`);
  }
  return value;
}
