// One recorded run of the bridge on one instance, through the public JavaScript API only.

import { setImmediate as turn } from 'node:timers/promises';

const NAMES = {
  bridge_instance_id: 'bridgeInstance',
  environment_id: 'environment',
  work_id: 'work',
  remote_session_id: 'session',
  worker_epoch: 'epoch',
  surface_generation: 'generation',
  request_id: 'request',
};

/** The recordings say which texts are not UTF-8; in JavaScript such a text has a lone surrogate. @param {string} hex */
function notUtf8(hex) {
  return `\ud800${'x'.repeat(Math.max(0, hex.length / 2 - 3))}`; // as long in bytes
}

/** `X_hex` wins over `X`. @param {any} recorded @returns {any} */
function texts(recorded) {
  if (typeof recorded !== 'object' || recorded === null) return recorded;
  if (Array.isArray(recorded)) return recorded.map(texts);
  const made = Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, texts(value)]));
  for (const name of Object.keys(made)) {
    if (name.endsWith('_hex')) made[name.slice(0, -4)] = notUtf8(made[name]);
  }
  return made;
}

const tuple = (/** @type {any} */ recorded, /** @type {any} */ int) =>
  Object.fromEntries(
    Object.entries(recorded ?? {})
      .filter(([name]) => name in NAMES)
      .map(([name, value]) => [
        /** @type {any} */ (NAMES)[name],
        name === 'worker_epoch' || name === 'surface_generation' ? int(value) : value,
      ]),
  );

/** @param {any} recorded */
const event = (recorded) => ({
  messageId: recorded.message_id,
  type: recorded.type,
  payload: recorded.payload ? new Uint8Array(Buffer.from(recorded.payload, 'base64')) : null,
});

// --- What JavaScript answers, as the recordings write it

/** @param {unknown} value */
function wide(value) {
  if (typeof value !== 'bigint') throw new TypeError(`a 64-bit integer came out as ${typeof value}`);
  return value > Number.MAX_SAFE_INTEGER ? value.toString() : Number(value);
}

/** Empty and absent fields are left out. @param {Record<string, unknown>} fields */
const given = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));

const saidEvent = (/** @type {any} */ { messageId, type, payload }) => ({
  message_id: messageId,
  type,
  payload: payload.length > 0 ? Buffer.from(payload).toString('base64') : '',
});
const saidAcceptance = (/** @type {any} */ acceptance) =>
  given({
    accepted: acceptance.accepted,
    queue_identity: acceptance.queueIdentity,
    remote_ack_id: acceptance.remoteAckId,
    durability_known: acceptance.durabilityKnown,
  });
const saidSubmit = (/** @type {any} */ result) => ({
  queued: result.queued,
  acceptance: saidAcceptance(result.acceptance),
});
const saidObservation = (/** @type {any} */ { previous, current, ...flags }) => ({
  previous: wide(previous),
  current: wide(current),
  ...flags,
});
const saidKey = (/** @type {any} */ key) => ({
  request_id: key.request,
  remote_session_id: key.session,
  surface_generation: wide(key.generation),
  worker_epoch: wide(key.epoch),
});
const saidControl = (/** @type {any} */ record) =>
  given({
    key: saidKey(record.key),
    tool_use_id: record.toolUseId,
    subtype: record.subtype,
    state: record.state,
    value: record.value,
    message: record.message,
    updated_at: record.updatedAt,
  });
const saidDelivery = (/** @type {any} */ record) =>
  given({
    delivery_id: record.id,
    message_id: record.message,
    observed_sequence: record.sequence === 0n ? null : wide(record.sequence),
    state: record.state,
    transport_ack_id: record.transportAckId,
    transport_acked_at: record.transportAckedAt,
    updated_at: record.updatedAt,
    failure: record.failure,
  });
const saidEvidence = (/** @type {any} */ evidence) => ({
  dropped: evidence.dropped,
  remote_durability_known: evidence.remoteDurabilityKnown,
});

/** What a recorded outcome makes of a send. @param {any} outcome @param {() => void} deactivate @returns {any} */
function perform(outcome, deactivate) {
  if (typeof outcome === 'string' && outcome.startsWith('deactivate_then_')) {
    deactivate();
    return perform(outcome.slice('deactivate_then_'.length), deactivate);
  }
  if (outcome === undefined || outcome === 'accept') return { accepted: true, queueIdentity: 'q' };
  if (outcome === 'reject') return { accepted: false, queueIdentity: 'r' };
  if (typeof outcome === 'string') throw new HostError(outcome.slice('error:'.length));
  if (outcome.error !== undefined) throw new HostError(outcome.error);
  return {
    accepted: outcome.accepted,
    queueIdentity: outcome.queue_identity,
    remoteAckId: outcome.remote_ack_id,
    durabilityKnown: outcome.durability_known,
  };
}

