import { Agent } from './agent.js';
import { Clerk } from './clerk.js';
import { coordinate, race } from './host.js';
import { Surface, TICKS_PER_SECOND } from './bridge/surface.js';
import { rollBetween, rollOne } from './rolls.js';
import { applyTrouble } from './troubles.js';

const HOST = 'host A';
const SECOND_HOST = 'host B';
const CLIENT = 'client';
/** States of a task that end it. */
const TOLD = new Set(['completed', 'failed', 'cancelled', 'expired']);
const PRIORITIES = ['low', 'normal', 'normal', 'normal', 'high', 'critical'];

/**
 * One house: a real pool, the processes around it, and logical time. Each call of `second` lives one logical second;
 * the order of everything in it is fixed. Same scenario, seed and troubles: same ledger.
 */
export class World {
  /** @type {Map<string, Agent>} in order of joining */
  agents = new Map();
  racingUntil = 0;
  bridge = null;
  #seed;
  #scenario;
  #plans = new Map();
  #taskCount = 0;
  #told = 0;
  /** The pool's journal: its header, then every record. */
  #journal = [];

  constructor(lg, scenario, seed) {
    this.#seed = seed;
    this.#scenario = scenario;
    this.limits = scenario.limits;
    this.leaseTtlSecs = scenario.leaseTtlSecs;
    const journal = ({ bytes }) => this.#journal.push(bytes);
    this.pool = new lg.WorkerPool({ limits: scenario.limits, journal });
    this.#journal.push(this.pool.journalHeader());
    this.clerk = new Clerk(this.pool);
    if (!scenario.quietBridge) this.bridge = new Surface(lg, this.clerk, scenario.bridge);
  }

  /** Lives one second: troubles, arrivals, workers, then the host. */
  second(now, troubles) {
    this.clerk.now = now;
    this.bridge?.tick(now * TICKS_PER_SECOND);
    if (now === 0) for (const spec of this.#scenario.workers) this.addWorker(spec);
    for (const trouble of troubles) applyTrouble(this, trouble);
    for (const arrival of this.#scenario.arrivals) this.#arrive(arrival, now);
    for (const agent of this.agents.values()) agent.live(this.clerk, now);
    if (now < this.racingUntil) this.#race(now);
    else coordinate(this, HOST);
    this.#tell();
  }

  /** The quarters of a second, in which only the bridge moves. */
  quarter(now, number) {
    this.bridge?.tick(now * TICKS_PER_SECOND + number);
  }

  addWorker(spec) {
    const worker = spec ?? { workerId: this.#nextWorkerId(), capacity: 2 };
    const answer = this.clerk.pool(HOST, 'registerWorker', { spec: worker });
    if (!answer.ok) return;
    this.agents.set(
      worker.workerId,
      new Agent(worker, this.#seed, (id) => this.#plans.get(id), this.clerk.now),
    );
  }

  /** Enqueues one task; answers whether it was taken. `work` is how many seconds it takes, at least and at most. */
  addTask({ priority = 'any', work = [4, 9], failRate = 0, taskId } = {}) {
    this.#taskCount += 1;
    const id = taskId ?? `t${String(this.#taskCount).padStart(2, '0')}`;
    this.#plans.set(id, { work, failRate });
    const answer = this.clerk.pool(CLIENT, 'enqueue', {
      spec: {
        taskId: id,
        scanId: this.#scenario.id,
        targetRef: `demo:${id}`,
        priority: priority === 'any' ? rollOne(this.#seed, `${id}/priority`, PRIORITIES) : priority,
      },
    });
    return answer.ok;
  }

  /** The worker with this id, or the busiest of those that run. */
  workerFor(id) {
    if (id && this.agents.has(id)) return this.agents.get(id);
    const load = (agent) => this.clerk.mirror.workers.get(agent.id).currentTasks;
    const running = [...this.agents.values()].filter((agent) => agent.alive);
    return running.sort((a, b) => load(b) - load(a) || (a.id < b.id ? -1 : 1))[0] ?? null;
  }

  /** The pool's journal up to now. */
  journal() {
    const whole = new Uint8Array(this.#journal.reduce((size, part) => size + part.length, 0));
    let at = 0;
    for (const part of this.#journal) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  dispose() {
    this.bridge?.dispose();
    this.pool.dispose();
  }

  #arrive({ at, every, until = at, count = 1, ...task }, now) {
    const due = every ? now >= at && now <= until && (now - at) % every === 0 : now === at;
    if (!due) return;
    const [min, max] = Array.isArray(count) ? count : [count, count];
    const many = rollBetween(this.#seed, `arrivals/${now}`, min, max);
    for (let i = 0; i < many; i += 1) this.addTask(task);
  }

  /** What the far side is to hear of. */
  #tell() {
    if (!this.bridge) return;
    const { entries } = this.clerk;
    const end = entries.length;
    for (; this.#told < end; this.#told += 1) {
      const { outcome, command, changed } = entries[this.#told];
      if (outcome !== 'accepted') continue;
      for (const { kind, id, after } of changed) {
        if (kind === 'task' && TOLD.has(after.status)) this.bridge.publish(`task.${after.status}`, [id]);
        if (command === 'pruneDeadWorkers' && kind === 'worker') this.bridge.publish('worker.lost', []);
      }
    }
    this.#told = entries.length;
  }

  #race(now) {
    const hosts =
      rollBetween(this.#seed, `race/${now}`, 0, 1) === 0 ? [HOST, SECOND_HOST] : [SECOND_HOST, HOST];
    race(this, hosts[0], hosts[1]);
  }

  #nextWorkerId() {
    const names = ['eve', 'fay', 'gus', 'hal', 'ivy', 'jon', 'kim', 'lou', 'mia', 'ned', 'oki', 'pia'];
    return names.find((name) => !this.agents.has(name)) ?? `w${this.agents.size + 1}`;
  }
}
