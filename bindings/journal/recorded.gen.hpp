// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <span>
#include "bindings/coordination/wire.gen.hpp"
#include "bindings/results/wire.gen.hpp"

namespace leasegate::bindings {

void write(FrameWriter& out, const TaskOwnershipView& value);
void write(FrameWriter& out, std::span<const IdView> ids);

inline void write(FrameWriter& out, const TaskSpecView& value) {
  out.text(value.task_id);
  out.text(value.scan_id);
  out.text(value.target_ref);
  out.bytes(value.phases);
  write(out, value.priority);
}

inline void write(FrameWriter& out, const WorkerSpecView& value) {
  out.text(value.worker_id);
  out.u32(value.capacity);
  out.u32(value.cpu_basis_points);
  out.u32(value.memory_basis_points);
  out.u32(value.network_basis_points);
  out.set(value.tags);
}

inline void write(FrameWriter& out, const WorkerObservation& value) {
  write(out, value.status);
  out.u32(value.cpu_basis_points);
  out.u32(value.memory_basis_points);
  out.u32(value.network_basis_points);
}

inline void write(FrameWriter& out, const RegisterWorker& value) {
  out.u64(value.now);
  write(out, value.spec);
}

inline void write(FrameWriter& out, const ReactivateWorker& value) {
  out.u64(value.now);
  out.u64(value.expected_generation);
  write(out, value.spec);
}

inline void write(FrameWriter& out, const UpdateWorker& value) {
  out.u64(value.now);
  out.text(value.worker_id);
  out.u64(value.generation);
  write(out, value.observation);
}

inline void write(FrameWriter& out, const DeregisterWorker& value) {
  out.u64(value.now);
  out.text(value.worker_id);
  out.u64(value.generation);
}

inline void write(FrameWriter& out, const PruneDeadWorkers& value) {
  out.u64(value.now);
}

inline void write(FrameWriter& out, const Enqueue& value) {
  out.u64(value.now);
  write(out, value.spec);
}

inline void write(FrameWriter& out, const AssignTask& value) {
  out.u64(value.now);
  out.text(value.task_id);
  out.text(value.worker_id);
  out.u64(value.lease_ttl_secs);
}

inline void write(FrameWriter& out, const AssignNext& value) {
  out.u64(value.now);
  out.text(value.worker_id);
  out.u64(value.lease_ttl_secs);
}

inline void write(FrameWriter& out, const AssignNextAvailable& value) {
  out.u64(value.now);
  out.u64(value.lease_ttl_secs);
}

inline void write(FrameWriter& out, const StartTask& value) {
  out.u64(value.now);
  write(out, value.lease);
}

inline void write(FrameWriter& out, const CompleteTask& value) {
  out.u64(value.now);
  write(out, value.lease);
}

inline void write(FrameWriter& out, const FailTask& value) {
  out.u64(value.now);
  write(out, value.lease);
  out.optional_u64(value.retry_after_secs);
}

inline void write(FrameWriter& out, const CancelTask& value) {
  out.u64(value.now);
  write(out, value.ownership);
}

inline void write(FrameWriter& out, const RecoverExpiredLeases& value) {
  out.u64(value.now);
}

inline void write(FrameWriter& out, const ExpireOldTasks& value) {
  out.u64(value.now);
  out.u64(value.task_ttl_secs);
}

inline void write(FrameWriter& out, const RenewLease& value) {
  out.u64(value.now);
  write(out, value.lease);
  out.u64(value.lease_ttl_secs);
}

inline void write(FrameWriter& out, const RetireTasks& value) {
  out.u64(value.now);
  out.u64(value.terminal_before);
  out.u64(value.limit);
}

inline void write(FrameWriter& out, const ForgetWorker& value) {
  out.u64(value.now);
  out.text(value.worker_id);
  out.u64(value.generation);
}

inline void write(FrameWriter& out, const StoreResult& value) {
  write(out, value.receipt);
  out.place(value.bytes);
}

inline void write(FrameWriter& out, const RemoveResults& value) {
  write(out, value.task_ids);
}

}  // namespace leasegate::bindings
