// Texts of any length: the contract's own error by the rule's name, soon, and without memory growing. The instance
// may not grow at all, so a text that was copied into it whole could not be told from one that fits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeasegate, MAX_IDENTIFIER_BYTES, MAX_TARGET_REF_BYTES, MAX_TASK_PHASES } from 'leasegate';
import { hostOf } from '../support/host.js';
import { disposeOf, ownerOf, prepare, visible } from '../support/prepared.js';

const lg = await createLeasegate({ memory: { maximumBytes: 1024 * 1024 } });
const MEGABYTES = 10 * 1024 * 1024;
const LONG = {
  'ten megabytes of ASCII': 'x'.repeat(MEGABYTES),
  'ten megabytes of emoji': '😀'.repeat(MEGABYTES / 4),
  'an emoji after ten megabytes of ASCII': `${'x'.repeat(MEGABYTES)}😀`,
};

/** command, argument, expected code and reason */
const ROWS = /** @type {[string, string[], string, string][]} */ ([
  ['enqueue', ['spec', 'taskId'], 'invalid_task', 'task_id_too_long'],
  ['enqueue', ['spec', 'scanId'], 'invalid_task', 'scan_id_too_long'],
  ['enqueue', ['spec', 'targetRef'], 'invalid_task', 'target_ref_too_long'],
  ['registerWorker', ['spec', 'workerId'], 'invalid_worker', 'worker_id_invalid'],
  ['reactivateWorker', ['spec', 'workerId'], 'invalid_worker', 'worker_id_invalid'],
  ['updateWorker', ['workerId'], 'invalid_worker', 'worker_command_id_invalid'],
  ['deregisterWorker', ['workerId'], 'invalid_worker', 'worker_command_id_invalid'],
  ['assignTask', ['taskId'], 'invalid_task', 'task_command_id_invalid'],
  ['assignTask', ['workerId'], 'invalid_worker', 'worker_command_id_invalid'],
  ['assignNext', ['workerId'], 'invalid_worker', 'worker_command_id_invalid'],
  ['forgetWorker', ['workerId'], 'invalid_worker', 'worker_command_id_invalid'],
  ...['startTask', 'completeTask', 'failTask', 'renewLease'].flatMap((command) => [
    [command, ['lease', 'taskId'], 'invalid_task', 'task_command_id_invalid'],
    [command, ['lease', 'workerId'], 'invalid_worker', 'worker_command_id_invalid'],
  ]),
  ['cancelTask', ['ownership', 'taskId'], 'invalid_task', 'task_command_id_invalid'],
  ['storeResult', ['receipt', 'taskId'], 'invalid_task', 'task_command_id_invalid'],
  ['storeResult', ['receipt', 'workerId'], 'invalid_worker', 'worker_command_id_invalid'],
  ['removeResults', ['taskIds', '0'], 'invalid_task', 'task_command_id_invalid'],
]);

/** @param {any} options @param {string[]} path @param {string} value */
function exchange(options, [name, ...rest], value) {
  const inner = rest.length > 0 ? exchange(options[name], rest, value) : value;
  return Array.isArray(options) ? options.with(Number(name), inner) : { ...options, [name]: inner };
}

for (const [command, path, code, reason] of ROWS) {
  test(`${command}: a very long ${path.join('.')} is ${code} (${reason})`, () => {
    const prepared = prepare(lg);
    const owner = ownerOf(prepared, command);
    const before = visible(prepared);
    const started = performance.now();
    for (const text of Object.values(LONG)) {
      const { error } = owner.try[command](exchange(prepared.options[command], path, text));
      assert.deepEqual({ ...error }, { code, reason });
      assert.ok(error.message.length < 300 && !error.message.includes('xxx'));
    }
    assert.ok(performance.now() - started < 2000, 'soon');
    assert.deepEqual(visible(prepared), before);
    disposeOf(prepared);
  });
}

test('reads refuse a very long id by the rule', () => {
  const { pool, queue, results } = prepare(lg);
  for (const text of Object.values(LONG)) {
    assert.throws(() => queue.getTask(text), { code: 'invalid_task', reason: 'task_command_id_invalid' });
    assert.throws(() => pool.getWorker(text), {
      code: 'invalid_worker',
      reason: 'worker_command_id_invalid',
    });
    assert.throws(() => results.getResult(text), { code: 'invalid_task', reason: 'task_command_id_invalid' });
    assert.throws(() => results.aggregateResults(['done', text]), { code: 'invalid_task' });
  }
});

test('a list of far too many ids is refused by its number, before any of them is looked at', () => {
  const { results, filled, options } = prepare(lg);
  const refused = { code: 'aggregate_item_limit_exceeded', limit: 65_536 };
  assert.throws(() => results.aggregateResults(new Array(2 ** 32 - 1)), { ...refused, actual: 2 ** 32 - 1 });
  assert.throws(() => results.aggregateResults(new Array(65_537).fill('a')), { ...refused, actual: 65_537 });
  assert.throws(() => results.aggregateResults(new Array(65_536).fill('a')), {
    code: 'aggregate_item_limit_exceeded',
    actual: 65_536,
    limit: 1024,
  });
  const remove = (taskIds) => () => filled.removeResults({ ...options.removeResults, taskIds });
  assert.throws(remove(new Array(2 ** 32 - 1)), { ...refused, actual: 2 ** 32 - 1 });
  assert.throws(remove(new Array(65_537).fill('done')), { ...refused, actual: 65_537 });
  assert.throws(
    remove(new Array(2000).fill('done')),
    { code: 'duplicate_aggregate_task' },
    'maxAggregateItems bounds what is read at once, not what is removed',
  );
});

