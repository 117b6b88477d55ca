// Jobs through queues that run promises, eight at a time, each job doing nothing. The queues know neither fences nor
// leases, bound nothing and validate nothing: what a job costs more with leasegate is what those cost.

import { queue as asyncQueue } from 'async';
import fastq from 'fastq';
import { createLeasegate } from 'leasegate';
import PQueue from 'p-queue';
import { PlainWorkerPool } from '../plain/worker-pool.mjs';
import { Host, LIMITS } from './cycle.mjs';

const JOBS = 10_000;
const CONCURRENCY = 8;
const job = async () => {};

/** Eight runners that take what is queued until nothing is. @param {any} pool */
async function throughLeases(pool) {
  const host = new Host(pool, { workers: CONCURRENCY });
  for (let i = 0; i < JOBS; i += 1) host.enqueue();
  const runner = async () => {
    for (;;) {
      const assigned = pool.try.assignNextAvailable({
        expectedRevision: host.revision,
        now: host.now,
        leaseTtlSecs: 60,
      });
      if (!assigned.ok) return;
      const lease = assigned.value;
      host.revision = pool.startTask({ expectedRevision: assigned.revision, now: host.now, lease }).revision;
      await job();
      host.revision = pool.completeTask({ expectedRevision: host.revision, now: host.now, lease }).revision;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runner));
  pool.dispose();
  return JOBS;
}

/** @type {Record<string, () => Promise<any>>} */
export const subjects = {
  async leasegate() {
    const lg = await createLeasegate();
    return { run: () => throughLeases(new lg.WorkerPool({ limits: LIMITS })) };
  },
  async plain() {
    return { run: () => throughLeases(new PlainWorkerPool({ limits: LIMITS })) };
  },
  async 'p-queue'() {
    return {
      async run() {
        const queue = new PQueue({ concurrency: CONCURRENCY });
        for (let i = 0; i < JOBS; i += 1) queue.add(job);
        await queue.onIdle();
        return JOBS;
      },
    };
  },
  async fastq() {
    return {
      async run() {
        const queue = fastq.promise(job, CONCURRENCY);
        for (let i = 0; i < JOBS; i += 1) queue.push(i);
        await queue.drained();
        return JOBS;
      },
    };
  },
  async 'async.queue'() {
    return {
      async run() {
        const queue = asyncQueue(job, CONCURRENCY);
        for (let i = 0; i < JOBS; i += 1) queue.push(i);
        await queue.drain();
        return JOBS;
      },
    };
  },
};
