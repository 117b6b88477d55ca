// The shapes that go into and come out of the coordinator. All times are logical seconds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>

#include "base/counter.hpp"
#include "base/text_policy.hpp"
#include "coordination/schema.gen.hpp"

namespace leasegate {

/** A set of WorkerTag. Metadata only: choosing a worker never reads it. */
struct WorkerTags {
  std::uint8_t bits = 0;

  void add(WorkerTag tag) { bits = static_cast<std::uint8_t>(bits | (1U << static_cast<unsigned>(tag))); }
  [[nodiscard]] bool has(WorkerTag tag) const { return (bits & (1U << static_cast<unsigned>(tag))) != 0; }
  friend bool operator==(WorkerTags, WorkerTags) = default;
};

/** What a host asks for when it enqueues. `target_ref` is opaque: it is never opened, parsed or shown. */
template <class Policy>
struct BasicTaskSpec {
  typename Policy::Id task_id;
  typename Policy::Id scan_id;
  typename Policy::Text target_ref;
  typename Policy::Bytes phases{};
  Priority priority = Priority::normal;
};

/**
 * The right to work on one task until `expires_at` (exclusive). A structural token: equal fields are the same
 * lease, wherever they come from. Not a secret.
 */
template <class Policy>
struct BasicTaskLease {
  typename Policy::Id task_id;
  typename Policy::Id worker_id;
  WorkerGeneration worker_generation;
  TaskGeneration task_generation;
  std::uint32_t attempt = 0;
  LeaseId lease_id;
  LogicalTime acquired_at;
  LogicalTime expires_at;

  friend bool operator==(const BasicTaskLease&, const BasicTaskLease&) = default;
};

/** Names one queued state of one task, to cancel exactly that. */
template <class Policy>
struct BasicQueuedTaskFence {
  typename Policy::Id task_id;
  TaskGeneration task_generation;
  RecordVersion record_version;

  friend bool operator==(const BasicQueuedTaskFence&, const BasicQueuedTaskFence&) = default;
};

/** Proof of one completion; results are stored against it. */
template <class Policy>
struct BasicCompletionReceipt {
  typename Policy::Id task_id;
  TaskGeneration task_generation;
  std::uint32_t attempt = 0;
  LeaseId lease_id;
  typename Policy::Id worker_id;
  WorkerGeneration worker_generation;
  RecordVersion record_version;

  friend bool operator==(const BasicCompletionReceipt&, const BasicCompletionReceipt&) = default;
};

/** One task as it was when it was read; never a live view. */
template <class Policy>
struct BasicScanTask {
  typename Policy::Id task_id;
  typename Policy::Id scan_id;
  typename Policy::Text target_ref;
  typename Policy::Bytes phases;
  TaskStatus status = TaskStatus::queued;
  Priority priority = Priority::normal;
  LogicalTime created_at;
  std::optional<LogicalTime> started_at;
  std::optional<LogicalTime> completed_at;
  std::uint32_t retry_count = 0;
  std::uint32_t attempt = 0;
  TaskGeneration task_generation;
  RecordVersion record_version;
  std::optional<typename Policy::Id> assigned_to;
  std::optional<BasicTaskLease<Policy>> lease;
  /** While it waits for its retry: the second from which on it can be assigned. */
  std::optional<LogicalTime> not_before = std::nullopt;

  /** What cancels the task now: its fence while queued, its lease while leased or running, else nothing. */
  [[nodiscard]] OwnershipKind ownership_kind() const {
    if (status == TaskStatus::queued) return OwnershipKind::fence;
    return lease ? OwnershipKind::lease : OwnershipKind::none;
  }
  /** Never below 0, whatever `now` is. */
  [[nodiscard]] Seconds age_secs(LogicalTime now) const { return elapsed(created_at, now); }
};

template <class Policy>
using BasicTaskOwnership = std::variant<BasicQueuedTaskFence<Policy>, BasicTaskLease<Policy>>;

template <class Policy>
struct BasicWorkerSpec {
  typename Policy::Id worker_id;
  /** Slots, 1 to MAX_WORKER_CAPACITY. */
  std::uint32_t capacity = 0;
  std::uint32_t cpu_basis_points = 0;
  std::uint32_t memory_basis_points = 0;
  std::uint32_t network_basis_points = 0;
  WorkerTags tags{};
};

/** What a worker reports of itself. It renews no lease. */
struct WorkerObservation {
  WorkerStatus status = WorkerStatus::healthy;
  std::uint32_t cpu_basis_points = 0;
  std::uint32_t memory_basis_points = 0;
  std::uint32_t network_basis_points = 0;
};

/** One worker as it was when it was read. */
template <class Policy>
struct BasicWorkerNode {
  typename Policy::Id worker_id;
  WorkerGeneration generation;
  WorkerStatus status = WorkerStatus::healthy;
  std::uint32_t capacity = 0;
  std::uint32_t current_tasks = 0;
  std::uint64_t completed_tasks = 0;
  LogicalTime last_heartbeat;
  std::uint32_t cpu_basis_points = 0;
  std::uint32_t memory_basis_points = 0;
  std::uint32_t network_basis_points = 0;
  WorkerTags tags;

