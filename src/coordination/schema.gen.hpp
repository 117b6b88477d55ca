// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace leasegate {

/** Bytes of a task, scan or worker id. */
inline constexpr std::uint64_t MAX_IDENTIFIER_BYTES = 256;
/** UTF-8 bytes of a target reference. */
inline constexpr std::uint64_t MAX_TARGET_REF_BYTES = 1024;
/** Phases (bytes) of one task. */
inline constexpr std::uint64_t MAX_TASK_PHASES = 256;
/** Distinct tags of one worker. */
inline constexpr std::uint64_t MAX_WORKER_TAGS = 5;
/** Basis points that make 100 %. */
inline constexpr std::uint64_t UTILIZATION_BASIS_POINTS = 10000;
/** Ceiling of max_task_records and max_terminal_tasks. */
inline constexpr std::uint64_t MAX_TASK_RECORDS = 65536;
/** Ceiling of max_active_tasks and max_queued_tasks. */
inline constexpr std::uint64_t MAX_ACTIVE_TASKS = 16384;
/** Ceiling of max_workers. */
inline constexpr std::uint64_t MAX_WORKERS = 4096;
/** Slots of one worker. */
inline constexpr std::uint64_t MAX_WORKER_CAPACITY = 4096;
/** Ceiling of max_lease_ttl_secs, in seconds. */
inline constexpr std::uint64_t MAX_LEASE_TTL_SECS = 86400;
/** Ceiling of max_task_ttl_secs, in seconds (31 days). */
inline constexpr std::uint64_t MAX_TASK_TTL_SECS = 2678400;
/** Ceiling of heartbeat_timeout_secs, in seconds. */
inline constexpr std::uint64_t MAX_HEARTBEAT_TIMEOUT_SECS = 86400;
/** Ceiling of max_retries. */
inline constexpr std::uint64_t MAX_RETRIES = 32;

enum class Priority : std::uint8_t {
  low,
  normal,
  high,
  critical,
};
inline constexpr std::array<std::string_view, 4> kPriorityNames = {
    "low",
    "normal",
    "high",
    "critical",
};
[[nodiscard]] constexpr std::string_view name_of(Priority value) {
  return kPriorityNames[static_cast<std::size_t>(value)];
}

enum class TaskStatus : std::uint8_t {
  queued,
  leased,
  running,
  completed,
  failed,
  cancelled,
  expired,
};
inline constexpr std::array<std::string_view, 7> kTaskStatusNames = {
    "queued",
    "leased",
    "running",
    "completed",
    "failed",
    "cancelled",
    "expired",
};
[[nodiscard]] constexpr std::string_view name_of(TaskStatus value) {
  return kTaskStatusNames[static_cast<std::size_t>(value)];
}

enum class WorkerStatus : std::uint8_t {
  healthy,
  busy,
  degraded,
  offline,
};
inline constexpr std::array<std::string_view, 4> kWorkerStatusNames = {
    "healthy",
    "busy",
    "degraded",
    "offline",
};
[[nodiscard]] constexpr std::string_view name_of(WorkerStatus value) {
  return kWorkerStatusNames[static_cast<std::size_t>(value)];
}

enum class WorkerTag : std::uint8_t {
  linux,
  windows,
  gpu,
  internal,
  external,
};
inline constexpr std::array<std::string_view, 5> kWorkerTagNames = {
    "linux",
    "windows",
    "gpu",
    "internal",
    "external",
};
[[nodiscard]] constexpr std::string_view name_of(WorkerTag value) {
  return kWorkerTagNames[static_cast<std::size_t>(value)];
}

enum class StartKind : std::uint8_t {
  started,
  already_running,
};
inline constexpr std::array<std::string_view, 2> kStartKindNames = {
    "started",
    "already_running",
};
[[nodiscard]] constexpr std::string_view name_of(StartKind value) {
  return kStartKindNames[static_cast<std::size_t>(value)];
}

enum class CompletionKind : std::uint8_t {
  completed,
  already_completed,
};
inline constexpr std::array<std::string_view, 2> kCompletionKindNames = {
    "completed",
    "already_completed",
};
[[nodiscard]] constexpr std::string_view name_of(CompletionKind value) {
  return kCompletionKindNames[static_cast<std::size_t>(value)];
}

