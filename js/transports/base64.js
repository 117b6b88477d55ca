// Base64 as RFC 4648 has it, with padding and nothing else: the platforms' own functions differ, and forgive too much.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const VALUES = new Uint8Array(128).fill(0xff);
CODES.forEach((code, value) => {
  VALUES[code] = value;
});
const PAD = 61;
const ascii = new TextDecoder();

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  const whole = bytes.length - (bytes.length % 3);
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PAD);
  let at = 0;
  for (let i = 0; i < whole; i += 3) {
    const three = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
    codes[at++] = CODES[three >> 18];
    codes[at++] = CODES[(three >> 12) & 63];
    codes[at++] = CODES[(three >> 6) & 63];
    codes[at++] = CODES[three & 63];
  }
  if (whole < bytes.length) {
    const two = (bytes[whole] << 8) | (bytes[whole + 1] ?? 0);
    codes[at++] = CODES[two >> 10];
    codes[at++] = CODES[(two >> 4) & 63];
    if (whole + 1 < bytes.length) codes[at] = CODES[(two << 2) & 63];
  }
  return ascii.decode(codes);
}

/** @param {string} text @returns {Uint8Array | null} null: not base64, or not the one way to write these bytes */
export function fromBase64(text) {
  if (text.length % 4 !== 0) return null;
  const pads = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const characters = text.length - pads;
  const bytes = new Uint8Array((text.length / 4) * 3 - pads);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < characters; i += 1) {
    const value = VALUES[text.charCodeAt(i)] ?? 0xff;
    if (value === 0xff) return null;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = (bits >> held) & 0xff;
    }
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : null;
}
