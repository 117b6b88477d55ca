// Names in the log, and bytes.

/** @param {Uint8Array} a @param {Uint8Array} b */
export function sameBytes(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

/**
 * The names that a coordinator's parts have on the server. A name has no dot, wildcard, space or underscore, so that
 * none can lead into another coordinator's subjects.
 * @param {unknown} name @param {string} path
 */
export function checkName(name, path) {
  if (typeof name !== 'string' || !NAME.test(name))
    throw new TypeError(`${path} must be 1 to 64 letters, digits and hyphens, and not begin with a hyphen`);
  return name;
}

/** @param {string} name @param {'pool' | 'results'} part */
export function placesOf(name, part) {
  const prefix = `leasegate.${name}.${part}`;
  return {
    stream: `LEASEGATE_${name}_${part}`,
    prefix,
    genesis: `${prefix}.genesis`,
    probe: `${prefix}.probe`,
    root: `${prefix}.r.`,
    chained: `${prefix}.c.`,
    subjects: [`${prefix}.genesis`, `${prefix}.probe`, `${prefix}.r.*`, `${prefix}.c.*`],
    bucket: part === 'pool' ? `leasegate_${name}` : `leasegate_${name}_results`,
  };
}

/** @typedef {ReturnType<typeof placesOf>} Places */

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** @param {number} length */
export function randomText(length) {
  let text = '';
  while (text.length < length) {
    // Above 247 the letters would not be equally likely.
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      if (byte < 248 && text.length < length) text += LETTERS[byte % 62];
  }
  return text;
}

/** @param {BufferSource} bytes */
export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