  /** Slots left after the worst utilization, rounded up; 0 unless healthy. */
  [[nodiscard]] std::uint32_t effective_capacity() const {
    if (status != WorkerStatus::healthy) return 0;
    constexpr auto kWhole = static_cast<std::uint32_t>(UTILIZATION_BASIS_POINTS);
    const std::uint32_t used = std::max({cpu_basis_points, memory_basis_points, network_basis_points});
    return (capacity * (kWhole - used) + kWhole - 1) / kWhole;
  }
  [[nodiscard]] std::uint32_t available_slots() const {
    const std::uint32_t effective = effective_capacity();
    return effective > current_tasks ? effective - current_tasks : 0;
  }
};

struct StateSnapshot {
  Revision revision;
  LogicalTime logical_time;
  std::uint32_t task_records = 0;
  std::uint32_t active_tasks = 0;
  std::uint32_t queued_tasks = 0;
  std::uint32_t terminal_tasks = 0;
  std::uint32_t workers = 0;

  friend bool operator==(const StateSnapshot&, const StateSnapshot&) = default;
};

/** What a sweep did. */
struct RecoverySummary {
  std::uint32_t workers_affected = 0;
  std::uint32_t tasks_requeued = 0;
  std::uint32_t tasks_failed = 0;

  friend bool operator==(const RecoverySummary&, const RecoverySummary&) = default;
};

struct StartOutcome {
  StartKind kind = StartKind::started;
  RecordVersion record_version;
};

template <class Policy>
struct BasicCompletionOutcome {
  CompletionKind kind = CompletionKind::completed;
  BasicCompletionReceipt<Policy> receipt;
};

/** `task_generation` means something for `requeued` only. */
struct FailureOutcome {
  FailureKind kind = FailureKind::requeued;
  TaskGeneration task_generation;
  std::uint32_t retry_count = 0;
  RecordVersion record_version;
};

struct CancellationOutcome {
  CancellationKind kind = CancellationKind::cancelled;
  RecordVersion record_version;
};

/** The revision after a command and what the command answers. */
template <class T>
struct Transition {
  Revision revision;
  T value;
};

using TaskSpec = BasicTaskSpec<Owned>;
using TaskSpecView = BasicTaskSpec<Borrowed>;
using TaskLease = BasicTaskLease<Owned>;
using TaskLeaseView = BasicTaskLease<Borrowed>;
using QueuedTaskFence = BasicQueuedTaskFence<Owned>;
using QueuedTaskFenceView = BasicQueuedTaskFence<Borrowed>;
using TaskOwnership = BasicTaskOwnership<Owned>;
using TaskOwnershipView = BasicTaskOwnership<Borrowed>;
using CompletionReceipt = BasicCompletionReceipt<Owned>;
using CompletionReceiptView = BasicCompletionReceipt<Borrowed>;
using ScanTask = BasicScanTask<Owned>;
using ScanTaskView = BasicScanTask<Borrowed>;
using WorkerSpec = BasicWorkerSpec<Owned>;
using WorkerSpecView = BasicWorkerSpec<Borrowed>;
using WorkerNode = BasicWorkerNode<Owned>;
using WorkerNodeView = BasicWorkerNode<Borrowed>;
using CompletionOutcome = BasicCompletionOutcome<Owned>;
using CompletionOutcomeView = BasicCompletionOutcome<Borrowed>;

}  // namespace leasegate
