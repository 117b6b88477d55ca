import { Accounts } from './accounts.js';
import { Line } from './line.js';

export const TICKS_PER_SECOND = 4;
const SESSION = 'demo-session';
const HISTORY_EVENTS = 5;
const SHOWN_LIVE = 12;
const LATENCY_TICKS = 1;
const SLOW_TICKS = 7;
const STEP_TICKS = 4;
const ATTEMPT_TICKS = 8;
const MAX_TRIES = 4;

/**
 * The bridge of the demo: the real gate, reconnect coordinator and deduper, and around them a host that publishes what
 * happens in the pool to a far side. Lines, delays and failures are simulated, in ticks of a quarter of a second.
 */
export class Surface {
  #clerk;
  #gate;
  #link;
  #line;
  #seen;
  #accounts = new Accounts();
  #tick = 0;
  #due = [];
  /** Outcomes of promises, written down once the engine is quiet. */
  #outcomes = [];
  /** Events in order of their happening; those before the first connection are history only. */
  #published = 0;
  #past = [];
  #frozen = [];
  /** What became of each event of the frozen history, once it is installed. */
  #installed = [];
  #got = [];
  /** The event that a drain has handed out and not heard of yet. */
  #sending = null;
  #epoch = 1n;
  #epochs = ['1'];
  #submits = false;
  #slowUntil = 0;
  #refusals = 0;
  #failingAttempts = 0;
  #gone = false;
  #gateState = 'inactive';
  #linkState;
  #last = null;

