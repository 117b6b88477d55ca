import { describeChange } from './changes.js';
import { Fingerprint } from './fingerprint.js';
import { Mirror } from './mirror.js';
import { idsNamed, runCommand } from './pool-commands.js';

/**
 * Writes the ledger: every command that reaches the pool goes through here, with what it expected, what it met and
 * what it changed. `args` are kept as they were sent, so the ledger can be played again.
 */
export class Clerk {
  entries = [];
  now = 0;
  #pool;
  #print = new Fingerprint();
  #fingerprint;
  /** @type {() => object | null} the bridge as it is now */
  #frame = () => null;

  constructor(pool) {
    this.#pool = pool;
    this.mirror = new Mirror(pool);
    this.#fingerprint = this.#print.with(this.mirror.snapshot);
    this.firstFingerprint = this.#fingerprint;
  }

  /** From now on every entry holds a frame of the bridge. */
  watchBridge(frame) {
    this.#frame = frame;
  }

  /** Runs a command of the pool and writes it down. `expected` is the revision that the actor decided on. */
  pool(actor, command, args, expected = this.#pool.revision) {
    const actual = this.mirror.snapshot.revision;
    const answer = runCommand(this.#pool, command, { ...args, expectedRevision: expected, now: this.now });
    const replayed = answer.ok && answer.revision === actual;
    const changed = answer.ok && !replayed ? this.mirror.update(command, args, answer.value) : [];
    if (answer.ok && !replayed) {
      for (const { before, after } of changed) this.#print.replace(before, after);
      this.#fingerprint = this.#print.with(this.mirror.snapshot);
    }
    this.#write({
      domain: 'pool',
      actor,
      command,
      args,
      expected,
      actual,
      outcome: answer.ok ? (replayed ? 'replayed' : 'accepted') : 'refused',
      code: answer.ok ? null : answer.error.code,
      detail: answer.ok ? outcomeKind(answer.value) : answer.error.message,
      value: answer.ok ? answer.value : null,
      changed,
      changes: changed.map(describeChange),
      refs: refsOf(args, answer, changed),
    });
    return answer;
  }

  /**
   * Writes down something that happened at the bridge, which has no revision.
   * @param {{ actor: string, command: string, outcome: string, code?: string, detail?: string, changes?: object[],
   *   events?: string[], tasks?: string[] }} what
   * @param {object} [frame] the bridge as it was then, if not as it is now
   */
  bridge(
    { actor, command, outcome, code = null, detail = '', changes = [], events = [], tasks = [] },
    frame,
  ) {
    this.#write({
      domain: 'bridge',
      actor,
      command,
      args: null,
      expected: null,
      actual: null,
      outcome,
      code,
      detail,
      value: null,
      changed: [],
      changes,
      refs: { tasks: new Set(tasks), workers: new Set(), leases: new Set(), events: new Set(events) },
      frame,
    });
  }

  #write({ frame, ...entry }) {
    this.entries.push({
      index: this.entries.length,
      at: this.now,
      when: this.now,
      ...entry,
      revision: this.mirror.snapshot.revision,
      fingerprint: this.#fingerprint,
      bridge: frame ?? this.#frame(),
    });
  }
}

function outcomeKind(value) {
  if (typeof value?.kind === 'string') return value.kind;
  if (typeof value?.workersAffected === 'number') {
    return `${value.tasksRequeued} requeued, ${value.tasksFailed} failed`;
  }
  return '';
}

function refsOf(args, answer, changed) {
  const { tasks, workers, leases } = idsNamed(args, answer.ok ? answer.value : null);
  for (const { kind, id, before, after } of changed) {
    (kind === 'task' ? tasks : workers).add(id);
    for (const lease of [before?.lease, after.lease]) if (lease) leases.add(String(lease.leaseId));
  }
  return { tasks, workers, leases, events: new Set() };
}
