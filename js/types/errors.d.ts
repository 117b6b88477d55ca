import type {
  Acceptance,
  CloseEvidence,
  ControlState,
  DeliveryState,
  GateState,
  IdentifierKind,
  TransportKind,
  TransportState,
  WireKind,
  WorkState,
} from './bridge.js';
import type { TaskStatus } from './coordination.js';

export type LimitName =
  | 'max_task_records'
  | 'max_active_tasks'
  | 'max_queued_tasks'
  | 'max_terminal_tasks'
  | 'max_workers'
  | 'max_retries'
  | 'max_lease_ttl_secs'
  | 'max_task_ttl_secs'
  | 'heartbeat_timeout_secs'
  | 'max_results'
  | 'max_result_bytes'
  | 'max_total_bytes'
  | 'max_aggregate_items'
  | 'max_aggregate_bytes'
  | 'lease_ttl_secs'
  | 'task_ttl_secs'
  | 'retire_limit';

export type LimitRelationship =
  | 'active_tasks_exceed_task_records'
  | 'queued_tasks_exceed_active_tasks'
  | 'terminal_tasks_exceed_task_records'
  | 'terminal_tasks_below_active_tasks'
  | 'lease_ttl_exceeds_limit'
  | 'task_ttl_exceeds_limit'
  | 'result_bytes_exceed_total_bytes'
  | 'renewal_not_later'
  | 'retry_delay_exceeds_limit';

export type CounterName =
  | 'revision'
  | 'lease_id'
  | 'attempt'
  | 'record_version'
  | 'task_generation'
  | 'worker_generation'
  | 'completed_tasks'
  | 'enqueue_ordinal'
  | 'lease_deadline'
  | 'result_revision'
  | 'not_before';

export type InvalidTask =
  | 'task_id_empty'
  | 'task_id_too_long'
  | 'task_id_unsafe'
  | 'scan_id_empty'
  | 'scan_id_too_long'
  | 'scan_id_unsafe'
  | 'target_ref_empty'
  | 'target_ref_too_long'
  | 'too_many_phases'
  | 'task_command_id_invalid';

export type InvalidWorker =
  | 'worker_id_invalid'
  | 'capacity_zero'
  | 'capacity_exceeds_maximum'
  | 'utilization_exceeds_maximum'
  | 'too_many_tags'
  | 'offline_requires_deregister_or_prune'
  | 'worker_command_id_invalid';

export type Invariant =
  | 'task_index'
  | 'task_counts'
  | 'task_lifecycle'
  | 'queue_order'
  | 'age_order'
  | 'lease_token'
  | 'lease_deadlines'
  | 'worker_index'
  | 'worker_tasks'
  | 'worker_ranking'
  | 'heartbeat_order'
  | 'bounds'
  | 'waiting_order'
  | 'terminal_order'
  | 'worker_names';

export type InvalidIdentifier = 'empty' | 'too_long' | 'not_utf8' | 'control_character' | 'unsafe_path';

export type TransportFault =
  | 'unknown_kind'
  | 'not_included'
  | 'not_enabled'
  | 'no_endpoint'
  | 'endpoint_not_utf8'
  | 'endpoint_character'
  | 'endpoint_scheme'
  | 'endpoint_userinfo'
  | 'endpoint_host'
  | 'endpoint_port'
  | 'endpoint_escape'
  | 'no_factory';

