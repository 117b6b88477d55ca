// Base64 as RFC 4648 has it, with padding and nothing else: the platforms' own functions differ, and forgive too much.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const VALUES = new Uint8Array(128).fill(0xff);
CODES.forEach((code, value) => {
  VALUES[code] = value;
});
const PAD = 61;
/** What stands for no bits. */
const ZERO = CODES[0];
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
  const bytes = new Uint8Array((text.length / 4) * 3 - pads);
  let at = 0;
  for (let i = 0; i < text.length; i += 4) {
    const last = i + 4 === text.length ? pads : 0;
    const c = last > 1 ? ZERO : text.charCodeAt(i + 2);
    const d = last > 0 ? ZERO : text.charCodeAt(i + 3);
    const four = readFour(text.charCodeAt(i), text.charCodeAt(i + 1), c, d);
    if (four < 0) return null;
    bytes[at++] = four >> 16;
    if (last < 2) bytes[at++] = four >> 8;
    if (last < 1) bytes[at++] = four;
    if (last > 0 && (four & (last > 1 ? 0xffff : 0xff)) !== 0) return null;
  }
  return bytes;
}

/** 24 bits of four characters; negative: one of them is not of the alphabet. @param {number} a @param {number} b @param {number} c @param {number} d */
function readFour(a, b, c, d) {
  if ((a | b | c | d) > 127) return -1;
  const x = VALUES[a];
  const y = VALUES[b];
  const z = VALUES[c];
  const w = VALUES[d];
  return ((x | y | z | w) & 0x80) !== 0 ? -1 : (x << 18) | (y << 12) | (z << 6) | w;
}
