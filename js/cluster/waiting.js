// Promises that do not hang.

/** What somebody waited for has not come in time. */
export class Late extends Error {}

/** @template T @param {Promise<T>} promise @param {number} ms @returns {Promise<T>} */
export function withDeadline(promise, ms) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Late(`No answer within ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** @template T @param {Promise<T>} promise @param {AbortSignal | null} signal @returns {Promise<T>} */
export function abortable(promise, signal) {
  if (signal === null) return promise;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      promise.catch(() => {}); // nobody waits for it any more
      reject(signal.reason);
      return;
    }
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
