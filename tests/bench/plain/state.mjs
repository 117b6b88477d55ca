// Tasks and workers as the plain coordinator keeps them, and the queue of one priority.

export class Task {
  /** @param {{ id: string, scanId: string, targetRef: string, phases: Uint8Array, priority: number }} spec @param {bigint} now */
  constructor(spec, now) {
    this.id = spec.id;
    this.scanId = spec.scanId;
    this.targetRef = spec.targetRef;
    this.phases = spec.phases;
    this.priority = spec.priority;
    this.status = 'queued';
    this.createdAt = now;
    /** @type {bigint | null} */
    this.startedAt = null;
    /** @type {bigint | null} */
    this.completedAt = null;
    this.retryCount = 0;
    this.attempt = 0;
    this.generation = 0n;
    this.version = 1n;
    // The lease, current or last.
    this.workerId = '';
    this.workerGeneration = 0n;
    this.leaseId = 0n;
    this.acquiredAt = 0n;
    this.expiresAt = 0n;
    /** What recognises a command that is sent again: the kind of token that ended the task. */
    this.proof = 'none';
    /** @type {Task | null} */
    this.previous = null;
    /** @type {Task | null} */
    this.next = null;
  }
}

export class Worker {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.generation = 1n;
    this.status = 'healthy';
    this.capacity = 0;
    this.completedTasks = 0n;
    this.lastHeartbeat = 0n;
    this.load = { cpu: 0, memory: 0, network: 0 };
    /** @type {readonly string[]} */
    this.tags = [];
    this.effectiveCapacity = 0;
    /** In the order in which they were handed out. @type {Set<Task>} */
    this.leases = new Set();
  }

  availableSlots() {
    return Math.max(this.effectiveCapacity - this.leases.size, 0);
  }

  /** After status, capacity or load were set. @param {bigint} now */
  observed(now) {
    const { cpu, memory, network } = this.load;
    const free = 10_000 - Math.max(cpu, memory, network);
    this.effectiveCapacity = this.status === 'healthy' ? Math.ceil((this.capacity * free) / 10_000) : 0;
    this.lastHeartbeat = now;
  }
}

/** First in, first out, and out from the middle. */
export class Queue {
  constructor() {
    /** @type {Task | null} */
    this.first = null;
    /** @type {Task | null} */
    this.last = null;
  }

  /** @param {Task} task */
  append(task) {
    task.previous = this.last;
    task.next = null;
    if (this.last === null) this.first = task;
    else this.last.next = task;
    this.last = task;
  }

  /** @param {Task} task */
  remove(task) {
    if (task.previous === null) this.first = task.next;
    else task.previous.next = task.next;
    if (task.next === null) this.last = task.previous;
    else task.next.previous = task.previous;
    task.previous = null;
    task.next = null;
  }
}

/** Most free slots, latest heartbeat, least cpu, memory and network, then the smaller id. @param {Worker} a @param {Worker} b */
export function better(a, b) {
  const slots = a.availableSlots() - b.availableSlots();
  if (slots !== 0) return slots > 0;
  if (a.lastHeartbeat !== b.lastHeartbeat) return a.lastHeartbeat > b.lastHeartbeat;
  if (a.load.cpu !== b.load.cpu) return a.load.cpu < b.load.cpu;
  if (a.load.memory !== b.load.memory) return a.load.memory < b.load.memory;
  if (a.load.network !== b.load.network) return a.load.network < b.load.network;
  return a.id < b.id;
}