enum class FailureKind : std::uint8_t {
  requeued,
  retry_exhausted,
};
inline constexpr std::array<std::string_view, 2> kFailureKindNames = {
    "requeued",
    "retry_exhausted",
};
[[nodiscard]] constexpr std::string_view name_of(FailureKind value) {
  return kFailureKindNames[static_cast<std::size_t>(value)];
}

enum class CancellationKind : std::uint8_t {
  cancelled,
  already_cancelled,
};
inline constexpr std::array<std::string_view, 2> kCancellationKindNames = {
    "cancelled",
    "already_cancelled",
};
[[nodiscard]] constexpr std::string_view name_of(CancellationKind value) {
  return kCancellationKindNames[static_cast<std::size_t>(value)];
}

enum class OwnershipKind : std::uint8_t {
  none,
  fence,
  lease,
};
inline constexpr std::array<std::string_view, 3> kOwnershipKindNames = {
    "none",
    "fence",
    "lease",
};
[[nodiscard]] constexpr std::string_view name_of(OwnershipKind value) {
  return kOwnershipKindNames[static_cast<std::size_t>(value)];
}

enum class Operation : std::uint8_t {
  complete,
  fail,
};
inline constexpr std::array<std::string_view, 2> kOperationNames = {
    "complete",
    "fail",
};
[[nodiscard]] constexpr std::string_view name_of(Operation value) {
  return kOperationNames[static_cast<std::size_t>(value)];
}

enum class LimitName : std::uint8_t {
  max_task_records,
  max_active_tasks,
  max_queued_tasks,
  max_terminal_tasks,
  max_workers,
  max_retries,
  max_lease_ttl_secs,
  max_task_ttl_secs,
  heartbeat_timeout_secs,
  max_results,
  max_result_bytes,
  max_total_bytes,
  max_aggregate_items,
  max_aggregate_bytes,
  lease_ttl_secs,
  task_ttl_secs,
  retire_limit,
};
inline constexpr std::array<std::string_view, 17> kLimitNameNames = {
    "max_task_records",
    "max_active_tasks",
    "max_queued_tasks",
    "max_terminal_tasks",
    "max_workers",
    "max_retries",
    "max_lease_ttl_secs",
    "max_task_ttl_secs",
    "heartbeat_timeout_secs",
    "max_results",
    "max_result_bytes",
    "max_total_bytes",
    "max_aggregate_items",
    "max_aggregate_bytes",
    "lease_ttl_secs",
    "task_ttl_secs",
    "retire_limit",
};
[[nodiscard]] constexpr std::string_view name_of(LimitName value) {
  return kLimitNameNames[static_cast<std::size_t>(value)];
}

enum class LimitRelationship : std::uint8_t {
  active_tasks_exceed_task_records,
  queued_tasks_exceed_active_tasks,
  terminal_tasks_exceed_task_records,
  terminal_tasks_below_active_tasks,
  lease_ttl_exceeds_limit,
  task_ttl_exceeds_limit,
  result_bytes_exceed_total_bytes,
  renewal_not_later,
  retry_delay_exceeds_limit,
};
inline constexpr std::array<std::string_view, 9> kLimitRelationshipNames = {
    "active_tasks_exceed_task_records",
    "queued_tasks_exceed_active_tasks",
    "terminal_tasks_exceed_task_records",
    "terminal_tasks_below_active_tasks",
    "lease_ttl_exceeds_limit",
    "task_ttl_exceeds_limit",
    "result_bytes_exceed_total_bytes",
    "renewal_not_later",
    "retry_delay_exceeds_limit",
};
[[nodiscard]] constexpr std::string_view name_of(LimitRelationship value) {
  return kLimitRelationshipNames[static_cast<std::size_t>(value)];
}

enum class CounterName : std::uint8_t {
  revision,
  lease_id,
  attempt,
  record_version,
  task_generation,
  worker_generation,
  completed_tasks,
  enqueue_ordinal,
  lease_deadline,
  result_revision,
  not_before,
};
inline constexpr std::array<std::string_view, 11> kCounterNameNames = {
    "revision",
    "lease_id",
    "attempt",
    "record_version",
    "task_generation",
    "worker_generation",
    "completed_tasks",
    "enqueue_ordinal",
    "lease_deadline",
    "result_revision",
    "not_before",
};
[[nodiscard]] constexpr std::string_view name_of(CounterName value) {
  return kCounterNameNames[static_cast<std::size_t>(value)];
}

