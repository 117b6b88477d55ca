/** Texts remembered at most, one a place. */
const MAX_PLACES = 65_536;
const FIRST_PLACES = 64;
/** Each time it grows there are so many times as many places. */
const GROWTH = 4;
const NO_KEY = 0xffff_ffff;

/**
 * The texts of ids that came out or went in, by the keys that the core gives them: an id is decoded once, not once an
 * answer. Keys only rise and are never given to another text, so a place belongs to the last key that fell on it, and
 * what was forgotten is decoded again.
 */
export class IdTexts {
  #keys = new Uint32Array(FIRST_PLACES).fill(NO_KEY);
  #texts = new Array(FIRST_PLACES).fill('');

  /** @param {number} key @returns {string | undefined} */
  get(key) {
    const at = key & (this.#keys.length - 1);
    return this.#keys[at] === key && key !== NO_KEY ? this.#texts[at] : undefined;
  }

  /** @param {number} key @param {string} text */
  set(key, text) {
    if (key === NO_KEY) return;
    if (key >= this.#keys.length && this.#keys.length < MAX_PLACES) this.#grow(key);
    const at = key & (this.#keys.length - 1);
    this.#keys[at] = key;
    this.#texts[at] = text;
  }

  /** Until `key` has a place of its own, or there are as many as there may be. @param {number} key */
  #grow(key) {
    const [keys, texts] = [this.#keys, this.#texts];
    let places = keys.length;
    while (places <= key && places < MAX_PLACES) places *= GROWTH;
    this.#keys = new Uint32Array(places).fill(NO_KEY);
    this.#texts = new Array(places).fill('');
    for (let at = 0; at < keys.length; at += 1) if (keys[at] !== NO_KEY) this.set(keys[at], texts[at]);
  }
}
