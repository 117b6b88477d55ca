// leasegate inspect: what is in a file, without making a state of it.

import { LeasegateError } from '../errors.js';
import { feed, readEach, SnapshotGiven } from './feeding.js';
import { gapError, restored } from './playback.js';
import { CUT_OFF, codeOf, DAMAGED, inFile, problemJson, SOUND, UseError } from './problems.js';
import { demandFiles } from './shared.js';
import { chaptersOf, readWhole, rewound } from './sources.js';
import { coloured, counted, list, printable, styled, table } from './texts.js';

export const usage = 'inspect FILE...';
export const summary = 'What is in a journal or snapshot: limits, revisions, commands';
export const about = `Reads the files and checks their frames and the order of their revisions, but makes no state of them; for that there
is verify. --records lists the records themselves; with --json each is a line of its own.`;
/** @type {import('./main.js').Command['options']} */
export const options = {
  records: { type: 'boolean', about: 'The records, one a line' },
  limits: { type: 'boolean', about: 'Every limit' },
};

/** @typedef {import('./main.js').Given} Given */

class Summary {
  records = 0;
  first = /** @type {bigint | null} */ (null);
  last = /** @type {bigint | null} */ (null);
  from = /** @type {bigint | null} */ (null);
  to = /** @type {bigint | null} */ (null);
  /** @type {Map<string, { count: number, bytes: number }>} */
  kinds = new Map();

  /** @param {any} record */
  add({ revision, size, command }) {
    const { kind, now = null } = command;
    this.records += 1;
    this.first ??= revision;
    this.last = revision;
    this.from ??= now;
    this.to = now;
    const { count, bytes } = this.kinds.get(kind) ?? { count: 0, bytes: 0 };
    this.kinds.set(kind, { count: count + 1, bytes: bytes + size });
  }
}

/** What a record is about, in a word. @param {any} command */
function subjectOf(command) {
  const { spec, lease, ownership, receipt, taskId, workerId, taskIds } = command;
  if (spec !== undefined) return spec.taskId ?? spec.workerId;
  if (receipt !== undefined) return receipt.taskId;
  if (taskIds !== undefined) return counted(taskIds.length, 'task');
  const task = lease?.taskId ?? ownership?.taskId ?? taskId;
  const worker = lease?.workerId ?? ownership?.workerId ?? workerId;
  return [task, worker].filter((each) => each !== undefined).join(' ');
}

/** @param {Given} given @param {import('./sources.js').Chapter} chapter */
async function look(given, chapter) {
  const { lg, options: chosen } = given;
  const found = new Summary();
  let expected = 0n;
  const begin = async (/** @type {any} */ { base }) => {
    expected = base + 1n;
    chapter.keepNothing?.();
  };
  const fed = await feed(lg, chapter, begin, (records) => {
    /** @type {LeasegateError | null} */
    let wrong = null;
    const taken = readEach(lg, records, (record) => {
      if (record.revision !== expected) {
        wrong = gapError(expected, record.revision);
        return true;
      }
      expected += 1n;
      found.add(record);
      if (chosen.records) showRecord(given, record);
    });
    return wrong === null ? taken : { ...taken, error: wrong, done: false };
  });
  return { found, fed };
}

/** @param {Given} given @param {any} record */
function showRecord({ options: { json }, print, printJson, page }, { revision, size, command }) {
  if (json) printJson({ revision, size, ...command }, 0);
  else
    print(
      [
        String(revision).padStart(8),
        String(command.now ?? '').padStart(12),
        `${String(size).padStart(7)} B`,
        styled(page, 'bold', command.kind.padEnd(22)),
        printable(subjectOf(command)),
      ]
        .join('  ')
        .trimEnd(),
    );
}

/** @param {Given} given @param {import('./sources.js').Chapter} chapter */
async function inspectJournal(given, chapter) {
  const { found, fed } = await look(given, chapter);
  const { header, size, offset, error } = fed;
  const state = error === null ? 'whole' : codeOf(error) === CUT_OFF ? 'cut off' : 'damaged';
  const kinds = [...found.kinds].map(([kind, { count, bytes }]) => ({ kind, count, bytes }));
  kinds.sort((a, b) => b.count - a.count);
  const { contract, base, limits } = header;
  const { records, first, last, from, to } = found;
  const answer = {
    file: chapter.name,
    form: 'journal',
    contract,
    version: given.lg.JOURNAL_VERSION,
    limits,
    base,
    bytes: chapter.size ?? size,
    whole: offset,
    records,
    revisions: first === null ? null : { first, last },
    seconds: from === null ? null : { first: from, last: to },
    kinds,
    state,
    problem: problemJson(error, null),
  };
  return {
    code: error === null ? SOUND : codeOf(error),
    answer,
    lines: () => journalLines(given, answer, error),
  };
}

