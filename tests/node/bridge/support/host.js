// A host whose every answer the test decides, and a scene that leaves nothing behind: no unhandled rejection, no
// pending promise, no timer, no listener on a signal.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

/** Lets everything happen that can happen without the host. */
export async function settle() {
  for (let i = 0; i < 3; i += 1) await turn();
}

export function deferred() {
  /** @type {any} */
  const made = {};
  made.promise = new Promise((resolve, reject) => {
    made.resolve = resolve;
    made.reject = reject;
  });
  return made;
}

const ACCEPTED = { accepted: true, queueIdentity: 'q', durabilityKnown: false };

/** A sender that hangs until it is told. */
export class ControlledSender {
  /** @type {{ id: string, event: any, signal: AbortSignal | undefined, accept(): Promise<void>, refuse(): Promise<void>, fail(error: unknown): Promise<void> }[]} */
  calls = [];
  /** Runs in the sender's synchronous part. @type {((event: any) => void) | null} */
  during = null;

  send = (/** @type {any} */ event, /** @type {any} */ { signal }) => {
    const { promise, resolve, reject } = deferred();
    const end = (/** @type {(answer: any) => void} */ how, /** @type {unknown} */ answer) => {
      how(answer);
      return settle();
    };
    this.calls.push({
      id: event.messageId,
      event,
      signal,
      accept: () => end(resolve, ACCEPTED),
      refuse: () => end(resolve, { accepted: false, queueIdentity: 'r' }),
      fail: (error) => end(reject, error),
    });
    this.during?.(event);
    return promise;
  };

  get ids() {
    return this.calls.map(({ id }) => id);
  }

  get last() {
    return /** @type {ControlledSender['calls'][0]} */ (this.calls.at(-1));
  }
}

export const event = (/** @type {string} */ messageId, size = 4) => ({
  messageId,
  type: 'message',
  payload: new Uint8Array(size).fill(1),
});

/** A transport that counts, and closes when it is told or at once. */
export class FakeTransport {
  /** @param {string} name @param {{ close?: 'hang' | Error, kind?: any }} [options] */
  constructor(name, options) {
    this.name = name;
    this.kind = options?.kind;
    /** @type {string[]} */
    this.sent = [];
    this.closes = 0;
    /** @type {any} */
    this.closing = deferred();
    this.closing.promise.catch(() => {});
    /** @type {AbortSignal | null} */
    this.closeSignal = null;
    if (options?.close !== 'hang') {
      if (options?.close) this.closing.reject(options.close);
      else this.closing.resolve(this.evidence);
    }
  }
  get evidence() {
    return { dropped: 2, remoteDurabilityKnown: true };
  }
  async send(/** @type {any} */ { messageId }) {
    this.sent.push(messageId);
    return ACCEPTED;
  }
  close(/** @type {any} */ { signal }) {
    this.closes += 1;
    this.closeSignal = signal;
    return this.closing.promise;
  }
}

/** Everything that a scene must not leave behind. */
class Watch {
  /** @type {{ label: string, state: string }[]} */
  promises = [];
  /** @type {Set<any>} */
  timers = new Set();
  /** @type {AbortSignal[]} */
  signals = [];
  /** @type {unknown[]} */
  unhandled = [];

  /** Remembers the promises that the methods of `object` answer with. @template {object} T @param {T} object @returns {T} */
  watch(object) {
    const note = (/** @type {any} */ promise, /** @type {string} */ label) => {
      const seen = { label, state: 'pending' };
      this.promises.push(seen);
      promise.then(
        () => {
          seen.state = 'fulfilled';
        },
        () => {
          seen.state = 'rejected';
        },
      );
      return promise;
    };
    return new Proxy(object, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (/** @type {any[]} */ ...given) => {
          const answer = value.apply(target, given);
          return answer instanceof Promise ? note(answer, String(name)) : answer;
        };
      },
    });
  }

  controller() {
    const controller = new AbortController();
    this.signals.push(controller.signal);
    return controller;
  }

  install() {
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    /** @type {any} */ (globalThis).setTimeout = (/** @type {any} */ run, /** @type {any[]} */ ...rest) => {
      const timer = set(
        () => {
          this.timers.delete(timer);
          run();
        },
        ...rest,
      );
      this.timers.add(timer);
      return timer;
    };
    globalThis.clearTimeout = (/** @type {any} */ timer) => {
      this.timers.delete(timer);
      clear(timer);
    };
    const onUnhandled = (/** @type {unknown} */ reason) => this.unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    return () => {
      globalThis.setTimeout = set;
      globalThis.clearTimeout = clear;
      process.off('unhandledRejection', onUnhandled);
    };
  }

  check() {
    assert.deepEqual(this.unhandled, [], 'unhandled rejections');
    const pending = this.promises.filter(({ state }) => state === 'pending').map(({ label }) => label);
    assert.deepEqual(pending, [], 'pending promises');
    assert.equal(this.timers.size, 0, 'timers');
    const listeners = this.signals.map((signal) => getEventListeners(signal, 'abort').length);
    assert.ok(
      listeners.every((count) => count === 0),
      'listeners on signals',
    );
  }
}

/** @param {string} name @param {(watch: Watch) => Promise<void>} run */
export function scene(name, run) {
  test(name, async () => {
    const watch = new Watch();
    const restore = watch.install();
    try {
      await run(watch);
      await settle();
    } finally {
      restore();
    }
    watch.check();
  });
}
