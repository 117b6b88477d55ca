// The classes and functions of the bridge, as one instance offers them.

import { ControlRegistry as ControlRegistryHandle } from './control-registry.js';
import { Cursor as CursorHandle } from './cursor.js';
import { Deduper as DeduperHandle } from './deduper.js';
import { DeliveryTracker as DeliveryTrackerHandle } from './delivery-tracker.js';
import { EpochFence as EpochFenceHandle } from './epoch-fence.js';
import { FlushGate as FlushGateHandle } from './flush-gate.js';
import { isTerminal, validations } from './identity.js';
import { Lifecycle as LifecycleHandle } from './lifecycle.js';
import { ReconnectCoordinator as ReconnectCoordinatorHandle } from './reconnect-coordinator.js';
import { TransportRegistry as TransportRegistryHandle } from './transport-registry.js';
import { fromWire, toWire } from './wire.js';
import { WorkLifecycle as WorkLifecycleHandle } from './work-lifecycle.js';

/** @param {import('../boundary/runtime.js').Runtime} runtime */
export function bridgeOn(runtime) {
  class EpochFence extends EpochFenceHandle {
    /** @param {bigint | number} initial */
    constructor(initial) {
      super(runtime, initial);
    }
  }
  class Cursor extends CursorHandle {
    /** @param {bigint | number | null} [sequence] */
    constructor(sequence) {
      super(runtime, sequence);
    }
  }
  class Deduper extends DeduperHandle {
    /** @param {object} options */
    constructor(options) {
      super(runtime, options);
    }
  }
  class DeliveryTracker extends DeliveryTrackerHandle {
    /** @param {object | null} [options] */
    constructor(options) {
      super(runtime, options);
    }
  }
  class ControlRegistry extends ControlRegistryHandle {
    /** @param {object | null} [options] */
    constructor(options) {
      super(runtime, options);
    }
  }
  class Lifecycle extends LifecycleHandle {
    /** @param {object | null} [options] */
    constructor(options) {
      super(runtime, options);
    }
  }
  class WorkLifecycle extends WorkLifecycleHandle {
    /** @param {string} id */
    constructor(id) {
      super(runtime, id);
    }
  }
  class FlushGate extends FlushGateHandle {
    /** @param {object | null} [options] */
    constructor(options) {
      super(runtime, options);
    }
  }
  class TransportRegistry extends TransportRegistryHandle {
    constructor() {
      super(runtime);
    }
  }
  class ReconnectCoordinator extends ReconnectCoordinatorHandle {
    /** @param {object} options */
    constructor(options) {
      super(runtime, options);
    }
  }
  return {
    ...validations(runtime),
    isTerminal,
    toWire,
    fromWire,
    EpochFence,
    Cursor,
    Deduper,
    DeliveryTracker,
    ControlRegistry,
    Lifecycle,
    WorkLifecycle,
    FlushGate,
    TransportRegistry,
    ReconnectCoordinator,
  };
}
