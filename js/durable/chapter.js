/**
 * The chapter that begins with a machine's next command.
 * @param {any} machine @returns {import('../storage/types.js').NewChapter}
 */
export function chapterOf(machine) {
  const base = machine.revision;
  const snapshot = base === 0n ? null : machine.exportSnapshot();
  return { base, snapshot, header: machine.journalHeader() };
}
