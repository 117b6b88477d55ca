// Names in the directory of a file storage: a revision as digits that sort, and what there is of it.

/** Of 2^64 - 1. */
const DIGITS = 20;
const PATTERN = /^(\d{20})\.(snapshot|journal)$/;

/** What a crash may leave of a file that had no name yet. */
export const UNFINISHED = '.unfinished';

/** @param {bigint} base @param {'snapshot' | 'journal'} kind */
export function nameOf(base, kind) {
  return `${base.toString().padStart(DIGITS, '0')}.${kind}`;
}

/**
 * The chapters that a directory's names are of, bases rising.
 * @param {readonly string[]} names
 * @returns {import('../types.js').Chapter[]}
 */
export function chaptersOf(names) {
  /** @type {Map<bigint, { base: bigint, snapshot: string | null, journal: string | null }>} */
  const chapters = new Map();
  for (const name of [...names].sort()) {
    const [, digits, kind] = PATTERN.exec(name) ?? [];
    if (digits === undefined) continue;
    const base = BigInt(digits);
    const chapter = chapters.get(base) ?? { base, snapshot: null, journal: null };
    chapters.set(base, { ...chapter, [/** @type {'snapshot' | 'journal'} */ (kind)]: name });
  }
  return [...chapters.values()];
}