/** The codes of the bridge and their fields. */
export type BridgeErrorFields =
  | {
      readonly code: 'invalid_identifier';
      /** One of the kinds, or what a validate function was given. */
      readonly kind: IdentifierKind | (string & {});
      readonly reason: InvalidIdentifier;
    }
  | {
      readonly code: 'invalid_text';
      readonly field: 'type' | 'subtype' | 'failure' | 'message' | 'reason';
      readonly reason: 'not_utf8' | 'too_long';
    }
  | { readonly code: 'stale_epoch'; readonly got: bigint; readonly active: bigint }
  | { readonly code: 'epoch_not_advanced'; readonly got: bigint; readonly current: bigint }
  | { readonly code: 'delivery_already_observed' | 'delivery_ack_conflict'; readonly id: string }
  /** Without an id when what was given is no valid one. */
  | { readonly code: 'delivery_not_found'; readonly id: string | null }
  | { readonly code: 'delivery_not_terminal'; readonly id: string; readonly state: DeliveryState }
  | {
      readonly code: 'delivery_capacity' | 'control_capacity' | 'value_too_large';
      /** The configured limit. */
      readonly limit: number;
    }
  | {
      readonly code: 'invalid_transition';
      readonly from: DeliveryState | ControlState | TransportState | WorkState;
      readonly to: DeliveryState | ControlState | TransportState | WorkState;
      readonly taskId?: undefined;
      readonly status?: undefined;
      readonly operation?: undefined;
    }
  | { readonly code: 'invalid_advance' | 'invalid_resolution'; readonly to: ControlState }
  | { readonly code: 'control_terminal' | 'control_not_terminal'; readonly state: ControlState }
  | { readonly code: 'gate_active' | 'gate_inactive'; readonly state: GateState }
  | {
      readonly code: 'gate_capacity';
      readonly limit: number;
      /** `calls`: beginHistory, flushHistory and drop that are open at a time. */
      readonly unit: 'events' | 'bytes' | 'calls';
    }
  | { readonly code: 'send_not_accepted'; readonly acceptance: Acceptance }
  | { readonly code: 'transport_already_registered'; readonly kind: TransportKind }
  | {
      readonly code: 'transport_unavailable';
      /** What the configuration says, known or not. */
      readonly kind: string;
      readonly state:
        | 'malformed_configuration'
        | 'build_excluded'
        | 'gate_disabled'
        | 'unconfigured'
        | 'implementation_unavailable';
      readonly reason: TransportFault;
    }
  | {
      readonly code: 'transport_construct_failed';
      readonly kind: TransportKind;
      /** `factory_failed`: its error is the `cause`. */
      readonly reason: 'factory_failed' | 'no_transport' | 'wrong_kind';
      /** Of closing a transport of the wrong kind: what that told, or failed with. */
      readonly evidence?: CloseEvidence;
      readonly error?: unknown;
    }
  | { readonly code: 'recovery_capacity'; readonly limit: number; readonly unit: 'calls' | 'closes' }
  | {
      readonly code: 'malformed_wire';
      readonly kind: WireKind;
      /** Its name on the wire; null when the text is no JSON object at all. */
      readonly field: string | null;
    }
  | {
      readonly code:
        | 'invalid_epoch'
        | 'invalid_generation'
        | 'invalid_sequence'
        | 'invalid_capacity'
        | 'invalid_control_key'
        | 'invalid_subtype'
        | 'control_already_accepted'
        | 'missing_result_evidence'
        | 'missing_reason'
        | 'control_not_found'
        | 'invalid_value'
        | 'invalid_event'
        | 'gate_closed'
        | 'unknown_transport_kind'
        | 'recovery_closed'
        | 'recovering'
        | 'no_transport'
        | 'close_timeout';
    };

export type JournalFault =
  | 'ends_early'
  | 'trailing_bytes'
  | 'record_too_long'
  | 'integer_not_canonical'
  | 'integer_out_of_range'
  | 'unknown_name'
  | 'text_too_long'
  | 'list_too_long';

export type SnapshotFault =
  | 'limits'
  | 'counters'
  | 'worker'
  | 'worker_order'
  | 'task'
  | 'task_order'
  | 'lease'
  | 'result'
  | 'result_order'
  | 'bounds'
  | 'invariant';

