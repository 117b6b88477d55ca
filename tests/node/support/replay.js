// One recorded run on one instance, through the public JavaScript API only.

import { differences } from './differences.js';
import { camel, integer, WIDE, WIDE_IN_ERRORS } from './words.js';

export class Replay {
  /** @param {any} lg an instance */
  constructor(lg) {
    this.lg = lg;
    this.pool = null;
    this.results = null;
    this.startOver();
  }

  startOver() {
    /** @type {any[]} */
    this.leases = [];
    /** @type {any[]} */
    this.receipts = [];
    /** @type {any[]} */
    this.fences = [];
  }

  dispose() {
    this.pool?.dispose();
    this.results?.dispose();
  }

  /**
   * Plays one line. Odd lines go through the variants that do not throw, and numbers travel as bigint on two lines
   * of four, so that every command meets every way in.
   * @param {{ cmd: any, out: any }} step @param {number} number
   * @returns {string[]} what differs
   */
  play({ cmd, out }, number) {
    const throwing = number % 2 === 0;
    const asBigInt = number % 4 < 2;
    const answer = this.#answer(cmd, throwing, (value) => integer(value, asBigInt));
    if (out.err) {
      if (!answer.error) return [`ok: expected ${out.err.code}, actual ${Object.keys(answer.ok)} answered`];
      if (!(answer.error instanceof this.lg.LeasegateError)) throw answer.error;
      if (answer.error.message === '') return ['err.message: expected a text, actual none'];
      return differences(out.err, answer.error, 'err', new Set(WIDE_IN_ERRORS[out.err.code]));
    }
    if (answer.error) {
      if (!(answer.error instanceof this.lg.LeasegateError)) throw answer.error;
      return [`err: expected success, actual ${JSON.stringify(answer.error)}`];
    }
    return differences(this.#withDerived(cmd, out.ok), answer.ok, 'ok', WIDE);
  }

  /** @param {any} cmd @param {boolean} throwing @param {(value: any) => any} int @returns {{ ok?: any, error?: any }} */
  #answer(cmd, throwing, int) {
    const command = this.#command(cmd, int);
    try {
      if (!command) return { ok: this.#read(cmd, int) };
      const [target, name, options] = command;
      if (throwing) return { ok: this.#remember(cmd, transition(target[name](options), false)) };
      const answer = target.try[name](options);
      return answer.ok ? { ok: this.#remember(cmd, transition(answer, true)) } : { error: refusal(answer) };
    } catch (error) {
      return { error };
    }
  }

  /** @param {any} cmd @param {(value: any) => any} int @returns {[any, string, object] | null} */
  #command(cmd, int) {
    const fenced = { expectedRevision: int(cmd.rev ?? 0), now: int(cmd.now ?? 0) };
    const ofWorker = () => ({ ...fenced, workerId: cmd.worker_id });
    const spec = () => ({ ...fenced, spec: input(cmd.spec, int) });
    const lease = () => ({ ...fenced, lease: this.leases[cmd.lease] });
    const leaseTtlSecs = int(cmd.ttl ?? 0);
    const { pool, results } = this;
    switch (cmd.op) {
      case 'register_worker':
        return [pool, 'registerWorker', spec()];
      case 'reactivate_worker':
        return [pool, 'reactivateWorker', { ...spec(), expectedGeneration: int(cmd.generation) }];
      case 'update_worker':
        return [
          pool,
          'updateWorker',
          { ...ofWorker(), generation: int(cmd.generation), observation: input(cmd.observation, int) },
        ];
      case 'deregister_worker':
        return [pool, 'deregisterWorker', { ...ofWorker(), generation: int(cmd.generation) }];
      case 'prune_dead_workers':
        return [pool, 'pruneDeadWorkers', fenced];
      case 'enqueue':
        return [pool.taskQueue, 'enqueue', spec()];
      case 'assign_task':
        return [pool, 'assignTask', { ...ofWorker(), taskId: cmd.task_id, leaseTtlSecs }];
      case 'assign_next':
        return [pool, 'assignNext', { ...ofWorker(), leaseTtlSecs }];
      case 'assign_next_available':
        return [pool, 'assignNextAvailable', { ...fenced, leaseTtlSecs }];
      case 'start_task':
        return [pool, 'startTask', lease()];
      case 'complete_task':
        return [pool, 'completeTask', lease()];
      case 'fail_task':
        return [pool, 'failTask', lease()];
      case 'cancel_task':
        return [pool, 'cancelTask', { ...fenced, ownership: this.#ownership(cmd) }];
      case 'recover_expired_leases':
        return [pool, 'recoverExpiredLeases', fenced];
      case 'expire_old_tasks':
        return [pool, 'expireOldTasks', { ...fenced, taskTtlSecs: leaseTtlSecs }];
      case 'store_result':
        return [
          results,
          'storeResult',
          {
            expectedRevision: int(cmd.rev ?? 0),
            receipt: this.receipts[cmd.receipt],
            bytes: new Uint8Array(Buffer.from(cmd.bytes ?? '', 'hex')),
          },
        ];
      default:
        return null;
    }
  }

  /** @param {any} cmd */
  #ownership(cmd) {
    if (cmd.lease !== undefined) return this.leases[cmd.lease];
    if (cmd.fence !== undefined) return this.fences[cmd.fence];
    return this.pool.taskQueue.getTask(cmd.queued_task).ownership;
  }

  /** @param {any} cmd @param {(value: any) => any} int */
  #read(cmd, int) {
    const { lg, pool, results } = this;
    switch (cmd.op) {
      case 'new': {
        const newPool = new lg.WorkerPool({ limits: input(cmd.limits, int) });
        try {
          this.results = new lg.ResultAggregator({ limits: input(cmd.result_limits, int) });
        } catch (error) {
          newPool.dispose();
          throw error;
        }
        this.pool?.dispose();
        results?.dispose();
        this.pool = newPool;
        this.startOver();
        return {};
      }
      case 'new_pool': {
        const newPool = new lg.WorkerPool({ limits: input(cmd.limits, int) });
        this.pool?.dispose();
        this.pool = newPool;
        return {};
      }
      case 'get_available_worker':
        return { worker: pool.getAvailableWorker(int(cmd.now)) };
      case 'get_worker':
        return { worker: pool.getWorker(cmd.worker_id) };
      case 'get_workers':
        return { workers: pool.getWorkers() };
      case 'get_task':
        return { task: pool.taskQueue.getTask(cmd.task_id) };
      case 'peek_next':
        return { task: pool.taskQueue.peekNext() };
      case 'tasks':
        return { tasks: pool.taskQueue.tasks() };
      case 'snapshot':
        return pool.snapshot();
      case 'check_invariants':
        return pool.checkInvariants() ?? {};
      case 'take_fence': {
        const task = pool.taskQueue.getTask(cmd.task_id);
        if (task?.status !== 'queued') return { fence: null };
        this.fences.push(task.ownership);
        return { fence: this.fences.length - 1, ...task.ownership };
      }
      case 'aggregate_results':
        return {
          results: results
            .aggregateResults(cmd.task_ids)
            .map(({ taskId, bytes }) => ({ taskId, bytes: Buffer.from(bytes).toString('hex') })),
        };
      case 'get_result': {
        const bytes = results.getResult(cmd.task_id);
        return { bytes: bytes && Buffer.from(bytes).toString('hex') };
      }
      case 'result_stats':
        return {
          revision: results.revision,
          resultCount: results.resultCount,
          totalBytes: results.totalBytes,
        };
      default:
        throw new Error(`no such operation in JavaScript: ${cmd.op}`);
    }
  }

  /** Leases and receipts are numbered as they come. @param {any} cmd @param {any} answer */
  #remember(cmd, answer) {
    if (cmd.op.startsWith('assign_')) this.leases.push(answer.value);
    if (cmd.op === 'complete_task') this.receipts.push(answer.value.receipt);
    return answer;
  }

  /** What the recording leaves out: who owns a task follows from its status. @param {any} cmd @param {any} ok */
  #withDerived(cmd, ok) {
    if (cmd.op === 'enqueue') return { ...ok, value: owned(ok.value) };
    if (ok.tasks) return { tasks: ok.tasks.map(owned) };
    return ok.task ? { task: owned(ok.task) } : ok;
  }
}

