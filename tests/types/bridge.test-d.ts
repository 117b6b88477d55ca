// Compiled, never run: what compiles here is a promise, and every @ts-expect-error is one too.

import {
  createLeasegate,
  LeasegateError,
  type Acceptance,
  type AcceptanceLike,
  type CloseEvidence,
  type ControlRecord,
  type DEFAULT_GATE_CAPACITY,
  type DeliveryRecord,
  type FlushGate,
  type GateState,
  type Observation,
  type OutboundEvent,
  type ReconnectCoordinator,
  type Recovered,
  type Send,
  type Sender,
  type SubmitResult,
  type Transport,
} from 'leasegate';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): T | undefined => undefined;

const lg = await createLeasegate();
yes<Same<typeof lg.DEFAULT_GATE_CAPACITY, typeof DEFAULT_GATE_CAPACITY>>();

// Integers go in as bigint or number, and come out as bigint; times are numbers.
const fence = new lg.EpochFence(1);
fence.advance(2n);
yes<Same<typeof fence.current, bigint>>();
// @ts-expect-error -- an epoch is required
new lg.EpochFence();
const seen: Observation = new lg.Cursor().observe(1);
yes<Same<typeof seen.previous, bigint>>();
// @ts-expect-error -- a deduper is nothing without its capacity
new lg.Deduper();
yes<Same<ReturnType<InstanceType<typeof lg.Deduper>['seenOrAdd']>, boolean>>();

const tracker = new lg.DeliveryTracker({ maxRecords: 10, clock: () => Date.now() });
tracker.observe({ id: 'd', message: 'm' });
// @ts-expect-error -- no such state
tracker.transition({ id: 'd', state: 'lost' });
const delivery: DeliveryRecord | null = tracker.get('d');
if (delivery) yes<Same<typeof delivery.updatedAt, number>>();

// Control records narrow by state; a resolution has to bring what its state needs.
const registry = new lg.ControlRegistry();
const key = { request: 'r', session: 's', generation: 1n, epoch: 1 };
registry.accept({ key, subtype: 'x' });
registry.resolve({ key, state: 'succeeded', value: '{}' });
registry.resolve({ key, state: 'denied', message: 'no' });
// @ts-expect-error -- success needs evidence
registry.resolve({ key, state: 'succeeded', message: 'fine' });
// @ts-expect-error -- a refusal needs a reason
registry.resolve({ key, state: 'denied' });
// @ts-expect-error -- resolve is for ends
registry.resolve({ key, state: 'validating', message: 'x' });
// @ts-expect-error -- advance is for the way there
registry.advance({ key, state: 'denied' });
const record: ControlRecord | null = registry.get(key);
if (record?.state === 'succeeded') yes<Same<typeof record.value, string>>();
if (record?.state === 'received') yes<Same<typeof record.value, null>>();
registry.get(JSON.parse('{}') as { request: string; session: string; generation: string; epoch: string });

lg.isTerminal('work', 'released');
// @ts-expect-error -- another machine's state
lg.isTerminal('work', 'processing');

// The gate: senders are functions or objects, events go in loosely and come out exactly.
const gate: FlushGate = new lg.FlushGate({ capacity: 10n });
yes<Same<typeof gate.state, GateState>>();
const sender: Sender = async (event, { signal }) => {
  yes<Same<typeof event, OutboundEvent>>();
  yes<Same<typeof event.payload, Uint8Array>>();
  signal?.throwIfAborted();
  return { accepted: true, queueIdentity: 'q' };
};
const submitted: Promise<SubmitResult> = gate.submit({ messageId: 'm', type: 't' }, sender);
gate.submit(
  { messageId: 'm', type: 't', payload: new ArrayBuffer(1) },
  { send: sender as never },
  new AbortController(),
);
yes<Same<Awaited<ReturnType<Send>>, AcceptanceLike>>();
// @ts-expect-error -- a sender that answers nothing never accepts
gate.submit({ messageId: 'm', type: 't' }, async () => {});
// @ts-expect-error -- text is no payload
gate.submit({ messageId: 'm', type: 't', payload: 'text' }, sender);
const dropped: Promise<number> = gate.drop({ close: false });
gate.flushHistory(async () => [{ messageId: 'm', type: 't' }], sender, { resume: true });
void [submitted, dropped];

// Transports keep their own type through the coordinator.
class Socket implements Transport {
  readonly kind = 'websocket';
  readonly url = 'wss://host';
  async send(): Promise<Acceptance> {
    return { accepted: true, queueIdentity: null, remoteAckId: null, durabilityKnown: false };
  }
  async close(): Promise<void> {}
}
const coordinator: ReconnectCoordinator<Socket> = new lg.ReconnectCoordinator({
  session: 's',
  epoch: 1,
  transport: new Socket(),
  onTransportClosed(closed) {
    yes<Same<typeof closed.transport, Socket>>();
    if ('evidence' in closed) yes<Same<typeof closed.evidence, CloseEvidence>>();
  },
});
const recovered: Promise<Recovered<Socket>> = coordinator.recover('lost', async (resume, { signal }) => {
  yes<Same<typeof resume.cursor, bigint>>();
  signal.throwIfAborted();
  return { transport: new Socket(), epoch: resume.epoch + 1n };
});
yes<Same<Awaited<typeof recovered>['transport']['url'], 'wss://host'>>();
coordinator.recover(null, () => null);
// @ts-expect-error -- what an attempt resolves to has an epoch
coordinator.recover('lost', async () => ({ transport: new Socket() }));
await using owned = coordinator;
void owned;

const transports = new lg.TransportRegistry();
transports.register('websocket', async (_config, { signal }) => {
  signal?.throwIfAborted();
  return new Socket();
});
// @ts-expect-error -- no such kind
transports.register('pigeon', () => new Socket());
transports.build({
  kind: 'websocket',
  included: true,
  enabled: true,
  endpoint: 'wss://host',
  resume: 'more',
});

// The wire: what comes out is typed by its kind.
const tuple = lg.fromWire('identity_tuple', '{}');
yes<Same<typeof tuple.epoch, bigint>>();
yes<Same<typeof tuple.work, string | null>>();
lg.toWire('identity_tuple', { session: 's', epoch: 1, generation: 2n });
lg.toWire('control_record', { key, subtype: 'x', state: 'received', updatedAt: 1 } as never);
lg.toWire('cursor', { sequence: 5 });
lg.toWire('cursor', new lg.Cursor());
// @ts-expect-error -- no such kind
lg.fromWire('pigeon', '{}');
// @ts-expect-error -- an identity needs its session
lg.toWire('identity_tuple', { epoch: 1, generation: 2 });

// Errors narrow by code.
try {
  fence.check(1);
} catch (error) {
  if (error instanceof LeasegateError) {
    switch (error.code) {
      case 'stale_epoch':
        yes<Same<typeof error.active, bigint>>();
        break;
      case 'gate_capacity':
        yes<Same<typeof error.unit, 'events' | 'bytes' | 'calls'>>();
        break;
      case 'send_not_accepted':
        yes<Same<typeof error.acceptance, Acceptance>>();
        break;
      case 'invalid_transition':
        if (error.taskId === undefined) error.from satisfies string;
        else yes<Same<typeof error.operation, 'complete' | 'fail'>>();
        break;
    }
  }
}
