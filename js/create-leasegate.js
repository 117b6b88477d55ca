// What every entry of the package shares: from a source of the Wasm module to an instance with its classes.

import { optionsOf } from './boundary/arguments.js';
import { createPort, Port } from './boundary/port.js';
import { startRuntime } from './boundary/runtime.js';
import { bridgeOn } from './bridge/bridge.js';
import * as constants from './constants.js';
import { taskAgeSecs } from './coordination/task-age.js';
import { TaskQueue as TaskQueueHandle } from './coordination/task-queue.js';
import { WorkerPool as WorkerPoolHandle } from './coordination/worker-pool.js';
import { openDurableAggregator } from './durable/durable-aggregator.js';
import { openDurablePool } from './durable/durable-pool.js';
import { LeasegateError } from './errors.js';
import { writeDistributedLimits } from './generated/coordination.js';
import { writeResultLimits } from './generated/results.js';
import { History as HistoryOf } from './history/history.js';
import { attachJournal, journalOption } from './journal/attach.js';
import { portOfJournal, portOfSnapshot } from './journal/journaled.js';
import { readJournalHeader, readRecords } from './journal/reading.js';
import { ResultAggregator as ResultAggregatorHandle } from './results/result-aggregator.js';

/**
 * Where an entry finds the module.
 * @typedef {object} WasmSource
 * @property {() => Promise<WebAssembly.Module>} own the one that came with the package
 * @property {(url: URL) => Promise<WebAssembly.Module>} at the one at an address
 */

/** @param {WasmSource} source */
export function leasegateFrom(source) {
  /** @type {Promise<WebAssembly.Module> | null} compiled once, however many instances there are */
  let own = null;

  /** @param {unknown} wasm @returns {Promise<WebAssembly.Module>} */
  async function moduleOf(wasm) {
    if (wasm === undefined || wasm === null) {
      own ??= source.own();
      own.catch(() => {
        own = null; // The next call tries again.
      });
      return own;
    }
    if (wasm instanceof WebAssembly.Module) return wasm;
    if (wasm instanceof URL) return source.at(wasm);
    if (wasm instanceof ArrayBuffer) return WebAssembly.compile(wasm);
    if (ArrayBuffer.isView(wasm)) {
      // V8 does not take a DataView here.
      const { buffer, byteOffset, byteLength } = /** @type {ArrayBufferView<ArrayBuffer>} */ (wasm);
      return WebAssembly.compile(new Uint8Array(buffer, byteOffset, byteLength));
    }
    throw new TypeError('wasm must be a URL, the bytes of the module, or a WebAssembly.Module');
  }

  /**
   * A new, isolated instance with memory of its own.
   * @param {{ wasm?: unknown, memory?: { initialBytes?: number, maximumBytes?: number } | null } | null} [options]
   */
  return async function createLeasegate(options) {
    const { wasm, memory } = optionsOf(options, 'options', ['wasm', 'memory']);
    const { initialBytes, maximumBytes } = optionsOf(memory, 'memory', ['initialBytes', 'maximumBytes']);
    return instanceOn(await startRuntime(await moduleOf(wasm), { initialBytes, maximumBytes }));
  };
}

/**
 * A new machine and, if the host wants one, its journal.
 * @param {import('./boundary/runtime.js').Runtime} runtime @param {string} name
 * @param {(frame: any, limits: unknown) => void} writeLimits @param {unknown} options
 */
function recordedPort(runtime, name, writeLimits, options) {
  const { limits, journal } = optionsOf(options, 'options', ['limits', 'journal']);
  const wanted = journalOption(journal);
  const port = createPort(runtime, name, name, writeLimits, limits);
  attachJournal(port, wanted);
  return port;
}

/** @param {import('./boundary/runtime.js').Runtime} runtime @param {unknown} options */
function queuePort(runtime, options) {
  const { limits } = optionsOf(options, 'options', ['limits']);
  return createPort(runtime, 'WorkerPool', 'TaskQueue', writeDistributedLimits, limits);
}

/** @param {import('./boundary/runtime.js').Runtime} runtime */
function instanceOn(runtime) {
  class TaskQueue extends TaskQueueHandle {
    /** @param {Port | { limits?: unknown }} [options] the port, for the queue of a pool */
    constructor(options) {
      const shared = options instanceof Port;
      super(shared ? options : queuePort(runtime, options), !shared);
    }
  }
  class WorkerPool extends WorkerPoolHandle {
    /** @param {Port | { limits?: unknown, journal?: unknown }} [options] the port, for a pool made of bytes */
    constructor(options) {
      super(
        options instanceof Port
          ? options
          : recordedPort(runtime, 'WorkerPool', writeDistributedLimits, options),
        TaskQueue,
      );
    }
    /** @param {unknown} snapshot @param {unknown} [options] */
    static fromSnapshot(snapshot, options) {
      return new WorkerPool(portOfSnapshot(runtime, 'WorkerPool', snapshot, options));
    }
    /** @param {unknown} journal @param {unknown} [options] */
    static replay(journal, options) {
      const { port, report } = portOfJournal(runtime, 'WorkerPool', journal, options);
      return Object.freeze({ pool: new WorkerPool(port), report });
    }
  }
  class ResultAggregator extends ResultAggregatorHandle {
    /** @param {Port | { limits?: unknown, journal?: unknown }} [options] the port, for an aggregator made of bytes */
    constructor(options) {
      super(
        options instanceof Port
          ? options
          : recordedPort(runtime, 'ResultAggregator', writeResultLimits, options),
      );
    }
    /** @param {unknown} snapshot @param {unknown} [options] */
    static fromSnapshot(snapshot, options) {
      return new ResultAggregator(portOfSnapshot(runtime, 'ResultAggregator', snapshot, options));
    }
    /** @param {unknown} journal @param {unknown} [options] */
    static replay(journal, options) {
      const { port, report } = portOfJournal(runtime, 'ResultAggregator', journal, options);
      return Object.freeze({ aggregator: new ResultAggregator(port), report });
    }
  }
  class History extends HistoryOf {
    /** @param {unknown} journal @param {unknown} [options] */
    constructor(journal, options) {
      super(runtime, WorkerPool, journal, options);
    }
  }
  const machines = {
    WorkerPool,
    TaskQueue,
    ResultAggregator,
    /** @param {unknown} journal */
    readJournalHeader: (journal) => readJournalHeader(runtime, journal),
  };
  return Object.freeze({
    ...constants,
    ...machines,
    History,
    ...bridgeOn(runtime),
    /** @param {unknown} options */
    openDurablePool: (options) => openDurablePool(machines, options),
    /** @param {unknown} options */
    openDurableAggregator: (options) => openDurableAggregator(machines, options),
    /** @param {unknown} records @param {unknown} [options] */
    readRecords: (records, options) => readRecords(runtime, records, options),
    LeasegateError,
    taskAgeSecs,
  });
}