/** @param {Given} given @param {any} answer @param {LeasegateError | null} error */
function journalLines({ page, options: { limits: all } }, answer, error) {
  const { file, contract, version, base, bytes, whole, records, revisions, seconds, kinds, state, limits } =
    answer;
  const facts = /** @type {[string, unknown][]} */ ([
    ['begins', base === 0n ? 'with a new machine' : `after revision ${base}`],
    ['records', records],
    ['revisions', revisions === null ? 'none' : `${revisions.first} to ${revisions.last}`],
    ...(seconds === null ? [] : [['seconds', `${seconds.first} to ${seconds.last}`]]),
    ['bytes', error === null ? bytes : `${bytes}, of them ${whole} whole`],
  ]);
  return [
    `${styled(page, 'bold', printable(file))}: journal of ${contract}, version ${version}, ${coloured(page, state === 'whole' ? 'sound' : state, state)}`,
    ...list(page, facts),
    ...(kinds.length === 0
      ? []
      : [
          '',
          ...table(
            page,
            ['command', '>records', '>bytes'],
            kinds.map((/** @type {any} */ k) => [k.kind, k.count, k.bytes]),
          ),
        ]),
    ...(all ? ['', ...table(page, ['limit', '>value'], Object.entries(limits))] : []),
    ...(error === null ? [] : ['', `${error.code}: ${error.message}`]),
  ];
}

/** @param {any} lg @param {string} file @param {Uint8Array} bytes */
function readable(lg, file, bytes) {
  try {
    return restored(lg, bytes);
  } catch (error) {
    throw error instanceof LeasegateError ? inFile(file, error) : error;
  }
}

/** @param {Given} given @param {string} file @param {Uint8Array} bytes */
async function inspectSnapshot({ lg, page }, file, bytes) {
  const { handle, contract } = readable(lg, file, bytes);
  const digest = handle.stateDigest();
  const counts =
    contract === 'coordination'
      ? handle.snapshot()
      : { revision: handle.revision, results: handle.resultCount, resultBytes: handle.totalBytes };
  const { limits } = lg.readJournalHeader(handle.journalHeader());
  const answer = {
    file,
    form: 'snapshot',
    contract,
    version: lg.JOURNAL_VERSION,
    limits,
    bytes: bytes.length,
    ...counts,
    digest,
  };
  const facts = /** @type {[string, unknown][]} */ ([
    ...Object.entries(counts),
    ['bytes', bytes.length],
    ['digest', digest],
  ]);
  const title = `${styled(page, 'bold', printable(file))}: snapshot of ${contract}, version ${lg.JOURNAL_VERSION}, ${coloured(page, 'sound', 'whole')}`;
  return { code: SOUND, answer, lines: () => [title, ...list(page, facts)] };
}

/** @param {Given} given @param {import('./sources.js').Chapter} chapter */
async function inspectOne(given, chapter) {
  const { name } = chapter;
  const once = name === '-' ? rewound(chapter) : null; // standard input cannot be read again
  try {
    return await inspectJournal(given, once ?? chapter);
  } catch (error) {
    if (error instanceof SnapshotGiven)
      return await inspectSnapshot(given, name, await (once === null ? readWhole(name) : once.whole()));
    if (!(error instanceof LeasegateError)) throw error;
    if (error.code !== 'journal_bad_magic') throw inFile(name, error);
    throw new UseError(`${printable(name)}: this is neither a journal nor a snapshot`, DAMAGED);
  } finally {
    await once?.close();
  }
}

/** Damage is worse than a cut. @param {number} a @param {number} b */
const worse = (a, b) => ([a, b].includes(DAMAGED) ? DAMAGED : Math.max(a, b));

/** @param {Given} given */
export async function run(given) {
  demandFiles(given.args, given);
  const answers = [];
  let code = SOUND;
  for (const chapter of await chaptersOf(given.args)) {
    const { code: own, answer, lines } = await inspectOne(given, chapter);
    code = worse(code, own);
    answers.push(answer);
    if (given.options.json) continue;
    if (answers.length > 1 || given.options.records) given.print('');
    given.print(lines());
  }
  if (given.options.json && !given.options.records) given.printJson(answers);
  return code;
}
