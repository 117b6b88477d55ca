// From views to records that own their texts. `reserve` sets the memory for any answer of a kind aside, so
// that the `assign` after a command allocates nothing.
#pragma once

#include "coordination/records.hpp"

namespace leasegate {

inline void reserve(TaskLease& lease) {
  lease.task_id.reserve(MAX_IDENTIFIER_BYTES);
  lease.worker_id.reserve(MAX_IDENTIFIER_BYTES);
}
inline void assign(TaskLease& out, const TaskLeaseView& view) {
  out.task_id.assign(view.task_id);
  out.worker_id.assign(view.worker_id);
  out.worker_generation = view.worker_generation;
  out.task_generation = view.task_generation;
  out.attempt = view.attempt;
  out.lease_id = view.lease_id;
  out.acquired_at = view.acquired_at;
  out.expires_at = view.expires_at;
}

inline void reserve(CompletionOutcome& outcome) {
  outcome.receipt.task_id.reserve(MAX_IDENTIFIER_BYTES);
  outcome.receipt.worker_id.reserve(MAX_IDENTIFIER_BYTES);
}
inline void assign(CompletionReceipt& out, const CompletionReceiptView& view) {
  out.task_id.assign(view.task_id);
  out.task_generation = view.task_generation;
  out.attempt = view.attempt;
  out.lease_id = view.lease_id;
  out.worker_id.assign(view.worker_id);
  out.worker_generation = view.worker_generation;
  out.record_version = view.record_version;
}
inline void assign(CompletionOutcome& out, const CompletionOutcomeView& view) {
  out.kind = view.kind;
  assign(out.receipt, view.receipt);
}

inline void reserve(WorkerNode& worker) { worker.worker_id.reserve(MAX_IDENTIFIER_BYTES); }
inline void assign(WorkerNode& out, const WorkerNodeView& view) {
  out.worker_id.assign(view.worker_id);
  out.generation = view.generation;
  out.status = view.status;
  out.capacity = view.capacity;
  out.current_tasks = view.current_tasks;
  out.completed_tasks = view.completed_tasks;
  out.last_heartbeat = view.last_heartbeat;
  out.cpu_basis_points = view.cpu_basis_points;
  out.memory_basis_points = view.memory_basis_points;
  out.network_basis_points = view.network_basis_points;
  out.tags = view.tags;
}

inline void reserve(ScanTask& task) {
  task.task_id.reserve(MAX_IDENTIFIER_BYTES);
  task.scan_id.reserve(MAX_IDENTIFIER_BYTES);
  task.target_ref.reserve(MAX_TARGET_REF_BYTES);
  task.phases.reserve(MAX_TASK_PHASES);
}
inline void assign(ScanTask& out, const ScanTaskView& view) {
  out.task_id.assign(view.task_id);
  out.scan_id.assign(view.scan_id);
  out.target_ref.assign(view.target_ref);
  out.phases.assign(view.phases.begin(), view.phases.end());
  out.status = view.status;
  out.priority = view.priority;
  out.created_at = view.created_at;
  out.started_at = view.started_at;
  out.completed_at = view.completed_at;
  out.retry_count = view.retry_count;
  out.attempt = view.attempt;
  out.task_generation = view.task_generation;
  out.record_version = view.record_version;
  out.assigned_to.reset();
  if (view.assigned_to) out.assigned_to.emplace(*view.assigned_to);
  out.lease.reset();
  if (view.lease) assign(out.lease.emplace(), *view.lease);
  out.not_before = view.not_before;
}

// Answers without text need no memory.
template <class T>
void reserve(T&) {}
template <class T>
void assign(T& out, const T& view) {
  out = view;
}

}  // namespace leasegate
