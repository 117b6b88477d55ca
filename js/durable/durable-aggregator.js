import { MAX_IDENTIFIER_BYTES } from '../generated/coordination.js';
import { DurableHandle, defineCommands, openDurable } from './durable-handle.js';
import { SMALL_RECORD_BYTES } from './options.js';

/** @typedef {import('./durable-handle.js').Durable} Durable */

const AGGREGATOR_COMMANDS = Object.freeze(['storeResult', 'removeResults']);

class TryDurableAggregator {
  #durable;
  /** @param {Durable} durable */
  constructor(durable) {
    this.#durable = durable;
  }
  static {
    defineCommands(TryDurableAggregator.prototype, AGGREGATOR_COMMANDS, (it) => it.#durable, 'attempt');
  }
}

/** An aggregator that keeps what it has answered. Types and contract: ../types/durable.d.ts. */
class DurableAggregator extends DurableHandle {
  #durable;

  /** @param {Durable} durable @param {import('./recovery.js').Recovery} recovery */
  constructor(durable, recovery) {
    super(durable, recovery);
    this.#durable = durable;
    this.try = new TryDurableAggregator(durable);
    Object.freeze(this);
  }
  static {
    defineCommands(DurableAggregator.prototype, AGGREGATOR_COMMANDS, (it) => it.#durable, 'command');
  }

  /** @param {unknown} taskIds */
  aggregateResults(taskIds) {
    return this.#durable.machine.aggregateResults(taskIds);
  }

  /** @param {unknown} taskId */
  getResult(taskId) {
    return this.#durable.machine.getResult(taskId);
  }

  get resultCount() {
    return this.#durable.machine.resultCount;
  }

  get totalBytes() {
    return this.#durable.machine.totalBytes;
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#durable.describe(() => {
      const { revision, durableRevision, resultCount, totalBytes } = this;
      return { revision, durableRevision, resultCount, totalBytes };
    });
  }
}

/** Of an id with its size. */
const ID_BYTES = MAX_IDENTIFIER_BYTES + 2;

/** A result's bytes, or a list of ids. @param {{ maxResultBytes: bigint | number, maxResults: bigint | number }} limits */
function longestRecord({ maxResultBytes, maxResults }) {
  return SMALL_RECORD_BYTES + Math.max(Number(maxResultBytes), Number(maxResults) * ID_BYTES);
}

/** @param {any} leasegate an instance @param {unknown} options @returns {Promise<DurableAggregator>} */
export async function openDurableAggregator({ ResultAggregator, readJournalHeader }, options) {
  /** @type {import('./recovery.js').Kind} */
  const kind = { Machine: ResultAggregator, handle: 'aggregator', readJournalHeader, longestRecord };
  const { durable, recovery } = await openDurable(kind, 'DurableAggregator', options);
  return new DurableAggregator(durable, recovery);
}
