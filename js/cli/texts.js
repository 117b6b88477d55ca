// Text for a terminal, or for a file: tables, colours where they are wanted, and nothing that a terminal obeys.

/** @typedef {{ columns: number, colour: boolean }} Page */

/**
 * How wide and how colourful what is written may be. Into a file or a pipe: as wide as it is, and plain.
 * @param {{ isTTY?: boolean, columns?: number }} stream @param {Record<string, string | undefined>} env @returns {Page}
 */
export function pageOf(stream, env) {
  const terminal = stream.isTTY === true;
  const wanted = env.NO_COLOR === undefined || env.NO_COLOR === '';
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0';
  const colour = wanted && (forced || (terminal && env.TERM !== 'dumb'));
  return { columns: terminal ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY, colour };
}

// Control characters, and those that turn the direction of what follows.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const UNPRINTABLE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** @param {string} text */
export function printable(text) {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** @type {Record<string, string>} */
const CODES = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', blue: '34', magenta: '35' };

/** @param {Page} page @param {string} style @param {string} text */
export function styled({ colour }, style, text) {
  const code = CODES[style];
  return colour && code !== undefined ? `\u001b[${code}m${text}\u001b[0m` : text;
}

/** @type {Record<string, string>} what the words of a state look like */
const WORDS = {
  completed: 'green',
  healthy: 'green',
  sound: 'green',
  failed: 'red',
  damaged: 'red',
  offline: 'red',
  expired: 'magenta',
  cancelled: 'magenta',
  'cut off': 'yellow',
  'partly checked': 'yellow',
  requeued: 'yellow',
  degraded: 'yellow',
  busy: 'yellow',
  leased: 'blue',
  running: 'blue',
  started: 'blue',
};

/** @param {Page} page @param {string} word @param {string} [text] */
export const coloured = (page, word, text = word) => styled(page, WORDS[word] ?? '', text);

/** @param {string} text @param {number} width */
const cut = (text, width) => (text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`);

/** The widest columns give way until the line fits. @param {number[]} widths @param {number} room */
function fitted(widths, room) {
  const fit = [...widths];
  for (let excess = fit.reduce((sum, width) => sum + width, 0) - room; excess > 0; ) {
    const widest = fit.indexOf(Math.max(...fit));
    const next = Math.max(...fit.filter((_, i) => i !== widest), 6);
    const less = Math.min(excess, Math.max(1, fit[widest] - next));
    if (fit[widest] <= 6) break;
    fit[widest] -= less;
    excess -= less;
  }
  return fit;
}

/**
 * Lines of a table. A head that begins with `>` is of a column of numbers.
 * @param {Page} page @param {string[]} heads @param {(string | number | bigint | null)[][]} rows
 */
export function table(page, heads, rows) {
  const right = heads.map((head) => head.startsWith('>'));
  const titles = heads.map((head) => head.replace(/^>/, ''));
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '' : printable(String(cell)))));
  const natural = titles.map((title, i) => Math.max(title.length, ...cells.map((row) => row[i].length)));
  const widths = fitted(natural, page.columns - 2 * heads.length);
  const line = (/** @type {string[]} */ row, /** @type {(text: string) => string} */ dress) => {
    const parts = row.map((cell, i) => {
      const shown = cut(cell, widths[i]);
      const padding = ' '.repeat(widths[i] - shown.length);
      return right[i] ? padding + dress(shown) : dress(shown) + padding;
    });
    return `  ${parts.join('  ')}`.trimEnd();
  };
  return [
    line(titles, (text) => styled(page, 'dim', text)),
    ...cells.map((row) => line(row, (text) => coloured(page, text))),
  ];
}

/** Facts as lines: a name, and what it is. @param {Page} page @param {[string, unknown][]} facts */
export function list(page, facts) {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(
    ([name, value]) => `  ${styled(page, 'dim', name.padEnd(width))}  ${printable(String(value))}`,
  );
}

/** @param {number | bigint} count @param {string} one */
export const counted = (count, one) => `${count} ${one}${BigInt(count) === 1n ? '' : 's'}`;

/** Without what is nobody's business: target references and result bytes. */
const SECRETS = new Set(['targetRef', 'bytes']);

/**
 * JSON with exact integers: numbers while they are safe, decimal digits above.
 * @param {unknown} value @param {boolean} secrets whether target references and result bytes are shown
 * @param {number} [indent]
 */
export function json(value, secrets, indent) {
  /** @param {any} each @returns {any} */
  const clean = (each) => {
    if (typeof each === 'bigint')
      return each <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(each) : each.toString();
    if (each instanceof Uint8Array) return Buffer.from(each).toString('base64');
    if (Array.isArray(each)) return each.map(clean);
    if (typeof each !== 'object' || each === null) return each;
    const entries = Object.entries(each).filter(([key, inner]) => secrets || !hidden(key, inner));
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, key === 'phases' ? [...inner] : clean(inner)]),
    );
  };
  // Within its strings JSON escapes only a part of what a terminal obeys; outside of them there is nothing of it.
  return JSON.stringify(clean(value), null, indent).replace(
    UNPRINTABLE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** An error's `bytes` is a number, and no secret. @param {string} key @param {unknown} value */
const hidden = (key, value) => SECRETS.has(key) && typeof value !== 'number';
