/**
 * A line to the far side, as a transport of the bridge: what is sent arrives some ticks later, unless the line breaks.
 * Its time is logical: it moves when `tick` says so.
 */
export class Line {
  kind = 'websocket';
  broken = false;
  /** @type {{ event: object, due: number, accepts: boolean, resolve: Function, reject: Function }[]} */
  inFlight = [];
  #world;

  /** @param {{ tick: () => number, latency: () => number, accepts: () => boolean }} world */
  constructor(world) {
    this.#world = world;
  }

  send(event, { signal } = {}) {
    if (this.broken) return Promise.reject(new Error('connection lost'));
    return new Promise((resolve, reject) => {
      const sent = { event, due: this.#world.tick() + this.#world.latency(), resolve, reject };
      sent.accepts = this.#world.accepts();
      this.inFlight.push(sent);
      signal?.addEventListener('abort', () => this.#take(sent)?.reject(signal.reason), { once: true });
    });
  }

  close() {
    this.break('closed');
    return Promise.resolve({ dropped: 0, remoteDurabilityKnown: false });
  }

  /** What is on the way gets lost. */
  break(reason = 'connection lost') {
    this.broken = true;
    for (const sent of this.inFlight.splice(0)) sent.reject(new Error(reason));
  }

  tick(now) {
    for (const sent of this.inFlight.filter(({ due }) => due <= now)) {
      this.#take(sent);
      sent.resolve({ accepted: sent.accepts, durabilityKnown: false });
    }
  }

  #take(sent) {
    const place = this.inFlight.indexOf(sent);
    if (place < 0) return null;
    this.inFlight.splice(place, 1);
    return sent;
  }
}
