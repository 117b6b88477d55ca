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
  | 'task_ttl_secs';

export type LimitRelationship =
  | 'active_tasks_exceed_task_records'
  | 'queued_tasks_exceed_active_tasks'
  | 'terminal_tasks_exceed_task_records'
  | 'terminal_tasks_below_active_tasks'
  | 'lease_ttl_exceeds_limit'
  | 'task_ttl_exceeds_limit'
  | 'result_bytes_exceed_total_bytes';

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
  | 'result_revision';

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
  | 'bounds';

/** The fields of every code. `LeasegateError` is this, and an Error. */
export type LeasegateErrorFields =
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
  | { readonly code: 'task_not_queued'; readonly taskId: string; readonly status: TaskStatus }
  | {
      readonly code: 'invalid_transition';
      readonly taskId: string;
      readonly status: TaskStatus;
      readonly operation: 'complete' | 'fail';
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
 * What the contract refuses. Nothing has changed when one is thrown, not even the logical time.
 * `switch (error.code)` narrows to the fields of that code. Holds no id that failed validation, no target
 * reference and no result bytes.
 */
export type LeasegateError = Error & LeasegateErrorFields & { toJSON(): object };

/** `error instanceof LeasegateError` holds across copies of the package and across ESM and CommonJS. */
export declare const LeasegateError: {
  readonly prototype: LeasegateError;
  [Symbol.hasInstance](value: unknown): value is LeasegateError;
};
