import { ledgerText } from '../world/ledger-text.js';
import { queueOrder } from '../world/queue-order.js';
import { bridgeFrame, count, loading, picture, playhead, recording } from './state.js';

const plain = (_, value) => (typeof value === 'bigint' ? value.toString() : value);

/** What the console and the browser tests may ask of the page. */
export function openHatch() {
  globalThis.leasegateDemo = Object.freeze({
    /** The whole ledger as text. */
    ledger: () => ledgerText(recording.value),
    /** The moment that is shown, as text: equal texts are equal pictures. */
    picture: () => {
      const { snapshot, tasks, workers, fingerprint, equal } = picture.value;
      const queue = queueOrder(recording.value.entries, count.value, tasks).map(({ taskId }) => taskId);
      const bridge = bridgeFrame.value;
      return JSON.stringify(
        { at: playhead.value, snapshot, fingerprint, equal, queue, workers, tasks, bridge },
        plain,
      );
    },
    fingerprints: () => recording.value.entries.map(({ fingerprint }) => fingerprint),
    ready: () => !loading.value && picture.value !== null,
  });
}
