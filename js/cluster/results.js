// Results of a cluster: the bytes lie in the object store, the log holds the receipts and what the bytes must be.

import { LeasegateError } from '../errors.js';
import { fromDigits, object, requiredBytes } from '../boundary/arguments.js';
import { attempted } from './calls.js';
import { resultLostError, unavailableError } from './errors.js';
import { readObject, removeObject, writeObject } from './objects.js';
import { requestError } from './stream.js';
import { hex, sameBytes, sha256 } from './texts.js';
import { abortable, Late, withDeadline } from './waiting.js';

/** Each command's own arguments. */
const STORE = ['receipt', 'bytes'];
const REMOVE = ['taskIds'];

/** What the log keeps of a result: SHA-256, the lease's id and the size, the last two as 8 bytes, little-endian. */
const PROOF_BYTES = 48;

/**
 * The limits of the aggregator that holds the proofs; the bytes of results are counted here.
 * @param {any} limits
 */
export function proofLimits(limits) {
  const { maxResults = 1024, maxAggregateItems = 1024 } = limits;
  return {
    maxResults,
    maxAggregateItems,
    maxResultBytes: PROOF_BYTES,
    maxTotalBytes: PROOF_BYTES * Number(maxResults),
    maxAggregateBytes: PROOF_BYTES * Number(maxAggregateItems),
  };
}

/** @param {unknown} value @returns {value is number | bigint} */
function isU64(value) {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  return typeof value === 'bigint' && BigInt.asUintN(64, value) === value;
}

/** @param {Uint8Array} digest @param {bigint} leaseId @param {number} size */
function proofOf(digest, leaseId, size) {
  const proof = new Uint8Array(PROOF_BYTES);
  proof.set(digest);
  const view = new DataView(proof.buffer);
  view.setBigUint64(32, leaseId, true);
  view.setBigUint64(40, BigInt(size), true);
  return proof;
}

/** @param {string} taskId @param {Uint8Array} proof */
function objectOf(taskId, proof) {
  const view = new DataView(proof.buffer, proof.byteOffset, proof.byteLength);
  return `result.${taskId}.${view.getBigUint64(32, true)}.${hex(proof.subarray(0, 16))}`;
}

/** @param {number} actual @param {number} limit */
function tooLarge(actual, limit) {
  const message = `The result has ${actual} bytes; at most ${limit} are allowed.`;
  return new LeasegateError('result_too_large', message, { actual, limit });
}

export class ClusterResults {
  #part;
  #calls;
  #bucket;
  #maxResultBytes;

  /**
   * @param {import('./part.js').Part} part @param {import('./calls.js').Calls} calls
   * @param {import('./objects.js').Bucket} bucket @param {number} maxResultBytes
   */
  constructor(part, calls, bucket, maxResultBytes) {
    this.#part = part;
    this.#calls = calls;
    this.#bucket = bucket;
    this.#maxResultBytes = maxResultBytes;
    this.try = Object.freeze({
      /** @param {any} options */
      storeResult: (options) => attempted(this.storeResult(options)),
      /** @param {any} options */
      removeResults: (options) => attempted(this.removeResults(options)),
    });
  }

