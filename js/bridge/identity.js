import { readError, unusableError } from '../errors.js';
import * as wire from '../generated/bridge.js';

/**
 * The validations of the bridge, which belong to no object.
 * @param {import('../boundary/runtime.js').Runtime} runtime
 */
export function validations(runtime) {
  /** @param {number} op @param {(frame: any, options: any) => void} write @param {object} options */
  function validate(op, write, options) {
    if (runtime.failure !== null) throw unusableError(runtime.failure);
    write(runtime.frame, options);
    let status;
    try {
      status = runtime.core.runValidation(op);
    } catch (cause) {
      runtime.failure = cause;
      throw unusableError(cause);
    }
    runtime.frame.answer();
    if (status !== 0) throw readError(runtime.frame);
  }

  return {
    /** @param {unknown} kind @param {unknown} value */
    validateOpaqueId(kind, value) {
      validate(wire.OP_VALIDATE_OPAQUE_ID, wire.writeValidateOpaqueId, { kind, value });
    },
    /** @param {unknown} kind @param {unknown} value */
    validatePathIdentifier(kind, value) {
      validate(wire.OP_VALIDATE_PATH_IDENTIFIER, wire.writeValidatePathIdentifier, { kind, value });
    },
    /** @param {unknown} tuple */
    validateIdentity(tuple) {
      validate(wire.OP_VALIDATE_IDENTITY, wire.writeValidateIdentity, { tuple });
    },
    /** @param {unknown} key */
    validateControlKey(key) {
      validate(wire.OP_VALIDATE_CONTROL_KEY, wire.writeValidateControlKey, { key });
    },
  };
}

/**
 * Whether a machine's state becomes nothing any more, by the tables that the core has too.
 * @param {string} machine @param {string} state
 */
export function isTerminal(machine, state) {
  const machines = /** @type {Record<string, Record<string, readonly string[]>>} */ (wire.MACHINES);
  if (!Object.hasOwn(machines, machine)) {
    throw new TypeError(`machine must be one of ${Object.keys(machines).join(', ')}`);
  }
  if (!Object.hasOwn(machines[machine], state)) {
    throw new TypeError(`state must be one of ${Object.keys(machines[machine]).join(', ')}`);
  }
  return machines[machine][state].length === 0;
}
