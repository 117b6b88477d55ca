// node --expose-gc tests/bench/bridge.bench.mjs [ROUNDS] [--json]
//
// The bridge through JavaScript, in CPU time. The flush gate against a plain loop over an array that copies the
// payloads, both in one run, interleaved, medians; the other contracts in nanoseconds a call.

import { createLeasegate } from 'leasegate';

const rounds = Number(process.argv[2] ?? 7) || 7;
const EVENTS = 100_000;
const PAYLOAD_BYTES = 100;

const lg = await createLeasegate();

/** CPU time of `run`, in nanoseconds. @param {() => unknown} run */
async function cpu(run) {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000;
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

// --- The gate: submit while collecting, then drain to an accepting async sender

const payload = new Uint8Array(PAYLOAD_BYTES).fill(7);
const events = Array.from({ length: EVENTS }, (_, index) => ({
  messageId: `message-${100_000 + index}`,
  type: index % 3 === 0 ? 'assistant' : 'message',
  payload,
}));
const accepted = { accepted: true };
let sent = 0;
const sender = async () => {
  sent += 1;
  return accepted;
};

async function plainLoop() {
  const queue = [];
  for (const { messageId, type, payload: bytes } of events)
    queue.push({ messageId, type, payload: bytes.slice() });
  let next = 0;
  while (next < queue.length) {
    const answer = await sender(queue[next]);
    if (!answer.accepted) throw new Error('not accepted');
    next += 1;
  }
}

async function throughGate() {
  const gate = new lg.FlushGate();
  await gate.beginHistory();
  for (const event of events) gate.submit(event, sender);
  gate.installHistory([]);
  await gate.drain(sender);
  gate.dispose();
}

/** What a full queue holds, in the core's memory and in JavaScript's. */
async function gateMemory() {
  const { Memory } = WebAssembly;
  /** @type {WebAssembly.Memory | null} */
  let memory = null;
  WebAssembly.Memory = class extends Memory {
    /** @param {WebAssembly.MemoryDescriptor} descriptor */
    constructor(descriptor) {
      super(descriptor);
      memory = this;
    }
  };
  const fresh = await createLeasegate();
  WebAssembly.Memory = Memory;
  const used = () => {
    globalThis.gc?.();
    return /** @type {any} */ (memory).buffer.byteLength + process.memoryUsage().heapUsed;
  };
  const before = used();
  const gate = new fresh.FlushGate();
  await gate.beginHistory();
  for (const event of events) gate.submit(event, sender);
  await null;
  const held = used() - before;
  gate.dispose();
  return held;
}

// --- The others, a call at a time

/** Live at a time: what a busy host has. */
const CALLS = 50_000;
const ids = Array.from({ length: CALLS }, (_, index) => `delivery-${100_000 + index}`);
const keys = ids.map((request) => ({ request, session: 'session-1', generation: 1n, epoch: 5n }));

/** @type {Record<string, () => void>} */
const contracts = {
  'fence.check': () => {
    const fence = new lg.EpochFence(7n);
    for (let i = 0; i < CALLS; i += 1) fence.check(7n);
    fence.dispose();
  },
  'cursor.observe': () => {
    const cursor = new lg.Cursor();
    for (let i = 1; i <= CALLS; i += 1) cursor.observe(i);
    cursor.dispose();
  },
  'deduper.seenOrAdd': () => {
    const deduper = new lg.Deduper({ capacity: 10_000 });
    for (const id of ids) deduper.seenOrAdd(id);
    deduper.dispose();
  },
  ...machine('tracker', () => new lg.DeliveryTracker({ maxRecords: CALLS }), {
    observe: (tracker, i) => tracker.observe({ id: ids[i], message: 'message-1', sequence: i }),
    transition: (tracker, i) => tracker.transition({ id: ids[i], state: 'received' }),
    acknowledge: (tracker, i) => tracker.acknowledge({ id: ids[i], ackId: 'ack-1' }),
    get: (tracker, i) => tracker.get(ids[i]),
    end: (tracker, i) => tracker.transition({ id: ids[i], state: 'processed' }),
    forget: (tracker, i) => tracker.forget(ids[i]),
  }),
  ...machine('registry', () => new lg.ControlRegistry({ maxRecords: CALLS }), {
    accept: (registry, i) => registry.accept({ key: keys[i], subtype: 'can_use_tool' }),
    advance: (registry, i) => registry.advance({ key: keys[i], state: 'validating' }),
    get: (registry, i) => registry.get(keys[i]),
    resolve: (registry, i) => registry.resolve({ key: keys[i], state: 'succeeded', value: '{"ok":true}' }),
    forget: (registry, i) => registry.forget(keys[i]),
  }),
};

/** Calls that need the calls before them: each is a measurement of its own. @param {string} name @param {() => any} make @param {Record<string, (object: any, i: number) => void>} calls */
function machine(name, make, calls) {
  /** @type {any} */
  let object = null;
  return Object.fromEntries(
    Object.entries(calls).map(([call, run], index) => [
      `${name}.${call}`,
      () => {
        if (index === 0) object = make();
        for (let i = 0; i < CALLS; i += 1) run(object, i);
        if (index === Object.keys(calls).length - 1) object.dispose();
      },
    ]),
  );
}

/** @type {Record<string, number[]>} */
const times = {};
const note = (/** @type {string} */ name, /** @type {number} */ time) => {
  times[name] ??= [];
  times[name].push(time);
};

for (let round = -5; round < rounds; round += 1) {
  for (const [name, run] of Object.entries({ 'plain loop': plainLoop, gate: throughGate })) {
    const time = (await cpu(run)) / EVENTS;
    if (round >= 0) note(name, time);
  }
  for (const [name, run] of Object.entries(contracts)) {
    const time = (await cpu(run)) / CALLS;
    if (round >= 0) note(name, time);
  }
}
const held = await gateMemory();

const medians = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
const report = {
  node: process.version,
  rounds,
  gate: {
    nsAnEvent: Math.round(medians.gate),
    plainLoopNsAnEvent: Math.round(medians['plain loop']),
    ratio: Number((medians.gate / medians['plain loop']).toFixed(2)),
    bytesAnEvent: Math.round(held / EVENTS),
    allowedBytesAnEvent: 1.5 * PAYLOAD_BYTES + 100,
  },
  nsACall: Object.fromEntries(Object.keys(contracts).map((name) => [name, Math.round(medians[name])])),
  sent,
};
console.log(process.argv.includes('--json') ? JSON.stringify(report) : report);
