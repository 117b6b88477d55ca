/** `await using` closes, where the platform has it. @param {{ prototype: { close(): Promise<unknown> } }} Class */
export function addAsyncDispose({ prototype }) {
  if (typeof Symbol.asyncDispose !== 'symbol') return;
  Object.defineProperty(prototype, Symbol.asyncDispose, {
    value() {
      return this.close();
    },
    configurable: true,
    writable: true,
  });
}
