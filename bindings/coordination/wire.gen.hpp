// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <cstdint>
#include "bindings/base/frame.hpp"
#include "coordination/commands.hpp"

namespace leasegate::bindings {

enum class CoordinationOp : std::uint32_t {
  register_worker,
  reactivate_worker,
  update_worker,
  deregister_worker,
  prune_dead_workers,
  enqueue,
  assign_task,
  assign_next,
  assign_next_available,
  start_task,
  complete_task,
  fail_task,
  cancel_task,
  recover_expired_leases,
  expire_old_tasks,
  renew_lease,
  retire_tasks,
  forget_worker,
  peek_next,
  get_task,
  get_worker,
  get_available_worker,
  snapshot,
  revision,
  check_invariants,
  list_tasks,
  list_workers,
  next_task,
  next_worker,
};

inline void read(FrameReader& in, Priority& value) { in.enumeration(value); }

inline void write(FrameWriter& out, Priority value) { out.enumeration(value); }

inline void read(FrameReader& in, TaskStatus& value) { in.enumeration(value); }

inline void write(FrameWriter& out, TaskStatus value) { out.enumeration(value); }

inline void read(FrameReader& in, WorkerStatus& value) { in.enumeration(value); }

inline void write(FrameWriter& out, WorkerStatus value) { out.enumeration(value); }

inline void read(FrameReader& in, TaskSpecView& value) {
  in.text(value.task_id);
  in.text(value.scan_id);
  in.text(value.target_ref);
  in.bytes(value.phases);
  read(in, value.priority);
}

inline void read(FrameReader& in, WorkerSpecView& value) {
  in.text(value.worker_id);
  in.u32(value.capacity);
  in.u32(value.cpu_basis_points);
  in.u32(value.memory_basis_points);
  in.u32(value.network_basis_points);
  in.set(value.tags);
}

inline void read(FrameReader& in, WorkerObservation& value) {
  read(in, value.status);
  in.u32(value.cpu_basis_points);
  in.u32(value.memory_basis_points);
  in.u32(value.network_basis_points);
}

inline void read(FrameReader& in, TaskLeaseView& value) {
  in.text(value.task_id);
  in.text(value.worker_id);
  in.u64(value.worker_generation);
  in.u64(value.task_generation);
  in.u32(value.attempt);
  in.u64(value.lease_id);
  in.u64(value.acquired_at);
  in.u64(value.expires_at);
  in.u32(value.task_id.place);
}

inline void write(FrameWriter& out, const TaskLeaseView& value) {
  out.id(value.task_id);
  out.id(value.worker_id);
  out.u64(value.worker_generation);
  out.u64(value.task_generation);
  out.u32(value.attempt);
  out.u64(value.lease_id);
  out.u64(value.acquired_at);
  out.u64(value.expires_at);
  out.u32(value.task_id.place);
}

inline void read(FrameReader& in, QueuedTaskFenceView& value) {
  in.text(value.task_id);
  in.u64(value.task_generation);
  in.u64(value.record_version);
}

inline void write(FrameWriter& out, const QueuedTaskFenceView& value) {
  out.id(value.task_id);
  out.u64(value.task_generation);
  out.u64(value.record_version);
}

inline void read(FrameReader& in, CompletionReceiptView& value) {
  in.text(value.task_id);
  in.u64(value.task_generation);
  in.u32(value.attempt);
  in.u64(value.lease_id);
  in.text(value.worker_id);
  in.u64(value.worker_generation);
  in.u64(value.record_version);
}

inline void write(FrameWriter& out, const CompletionReceiptView& value) {
  out.id(value.task_id);
  out.u64(value.task_generation);
  out.u32(value.attempt);
  out.u64(value.lease_id);
  out.id(value.worker_id);
  out.u64(value.worker_generation);
  out.u64(value.record_version);
}

inline void write(FrameWriter& out, const ScanTaskView& value) {
  out.id(value.task_id);
  out.text(value.scan_id);
  out.text(value.target_ref);
  out.bytes(value.phases);
  write(out, value.status);
  write(out, value.priority);
  out.u64(value.created_at);
  out.optional_u64(value.started_at);
  out.optional_u64(value.completed_at);
  out.u32(value.retry_count);
  out.u32(value.attempt);
  out.u64(value.task_generation);
  out.u64(value.record_version);
  out.optional_id(value.assigned_to);
  out.boolean(value.lease.has_value());
  if (value.lease) {
    write(out, *value.lease);
  } else {
    out.skip(9);
  }
  out.optional_u64(value.not_before);
  out.enumeration(value.ownership_kind());
}

inline void write(FrameWriter& out, const WorkerNodeView& value) {
  out.id(value.worker_id);
  out.u64(value.generation);
  write(out, value.status);
  out.u32(value.capacity);
  out.u32(value.current_tasks);
  out.u64(value.completed_tasks);
  out.u64(value.last_heartbeat);
  out.u32(value.cpu_basis_points);
  out.u32(value.memory_basis_points);
  out.u32(value.network_basis_points);
  out.set(value.tags);
  out.u32(value.effective_capacity());
  out.u32(value.available_slots());
}

inline void write(FrameWriter& out, const StateSnapshot& value) {
  out.u64(value.revision);
  out.u64(value.logical_time);
  out.u32(value.task_records);
  out.u32(value.active_tasks);
  out.u32(value.queued_tasks);
  out.u32(value.terminal_tasks);
  out.u32(value.workers);
}

inline void write(FrameWriter& out, const RecoverySummary& value) {
  out.u32(value.workers_affected);
  out.u32(value.tasks_requeued);
  out.u32(value.tasks_failed);
}

inline void write(FrameWriter& out, const StartOutcome& value) {
  out.enumeration(value.kind);
  switch (value.kind) {
    case StartKind::started:
      out.u64(value.record_version);
      break;
    case StartKind::already_running:
      out.u64(value.record_version);
      break;
  }
}

inline void write(FrameWriter& out, const CompletionOutcomeView& value) {
  out.enumeration(value.kind);
  switch (value.kind) {
    case CompletionKind::completed:
      write(out, value.receipt);
      break;
    case CompletionKind::already_completed:
      write(out, value.receipt);
      break;
  }
}

inline void write(FrameWriter& out, const FailureOutcome& value) {
  out.enumeration(value.kind);
  switch (value.kind) {
    case FailureKind::requeued:
      out.u64(value.task_generation);
      out.u32(value.retry_count);
      out.u64(value.record_version);
      break;
    case FailureKind::retry_exhausted:
      out.u32(value.retry_count);
      out.u64(value.record_version);
      break;
  }
}

inline void write(FrameWriter& out, const CancellationOutcome& value) {
  out.enumeration(value.kind);
  switch (value.kind) {
    case CancellationKind::cancelled:
      out.u64(value.record_version);
      break;
    case CancellationKind::already_cancelled:
      out.u64(value.record_version);
      break;
  }
}

void read(FrameReader& in, TaskOwnershipView& value);

inline void read(FrameReader& in, RegisterWorker& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  read(in, value.spec);
}

inline void read(FrameReader& in, ReactivateWorker& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  in.u64(value.expected_generation);
  read(in, value.spec);
}

inline void read(FrameReader& in, UpdateWorker& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  in.text(value.worker_id);
  in.u64(value.generation);
  read(in, value.observation);
}

inline void read(FrameReader& in, DeregisterWorker& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  in.text(value.worker_id);
  in.u64(value.generation);
}

inline void read(FrameReader& in, PruneDeadWorkers& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
}

inline void read(FrameReader& in, Enqueue& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  read(in, value.spec);
}

inline void read(FrameReader& in, AssignTask& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  in.text(value.task_id);
  in.text(value.worker_id);
  in.u64(value.lease_ttl_secs);
}

inline void read(FrameReader& in, AssignNext& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  in.text(value.worker_id);
  in.u64(value.lease_ttl_secs);
}

inline void read(FrameReader& in, AssignNextAvailable& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  in.u64(value.lease_ttl_secs);
}

inline void read(FrameReader& in, StartTask& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  read(in, value.lease);
}

inline void read(FrameReader& in, CompleteTask& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  read(in, value.lease);
}

inline void read(FrameReader& in, FailTask& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  read(in, value.lease);
  in.optional_u64(value.retry_after_secs);
}

inline void read(FrameReader& in, CancelTask& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  read(in, value.ownership);
}

inline void read(FrameReader& in, RecoverExpiredLeases& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
}

inline void read(FrameReader& in, ExpireOldTasks& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  in.u64(value.task_ttl_secs);
}

inline void read(FrameReader& in, RenewLease& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  read(in, value.lease);
  in.u64(value.lease_ttl_secs);
}

inline void read(FrameReader& in, RetireTasks& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  in.u64(value.terminal_before);
  in.u64(value.limit);
}

inline void read(FrameReader& in, ForgetWorker& value) {
  in.u64(value.expected_revision);
  in.u64(value.now);
  in.text(value.worker_id);
  in.u64(value.generation);
}

}  // namespace leasegate::bindings
