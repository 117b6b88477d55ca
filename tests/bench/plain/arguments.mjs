// Checks of arguments: their shapes (TypeError, RangeError), and what the contract refuses of them alone.

import { refuse } from './errors.mjs';

const MAX_U64 = 2n ** 64n - 1n;
const MAX_U32 = 2 ** 32 - 1;
const SAFE_ID = /^[A-Za-z0-9._:-]+$/;
const MAX_ID_BYTES = 256;
const MAX_TARGET_REF_BYTES = 1024;
const MAX_PHASES = 256;
const MAX_CAPACITY = 4096;
const MAX_BASIS_POINTS = 10_000;

export const PRIORITIES = ['low', 'normal', 'high', 'critical'];
const STATUSES = ['healthy', 'busy', 'degraded', 'offline'];
const TAGS = ['linux', 'windows', 'gpu', 'internal', 'external'];
const NO_BYTES = new Uint8Array(0);

/** @param {unknown} value @param {string} name @returns {any} */
export function object(value, name) {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${name} must be an object`);
  return value;
}

/** @param {unknown} value @param {string} name @returns {bigint} */
export function u64(value, name) {
  if (typeof value === 'bigint') {
    if (value >= 0n && value <= MAX_U64) return value;
  } else if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
    return BigInt(value);
  } else if (typeof value !== 'number') {
    throw new TypeError(`${name} must be a bigint or a safe integer`);
  }
  throw new RangeError(`${name} must be from 0 to ${MAX_U64}`);
}

/** @param {unknown} value @param {string} name @returns {number} */
export function u32(value, name) {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number') throw new TypeError(`${name} must be an integer`);
  if (!Number.isInteger(number) || number < 0 || number > MAX_U32)
    throw new RangeError(`${name} must be an integer from 0 to ${MAX_U32}`);
  return number;
}

/** @param {unknown} value @param {string} name @returns {string} */
export function text(value, name) {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
  return value;
}

/** @param {string} id */
const idFault = (id) => {
  if (id.length === 0) return 'empty';
  if (SAFE_ID.test(id)) return id.length > MAX_ID_BYTES ? 'too_long' : null;
  return Buffer.byteLength(id) > MAX_ID_BYTES ? 'too_long' : 'unsafe';
};

/** @param {unknown} value @param {string} name */
export function taskId(value, name) {
  const id = text(value, name);
  if (!SAFE_ID.test(id) || id.length > MAX_ID_BYTES)
    refuse('invalid_task', { reason: 'task_command_id_invalid' });
  return id;
}

/** @param {unknown} value @param {string} name */
export function workerId(value, name) {
  const id = text(value, name);
  if (!SAFE_ID.test(id) || id.length > MAX_ID_BYTES)
    refuse('invalid_worker', { reason: 'worker_command_id_invalid' });
  return id;
}

/** @param {unknown} value */
function phasesOf(value) {
  if (value === undefined || value === null) return NO_BYTES;
  if (value instanceof Uint8Array) return value.slice();
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
  if (Array.isArray(value)) return Uint8Array.from(value);
  throw new TypeError('spec.phases must be a Uint8Array, an ArrayBuffer or an array of bytes');
}

/** @param {unknown} value */
export function taskSpec(value) {
  const spec = object(value, 'spec');
  const id = text(spec.taskId, 'spec.taskId');
  const scanId = text(spec.scanId, 'spec.scanId');
  const targetRef = text(spec.targetRef, 'spec.targetRef');
  const phases = phasesOf(spec.phases);
  const priority = PRIORITIES.indexOf(spec.priority ?? 'normal');
  if (priority < 0) throw new TypeError(`spec.priority must be one of ${PRIORITIES.join(', ')}`);
  const idReason = idFault(id);
  if (idReason !== null) refuse('invalid_task', { reason: `task_id_${idReason}` });
  const scanReason = idFault(scanId);
  if (scanReason !== null) refuse('invalid_task', { reason: `scan_id_${scanReason}` });
  if (targetRef.length === 0) refuse('invalid_task', { reason: 'target_ref_empty' });
  if (targetRef.length > MAX_TARGET_REF_BYTES / 3 && Buffer.byteLength(targetRef) > MAX_TARGET_REF_BYTES)
    refuse('invalid_task', { reason: 'target_ref_too_long' });
  if (phases.length > MAX_PHASES) refuse('invalid_task', { reason: 'too_many_phases' });
  return { id, scanId, targetRef, phases, priority };
}

/** @param {any} source @param {string} name */
function utilization(source, name) {
  return {
    cpu: u32(source.cpuBasisPoints ?? 0, `${name}.cpuBasisPoints`),
    memory: u32(source.memoryBasisPoints ?? 0, `${name}.memoryBasisPoints`),
    network: u32(source.networkBasisPoints ?? 0, `${name}.networkBasisPoints`),
  };
}

/** @param {{ cpu: number, memory: number, network: number }} load */
function checkUtilization({ cpu, memory, network }) {
  if (cpu > MAX_BASIS_POINTS || memory > MAX_BASIS_POINTS || network > MAX_BASIS_POINTS)
    refuse('invalid_worker', { reason: 'utilization_exceeds_maximum' });
}

/** @param {unknown} value */
export function workerSpec(value) {
  const spec = object(value, 'spec');
  const id = text(spec.workerId, 'spec.workerId');
  const capacity = u32(spec.capacity, 'spec.capacity');
  const load = utilization(spec, 'spec');
  const given = new Set(spec.tags ?? []);
  for (const tag of given) if (!TAGS.includes(tag)) throw new TypeError(`spec.tags must hold only ${TAGS}`);
  if (!SAFE_ID.test(id) || id.length > MAX_ID_BYTES)
    refuse('invalid_worker', { reason: 'worker_id_invalid' });
  if (capacity === 0) refuse('invalid_worker', { reason: 'capacity_zero' });
  if (capacity > MAX_CAPACITY) refuse('invalid_worker', { reason: 'capacity_exceeds_maximum' });
  checkUtilization(load);
  return { id, capacity, load, tags: Object.freeze(TAGS.filter((tag) => given.has(tag))) };
}

/** @param {unknown} value */
export function observation(value) {
  const seen = object(value, 'observation');
  const status = seen.status ?? 'healthy';
  if (!STATUSES.includes(status)) throw new TypeError(`observation.status must be one of ${STATUSES}`);
  const load = utilization(seen, 'observation');
  if (status === 'offline') refuse('invalid_worker', { reason: 'offline_requires_deregister_or_prune' });
  checkUtilization(load);
  return { status, load };
}

/** @param {unknown} value @param {string} name */
export function lease(value, name) {
  const given = object(value, name);
  const read = {
    taskId: text(given.taskId, 'lease.taskId'),
    workerId: text(given.workerId, 'lease.workerId'),
    workerGeneration: u64(given.workerGeneration, 'lease.workerGeneration'),
    taskGeneration: u64(given.taskGeneration, 'lease.taskGeneration'),
    attempt: u32(given.attempt, 'lease.attempt'),
    leaseId: u64(given.leaseId, 'lease.leaseId'),
    acquiredAt: u64(given.acquiredAt, 'lease.acquiredAt'),
    expiresAt: u64(given.expiresAt, 'lease.expiresAt'),
  };
  taskId(read.taskId, 'lease.taskId');
  workerId(read.workerId, 'lease.workerId');
  return read;
}

/** @param {any} given */
export function fence(given) {
  return {
    taskId: taskId(given.taskId, 'ownership.taskId'),
    taskGeneration: u64(given.taskGeneration, 'ownership.taskGeneration'),
    recordVersion: u64(given.recordVersion, 'ownership.recordVersion'),
  };
}