enum class InvalidTask : std::uint8_t {
  task_id_empty,
  task_id_too_long,
  task_id_unsafe,
  scan_id_empty,
  scan_id_too_long,
  scan_id_unsafe,
  target_ref_empty,
  target_ref_too_long,
  too_many_phases,
  task_command_id_invalid,
};
inline constexpr std::array<std::string_view, 10> kInvalidTaskNames = {
    "task_id_empty",
    "task_id_too_long",
    "task_id_unsafe",
    "scan_id_empty",
    "scan_id_too_long",
    "scan_id_unsafe",
    "target_ref_empty",
    "target_ref_too_long",
    "too_many_phases",
    "task_command_id_invalid",
};
[[nodiscard]] constexpr std::string_view name_of(InvalidTask value) {
  return kInvalidTaskNames[static_cast<std::size_t>(value)];
}

enum class InvalidWorker : std::uint8_t {
  worker_id_invalid,
  capacity_zero,
  capacity_exceeds_maximum,
  utilization_exceeds_maximum,
  too_many_tags,
  offline_requires_deregister_or_prune,
  worker_command_id_invalid,
};
inline constexpr std::array<std::string_view, 7> kInvalidWorkerNames = {
    "worker_id_invalid",
    "capacity_zero",
    "capacity_exceeds_maximum",
    "utilization_exceeds_maximum",
    "too_many_tags",
    "offline_requires_deregister_or_prune",
    "worker_command_id_invalid",
};
[[nodiscard]] constexpr std::string_view name_of(InvalidWorker value) {
  return kInvalidWorkerNames[static_cast<std::size_t>(value)];
}

enum class Invariant : std::uint8_t {
  task_index,
  task_counts,
  task_lifecycle,
  queue_order,
  age_order,
  lease_token,
  lease_deadlines,
  worker_index,
  worker_tasks,
  worker_ranking,
  heartbeat_order,
  bounds,
  waiting_order,
  terminal_order,
  worker_names,
};
inline constexpr std::array<std::string_view, 15> kInvariantNames = {
    "task_index",
    "task_counts",
    "task_lifecycle",
    "queue_order",
    "age_order",
    "lease_token",
    "lease_deadlines",
    "worker_index",
    "worker_tasks",
    "worker_ranking",
    "heartbeat_order",
    "bounds",
    "waiting_order",
    "terminal_order",
    "worker_names",
};
[[nodiscard]] constexpr std::string_view name_of(Invariant value) {
  return kInvariantNames[static_cast<std::size_t>(value)];
}

struct DistributedLimits {
  /** Task records of any status. 1 to MAX_TASK_RECORDS. */
  std::uint64_t max_task_records = 4096;
  /** Queued, leased and running tasks. 1 to MAX_ACTIVE_TASKS. */
  std::uint64_t max_active_tasks = 1024;
  /** Queued tasks. 1 to MAX_ACTIVE_TASKS. */
  std::uint64_t max_queued_tasks = 1024;
  /** Completed, failed, cancelled and expired tasks. 1 to MAX_TASK_RECORDS. */
  std::uint64_t max_terminal_tasks = 4096;
  /** Worker records, offline ones included. 1 to MAX_WORKERS. */
  std::uint64_t max_workers = 256;
  /** Requeues of one task; 0 means that a task runs once. 1 to MAX_RETRIES. */
  std::uint64_t max_retries = 3;
  /** Longest lease, in seconds. 1 to MAX_LEASE_TTL_SECS. */
  std::uint64_t max_lease_ttl_secs = 3600;
  /** Longest task age that a sweep may name, and longest delay of a retry, in seconds. 1 to MAX_TASK_TTL_SECS. */
  std::uint64_t max_task_ttl_secs = 86400;
  /** Age from which a heartbeat is stale, in seconds. 1 to MAX_HEARTBEAT_TIMEOUT_SECS. */
  std::uint64_t heartbeat_timeout_secs = 60;
};

}  // namespace leasegate