  /** @param {object} lg @param {object} clerk @param {{ connectAt?: number }} plan */
  constructor(lg, clerk, { connectAt = 1 } = {}) {
    this.#clerk = clerk;
    this.#gate = new lg.FlushGate({ capacity: 32 });
    this.#seen = new lg.Deduper({ capacity: 64 });
    this.#line = this.#newLine();
    this.#link = new lg.ReconnectCoordinator({
      session: SESSION,
      epoch: this.#epoch,
      transport: this.#line,
      clock: () => this.#tick * (1000 / TICKS_PER_SECOND),
      onTransportClosed: ({ role }) =>
        this.#later({
          actor: 'line',
          command: 'closed',
          outcome: role,
          detail: `the ${role} line is closed`,
        }),
    });
    this.#linkState = this.#link.state;
    this.#in(connectAt * TICKS_PER_SECOND, () => this.#connect());
    clerk.watchBridge(() => this.frame());
  }

  // --- Time

  /** One quarter of a second: what is due happens, and what arrives arrives. */
  tick(number) {
    this.#tick = number;
    const due = this.#due.filter(({ at }) => at <= number);
    this.#due = this.#due.filter(({ at }) => at > number);
    for (const { run } of due) run();
    this.#line.tick(number);
  }

  /** Writes down what came of it, now that nothing moves by itself any more. */
  writeOutcomes() {
    let late = false;
    for (const note of this.#outcomes.splice(0)) {
      // Time does not go back within the ledger either.
      if (late) delete note.frame;
      late ||= !note.frame;
      this.#note(note);
    }
  }

  // --- Events

  /** Something has happened in the pool that the far side is to hear of. */
  publish(type, tasks) {
    this.#published += 1;
    const event = {
      messageId: `e${String(this.#published).padStart(2, '0')}`,
      type,
      payload: new TextEncoder().encode(JSON.stringify({ type, tasks })),
      tasks,
    };
    if (this.#submits) this.#submit(event, 1);
    else this.#past.push(event);
  }

  #submit(event, attempt) {
    const item = this.#accounts.take(event.messageId, 'live');
    const { messageId } = event;
    const note = { actor: 'host A', command: 'submit', events: [messageId], tasks: event.tasks };
    this.#gate
      .submit(event, (sent, options) => this.#link.send(this.#epoch, sent, options))
      .then(
        ({ queued }) => {
          if (!queued) this.#arrived(event, item);
          this.#later({
            ...note,
            outcome: queued ? 'queued' : 'sent',
            detail: queued ? 'queued in the gate' : 'sent at once',
          });
        },
        (error) => {
          item.place = 'rejected';
          this.#later({ ...note, ...refusal(error) });
          // A direct send that failed is not kept by the gate: its caller has it, and gives it in again.
          if (attempt < MAX_TRIES && error.code !== 'gate_closed')
            this.#in(STEP_TICKS, () => this.#submit(event, attempt + 1));
        },
      );
  }

  #arrived(event, item) {
    item.place = 'accepted';
    const again = this.#seen.seenOrAdd(event.messageId);
    this.#got.push({ id: event.messageId, source: item.source, epoch: this.#epoch.toString(), again });
    if (!this.#past.includes(event)) this.#past.push(event);
    this.#link.observeSequence(BigInt(this.#got.length));
  }

  // --- The gate

  /** The first connection, step by step: begin, install, drain. */
  #connect() {
    this.#submits = true;
    this.#frozen = this.#past.slice(-HISTORY_EVENTS);
    this.#installed = [];
    this.#gate.beginHistory();
    this.#note({
      actor: 'host A',
      command: 'beginHistory',
      outcome: 'accepted',
      detail: 'history is frozen',
    });
    this.#in(STEP_TICKS, () => this.#install());
  }

  #install() {
    if (this.#gate.state !== 'collecting_history') return;
    this.#gate.installHistory(this.#frozen);
    this.#installed = this.#frozen.map(({ messageId }) => this.#accounts.take(messageId, 'history'));
    this.#note({
      actor: 'host A',
      command: 'installHistory',
      outcome: 'accepted',
      detail: `${this.#frozen.length} in front`,
      events: this.#frozen.map(({ messageId }) => messageId),
    });
    this.#in(STEP_TICKS, () => this.#drain());
  }

  #drain() {
    if (this.#gate.state !== 'ready' && this.#gate.state !== 'deactivated') return;
    this.#watch('drain', this.#gate.drain(this.#sender()));
    this.#note({ actor: 'host A', command: 'drain', outcome: 'started', via: ['draining'] });
  }

  /** A fresh history for a new line, in front of whatever waits; live events are held from now on. */
  #flush(recovered) {
    const resume = this.#gate.state === 'deactivated';
    const snapshot = async () => {
      await recovered;
      const kept = new Set(this.#gate.pending.map(({ messageId }) => messageId));
      this.#frozen = this.#past.filter(({ messageId }) => !kept.has(messageId)).slice(-HISTORY_EVENTS);
      this.#installed = this.#frozen.map(({ messageId }) => this.#accounts.take(messageId, 'history'));
      const events = this.#frozen.map(({ messageId }) => messageId);
      this.#later({
        actor: 'host A',
        command: 'snapshot',
        outcome: 'installed',
        detail: `${events.length} in front`,
        events,
        via: ['ready', 'draining'],
      });
      return this.#frozen;
    };
    this.#watch('flushHistory', this.#gate.flushHistory(snapshot, this.#sender(), { resume }));
    this.#note({
      actor: 'host A',
      command: 'flushHistory',
      outcome: 'started',
      detail: resume ? 'resumed: the queue is kept' : 'live events wait',
    });
  }

  #sender() {
    return async (event, options) => {
      this.#sending = event.messageId;
      let acceptance;
      try {
        acceptance = await this.#link.send(this.#epoch, event, options);
      } finally {
        this.#sending = null;
      }
      const item = this.#accounts.waiting(event.messageId);
      const known = this.#past.find(({ messageId }) => messageId === event.messageId);
      this.#arrived(known ?? { ...event, tasks: tasksOf(event) }, item);
      const { again } = this.#got.at(-1);
      this.#later({
        actor: 'gate',
        command: 'send',
        outcome: 'accepted',
        detail: again ? `${item.source}, seen before` : item.source,
        events: [event.messageId],
        tasks: tasksOf(event),
      });
      return acceptance;
    };
  }

  #watch(command, promise) {
    promise.then(
      () => this.#later({ actor: 'gate', command, outcome: 'done', detail: 'nothing waits any more' }),
      (error) => {
        this.#later({ actor: 'gate', command, ...refusal(error) });
        // The line holds, but an event was not taken: try again a little later.
        if (error.code === 'send_not_accepted') this.#in(STEP_TICKS, () => this.#drain());
      },
    );
  }

  // --- The line

  #reconnect() {
    if (this.#gone) return;
    if (this.#gate.state === 'collecting_history' || this.#gate.state === 'ready') this.#gate.deactivate();
    const recovered = this.#recover();
    if (this.#gate.state === 'inactive' || this.#gate.state === 'deactivated') this.#flush(recovered);
  }

  async #recover() {
    for (;;) {
      try {
        const { epoch } = await this.#link.recover('connection lost', (resume) => this.#attempt(resume));
        this.#epoch = epoch;
        this.#epochs.push(epoch.toString());
        this.#laterAsNow({
          actor: 'link',
          command: 'recover',
          outcome: 'connected',
          detail: `epoch ${epoch}`,
        });
        return;
      } catch (error) {
        this.#later({ actor: 'link', command: 'recover', ...refusal(error) });
        if (error.code === 'recovery_closed') throw error;
        await new Promise((resolve) => this.#in(STEP_TICKS, resolve));
      }
    }
  }

  #attempt({ epoch, cursor }) {
    this.#later({
      actor: 'link',
      command: 'attempt',
      outcome: 'started',
      detail: `from epoch ${epoch}, cursor ${cursor}`,
    });
    return new Promise((resolve) => {
      this.#in(ATTEMPT_TICKS, () => {
        this.#failingAttempts -= 1;
        if (this.#failingAttempts >= 0) return resolve(null);
        this.#failingAttempts = 0;
        this.#line = this.#newLine();
        return resolve({ transport: this.#line, epoch: epoch + 1n });
      });
    });
  }

  #newLine() {
    return new Line({
      tick: () => this.#tick,
      latency: () => (this.#tick < this.#slowUntil ? SLOW_TICKS : LATENCY_TICKS),
      accepts: () => {
        if (this.#refusals === 0) return true;
        this.#refusals -= 1;
        return false;
      },
    });
  }

  // --- Trouble

  slowDown(secs) {
    this.#slowUntil = (this.#clerk.now + secs) * TICKS_PER_SECOND;
    this.#note({ actor: 'line', command: 'slow', outcome: 'slow', detail: `for ${secs} s` });
  }

  failSends(times) {
    this.#refusals += times;
    this.#note({ actor: 'line', command: 'refuse', outcome: 'full', detail: `takes nothing ${times} times` });
  }

  dropConnection(failingAttempts = 0) {
    if (this.#line.broken || this.#gone) return;
    this.#failingAttempts = failingAttempts;
    this.#line.break();
    this.#laterAsNow({ actor: 'line', command: 'lost', outcome: 'lost', detail: 'the connection is gone' });
    this.#in(2, () => this.#reconnect());
  }

  /** Somebody still holds an earlier epoch and sends with it. */
  sendStale() {
    const event = { messageId: 'late', type: 'note', payload: new Uint8Array() };
    const epoch = this.#epoch > 1n ? this.#epoch - 1n : this.#epoch;
    this.#link.send(epoch, event).then(
      () =>
        this.#later({
          actor: 'old sender',
          command: 'send',
          outcome: 'sent',
          detail: `epoch ${epoch}`,
          events: ['late'],
        }),
      (error) => this.#later({ actor: 'old sender', command: 'send', ...refusal(error), events: ['late'] }),
    );
  }

  /** The host gives the far side up. */
  giveUp() {
    if (this.#gone) return;
    this.#gone = true;
    const lost = this.#gate.drop({ close: true });
    // What is on its way counts as lost only if it is not accepted.
    this.#accounts.dropWaiting(this.#sending);
    this.#note({ actor: 'host A', command: 'drop', outcome: 'closed', detail: 'the queue is emptied' });
    lost.then((many) => {
      this.#accounts.dropWaiting();
      this.#later({ actor: 'gate', command: 'dropped', outcome: 'closed', detail: `${many} lost, exactly` });
    });
    this.#link.close().then(
      () => this.#later({ actor: 'link', command: 'close', outcome: 'closed' }),
      (error) => this.#later({ actor: 'link', command: 'close', ...refusal(error) }),
    );
  }

  dispose() {
    this.#gone = true;
    this.#line.break();
    this.#gate.drop({ close: true }).catch(() => {});
    this.#link.close().catch(() => {});
    this.#gate.dispose();
    this.#link.dispose?.();
    this.#seen.dispose?.();
  }

  // --- What can be seen

  /** The bridge as it is now: states and queue as the gate and the coordinator give them. */
  frame() {
    const onTheWay = this.#line.inFlight.map(({ event }) => event.messageId);
    return {
      gate: this.#gateState,
      last: this.#last,
      pending: this.#gate.pending.map(({ messageId }) => ({
        id: messageId,
        source: this.#accounts.waiting(messageId)?.source ?? 'live',
        onTheWay: onTheWay.includes(messageId),
      })),
      pendingBytes: this.#gate.pendingBytes,
      link: this.#linkState,
      epoch: this.#epoch.toString(),
      epochs: [...this.#epochs],
      cursor: this.#link.cursor.toString(),
      slow: this.#tick < this.#slowUntil,
      before: this.#submits ? [] : this.#past.map(({ messageId }) => messageId),
      history: this.#frozen.map(({ messageId }, i) => ({
        id: messageId,
        place: this.#installed[i]?.place ?? 'frozen',
      })),
      live: this.#accounts.latest('live', SHOWN_LIVE),
      got: this.#got.slice(),
      counts: this.#accounts.counts(),
    };
  }

  /**
   * Writes down what happened, with the transitions that it led to; `via` names states that were passed on the way.
   * @param {object} what
   */
  #note({ via = [], frame, ...note }) {
    const gate = frame?.gate ?? this.#gate.state;
    const link = frame?.link ?? this.#link.state;
    const changes = [];
    if (gate !== this.#gateState) {
      const path = [this.#gateState, ...via, gate].filter((state, i, all) => state !== all[i - 1]);
      changes.push({ kind: 'gate', id: 'gate', text: path.join(' → ') });
      this.#last = { from: path.at(-2), to: gate };
    }
    if (link !== this.#linkState)
      changes.push({ kind: 'link', id: 'link', text: `${this.#linkState} → ${link}` });
    this.#gateState = gate;
    this.#linkState = link;
    this.#clerk.bridge({ ...note, changes }, frame && { ...frame, last: this.#last });
  }

  /** To be written down once nothing moves any more, with the bridge as it is then. */
  #later(note) {
    this.#outcomes.push(note);
  }

  /** The same, with the bridge as it is now: more will have happened by then. */
  #laterAsNow(note) {
    const frame = { ...this.frame(), gate: this.#gate.state, link: this.#link.state };
    this.#outcomes.push({ ...note, frame });
  }

  #in(ticks, run) {
    this.#due.push({ at: this.#tick + ticks, run });
  }
}

function refusal(error) {
  return error.code
    ? { outcome: 'refused', code: error.code, detail: error.message }
    : { outcome: 'failed', detail: error.message };
}

function tasksOf({ payload }) {
  return JSON.parse(new TextDecoder().decode(payload)).tasks;
}
