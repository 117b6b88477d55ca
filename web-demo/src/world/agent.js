import { roll, rollBetween } from './rolls.js';

const HEARTBEAT_SECS = 3;

/**
 * A worker as a process somewhere: it knows only the leases it was given and what it is told back. Nobody tells it
 * that a lease ran out; it finds out when its report is refused.
 */
export class Agent {
  alive = true;
  generation = 1n;
  /** Heartbeats are lost on the way until this second. */
  mutedUntil = 0;
  /** The next job that starts takes this much longer: a stalled disk, a long pause. */
  stallSecs = 0;
  /** The answer to the next completion gets lost, so the agent sends it again. */
  losesAnswer = false;
  restartAt = null;
  #jobs = [];
  #seed;
  #plan;
  #beat;

  constructor(spec, seed, plan, now = 0) {
    this.spec = { cpuBasisPoints: 0, ...spec };
    this.id = spec.workerId;
    this.#seed = seed;
    this.#plan = plan;
    this.#beat = now + rollBetween(seed, `${this.id}/first-beat`, 1, HEARTBEAT_SECS);
  }

  get jobs() {
    return this.#jobs.length;
  }

  /** Takes a lease over; work begins in the next second. */
  give(lease, now) {
    const plan = this.#plan(lease.taskId);
    const [min, max] = plan.work;
    const secs = rollBetween(this.#seed, `${lease.taskId}/${lease.attempt}/work`, min, max) + this.stallSecs;
    this.stallSecs = 0;
    const failsOften =
      plan.failRate > 0 && roll(this.#seed, `${lease.taskId}/${lease.attempt}/fate`) < plan.failRate;
    this.#jobs.push({ lease, startAt: now + 1, endAt: now + 1 + secs, started: false, fails: failsOften });
  }

  /** Stalls a job that runs now, or else the next one. */
  stall(secs) {
    const job = this.#jobs[0];
    if (job) job.endAt += secs;
    else this.stallSecs += secs;
  }

  kill(restartAt) {
    this.alive = false;
    this.#jobs = [];
    this.restartAt = restartAt;
  }

  /** One second of its life. */
  live(clerk, now) {
    if (!this.alive) {
      if (this.restartAt !== null && now >= this.restartAt) this.#restart(clerk, now);
      return;
    }
    if (now >= this.#beat && now >= this.mutedUntil) this.#heartbeat(clerk, now);
    for (const job of [...this.#jobs]) this.#work(job, clerk, now);
  }

  #work(job, clerk, now) {
    const { lease } = job;
    if (!job.started && now >= job.startAt) {
      job.started = true;
      if (!clerk.pool(this.id, 'startTask', { lease }).ok) this.#forget(job);
    } else if (job.started && now >= job.endAt) {
      this.#forget(job);
      clerk.pool(this.id, job.fails ? 'failTask' : 'completeTask', { lease });
      if (!job.fails && this.losesAnswer) {
        this.losesAnswer = false;
        clerk.pool(this.id, 'completeTask', { lease });
      }
    }
  }

  #forget(job) {
    this.#jobs = this.#jobs.filter((other) => other !== job);
  }

  #heartbeat(clerk, now) {
    this.#beat = now + HEARTBEAT_SECS;
    const observation = { status: 'healthy', cpuBasisPoints: this.spec.cpuBasisPoints };
    const answer = clerk.pool(this.id, 'updateWorker', {
      workerId: this.id,
      generation: this.generation,
      observation,
    });
    // Fenced off or taken offline: it has to come back as a new generation.
    if (!answer.ok) this.restartAt = this.#comeBack(clerk, now, answer.error);
  }

  #restart(clerk, now) {
    this.alive = true;
    this.restartAt = null;
    this.#heartbeat(clerk, now);
  }

  #comeBack(clerk, now, error) {
    const known = clerk.mirror.workers.get(this.id);
    if (error.code !== 'worker_generation_conflict' && error.code !== 'worker_unavailable') return null;
    if (known.status !== 'offline') return null;
    const answer = clerk.pool(this.id, 'reactivateWorker', {
      expectedGeneration: known.generation,
      spec: this.spec,
    });
    if (answer.ok) this.generation = answer.value.generation;
    this.#beat = now + HEARTBEAT_SECS;
    return null;
  }
}
