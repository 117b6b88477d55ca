// The stream's messages in order and without a gap, over whatever happens to the consumer, the connection and the server.
// The consumer has no acknowledgements: what a host has seen is the host's to know.

import { divergedError } from './errors.js';
import { randomText, sameBytes } from './texts.js';

/**
 * @typedef {import('./replica.js').Message & { reply: string }} FedMessage `storedAt` reads the server's time in its reply
 */

/** @typedef {{ sequence: number, author: string, bytes: Uint8Array }} Known a message, to be known again: an author is of one host and run */

const HEARTBEAT_MS = 2_000;
const SILENCE_MS = 5_000;
const RETRY_MS = [50, 100, 200, 500, 1_000, 2_000];
/** How long a server may go on saying what it knew before it lost touch with the others. */
const OUT_OF_TOUCH_MS = 20_000;
/** How often in a row a gap is looked at again. */
const MAX_GAPS = 5;
/** Authors whose subjects are remembered. */
const MAX_SUBJECTS = 1_024;

export class Feed {
  /**
   * @param {object} options
   * @param {import('@nats-io/nats-core').NatsConnection} options.connection
   * @param {import('@nats-io/jetstream').JetStreamManager} options.jsm
   * @param {import('./texts.js').Places} options.places
   * @param {string} options.inbox
   * @param {string} options.created when the stream was made
   * @param {() => { sequence: number, from: number, known: Known | null }} options.position what was seen last, and from
   * where on messages are wanted, with what is known of that one
   * @param {(messages: FedMessage[]) => void} options.onMessages
   * @param {() => Promise<void>} options.onBehind the stream begins later than what was seen last
   * @param {(serverSecs: number) => void} options.onOpened the consumer is there: at what second of the server
   * @param {(error: Error) => void} options.onStopped
   */
  constructor(options) {
    this.options = options;
    /** @type {import('@nats-io/nats-core').Subscription | null} */
    this.subscription = null;
    this.consumer = '';
    this.generation = 0;
    this.closed = false;
    this.opening = false;
    /** Asked to begin anew while it was about to begin. */
    this.again = false;
    this.heardAt = 0;
    this.delivered = 0;
    this.ackPrefix = '?';
    this.failures = 0;
    /** The sequence that has to come next; 0 before the first. */
    this.next = 0;
    this.gaps = 0;
    /** Since when the stream has ended too early; 0: it does not. */
    this.backSince = 0;
    /** @type {FedMessage[]} */
    this.batch = [];
    this.scheduled = false;
    /** @type {Map<string, { kind: 'root' | 'chained' | 'void', author: string } | null>} */
    this.subjects = new Map();
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    this.watch = setInterval(() => {
      if (!this.opening && this.subscription !== null && performance.now() - this.heardAt > SILENCE_MS)
        this.reopen();
    }, HEARTBEAT_MS / 2);
  }

