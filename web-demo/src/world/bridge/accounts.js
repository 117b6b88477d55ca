/**
 * What became of each event that was given to the gate, as its answers told. An event that is sent again as history
 * is a new item: everything taken in is waiting, accepted, rejected or dropped, exactly once.
 */
export class Accounts {
  #items = [];

  take(id, source) {
    const item = { id, source, place: 'waiting' };
    this.#items.push(item);
    return item;
  }

  /** The item of an event that waits; history goes first. */
  waiting(id) {
    return this.#items.find((item) => item.id === id && item.place === 'waiting') ?? null;
  }

  /** All that waits is lost, but for one. */
  dropWaiting(except = null) {
    for (const item of this.#items) {
      if (item.place === 'waiting' && item.id !== except) item.place = 'dropped';
    }
  }

  /** The latest items of one source. */
  latest(source, many) {
    return this.#items
      .filter((item) => item.source === source)
      .slice(-many)
      .map(({ id, place }) => ({ id, place }));
  }

  counts() {
    const counts = { history: 0, live: 0, waiting: 0, accepted: 0, rejected: 0, dropped: 0 };
    for (const { source, place } of this.#items) {
      counts[source] += 1;
      counts[place] += 1;
    }
    return counts;
  }
}
