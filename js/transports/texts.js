// Texts and numbers that cross the wire.

/** Contract: an opaque id and a free text, in bytes of UTF-8. */
const MAX_ID_BYTES = 256;
const MAX_TEXT_BYTES = 4096;
const MAX_U64 = 2n ** 64n - 1n;

/** @param {string} text */
function isWellFormed(text) {
  return !/\p{Surrogate}/u.test(text);
}

/** Bytes of UTF-8, without making them. @param {string} text */
export function utf8Length(text) {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (unit >= 0xd800 && unit < 0xdc00) i += 1; // A pair is two units and four bytes.
  }
  return bytes;
}

/** @param {string} text @param {number} limit */
export function isWithin(text, limit) {
  return text.length <= limit && (text.length * 3 <= limit || utf8Length(text) <= limit);
}

/** @param {unknown} value @returns {value is string} what validate_opaque_id takes */
export function isOpaqueId(value) {
  return (
    typeof value === 'string' &&
    value !== '' &&
    isWithin(value, MAX_ID_BYTES) &&
    isWellFormed(value) &&
    !/\p{Cc}/u.test(value)
  );
}

/** @param {unknown} value @returns {value is string} */
export function isText(value) {
  return typeof value === 'string' && isWithin(value, MAX_TEXT_BYTES) && isWellFormed(value);
}

/** @param {unknown} value @returns {value is bigint} */
export function isU64(value) {
  return typeof value === 'bigint' && value >= 0n && value <= MAX_U64;
}

/** @param {unknown} value @param {string} path @param {bigint} minimum */
export function readU64(value, path, minimum) {
  const given = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (isU64(given) && given >= minimum) return given;
  const message = `${path} must be a bigint or a safe integer from ${minimum} to 2^64 - 1`;
  throw typeof value === 'number' || typeof value === 'bigint'
    ? new RangeError(message)
    : new TypeError(message);
}
