// What --help says.

import { styled } from './texts.js';

/** @typedef {import('./main.js').Command} Command */
/** @typedef {import('./texts.js').Page} Page */

const CODES = `Exit codes
  0  all is sound
  1  wrong use: arguments, files that cannot be read, an output that cannot be written
  2  damaged, or not a journal: what is shown ends before
  3  cut off at the end, as a crash leaves it: everything before is whole
  4  not there: no such task or revision in the journal
  5  sound as far as it was checked: records or a snapshot were taken on trust`;

/** @param {Page} page @param {Record<string, Command>} commands */
export function generalHelp(page, commands) {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length));
  const lines = Object.values(commands).map(
    ({ usage, summary }) => `  ${styled(page, 'bold', usage.padEnd(width))}  ${summary}`,
  );
  return [
    'leasegate: a look into journals',
    '',
    ...lines,
    '',
    'A FILE is a journal; several are read as one, one after the other. A directory stands for the journals that',
    'leasegate/storage/file keeps in it; - is standard input.',
    '',
    'Each command explains itself: leasegate COMMAND --help',
    '',
    CODES,
  ];
}

/** @param {Page} page @param {Command} command @param {Command['options']} common */
export function commandHelp(page, { usage, about, options }, common) {
  const all = Object.entries({ ...options, ...common });
  const names = all.map(([name, { value }]) => `--${name}${value === undefined ? '' : ` ${value}`}`);
  const width = Math.max(...names.map((name) => name.length));
  return [
    styled(page, 'bold', `leasegate ${usage}`),
    '',
    about,
    '',
    ...all.map(([, option], i) => `  ${names[i].padEnd(width)}  ${option.about}`),
    '',
    CODES,
  ];
}