test('ids and phases are taken up to their last byte, and refused at the next', () => {
  const { queue, options } = prepare(lg);
  const { spec } = options.enqueue;
  const enqueue = (change) => {
    const answer = queue.try.enqueue({
      ...options.enqueue,
      expectedRevision: queue.snapshot().revision,
      spec: { ...spec, ...change },
    });
    return answer.ok ? answer.value : answer.error.reason;
  };
  const longest = 'i'.repeat(MAX_IDENTIFIER_BYTES);
  assert.equal(enqueue({ taskId: longest }).taskId, longest);
  assert.equal(enqueue({ taskId: `${longest}i` }), 'task_id_too_long');
  assert.equal(enqueue({ taskId: 's', scanId: longest }).scanId, longest);
  assert.equal(enqueue({ taskId: 's2', scanId: `${longest}i` }), 'scan_id_too_long');
  const phases = new Uint8Array(MAX_TASK_PHASES).map((_, i) => i);
  assert.deepEqual(enqueue({ taskId: 'p', phases }).phases, phases);
  assert.deepEqual(enqueue({ taskId: 'p2', phases: [...phases] }).phases, phases);
  for (const tooMany of [
    new Uint8Array(257),
    new ArrayBuffer(257),
    new Array(257).fill(0),
    new Uint8Array(MEGABYTES),
  ]) {
    assert.equal(enqueue({ taskId: 'p3', phases: tooMany }), 'too_many_phases');
  }
});

test('a target reference is measured in UTF-8 bytes and comes back as it was, BOM and NUL included', () => {
  const { queue, options } = prepare(lg);
  const { spec } = options.enqueue;
  let number = 0;
  const enqueue = (targetRef) => {
    number += 1;
    const expectedRevision = queue.snapshot().revision;
    return queue.try.enqueue({
      ...options.enqueue,
      expectedRevision,
      spec: { ...spec, taskId: `t${number}`, targetRef },
    });
  };
  const fits = [
    'x'.repeat(MAX_TARGET_REF_BYTES),
    'é'.repeat(512),
    '€'.repeat(341),
    '😀'.repeat(256),
    `${'x'.repeat(1020)}😀`,
    '\ufeffafter a byte order mark',
    'a\0b\r\n\u2028\u202e\uffff',
  ];
  for (const targetRef of fits) {
    const { value } = enqueue(targetRef);
    assert.equal(value.targetRef, targetRef, 'in the answer');
    assert.equal(queue.getTask(value.taskId).targetRef, targetRef, 'and read again');
  }
  const tooLong = [
    'x'.repeat(1025),
    'é'.repeat(513),
    '€'.repeat(342),
    '😀'.repeat(257),
    `${'x'.repeat(1021)}😀`,
    // As many characters as there may be bytes: what is lost at the end is what the first ones took.
    `é${'x'.repeat(1023)}`,
    `${'x'.repeat(500)}€${'x'.repeat(523)}`,
    `😀${'x'.repeat(1022)}`,
    `é${'x'.repeat(1021)}é`,
  ];
  for (const targetRef of tooLong) assert.equal(enqueue(targetRef).error.reason, 'target_ref_too_long');
});

test('texts of every length come back as they were, wherever the one before them ended', () => {
  const h = hostOf(lg);
  /** @param {number} size */
  const text = (size) =>
    Array.from({ length: size }, (_, i) => String.fromCharCode(97 + ((i * 7 + size) % 26))).join('');
  let now = 1;
  for (let size = 1; size <= 200; size += 1) {
    for (const end of ['', 'é', '😀']) {
      const taskId = text(size);
      const scanId = text(1 + ((size * 13) % 200));
      const targetRef = text(1 + ((size * 29) % 200)) + end;
      h.enqueue(taskId, now, { scanId, targetRef });
      const task = h.task(taskId);
      assert.deepEqual([task.taskId, task.scanId, task.targetRef], [taskId, scanId, targetRef]);
      h.cancel(task.ownership, now);
      now += 1;
      h.retire(now, 1);
    }
  }
});

test('a surrogate without its other half is refused in a text of any length, wherever it stands', () => {
  const { queue, options } = prepare(lg);
  for (const size of [0, 10, 47, 48, 49, 63, 64, 65, 200, 1023]) {
    for (const targetRef of [`${'x'.repeat(size)}\ud800`, `\ud800${'x'.repeat(size)}`]) {
      const spec = { ...options.enqueue.spec, taskId: `lone-${size}`, targetRef };
      assert.throws(() => queue.enqueue({ ...options.enqueue, spec }), { name: 'TypeError' });
    }
  }
});
