// Silence of the other side, told apart from a process of our own that was too busy to listen.

/** A timer later than this says that this process was busy. */
const LATE_MS = 100;
const GRACE_MS = 1_000;

export class IdleWatch {
  #timeoutMs;
  #isDeaf;
  #onIdle;
  #heardAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {number} timeoutMs
   * @param {() => boolean} isDeaf while it answers true, nothing can be heard and no time passes
   * @param {() => void} onIdle
   */
  constructor(timeoutMs, isDeaf, onIdle) {
    this.#timeoutMs = timeoutMs;
    this.#isDeaf = isDeaf;
    this.#onIdle = onIdle;
  }

  start() {
    this.heard();
    this.#watch(this.#timeoutMs, false);
  }

  heard() {
    this.#heardAt = performance.now();
  }

  stop() {
    clearTimeout(this.#timer);
  }

  /** @param {number} delayMs @param {boolean} grace what came in meanwhile had its time to be read */
  #watch(delayMs, grace) {
    const dueAt = performance.now() + delayMs;
    this.#timer = setTimeout(() => {
      const now = performance.now();
      if (this.#isDeaf()) this.heard();
      const leftMs = Math.ceil(this.#heardAt + this.#timeoutMs - now);
      if (leftMs > 0) this.#watch(leftMs, false);
      else if (!grace && now - dueAt > LATE_MS) this.#watch(Math.min(GRACE_MS, this.#timeoutMs), true);
      else this.#onIdle();
    }, delayMs);
  }
}
