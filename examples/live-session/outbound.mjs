// What the client sends. A gate sees to it that nothing live overtakes the history, on any connection; a ledger keeps
// every event until the server says that it is there to stay.

/**
 * @typedef {import('leasegate').OutboundEvent} OutboundEvent
 * @typedef {import('leasegate').Acceptance} Acceptance
 * @typedef {import('./connection.mjs').Link} Link
 */

/** How sends fail when their connection ends. The next connection sends those events again. */
const lossCodes = new Set([
  'transport_closed',
  'recovering',
  'recovery_closed',
  'stale_epoch',
  'gate_inactive',
  'gate_closed',
]);

/** Live events that wait for their first acceptance. Who meets so many waits until there are none. */
const MAX_WAITING = 32;

export class Outbound {
  #gate;
  #tracker;
  /** Of which it is not known that they will stay, in order. @type {Map<string, OutboundEvent>} */
  #ledger = new Map();
  /** Where direct sends go. @type {Link | null} */
  #link = null;
  /** While the gate waits for a direct send before it collects. @type {Promise<void> | null} */
  #begun = null;
  #onEmpty = () => {};
  /** @type {(error: unknown) => void} */
  #fail = () => {};
  /** Rejects with what no new connection mends. @type {Promise<never>} */
  failure = new Promise((_, reject) => {
    this.#fail = reject;
  });
  #waiting = 0;
  #isFull = false;
  #onConfirmed;
  #sends = 0;
  #entered = 0;
  confirmed = 0;
  /** Connections that began with the gate's queue of the last one, and those that began anew. */
  resumed = 0;
  begun = 0;

  /** @param {import('leasegate').Leasegate} leasegate @param {OutboundEvent[]} history @param {() => void} onConfirmed */
  constructor(leasegate, history, onConfirmed) {
    this.#onConfirmed = onConfirmed;
    this.#gate = new leasegate.FlushGate();
    this.#tracker = new leasegate.DeliveryTracker();
    for (const event of history) this.#enter(event);
    this.hold();
  }

  /** Sends beyond the first of each event. */
  get repeats() {
    return this.#sends - this.#entered;
  }

  get hasRoom() {
    if (this.#waiting >= MAX_WAITING) this.#isFull = true;
    else if (this.#waiting === 0) this.#isFull = false;
    return !this.#isFull;
  }

  /** Deliveries without a confirmation. */
  get open() {
    return this.#tracker.size;
  }

  /** @param {OutboundEvent} event */
  submit(event) {
    this.#enter(event);
    this.#waiting += 1;
    // Sent at once, or queued while the gate collects and drains. When it fails, the ledger still has it.
    this.#gate.submit(event, this.#send).catch((error) => this.#failed(error));
  }

  async allConfirmed() {
    await new Promise((resolve) => {
      this.#onEmpty = () => resolve(undefined);
      if (this.#ledger.size === 0) this.#onEmpty();
    });
  }

  /** The connection is over, or there is none yet: from here on the gate collects, and nothing is sent. */
  hold() {
    if (this.#begun !== null) return;
    if (this.#gate.state !== 'inactive') this.#gate.deactivate();
    else {
      const begun = () => {
        this.#begun = null;
      };
      this.#begun = this.#gate.beginHistory().then(begun, begun); // It fails only once the gate is disposed of.
    }
  }

  /** On a new connection: what the server may not have kept, then what waits. @param {Link} link */
  async flush(link) {
    try {
      await this.#begun;
      this.#link = link;
      if (this.#gate.state === 'deactivated') {
        this.#gate.resumeHistory();
        this.resumed += 1;
      } else {
        this.begun += 1;
      }
      this.#gate.installHistory(this.#unconfirmed());
      await this.#gate.drain(this.#send);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** What the ledger has and the gate has not: the history, what failed, and what was accepted without a promise to last. */
  #unconfirmed() {
    const waiting = new Set(this.#gate.pending.map(({ messageId }) => messageId));
    return [...this.#ledger.values()].filter(({ messageId }) => !waiting.has(messageId));
  }

  /** @param {OutboundEvent} event */
  #enter(event) {
    this.#entered += 1;
    this.#ledger.set(event.messageId, event);
    this.#tracker.observe({ id: event.messageId, message: event.messageId, sequence: this.#entered });
  }

  /** The gate's sender: one event at a time. @param {OutboundEvent} event */
  #send = async (event) => {
    this.#sends += 1;
    const acceptance = await /** @type {Link} */ (this.#link).send(event);
    this.#accepted(event.messageId, acceptance);
    return acceptance;
  };

  /** Accepted is one thing, durable another: only that lets go of the event, and of all before it. @param {string} id @param {Acceptance} acceptance */
  #accepted(id, { remoteAckId, durabilityKnown }) {
    const event = this.#ledger.get(id);
    if (event === undefined) return;
    // Of an event that is sent again the server gives the same id: another one would be delivery_ack_conflict.
    if (remoteAckId !== null) this.#tracker.acknowledge({ id, ackId: remoteAckId });
    if (this.#tracker.get(id)?.state === 'observed') {
      this.#tracker.transition({ id, state: 'received' });
      if (event.type !== 'history') this.#waiting -= 1;
    }
    if (!durabilityKnown) return;
    for (const earlier of this.#ledger.keys()) {
      this.#tracker.transition({ id: earlier, state: 'processed' });
      this.#tracker.forget(earlier);
      this.#ledger.delete(earlier);
      this.confirmed += 1;
      if (earlier === id) break;
    }
    this.#onConfirmed();
    if (this.#ledger.size === 0) this.#onEmpty();
  }

  /** @param {unknown} error */
  #failed(error) {
    if (!lossCodes.has(/** @type {{ code?: string }} */ (error).code ?? '')) this.#fail(error);
  }

  dispose() {
    this.#gate.dispose();
    this.#tracker.dispose();
  }
}