  get #settled() {
    return this.#part.replica.settled;
  }

  /** First the bytes, then their proof: what the log names is there. @param {any} options */
  async storeResult(options) {
    const { bytes: given, receipt, ...rest } = object(options, 'options');
    const bytes = requiredBytes(given, 'bytes').slice();
    if (bytes.length > this.#maxResultBytes) throw tooLarge(bytes.length, this.#maxResultBytes);
    const leaseId = fromDigits(receipt?.leaseId);
    if (typeof receipt?.taskId !== 'string' || !isU64(leaseId))
      throw new TypeError('receipt must be a completion receipt');
    const proof = proofOf(await sha256(bytes), BigInt(leaseId), bytes.length);
    const name = objectOf(receipt.taskId, proof);
    const patience = this.#calls.patience(rest);
    const there = this.#holds(receipt.taskId, proof);
    const begun = performance.now();
    if (there === false) await this.#put(name, bytes, patience);
    const timeoutMs = Math.max(1, Math.ceil(patience.timeoutMs - (performance.now() - begun)));
    try {
      return await this.#calls.command(
        this.#part,
        { ...rest, timeoutMs, receipt, bytes: proof },
        STORE,
        (machine, command) => machine.try.storeResult(command),
      );
    } catch (error) {
      if (there === false && isRefusal(error) && !this.#holds(receipt.taskId, proof)) this.#forget([name]);
      throw error;
    }
  }

  /** Null for what is no id: the command will say so. @param {string} taskId @param {Uint8Array} proof */
  #holds(taskId, proof) {
    try {
      const stored = this.#settled.getResult(taskId);
      return stored !== null && sameBytes(stored, proof);
    } catch {
      return null;
    }
  }

  /** @param {string} name @param {Uint8Array} bytes @param {ReturnType<import('./calls.js').Calls['patience']>} patience */
  async #put(name, bytes, { signal, timeoutMs }) {
    try {
      await abortable(withDeadline(writeObject(this.#bucket, name, bytes), timeoutMs), signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof Late ? unavailableError('timeout', 'not_sent') : requestError(error);
    }
  }

  /** @param {string[]} names */
  #forget(names) {
    for (const name of names) removeObject(this.#bucket, name).catch(() => {});
  }

  /** Out of the log, then out of the store. @param {any} options */
  async removeResults(options) {
    const taskIds = Array.isArray(options?.taskIds) ? [...options.taskIds] : [];
    /** @type {string[]} */
    let names = [];
    const answer = await this.#calls.command(this.#part, options, REMOVE, (machine, command) => {
      names = taskIds.flatMap((taskId) => {
        const proof = typeof taskId === 'string' && taskId !== '' ? machine.getResult(taskId) : null;
        return proof === null ? [] : [objectOf(taskId, proof)];
      });
      return machine.try.removeResults(command);
    });
    this.#forget(names);
    return answer;
  }

  /**
   * The bytes, if they are what was stored. Errors: invalid_task, cluster_result_lost, cluster_unavailable.
   * @param {string} taskId
   */
  async getResult(taskId) {
    const proof = this.#settled.getResult(taskId);
    return proof === null ? null : this.#fetch(taskId, proof);
  }

  /** @param {string} taskId @param {Uint8Array} proof */
  async #fetch(taskId, proof) {
    let bytes;
    try {
      const name = objectOf(taskId, proof);
      // Once more, should another host be about to put the same bytes again.
      bytes = (await readObject(this.#bucket, name)) ?? (await readObject(this.#bucket, name));
    } catch (error) {
      throw requestError(error);
    }
    if (bytes === null) throw resultLostError(taskId, 'missing');
    const digest = await sha256(bytes);
    if (!sameBytes(digest, proof.subarray(0, 32))) throw resultLostError(taskId, 'damaged');
    return bytes;
  }

  /** All of these, in exactly this order, or an error. @param {readonly string[]} taskIds */
  async aggregateResults(taskIds) {
    const proofs = /** @type {{ taskId: string, bytes: Uint8Array }[]} */ (
      this.#settled.aggregateResults(taskIds)
    );
    const all = [];
    for (const { taskId, bytes } of proofs)
      all.push(Object.freeze({ taskId, bytes: await this.#fetch(taskId, bytes) }));
    return all;
  }

  get revision() {
    return this.#settled.revision;
  }

  get resultCount() {
    return this.#settled.resultCount;
  }

  /** Of the receipts and digests. */
  stateDigest() {
    return this.#settled.stateDigest();
  }
}

/**
 * That these bytes are not to be the result. A conflict does not say so: the very same result, by another host or call,
 * may be on its way, and has its bytes under the same name.
 * @param {unknown} error
 */
const isRefusal = (error) =>
  error instanceof LeasegateError &&
  error.code !== 'revision_conflict' &&
  !(/** @type {any} */ (error).code.startsWith('cluster_'));
