/**
 * Resolves when every promise that can go on without the outside has done so: the engine empties its queue of
 * promise jobs before it takes the next message.
 */
export function settle() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
