import { requiredBytes, textError } from '../boundary/arguments.js';
import { isWellFormed } from '../boundary/frame.js';
import { attempt, execute, makeDisposable } from '../boundary/port.js';
import { defineRecord, Refused } from '../boundary/records.js';
import { outOfMemoryError } from '../errors.js';
import { MAX_IDENTIFIER_BYTES } from '../generated/coordination.js';
import * as wire from '../generated/results.js';

/** One result of an aggregate. */
export class TaskResult {
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
  /** What the last bytes that found no memory were refused with. @type {Error | null} */
  #noRoom = null;

  /** @param {import('../boundary/port.js').Port} port */
  constructor(port) {
    this.#port = port;
    this.try = Object.freeze({
      /** @param {unknown} options */
      storeResult: (options) => this.#store(attempt, options),
    });
  }

  /** @param {unknown} options */
  storeResult(options) {
    return this.#store(execute, options);
  }

  /** @param {typeof execute} run @param {any} options */
  #store(run, options) {
    const { runtime } = this.#port;
    try {
      return run(this.#port, wire.OP_STORE_RESULT, this.#writeStoreResult, wire.readStoreOutcome, options);
    } catch (error) {
      if (run === attempt && error === this.#noRoom) return new Refused(/** @type {Error} */ (error));
      throw error;
    } finally {
      runtime.releasePayload();
    }
  }

  /** The generated writer, and the bytes beside the frame. @param {any} frame @param {any} options */
  #writeStoreResult = (frame, options) => {
    wire.writeStoreResult(frame, options, (/** @type {unknown} */ value) => {
      const bytes = requiredBytes(value, 'bytes');
      if (bytes.length > MAX_CARRIED_BYTES)
        throw new RangeError(`bytes must be at most ${MAX_CARRIED_BYTES} long`);
      // Bytes beyond the ceiling are refused for their size, which alone crosses.
      const carried = bytes.length <= wire.MAX_RESULT_BYTES ? bytes.length : 0;
      const room = this.#port.runtime.putPayload(carried, (memory, at) => {
        if (carried > 0) memory.set(bytes, at);
      });
      if (room) return bytes.length;
      this.#noRoom = outOfMemoryError();
      throw this.#noRoom;
    });
  };

  /** @param {any} taskIds */
  aggregateResults(taskIds) {
    const port = this.#port;
    if (!Array.isArray(taskIds)) throw new TypeError('taskIds must be an array');
    const { length } = taskIds;
    // The core refuses more than the ceiling by their number, before it looks at any.
    const read = length > wire.MAX_AGGREGATE_ITEMS ? 0 : length;
    const wanted = Array.from({ length: read }, (_, index) => taskIds[index]);
    const ids = encodeIds(wanted);
    const frame = port.open();
    try {
      const room = port.runtime.putPayload(ids.length, (memory, at) => memory.set(ids, at));
      if (!room) throw outOfMemoryError();
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

  dispose() {
    this.#port.dispose();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#port.describe('ResultAggregator', () => this.#stats());
  }
}
makeDisposable(ResultAggregator);

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