/** The codes of journals and snapshots and their fields. Offsets and sizes are in bytes. */
export type JournalErrorFields =
  | { readonly code: 'journal_bad_magic'; readonly expected: 'journal' | 'snapshot' }
  | { readonly code: 'journal_unknown_version'; readonly version: number; readonly supported: number }
  | {
      readonly code: 'journal_wrong_contract';
      readonly expected: 'coordination' | 'results';
      readonly actual: 'coordination' | 'results';
    }
  | {
      readonly code: 'journal_truncated';
      /** Where the last record begins that is whole no more. */
      readonly offset: number;
      /** How many bytes there are of it. */
      readonly bytes: number;
    }
  | { readonly code: 'journal_checksum_mismatch'; readonly offset: number }
  | { readonly code: 'journal_malformed'; readonly reason: JournalFault; readonly offset: number }
  | { readonly code: 'journal_unknown_kind'; readonly kind: number; readonly offset: number }
  | { readonly code: 'journal_revision_gap'; readonly expected: bigint; readonly actual: bigint }
  | {
      readonly code:
        | 'journal_no_effect'
        | 'journal_snapshot_required'
        /** The sink threw, or answered a promise. The command was applied all the same; `cause` says what. */
        | 'journal_sink_failed'
        | 'journal_blocked';
      readonly revision: bigint;
    }
  | { readonly code: 'journal_limits_differ'; readonly name: LimitName }
  | { readonly code: 'journal_snapshot_invalid'; readonly reason: SnapshotFault; readonly offset: number }
  | { readonly code: 'journal_full'; readonly limit: number };

/** The codes of storages and of what is written to them. */
export type StorageErrorFields =
  | {
      /**
       * Opening has failed (`open`, `lock`): nothing that the storage holds was changed. Or reading, writing or syncing
       * has failed (all others), and the handle takes no command any more. Commands that had not been answered were applied,
       * and may or may not have been kept: opening the storage again tells. `cause` is what the platform said.
       */
      readonly code: 'storage_failed';
      readonly operation: 'open' | 'lock' | 'read' | 'truncate' | 'begin' | 'append' | 'sync' | 'close';
      /** ENOSPC, SQLITE_FULL, QuotaExceededError and the like; null when the platform has no word for it. */
      readonly systemCode: string | null;
    }
  | { readonly code: 'storage_locked' }
  | {
      readonly code: 'storage_damaged';
      /** `gap`: bytes that are sound, but do not go on from one another. */
      readonly reason: 'journal' | 'snapshot' | 'gap' | 'database';
      /** The name of a file or of a part, without its place. */
      readonly part: string;
      /** In bytes. */
      readonly offset: number | null;
    }
  | {
      readonly code: 'durable_backlog_full';
      readonly limit: number;
      readonly unit: 'commands' | 'bytes';
    };

/** Whether a command reached the log: it did not, or nobody on this host can say. */
export type CommandOutcome = 'not_sent' | 'unknown';

/** The codes of `leasegate/cluster/nats` and their fields. */
export type ClusterErrorFields =
  | {
      readonly code: 'cluster_unavailable';
      readonly reason: 'timeout' | 'connection_closed' | 'jetstream' | 'no_jetstream' | 'not_permitted';
      /** What JetStream has refused with, if it did. */
      readonly apiCode: number | null;
      /** What the account may not publish or subscribe to, if that is why. */
      readonly subject: string | null;
      readonly outcome: CommandOutcome;
    }
  | { readonly code: 'cluster_closed'; readonly outcome: CommandOutcome }
  | { readonly code: 'cluster_busy'; readonly limit: number }
  | {
      readonly code: 'cluster_stream_unfit';
      readonly stream: string;
      /** The setting of the stream, `genesis` (its first message) or `expected_last_sequence` (the server ignores it). */
      readonly setting: string;
    }
  | { readonly code: 'cluster_limits_differ'; readonly name: LimitName }
  | { readonly code: 'cluster_clock_skew'; readonly skewSecs: bigint; readonly maxSkewSecs: number }
  | { readonly code: 'cluster_record_too_large'; readonly actual: number; readonly limit: number }
  | {
      readonly code: 'cluster_diverged';
      /** Of the message in the stream. */
      readonly sequence: bigint;
      readonly reason:
        | 'record_refused'
        | 'record_differs'
        | 'not_in_order'
        | 'stream_replaced'
        | 'stream_went_back'
        | 'history_missing'
        | 'snapshot_invalid'
        | 'unknown_subject'
        | 'core_failed';
    }
  | {
      readonly code: 'cluster_result_lost';
      readonly taskId: string;
      readonly reason: 'missing' | 'damaged';
    };

