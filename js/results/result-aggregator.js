import { object, requiredBytes, textError } from '../boundary/arguments.js';
import { isWellFormed } from '../boundary/put.js';
import { attempt, execute, makeDisposable, readCount } from '../boundary/port.js';
import { defineRecord, Refused } from '../boundary/records.js';
import { outOfMemoryError } from '../errors.js';
import { MAX_IDENTIFIER_BYTES } from '../generated/coordination.js';
import * as wire from '../generated/results.js';
import { takeRecords } from '../journal/attach.js';
import * as journaled from '../journal/journaled.js';

/** One result of an aggregate. */
class TaskResult {
  /** @param {string} taskId @param {Uint8Array} bytes */
  constructor(taskId, bytes) {
    this.taskId = taskId;
    this.bytes = bytes;
    Object.freeze(this);
  }
}
defineRecord(TaskResult, ['bytes']);

const encoder = new TextEncoder();

/** The largest size that the core can be told of. */
const MAX_CARRIED_BYTES = 0xffff_ffff;

/** Results, taken only against completion receipts. Types and contract: ../index.d.ts. */
export class ResultAggregator {
  #port;
  #try;
  /** What the last bytes that found no memory were refused with. @type {Error | null} */
  #noRoom = null;

  /** @param {import('../boundary/port.js').Port} port */
  constructor(port) {
    this.#port = port;
    this.#try = Object.freeze({
      /** @param {unknown} options */
      storeResult: (options) => this.#store(attempt, options),
      /** @param {unknown} options */
      removeResults: (options) => this.#remove(attempt, options),
    });
  }

  get try() {
    return this.#try;
  }

  /** @param {unknown} options */
  storeResult(options) {
    return this.#store(execute, options);
  }

  /** @param {unknown} options */
  removeResults(options) {
    return this.#remove(execute, options);
  }

  /** @param {typeof execute} run @param {unknown} options */
  #store(run, options) {
    return this.#withPayload(run, () =>
      run(this.#port, wire.OP_STORE_RESULT, this.#writeStoreResult, wire.readStoreOutcome, options),
    );
  }

  /** @param {typeof execute} run @param {unknown} options */
  #remove(run, options) {
    return this.#withPayload(run, () =>
      run(this.#port, wire.OP_REMOVE_RESULTS, this.#writeRemoveResults, readCount, options),
    );
  }

  /** Bytes beside the frame that find no memory are a refusal like any other. @param {typeof execute} run @param {() => any} command */
  #withPayload(run, command) {
    try {
      return command();
    } catch (error) {
      if (run === attempt && error === this.#noRoom) return new Refused(/** @type {Error} */ (error));
      throw error;
    } finally {
      this.#port.runtime.releasePayload();
    }
  }

  /** @param {number} size @param {Uint8Array} bytes */
  #carry(size, bytes) {
    const room = this.#port.runtime.putPayload(size, (memory, at) => {
      if (size > 0) memory.set(bytes, at);
    });
    if (room) return;
    this.#noRoom = outOfMemoryError();
    throw this.#noRoom;
  }

  /** The generated writer, and the bytes beside the frame. @param {any} frame @param {any} options */
  #writeStoreResult = (frame, options) => {
    wire.writeStoreResult(frame, options, (/** @type {unknown} */ value) => {
      const bytes = requiredBytes(value, 'bytes');
      if (bytes.length > MAX_CARRIED_BYTES)
        throw new RangeError(`bytes must be at most ${MAX_CARRIED_BYTES} long`);
      // Bytes beyond the ceiling are refused for their size, which alone crosses.
      const carried = bytes.length <= wire.MAX_RESULT_BYTES ? bytes.length : 0;
      this.#carry(carried, bytes);
      return bytes.length;
    });
  };

  /** @param {any} frame @param {unknown} options */
  #writeRemoveResults = (frame, options) => {
    const { expectedRevision, taskIds } = object(options, 'options');
    const { length, bytes } = readIds(taskIds);
    this.#carry(bytes.length, bytes);
    frame.begin();
    frame.putU64(expectedRevision, 'expectedRevision');
    frame.putU32(length, 'taskIds.length');
  };

  /** @param {any} taskIds */
  aggregateResults(taskIds) {
    const port = this.#port;
    const { length, wanted, bytes } = readIds(taskIds);
    const frame = port.open();
    try {
      this.#carry(bytes.length, bytes);
      frame.begin();
      frame.putU32(length, 'taskIds.length');
      port.demand(wire.OP_AGGREGATE_BEGIN);
    } finally {
      port.runtime.releasePayload();
    }
    return wanted.map(
      (taskId) => new TaskResult(taskId, port.demand(wire.OP_AGGREGATE_NEXT).getPlacedBytes()),
    );
  }

  /** @param {unknown} taskId */
  getResult(taskId) {
    this.#port.open().putText(taskId, 'taskId', MAX_IDENTIFIER_BYTES);
    const frame = this.#port.demand(wire.OP_GET_RESULT);
    return frame.getBool() ? frame.getPlacedBytes() : null;
  }

  get revision() {
    return this.#stats().revision;
  }

  get resultCount() {
    return this.#stats().resultCount;
  }

  get totalBytes() {
    return this.#stats().totalBytes;
  }

  #stats() {
    this.#port.open();
    const frame = this.#port.demand(wire.OP_RESULT_STATS);
    return { revision: frame.getU64(), resultCount: frame.getU32(), totalBytes: Number(frame.getU64()) };
  }

  /** @param {unknown} records @param {unknown} [options] */
  applyBatch(records, options) {
    return journaled.applyBatch(this.#port, records, options);
  }

  takeRecords() {
    return takeRecords(this.#port);
  }

  journalHeader() {
    return journaled.journalHeader(this.#port);
  }

  stateDigest() {
    return journaled.stateDigest(this.#port);
  }

  exportSnapshot() {
    return journaled.exportSnapshot(this.#port);
  }

  dispose() {
    this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('ResultAggregator', () => this.#stats());
  }
}
makeDisposable(ResultAggregator);

/**
 * A list of ids, and how it travels. The core refuses more than the ceiling by their number, before it looks at any.
 * @param {unknown} taskIds
 */
function readIds(taskIds) {
  if (!Array.isArray(taskIds)) throw new TypeError('taskIds must be an array');
  const { length } = taskIds;
  const read = length > wire.MAX_AGGREGATE_ITEMS ? 0 : length;
  const wanted = Array.from({ length: read }, (_, index) => taskIds[index]);
  return { length, wanted, bytes: encodeIds(wanted) };
}

/**
 * Every id as a 4-byte size and at most one byte more than an id may have, for the core to judge.
 * @param {unknown[]} taskIds
 */
function encodeIds(taskIds) {
  const bytes = new Uint8Array(taskIds.length * (4 + MAX_IDENTIFIER_BYTES + 1));
  const view = new DataView(bytes.buffer);
  let end = 0;
  taskIds.forEach((taskId, index) => {
    if (typeof taskId !== 'string' || !isWellFormed(taskId)) throw textError(taskId, `taskIds[${index}]`);
    const { read, written } = encoder.encodeInto(
      taskId,
      bytes.subarray(end + 4, end + 4 + MAX_IDENTIFIER_BYTES),
    );
    const size = read < taskId.length ? MAX_IDENTIFIER_BYTES + 1 : written;
    view.setUint32(end, size, true);
    end += 4 + size;
  });
  return bytes.subarray(0, end);
}
