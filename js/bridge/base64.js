// Base64 of RFC 4648, section 4: padded, without white space, in the one form that each content has.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i += 1) VALUES[ALPHABET.charCodeAt(i)] = i;

/** Few enough to be arguments of one call. */
const CHUNK = 0x6000;

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const chunk = bytes.subarray(at, at + CHUNK);
    text += btoa(String.fromCharCode.apply(null, /** @type {any} */ (chunk)));
  }
  return text;
}

/** Null when it is no base64. @param {string} text */
export function fromBase64(text) {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const digits = text.length - padding;
  let bits = 0;
  let held = 0;
  let end = 0;
  for (let i = 0; i < digits; i += 1) {
    const code = text.charCodeAt(i);
    const value = code < 128 ? VALUES[code] : -1;
    if (value < 0) return null;
    bits = ((bits << 6) | value) & 0xfff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[end] = bits >> held;
      end += 1;
    }
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : null;
}