  /** Begins, or begins anew behind what was seen last. */
  reopen() {
    if (this.closed) return;
    if (this.opening) {
      this.again = true;
      this.generation += 1; // what comes meanwhile is not to be trusted
      return;
    }
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.#leave();
    this.opening = true;
    this.again = false;
    this.#open().then(
      () => {
        this.opening = false;
        this.failures = 0;
        if (this.again) this.reopen();
      },
      () => {
        this.opening = false;
        if (this.closed) return;
        const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
        this.failures += 1;
        this.timer = setTimeout(() => this.reopen(), wait);
      },
    );
  }

  async #open() {
    const { connection, jsm, places, created } = this.options;
    const before = this.options.position().sequence;
    const info = await jsm.streams.info(places.stream);
    if (this.closed) return;
    // Of copies, each may have a time of its own: it has been seen to change with the leader (nats-server 2.10). The last
    // message is compared in any case.
    if (info.config.num_replicas === 1 && String(info.created) !== created)
      return this.#stop('stream_replaced');
    if (info.state.last_seq < before) return this.#wentBack(info.config.num_replicas);
    this.backSince = 0;
    const { sequence, from } = this.options.position();
    if (info.state.first_seq > sequence + 1) {
      await this.options.onBehind();
      throw new Error('behind'); // and once more
    }
    this.generation += 1;
    const generation = this.generation;
    const inbox = `${this.options.inbox}.f${randomText(6)}`;
    this.delivered = 0;
    this.next = 0;
    this.heardAt = performance.now();
    this.subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        if (generation !== this.generation) return;
        if (error) this.reopen();
        else this.#take(message);
      },
    });
    const consumer = await jsm.consumers.add(
      places.stream,
      /** @type {any} */ ({
        name: `host-${randomText(12)}`,
        deliver_subject: inbox,
        deliver_policy: 'by_start_sequence',
        opt_start_seq: Math.max(1, from),
        ack_policy: 'none',
        max_deliver: 1,
        mem_storage: true,
        num_replicas: 1,
        flow_control: true,
        idle_heartbeat: HEARTBEAT_MS * 1e6,
        inactive_threshold: 30e9,
      }),
    );
    this.consumer = consumer.name;
    this.options.onOpened(Date.parse(String(consumer.created)) / 1000);
  }

  /**
   * The stream ends before what was acknowledged. Of several servers, one that has lost touch with the others may say
   * so for a while; a single one that says so has lost messages.
   * @param {number} replicas
   */
  #wentBack(replicas) {
    const now = performance.now();
    if (this.backSince === 0) this.backSince = now;
    if (replicas > 1 && now - this.backSince < OUT_OF_TOUCH_MS) throw new Error('behind');
    this.#stop('stream_went_back');
  }

  #leave() {
    this.generation += 1;
    this.#flush();
    this.subscription?.unsubscribe();
    this.subscription = null;
    if (this.consumer === '') return;
    const { connection, jsm, places } = this.options;
    if (!connection.isClosed()) jsm.consumers.delete(places.stream, this.consumer).catch(() => {});
    this.consumer = '';
  }

  /** @param {import('@nats-io/nats-core').Msg} message */
  #take(message) {
    const { reply } = message;
    if (reply === undefined || !reply.startsWith('$JS.ACK.')) {
      this.heardAt = performance.now();
      this.#takeControl(message);
      return;
    }
    if (!reply.startsWith(this.ackPrefix)) this.ackPrefix = ackPrefixOf(reply);
    const [sequence, delivered] = numbersIn(reply, this.ackPrefix.length, 2);
    if (delivered !== this.delivered + 1) {
      this.reopen();
      return;
    }
    this.delivered = delivered;
    const subject = this.#readSubject(message.subject);
    if (subject === null) {
      this.#flush();
      this.#stop('unknown_subject', sequence);
      return;
    }
    const { kind, author } = subject;
    const fed = { sequence, kind, author, bytes: message.data, reply };
    if (!this.#follows(fed)) return;
    this.next = sequence + 1;
    this.batch.push(fed);
    if (this.scheduled) return;
    this.scheduled = true;
    this.heardAt = performance.now();
    queueMicrotask(() => this.#flush());
  }

  /** The first message is the last one that was seen, if it is still there; every other follows the one before. @param {FedMessage} message */
  #follows({ sequence, author, bytes }) {
    if (this.next === 0) {
      const { sequence: seen, known } = this.options.position();
      if (sequence > seen + 1) return this.#gap(sequence);
      if (sequence === known?.sequence && !(author === known.author && sameBytes(bytes, known.bytes))) {
        this.#stop('record_differs', sequence);
        return false;
      }
    } else if (sequence !== this.next) return this.#gap(sequence);
    this.gaps = 0;
    return true;
  }

  /** Trimmed meanwhile, most likely: looking again tells. Where it does not, messages are missing. @param {number} sequence */
  #gap(sequence) {
    this.gaps += 1;
    if (this.gaps > MAX_GAPS) this.#stop('not_in_order', sequence);
    else this.reopen();
    return false;
  }

  /** @param {import('@nats-io/nats-core').Msg} message */
  #takeControl(message) {
    if (message.reply) {
      message.respond(); // flow control
      return;
    }
    const stalled = message.headers?.get('Nats-Consumer-Stalled');
    if (stalled) this.options.connection.publish(stalled);
    const last = Number(message.headers?.get('Nats-Last-Consumer') || '0');
    if (last > this.delivered) this.reopen();
    else if (message.headers?.code === 409) this.reopen();
  }

  #flush() {
    this.scheduled = false;
    const { batch } = this;
    if (batch.length === 0) return;
    this.batch = [];
    try {
      this.options.onMessages(batch);
    } catch (error) {
      // Must not reach the client library, whose reader would end without a word.
      this.options.onStopped(divergedError(batch[0].sequence, 'core_failed', error));
    }
  }

  /** @param {string} subject */
  #readSubject(subject) {
    const known = this.subjects.get(subject);
    if (known !== undefined) return known;
    const { genesis, probe, root, chained } = this.options.places;
    /** @type {{ kind: 'root' | 'chained' | 'void', author: string } | null} */
    let read = null;
    if (subject.startsWith(root)) read = { kind: 'root', author: subject.slice(root.length) };
    else if (subject.startsWith(chained)) read = { kind: 'chained', author: subject.slice(chained.length) };
    else if (subject === genesis || subject === probe) read = { kind: 'void', author: '' };
    if (this.subjects.size >= MAX_SUBJECTS) this.subjects.clear();
    this.subjects.set(subject, read);
    return read;
  }

  /** @param {Parameters<typeof divergedError>[1]} reason @param {number} [sequence] */
  #stop(reason, sequence = this.options.position().sequence) {
    this.options.onStopped(divergedError(sequence, reason));
  }

  close() {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    clearInterval(this.watch);
    this.#leave();
  }
}

/**
 * A consumer's reply subjects differ in their numbers only. What is the same in all of them: everything before the
 * sequence in the stream. Newer servers name a domain and an account first.
 * @param {string} reply
 */
function ackPrefixOf(reply) {
  const tokens = reply.split('.');
  return `${tokens.slice(0, tokens.length > 9 ? 7 : 5).join('.')}.`;
}

/** Numbers with dots between them. @param {string} text @param {number} from @param {number} count */
function numbersIn(text, from, count) {
  const numbers = [];
  for (let at = from; numbers.length < count; at += 1) {
    let number = 0;
    for (let c = text.charCodeAt(at); c >= 48 && c <= 57; at += 1, c = text.charCodeAt(at))
      number = number * 10 + c - 48;
    numbers.push(number);
  }
  return numbers;
}

/** When the server stored a message, in its seconds. @param {FedMessage} message */
export function storedAt({ reply }) {
  const [, , nanoseconds] = numbersIn(reply, ackPrefixOf(reply).length, 3);
  return nanoseconds / 1e9;
}
