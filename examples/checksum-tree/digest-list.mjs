// Digests as `sha256sum` writes them, so that `sha256sum -c` can read them.

/**
 * One line a file that has a digest: the digest, two spaces, the path. A path with a backslash or a line break has
 * these escaped and a backslash before the line.
 * @param {readonly import('./walk-tree.mjs').TreeFile[]} files
 * @param {readonly (Uint8Array | null)[]} digests
 * @returns {Buffer} bytes, because paths are
 */
export function digestList(files, digests) {
  /** @type {string[]} */
  const lines = [];
  files.forEach(({ path }, index) => {
    const digest = digests[index];
    if (digest === null) return;
    const name = path.toString('latin1'); // one character a byte, whatever the bytes mean
    const mark = special.test(name) ? '\\' : '';
    lines.push(`${mark}${Buffer.from(digest).toString('hex')}  ${escaped(name)}\n`);
  });
  return Buffer.from(lines.join(''), 'latin1');
}

const special = /[\\\n\r]/;
/** @type {Record<string, string>} */
const escapes = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };

/** @param {string} name */
function escaped(name) {
  if (name === '-') return './-'; // by itself it means standard input
  return name.replace(new RegExp(special, 'g'), (character) => escapes[character]);
}
