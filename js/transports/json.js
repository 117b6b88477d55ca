// JSON whose integers survive: JSON.parse rounds what is above 2^53, and remote sides use all 64 bits. Every integer
// comes out as a bigint and goes in as one; everything else is as in JSON.

const MAX_DEPTH = 16;
const MAX_INTEGER_DIGITS = 20;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const SPECIAL = /[\\\p{Cc}]/u;

export class MalformedJson extends Error {}

/** @param {string} text @returns {unknown} objects have no prototype, names stand once */
export function parseJson(text) {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  #text;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @param {number} depth @returns {unknown} */
  value(depth) {
    if (depth > MAX_DEPTH) throw new MalformedJson();
    switch (this.#peek()) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  end() {
    if (this.#peek() !== '') throw new MalformedJson();
  }

  /** The next character that is no space; '' at the end. */
  #peek() {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    this.#at = SPACE.lastIndex;
    return this.#text.charAt(this.#at);
  }

  /** @param {string} character */
  #take(character) {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  /** @param {string} character */
  #need(character) {
    if (!this.#take(character)) throw new MalformedJson();
  }

  /** @param {number} depth */
  #object(depth) {
    const object = Object.create(null);
    this.#need('{');
    if (this.#take('}')) return object;
    do {
      if (this.#peek() !== '"') throw new MalformedJson();
      const name = this.#string();
      if (name in object) throw new MalformedJson();
      this.#need(':');
      object[name] = this.value(depth + 1);
    } while (this.#take(','));
    this.#need('}');
    return object;
  }

  /** @param {number} depth */
  #array(depth) {
    /** @type {unknown[]} */
    const array = [];
    this.#need('[');
    if (this.#take(']')) return array;
    do array.push(this.value(depth + 1));
    while (this.#take(','));
    this.#need(']');
    return array;
  }

  #string() {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    while (end > 0 && this.#escaped(start, end)) end = this.#text.indexOf('"', end + 1);
    if (end < 0) throw new MalformedJson();
    this.#at = end + 1;
    const inside = this.#text.slice(start + 1, end);
    if (!SPECIAL.test(inside)) return inside; // No copy of a payload, and no second look at it.
    try {
      return /** @type {string} */ (JSON.parse(this.#text.slice(start, end + 1)));
    } catch {
      throw new MalformedJson();
    }
  }

  /** Whether the quote at `end` belongs to the string. @param {number} start @param {number} end */
  #escaped(start, end) {
    let slashes = 0;
    while (end - 1 - slashes > start && this.#text.charAt(end - 1 - slashes) === '\\') slashes += 1;
    return slashes % 2 === 1;
  }

  /** @template T @param {string} word @param {T} value @returns {T} */
  #word(word, value) {
    if (!this.#text.startsWith(word, this.#at)) throw new MalformedJson();
    this.#at += word.length;
    return value;
  }

  #number() {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text);
    if (found === null) throw new MalformedJson();
    this.#at = NUMBER.lastIndex;
    const [digits] = found;
    if (!/^-?\d+$/.test(digits)) return Number(digits);
    if (digits.length > MAX_INTEGER_DIGITS) throw new MalformedJson();
    return BigInt(digits);
  }
}

/**
 * @param {unknown} value text, bigint, boolean, null, arrays and objects of these; absent members are left out
 * @returns {string}
 */
export function writeJson(value) {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  /** @type {string[]} */
  const members = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${writeJson(member)}`);
  }
  return `{${members.join(',')}}`;
}
