// Thousands of random schedules of one gate: submit, begin, install, drain, flush, deactivate, resume, drop, failing
// and slow senders, aborts. LEASEGATE_STRESS is how many; LEASEGATE_SEED is the first seed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createLeasegate } from 'leasegate';

const SCHEDULES = Number(process.env.LEASEGATE_STRESS ?? 2000);
const FIRST_SEED = Number(process.env.LEASEGATE_SEED ?? 1);
const STEPS = 60;

/** @param {number} seed */
function randomFrom(seed) {
  let state = (seed * 0x9e3779b1) >>> 0 || 1;
  return (/** @type {number} */ below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

const lg = await createLeasegate();

/** Of an id as this test makes them: l7 is the 7th live event, h3-1 the second one of the third history. @param {string} id */
const isLive = (id) => id.startsWith('l');
const number = (/** @type {string} */ id) => Number(id.slice(1));

class Schedule {
  /** @param {number} seed */
  constructor(seed) {
    this.random = randomFrom(seed);
    this.gate = new lg.FlushGate({ capacity: 12 });
    this.lives = 0;
    this.histories = 0;
    /** The send that hangs. @type {{ id: string, resolve: (answer: object) => void, reject: (error: Error) => void } | null} */
    this.hanging = null;
    /** What a sender accepted, in order. @type {string[]} */
    this.accepted = [];
    /** What was in the queue at some time, and what it looked like last. @type {Set<string>} */
    this.entered = new Set();
    /** @type {string[]} */
    this.pending = [];
    this.lastLive = 0;
    /** Submits by their id: what their caller was told. @type {Map<string, string>} */
    this.submits = new Map();
    this.lost = 0;
    /** @type {Promise<any>[]} */
    this.calls = [];
    /** @type {string[]} */
    this.trace = [];
  }

  sender = (/** @type {any} */ { messageId: id }) => {
    assert.equal(this.hanging, null, 'sends overlap');
    const { state } = this.gate;
    // The queue's head while it drains, else a direct send; a direct one never overtakes what is queued.
    if (state === 'draining') assert.equal(id, this.gate.pending[0].messageId, 'not the head');
    else assert.deepEqual([state, this.gate.pendingCount, isLive(id)], ['inactive', 0, true]);
    return new Promise((resolve, reject) => {
      this.hanging = { id, resolve, reject };
    });
  };

  settleSend() {
    const send = this.hanging;
    if (send === null) return;
    this.hanging = null;
    const kind = this.random(6);
    if (kind === 0) send.reject(new Error('failing sender'));
    else if (kind === 1) send.resolve({ accepted: false });
    else {
      this.accepted.push(send.id);
      send.resolve({ accepted: true });
    }
  }

  /** The queue changes only at its front and its back, and what stays in it stays in order. */
  look() {
    const now = this.gate.pending.map((/** @type {any} */ { messageId }) => messageId);
    const stayed = now.filter((/** @type {string} */ id) => this.pending.includes(id));
    assert.deepEqual(
      stayed,
      this.pending.filter((id) => now.includes(id)),
      'the order has changed',
    );
    const came = now.filter((/** @type {string} */ id) => !this.pending.includes(id));
    const inFront = came.filter((/** @type {string} */ id) => !isLive(id));
    const behind = came.filter(isLive);
    assert.deepEqual(now, [...inFront, ...stayed, ...behind], 'history in front, live events behind');
    for (const id of came) {
      assert.ok(!this.entered.has(id), 'an event came back');
      this.entered.add(id);
    }
    for (const id of behind) {
      assert.ok(number(id) > this.lastLive, 'a live event was overtaken');
      this.lastLive = number(id);
    }
    this.pending = now;
  }

  live() {
    this.lives += 1;
    return { messageId: `l${this.lives}`, type: 't', payload: Uint8Array.of(this.lives & 0xff) };
  }

  history() {
    this.histories += 1;
    return [0, 1].map((index) => ({ messageId: `h${this.histories}-${index}`, type: 't' }));
  }

  signal() {
    if (this.random(8) > 0) return {};
    const controller = new AbortController();
    if (this.random(3) === 0) controller.abort('aborted');
    else setImmediate(() => controller.abort('aborted'));
    return { signal: controller.signal };
  }

  /** @param {Promise<any>} promise */
  call(promise) {
    this.calls.push(promise.catch(expected));
  }

  async step() {
    const { gate } = this;
    const kind = this.random(20);
    this.trace.push(String(kind));
    this.look(); // what has settled since the last step
    if (kind < 7) this.submit();
    else if (kind === 7) this.call(gate.beginHistory(this.signal()));
    else if (kind < 10) attempt(() => gate.installHistory(this.history()));
    else if (kind < 12) this.call(gate.drain(this.sender, this.signal()));
    else if (kind === 12) {
      const options = { resume: this.random(2) === 0, ...this.signal() };
      this.call(gate.flushHistory(async () => this.history(), this.sender, options));
    } else if (kind === 13) gate.deactivate();
    else if (kind === 14) attempt(() => gate.resumeHistory());
    else if (kind === 15 && this.random(4) === 0) this.drop();
    else this.settleSend();
    this.look();
    if (this.random(3) > 0) return;
    await turn();
    this.look();
  }

  submit() {
    const event = this.live();
    this.call(
      this.gate.submit(event, this.sender, this.signal()).then(
        ({ queued }) => this.submits.set(event.messageId, queued ? 'queued' : 'sent'),
        (/** @type {unknown} */ error) => {
          this.submits.set(event.messageId, 'refused');
          expected(error);
        },
      ),
    );
  }

  drop() {
    this.call(
      this.gate.drop({ close: this.random(12) === 0 }).then((count) => {
        this.lost += count;
      }),
    );
  }

  async finish() {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      if (this.hanging !== null) quiet = 0;
      this.settleSend();
      await turn();
      this.look();
    }
    await Promise.all(this.calls); // none is left pending
    this.count();
  }

  /** Accepted, pending and dropped are what was submitted; nothing is in two places. */
  count() {
    const { accepted, entered, pending, submits } = this;
    assert.equal(new Set(accepted).size, accepted.length, 'an event was accepted twice');
    const lives = accepted.filter(isLive).map(number);
    assert.deepEqual(
      lives,
      [...lives].sort((a, b) => a - b),
      'a live event overtook another',
    );
    const fromQueue = accepted.filter((id) => entered.has(id));
    assert.equal(entered.size, fromQueue.length + pending.length + this.lost, 'the queue lost count');
    assert.equal(submits.size, this.lives);
    for (const [id, told] of submits) {
      if (told === 'queued') assert.ok(entered.has(id), 'queued, but never in the queue');
      else assert.ok(!entered.has(id), 'in the queue, but its caller holds it');
      if (told === 'sent') assert.ok(accepted.includes(id));
    }
  }
}

/** @param {any} error */
function expected(error) {
  if (error === 'aborted' || error.message === 'failing sender') return;
  if (
    ['send_not_accepted', 'gate_inactive', 'gate_active', 'gate_closed', 'gate_capacity'].includes(error.code)
  )
    return;
  throw error;
}

/** @param {() => void} run */
function attempt(run) {
  try {
    run();
  } catch (error) {
    expected(error);
  }
}

test(`${SCHEDULES} random schedules: history then live, no duplicate, no overtaking, nothing uncounted`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed += 1) {
    const schedule = new Schedule(seed);
    try {
      for (let i = 0; i < STEPS; i += 1) await schedule.step();
      await schedule.finish();
    } catch (error) {
      throw new Error(`seed ${seed}, steps ${schedule.trace.join(' ')}: ${error}`, { cause: error });
    } finally {
      schedule.gate.dispose();
    }
  }
});