/** The fields of every code. `LeasegateError` is this, and an Error. */
export type LeasegateErrorFields =
  | BridgeErrorFields
  | JournalErrorFields
  | StorageErrorFields
  | ClusterErrorFields
  | { readonly code: 'invalid_limit'; readonly name: LimitName }
  | {
      readonly code: 'count_limit_exceeds_maximum' | 'time_limit_exceeds_maximum';
      readonly name: LimitName;
      readonly actual: bigint;
      readonly maximum: bigint;
    }
  | { readonly code: 'retry_limit_exceeds_maximum'; readonly actual: bigint; readonly maximum: bigint }
  | { readonly code: 'invalid_limit_relationship'; readonly reason: LimitRelationship }
  | { readonly code: 'invalid_task'; readonly reason: InvalidTask }
  | { readonly code: 'invalid_worker'; readonly reason: InvalidWorker }
  | {
      readonly code: 'revision_conflict' | 'worker_generation_conflict';
      /** What the caller expected. */
      readonly expected: bigint;
      /** What is current. */
      readonly actual: bigint;
    }
  | { readonly code: 'logical_time_regression'; readonly current: bigint; readonly proposed: bigint }
  | { readonly code: 'counter_exhausted'; readonly counter: CounterName }
  | {
      readonly code:
        | 'task_already_exists'
        | 'task_not_found'
        | 'stale_ownership'
        | 'lease_expired'
        | 'conflicting_result'
        | 'mismatched_result_receipt'
        | 'duplicate_aggregate_task'
        | 'missing_result';
      readonly taskId: string;
    }
  | {
      readonly code:
        | 'worker_already_exists'
        | 'worker_not_found'
        | 'worker_unavailable'
        | 'worker_at_capacity';
      readonly workerId: string;
    }
  | {
      readonly code:
        | 'task_record_capacity_reached'
        | 'active_task_capacity_reached'
        | 'queued_task_capacity_reached'
        | 'terminal_capacity_reserved'
        | 'worker_capacity_reached'
        | 'result_capacity_reached';
      /** The configured limit. */
      readonly limit: number;
    }
  | { readonly code: 'task_not_due'; readonly taskId: string; readonly notBefore: bigint }
  | { readonly code: 'task_not_queued'; readonly taskId: string; readonly status: TaskStatus }
  | {
      /** Of a task; the machines of the bridge say `from` and `to`. */
      readonly code: 'invalid_transition';
      readonly taskId: string;
      readonly status: TaskStatus;
      readonly operation: 'complete' | 'fail';
      readonly from?: undefined;
      readonly to?: undefined;
    }
  | {
      readonly code:
        | 'result_too_large'
        | 'total_result_bytes_exceeded'
        | 'aggregate_item_limit_exceeded'
        | 'aggregate_bytes_exceeded';
      readonly actual: number;
      readonly limit: number;
    }
  | { readonly code: 'state_invariant'; readonly reason: Invariant }
  | {
      readonly code:
        | 'no_queued_task'
        | 'no_available_worker'
        | 'out_of_memory'
        /** A handle was used after its `dispose()`. */
        | 'disposed'
        /** The instance has failed and takes no further call; `cause` says why. */
        | 'instance_unusable';
    };

export type ErrorCode = LeasegateErrorFields['code'];

/**
 * What the contract refuses. Nothing has changed when one is thrown, not even the logical time; but for
 * journal_sink_failed, storage_failed, and an `outcome` that is unknown, which say what may have changed.
 * `switch (error.code)` narrows to the fields of that code. Holds no id that failed validation, no target
 * reference and no result bytes.
 */
export type LeasegateError = Error & LeasegateErrorFields & { toJSON(): object };

/** `error instanceof LeasegateError` holds across copies of the package and across ESM and CommonJS. */
export declare const LeasegateError: {
  readonly prototype: LeasegateError;
  [Symbol.hasInstance](value: unknown): value is LeasegateError;
};