class HostError extends Error {}

export class BridgeReplay {
  /** @param {any} lg an instance @param {boolean} asBigInt how integers go in where both ways are possible */
  constructor(lg, asBigInt) {
    this.lg = lg;
    this.now = 0;
    this.int = (/** @type {any} */ value) => (typeof value === 'string' || asBigInt ? BigInt(value) : value);
    this.clock = () => this.now;
    /** @type {any} */
    this.made = {};
    /** @type {any[]} */
    this.sent = [];
  }

  dispose() {
    for (const object of Object.values(this.made)) object.dispose?.();
    return this.made.reconnect?.close().catch(() => {});
  }

  /** @param {string} name @param {any} object */
  #replace(name, object) {
    this.made[name]?.dispose?.();
    this.made[name] = object;
  }

  /** @param {{ cmd: any, out: any, step: number }} line @returns {Promise<any>} what it says, in the recording's spelling */
  async play({ cmd: recorded, step }) {
    this.now = step;
    this.sent = [];
    const cmd = texts(recorded);
    /** @type {any} */
    const said = {};
    try {
      said.ok = (await this.#run(cmd, said)) ?? null;
    } catch (error) {
      said.err = this.#saidError(error, cmd, said);
    }
    if (said.err && cmd.op.endsWith('_new')) return said; // nothing was replaced
    if (cmd.op.startsWith('gate_')) {
      said.state = this.made.gate.state;
      said.pending = this.made.gate.pendingCount;
    }
    if (cmd.op.startsWith('reconnect_')) {
      await turn();
      said.state = this.made.reconnect.state;
      said.transports = Object.fromEntries(
        this.made.transports.map(({ name, sent, closed }) => [name, { sent, closed }]),
      );
    }
    return said;
  }

  /** @param {any} error @param {any} cmd @param {any} said */
  #saidError(error, cmd, said) {
    if (error instanceof HostError) {
      const code = /^(gate_|reconnect_send)/.test(cmd.op) ? 'sender_error' : 'host_error';
      return { code, text: error.message };
    }
    if (!(error instanceof this.lg.LeasegateError)) throw error;
    if (error.message === '') throw new Error('an error has no message');
    const { acceptance, cause, ...fields } = /** @type {any} */ (error);
    if (error.code === 'send_not_accepted') {
      if (cmd.op === 'gate_submit') said.value = saidSubmit({ queued: false, acceptance });
      if (cmd.op === 'reconnect_send') said.value = saidAcceptance(acceptance);
    }
    for (const name of ['got', 'active', 'current']) if (name in fields) fields[name] = wide(fields[name]);
    return fields;
  }

  /** @param {any} script @param {boolean} single */
  #sender(script, single) {
    const outcomes = single ? [script] : [...(script ?? [])];
    return (/** @type {any} */ sent) => {
      const { gate } = this.made;
      /** @type {any} */
      const seen = { event: saidEvent(sent), state: gate.state, pending: gate.pendingCount };
      this.sent.push(seen);
      return perform(outcomes.shift(), () => {
        gate.deactivate();
        seen.during = [{ ok: { state: gate.state } }];
      });
    };
  }

  /** @param {any} cmd @param {any} said @returns {any} */
  #run(cmd, said) {
    const { lg, int, made, clock } = this;
    const key = () => tuple(cmd.key, int);
    switch (cmd.op) {
      case 'validate_opaque_id':
        return lg.validateOpaqueId(cmd.kind, cmd.value);
      case 'validate_path_identifier':
        return lg.validatePathIdentifier(cmd.kind, cmd.value);
      case 'validate_identity':
        return lg.validateIdentity(tuple(cmd.identity, int));
      case 'validate_control_key':
        return lg.validateControlKey(key());
      case 'delivery_state_terminal':
      case 'control_state_terminal':
      case 'transport_state_terminal':
      case 'work_state_terminal':
        return lg.isTerminal(cmd.op.split('_')[0], cmd.state);

      case 'epoch_new':
        this.#replace('fence', new lg.EpochFence(int(cmd.initial)));
        return { current: wide(made.fence.current) };
      case 'epoch_current':
        return { current: wide(made.fence.current) };
      case 'epoch_check':
      case 'epoch_advance':
        try {
          return made.fence[cmd.op === 'epoch_check' ? 'check' : 'advance'](int(cmd.epoch));
        } finally {
          said.current = wide(made.fence.current);
        }

      case 'cursor_new':
        this.#replace('cursor', new lg.Cursor(int(cmd.initial)));
        return { observed_sequence: wide(made.cursor.sequence) };
      case 'cursor_observe':
        try {
          return saidObservation(made.cursor.observe(int(cmd.sequence)));
        } finally {
          said.observed_sequence = wide(made.cursor.sequence);
        }

      case 'dedupe_new':
        this.#replace('deduper', new lg.Deduper({ capacity: int(cmd.capacity) }));
        return { len: made.deduper.size };
      case 'dedupe_len':
        return { len: made.deduper.size };
      case 'dedupe_seen_or_add':
        try {
          return { seen: made.deduper.seenOrAdd(cmd.id) };
        } finally {
          said.len = made.deduper.size;
        }

      case 'delivery_new':
        return this.#replace('tracker', new lg.DeliveryTracker({ clock }));
      case 'delivery_observe':
        return made.tracker.observe({ id: cmd.id, message: cmd.message, sequence: int(cmd.sequence ?? 0) });
      case 'delivery_transition':
        return made.tracker.transition({ id: cmd.id, state: cmd.state, failure: cmd.failure });
      case 'delivery_acknowledge':
        return made.tracker.acknowledge({ id: cmd.id, ackId: cmd.ack_id });
      case 'delivery_get': {
        const record = made.tracker.get(cmd.id);
        return record === null ? { found: false } : { found: true, record: saidDelivery(record) };
      }

      case 'control_new':
        return this.#replace('registry', new lg.ControlRegistry({ clock }));
      case 'control_accept':
        return made.registry.accept({ key: key(), subtype: cmd.subtype, toolUseId: cmd.tool_use_id });
      case 'control_advance':
        return made.registry.advance({ key: key(), state: cmd.state });
      case 'control_resolve':
        return made.registry.resolve({
          key: key(),
          state: cmd.state,
          value: cmd.value,
          message: cmd.message,
        });
      case 'control_cancel':
        return made.registry.cancel({ key: key(), reason: cmd.reason });
      case 'control_cancel_all':
        return made.registry.cancelAll(cmd.reason).map(saidControl);
      case 'control_get': {
        const record = made.registry.get(key());
        return record === null ? { found: false } : { found: true, record: saidControl(record) };
      }

      case 'lifecycle_new':
        this.#replace('lifecycle', new lg.Lifecycle({ clock }));
        return { state: made.lifecycle.state };
      case 'lifecycle_state':
        return { state: made.lifecycle.state };
      case 'lifecycle_history':
        return made.lifecycle.history.map(given);
      case 'lifecycle_transition':
        try {
          return made.lifecycle.transition({ to: cmd.to, reason: cmd.reason });
        } finally {
          said.state = made.lifecycle.state;
        }

      case 'work_new': {
        this.#replace('work', new lg.WorkLifecycle(cmd.id));
        const { id, state, owned } = made.work;
        return { id, state, owned };
      }
      case 'work_state':
        return { state: made.work.state };
      case 'work_owned':
        return { owned: made.work.owned };
      case 'work_transition':
        try {
          return made.work.transition(cmd.to);
        } finally {
          said.state = made.work.state;
          said.owned = made.work.owned;
        }
      default:
        return cmd.op.startsWith('gate_') ? this.#gate(cmd, said) : this.#transports(cmd, said);
    }
  }

  /** @param {any} cmd @param {any} said @returns {any} */
  async #gate(cmd, said) {
    const { lg, made, int } = this;
    const { gate } = made;
    if (['gate_submit', 'gate_drain', 'gate_flush_history'].includes(cmd.op)) said.sent = this.sent;
    switch (cmd.op) {
      case 'gate_new':
        return this.#replace(
          'gate',
          new lg.FlushGate(cmd.capacity === undefined ? {} : { capacity: int(cmd.capacity) }),
        );
      case 'gate_state':
        return null;
      case 'gate_pending':
        return gate.pending.map(saidEvent);
      case 'gate_begin_history':
        return gate.beginHistory();
      case 'gate_install_history':
        return gate.installHistory(cmd.events.map(event));
      case 'gate_submit':
        return saidSubmit(await gate.submit(event(cmd.event), this.#sender(cmd.send, true)));
      case 'gate_drain':
        return gate.drain(this.#sender(cmd.script, false));
      case 'gate_flush_history':
        return gate.flushHistory(() => cmd.history.map(event), { send: this.#sender(cmd.script, false) });
      case 'gate_deactivate':
        return gate.deactivate();
      case 'gate_drop':
        return { dropped: await gate.drop({ close: cmd.close }) };
      default:
        throw new Error(`no such operation in JavaScript: ${cmd.op}`);
    }
  }

  /** @param {any} close */
  #transport(close) {
    const { transports } = this.made;
    const made = {
      name: `t${transports.length}`,
      sent: 0,
      closed: 0,
      outcome: /** @type {any} */ (undefined),
      send: (/** @type {any} */ sent) => {
        made.sent += 1;
        this.sent.push({ event: saidEvent(sent), transport: made.name });
        return perform(made.outcome, () => {});
      },
      close: async () => {
        made.closed += 1;
        if (close?.error !== undefined) throw new HostError(close.error);
        return {
          dropped: close?.dropped ?? 0,
          remoteDurabilityKnown: close?.remote_durability_known ?? false,
        };
      },
    };
    transports.push(made);
    return made;
  }

  /** @param {any} cmd @param {any} said @returns {any} */
  async #transports(cmd, said) {
    const { lg, made, int, clock } = this;
    switch (cmd.op) {
      case 'transport_registry_new':
        return this.#replace('transportRegistry', new lg.TransportRegistry());
      case 'transport_register':
        return made.transportRegistry.register(cmd.kind, (/** @type {any} */ config) =>
          this.#factory(cmd, config.kind),
        );
      case 'transport_build': {
        said.factory_calls = 0;
        said.closed = 0;
        this.building = said;
        return { kind: (await made.transportRegistry.build(cmd.config)).kind };
      }
      case 'reconnect_new': {
        const former = { transports: made.transports, reconnect: made.reconnect };
        made.transports = [];
        try {
          made.reconnect = new lg.ReconnectCoordinator({
            session: cmd.session,
            epoch: int(cmd.epoch ?? 0),
            cursor: int(cmd.cursor?.observed_sequence ?? 0),
            transport: cmd.has_transport ? this.#transport(cmd.close) : null,
            clock,
          });
        } catch (error) {
          Object.assign(made, former);
          throw error;
        }
        await former.reconnect?.close().catch(() => {});
        return null;
      }
      case 'reconnect_state':
        return null;
      case 'reconnect_observe':
        return saidObservation(made.reconnect.observeSequence(int(cmd.sequence)));
      case 'reconnect_send': {
        said.delivered = this.sent;
        for (const transport of made.transports) transport.outcome = cmd.outcome;
        return saidAcceptance(await made.reconnect.send(int(cmd.epoch), event(cmd.event)));
      }
      case 'reconnect_recover': {
        said.attempts = 0;
        const { transport, epoch } = await made.reconnect.recover(cmd.reason, (/** @type {any} */ resume) => {
          said.attempts += 1;
          said.resume = {
            remote_session_id: resume.session,
            previous_epoch: wide(resume.epoch),
            cursor: { observed_sequence: wide(resume.cursor) },
          };
          return this.#attempt(cmd.attempt);
        });
        return { transport: transport.name, epoch: wide(epoch) };
      }
      case 'reconnect_close':
        return saidEvidence(await made.reconnect.close());
      default:
        throw new Error(`no such operation in JavaScript: ${cmd.op}`);
    }
  }

  /** @param {any} cmd @param {string} kind */
  #factory({ mode }, kind) {
    const { building, lg } = this;
    building.factory_calls += 1;
    const transport = (/** @type {string} */ as) => ({
      kind: as,
      send() {},
      close() {
        building.closed += 1;
      },
    });
    if (mode === 'ok') return transport(kind);
    if (mode === 'nil') return null;
    if (mode.startsWith('wrong:')) return transport(mode.slice('wrong:'.length));
    if (mode.startsWith('unavailable:')) {
      throw new lg.LeasegateError('transport_unavailable', 'not now', { kind, state: mode.split(':')[1] });
    }
    throw new HostError(mode.slice('error:'.length));
  }

  /** @param {any} attempt */
  #attempt(attempt) {
    const [result, rest] = typeof attempt === 'string' ? split(attempt) : [attempt.result, attempt];
    if (result === 'nil')
      return rest?.epoch === undefined ? null : { transport: null, epoch: this.int(rest.epoch) };
    if (result === 'error') throw new HostError(rest.text ?? '');
    return { transport: this.#transport(rest.close), epoch: this.int(rest.epoch) };
  }
}

/** @param {string} attempt `ok:EPOCH`, `error:TEXT` or `nil` */
function split(attempt) {
  const colon = attempt.indexOf(':');
  if (colon < 0) return [attempt, null];
  const rest = attempt.slice(colon + 1);
  return attempt.startsWith('ok:') ? ['ok', { epoch: rest }] : ['error', { text: rest }];
}