/** @param {any} task */
function owned(task) {
  const { task_id, task_generation, record_version } = task;
  const ownership = {
    queued: { task_id, task_generation, record_version },
    leased: task.lease,
    running: task.lease,
  };
  // Recorded before tasks could wait for a retry.
  return { not_before: null, ...task, ownership: ownership[task.status] ?? null };
}

/** @param {any} answer @param {boolean} tried */
function transition(answer, tried) {
  const fields = tried ? 'ok,revision,value' : 'revision,value';
  if (Object.keys(answer).join() !== fields)
    throw new Error(`an answer has the fields ${Object.keys(answer)}`);
  return { revision: answer.revision, value: answer.value };
}

/** @param {any} answer */
function refusal(answer) {
  if (Object.keys(answer).join() !== 'ok,error' || answer.ok !== false)
    throw new Error('a refusal is { ok, error }');
  return answer.error;
}

/** A recorded input object as JavaScript takes it. @param {any} recorded @param {(value: any) => any} int */
function input(recorded, int) {
  if (recorded === undefined) return undefined;
  const entries = Object.entries(recorded).map(([name, value]) => {
    const isInteger = typeof value === 'number' || (typeof value === 'string' && NUMERIC.test(name));
    return [camel(name), isInteger ? int(value) : value];
  });
  return Object.fromEntries(entries);
}

/** A string of digits is an integer in these and an id in the others. */
const NUMERIC = /^max_|_secs$|_basis_points$|^capacity$/;
