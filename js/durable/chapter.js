/**
 * The chapter that begins with a machine's next command.
 * @param {any} machine @param {readonly bigint[]} damaged chapters, by their bases
 * @returns {import('../storage/types.js').NewChapter}
 */
export function chapterOf(machine, damaged) {
  const base = machine.revision;
  const snapshot = base === 0n ? null : machine.exportSnapshot();
  return { base, snapshot, header: machine.journalHeader(), damaged };
}
