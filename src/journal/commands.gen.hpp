// Generated from src/schema by "npm run generate". Do not edit.
#pragma once

#include <cstdint>
#include <variant>
#include "coordination/commands.hpp"
#include "journal/byte_reader.hpp"
#include "journal/byte_writer.hpp"
#include "results/commands.hpp"

namespace leasegate::journal {

/** What a record does. A number is a command for ever. */
enum class CommandKind : std::uint8_t {
  register_worker = 1,
  reactivate_worker = 2,
  update_worker = 3,
  deregister_worker = 4,
  prune_dead_workers = 5,
  enqueue = 6,
  assign_task = 7,
  assign_next = 8,
  assign_next_available = 9,
  start_task = 10,
  complete_task = 11,
  fail_task = 12,
  cancel_task = 13,
  recover_expired_leases = 14,
  expire_old_tasks = 15,
  renew_lease = 16,
  retire_tasks = 17,
  forget_worker = 18,
  store_result = 64,
  remove_results = 65,
};

inline void write(ByteWriter& out, const TaskSpecView& value) {
  out.text(value.task_id, MAX_IDENTIFIER_BYTES);
  out.text(value.scan_id, MAX_IDENTIFIER_BYTES);
  out.text(value.target_ref, MAX_TARGET_REF_BYTES);
  out.bytes(value.phases, MAX_TASK_PHASES);
  out.name(value.priority);
}
inline void read(ByteReader& in, TaskSpecView& value) {
  in.text(value.task_id, MAX_IDENTIFIER_BYTES);
  in.text(value.scan_id, MAX_IDENTIFIER_BYTES);
  in.text(value.target_ref, MAX_TARGET_REF_BYTES);
  in.bytes(value.phases, MAX_TASK_PHASES);
  in.name(value.priority, kPriorityNames.size());
}

inline void write(ByteWriter& out, const WorkerSpecView& value) {
  out.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  out.integer(value.capacity);
  out.integer(value.cpu_basis_points);
  out.integer(value.memory_basis_points);
  out.integer(value.network_basis_points);
  out.integer(std::uint32_t{value.tags.bits});
}
inline void read(ByteReader& in, WorkerSpecView& value) {
  in.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  in.integer(value.capacity);
  in.integer(value.cpu_basis_points);
  in.integer(value.memory_basis_points);
  in.integer(value.network_basis_points);
  in.set(value.tags, kWorkerTagNames.size());
}

inline void write(ByteWriter& out, const WorkerObservation& value) {
  out.name(value.status);
  out.integer(value.cpu_basis_points);
  out.integer(value.memory_basis_points);
  out.integer(value.network_basis_points);
}
inline void read(ByteReader& in, WorkerObservation& value) {
  in.name(value.status, kWorkerStatusNames.size());
  in.integer(value.cpu_basis_points);
  in.integer(value.memory_basis_points);
  in.integer(value.network_basis_points);
}

inline void write(ByteWriter& out, const TaskLeaseView& value) {
  out.text(value.task_id, MAX_IDENTIFIER_BYTES);
  out.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  out.integer(value.worker_generation);
  out.integer(value.task_generation);
  out.integer(value.attempt);
  out.integer(value.lease_id);
  out.integer(value.acquired_at);
  out.integer(value.expires_at);
}
inline void read(ByteReader& in, TaskLeaseView& value) {
  in.text(value.task_id, MAX_IDENTIFIER_BYTES);
  in.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  in.integer(value.worker_generation);
  in.integer(value.task_generation);
  in.integer(value.attempt);
  in.integer(value.lease_id);
  in.integer(value.acquired_at);
  in.integer(value.expires_at);
}

inline void write(ByteWriter& out, const QueuedTaskFenceView& value) {
  out.text(value.task_id, MAX_IDENTIFIER_BYTES);
  out.integer(value.task_generation);
  out.integer(value.record_version);
}
inline void read(ByteReader& in, QueuedTaskFenceView& value) {
  in.text(value.task_id, MAX_IDENTIFIER_BYTES);
  in.integer(value.task_generation);
  in.integer(value.record_version);
}

inline void write(ByteWriter& out, const CompletionReceiptView& value) {
  out.text(value.task_id, MAX_IDENTIFIER_BYTES);
  out.integer(value.task_generation);
  out.integer(value.attempt);
  out.integer(value.lease_id);
  out.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  out.integer(value.worker_generation);
  out.integer(value.record_version);
}
inline void read(ByteReader& in, CompletionReceiptView& value) {
  in.text(value.task_id, MAX_IDENTIFIER_BYTES);
  in.integer(value.task_generation);
  in.integer(value.attempt);
  in.integer(value.lease_id);
  in.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  in.integer(value.worker_generation);
  in.integer(value.record_version);
}

// Which token it is decides how it is read, so this one is written by hand.
void write(ByteWriter& out, const TaskOwnershipView& value);
void read(ByteReader& in, TaskOwnershipView& value);

inline void write(ByteWriter& out, const RegisterWorker& value) {
  out.integer(value.now);
  write(out, value.spec);
}
inline void read(ByteReader& in, RegisterWorker& value) {
  in.integer(value.now);
  read(in, value.spec);
}

inline void write(ByteWriter& out, const ReactivateWorker& value) {
  out.integer(value.now);
  out.integer(value.expected_generation);
  write(out, value.spec);
}
inline void read(ByteReader& in, ReactivateWorker& value) {
  in.integer(value.now);
  in.integer(value.expected_generation);
  read(in, value.spec);
}

inline void write(ByteWriter& out, const UpdateWorker& value) {
  out.integer(value.now);
  out.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  out.integer(value.generation);
  write(out, value.observation);
}
inline void read(ByteReader& in, UpdateWorker& value) {
  in.integer(value.now);
  in.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  in.integer(value.generation);
  read(in, value.observation);
}

inline void write(ByteWriter& out, const DeregisterWorker& value) {
  out.integer(value.now);
  out.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  out.integer(value.generation);
}
inline void read(ByteReader& in, DeregisterWorker& value) {
  in.integer(value.now);
  in.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  in.integer(value.generation);
}

inline void write(ByteWriter& out, const PruneDeadWorkers& value) {
  out.integer(value.now);
}
inline void read(ByteReader& in, PruneDeadWorkers& value) {
  in.integer(value.now);
}

inline void write(ByteWriter& out, const Enqueue& value) {
  out.integer(value.now);
  write(out, value.spec);
}
inline void read(ByteReader& in, Enqueue& value) {
  in.integer(value.now);
  read(in, value.spec);
}

inline void write(ByteWriter& out, const AssignTask& value) {
  out.integer(value.now);
  out.text(value.task_id, MAX_IDENTIFIER_BYTES);
  out.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  out.integer(value.lease_ttl_secs);
}
inline void read(ByteReader& in, AssignTask& value) {
  in.integer(value.now);
  in.text(value.task_id, MAX_IDENTIFIER_BYTES);
  in.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  in.integer(value.lease_ttl_secs);
}

inline void write(ByteWriter& out, const AssignNext& value) {
  out.integer(value.now);
  out.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  out.integer(value.lease_ttl_secs);
}
inline void read(ByteReader& in, AssignNext& value) {
  in.integer(value.now);
  in.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  in.integer(value.lease_ttl_secs);
}

inline void write(ByteWriter& out, const AssignNextAvailable& value) {
  out.integer(value.now);
  out.integer(value.lease_ttl_secs);
}
inline void read(ByteReader& in, AssignNextAvailable& value) {
  in.integer(value.now);
  in.integer(value.lease_ttl_secs);
}

inline void write(ByteWriter& out, const StartTask& value) {
  out.integer(value.now);
  write(out, value.lease);
}
inline void read(ByteReader& in, StartTask& value) {
  in.integer(value.now);
  read(in, value.lease);
}

inline void write(ByteWriter& out, const CompleteTask& value) {
  out.integer(value.now);
  write(out, value.lease);
}
inline void read(ByteReader& in, CompleteTask& value) {
  in.integer(value.now);
  read(in, value.lease);
}

inline void write(ByteWriter& out, const FailTask& value) {
  out.integer(value.now);
  write(out, value.lease);
  out.optional(value.retry_after_secs);
}
inline void read(ByteReader& in, FailTask& value) {
  in.integer(value.now);
  read(in, value.lease);
  in.optional(value.retry_after_secs);
}

inline void write(ByteWriter& out, const CancelTask& value) {
  out.integer(value.now);
  write(out, value.ownership);
}
inline void read(ByteReader& in, CancelTask& value) {
  in.integer(value.now);
  read(in, value.ownership);
}

inline void write(ByteWriter& out, const RecoverExpiredLeases& value) {
  out.integer(value.now);
}
inline void read(ByteReader& in, RecoverExpiredLeases& value) {
  in.integer(value.now);
}

inline void write(ByteWriter& out, const ExpireOldTasks& value) {
  out.integer(value.now);
  out.integer(value.task_ttl_secs);
}
inline void read(ByteReader& in, ExpireOldTasks& value) {
  in.integer(value.now);
  in.integer(value.task_ttl_secs);
}

inline void write(ByteWriter& out, const RenewLease& value) {
  out.integer(value.now);
  write(out, value.lease);
  out.integer(value.lease_ttl_secs);
}
inline void read(ByteReader& in, RenewLease& value) {
  in.integer(value.now);
  read(in, value.lease);
  in.integer(value.lease_ttl_secs);
}

inline void write(ByteWriter& out, const RetireTasks& value) {
  out.integer(value.now);
  out.integer(value.terminal_before);
  out.integer(value.limit);
}
inline void read(ByteReader& in, RetireTasks& value) {
  in.integer(value.now);
  in.integer(value.terminal_before);
  in.integer(value.limit);
}

inline void write(ByteWriter& out, const ForgetWorker& value) {
  out.integer(value.now);
  out.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  out.integer(value.generation);
}
inline void read(ByteReader& in, ForgetWorker& value) {
  in.integer(value.now);
  in.text(value.worker_id, MAX_IDENTIFIER_BYTES);
  in.integer(value.generation);
}

inline void write(ByteWriter& out, const StoreResult& value) {
  write(out, value.receipt);
  out.bytes(value.bytes, MAX_RESULT_BYTES);
}
inline void read(ByteReader& in, StoreResult& value) {
  read(in, value.receipt);
  in.bytes(value.bytes, MAX_RESULT_BYTES);
}

inline void write(ByteWriter& out, const RemoveResults& value) {
  out.ids(value.task_ids, MAX_AGGREGATE_ITEMS);
}
inline void read(ByteReader& in, RemoveResults& value) {
  in.ids(value.task_ids, MAX_AGGREGATE_ITEMS);
}

/** Any command of coordination. */
using CoordinatorCommand = std::variant<RegisterWorker, ReactivateWorker, UpdateWorker, DeregisterWorker, PruneDeadWorkers, Enqueue, AssignTask, AssignNext, AssignNextAvailable, StartTask, CompleteTask, FailTask, CancelTask, RecoverExpiredLeases, ExpireOldTasks, RenewLease, RetireTasks, ForgetWorker>;

[[nodiscard]] constexpr CommandKind kind_of(const RegisterWorker&) { return CommandKind::register_worker; }
[[nodiscard]] constexpr CommandKind kind_of(const ReactivateWorker&) { return CommandKind::reactivate_worker; }
[[nodiscard]] constexpr CommandKind kind_of(const UpdateWorker&) { return CommandKind::update_worker; }
[[nodiscard]] constexpr CommandKind kind_of(const DeregisterWorker&) { return CommandKind::deregister_worker; }
[[nodiscard]] constexpr CommandKind kind_of(const PruneDeadWorkers&) { return CommandKind::prune_dead_workers; }
[[nodiscard]] constexpr CommandKind kind_of(const Enqueue&) { return CommandKind::enqueue; }
[[nodiscard]] constexpr CommandKind kind_of(const AssignTask&) { return CommandKind::assign_task; }
[[nodiscard]] constexpr CommandKind kind_of(const AssignNext&) { return CommandKind::assign_next; }
[[nodiscard]] constexpr CommandKind kind_of(const AssignNextAvailable&) { return CommandKind::assign_next_available; }
[[nodiscard]] constexpr CommandKind kind_of(const StartTask&) { return CommandKind::start_task; }
[[nodiscard]] constexpr CommandKind kind_of(const CompleteTask&) { return CommandKind::complete_task; }
[[nodiscard]] constexpr CommandKind kind_of(const FailTask&) { return CommandKind::fail_task; }
[[nodiscard]] constexpr CommandKind kind_of(const CancelTask&) { return CommandKind::cancel_task; }
[[nodiscard]] constexpr CommandKind kind_of(const RecoverExpiredLeases&) { return CommandKind::recover_expired_leases; }
[[nodiscard]] constexpr CommandKind kind_of(const ExpireOldTasks&) { return CommandKind::expire_old_tasks; }
[[nodiscard]] constexpr CommandKind kind_of(const RenewLease&) { return CommandKind::renew_lease; }
[[nodiscard]] constexpr CommandKind kind_of(const RetireTasks&) { return CommandKind::retire_tasks; }
[[nodiscard]] constexpr CommandKind kind_of(const ForgetWorker&) { return CommandKind::forget_worker; }

/** False when coordination has no command of this kind. */
[[nodiscard]] inline bool read_command(ByteReader& in, std::uint8_t kind, CoordinatorCommand& out) {
  switch (static_cast<CommandKind>(kind)) {
    case CommandKind::register_worker:
      read(in, out.emplace<RegisterWorker>());
      return true;
    case CommandKind::reactivate_worker:
      read(in, out.emplace<ReactivateWorker>());
      return true;
    case CommandKind::update_worker:
      read(in, out.emplace<UpdateWorker>());
      return true;
    case CommandKind::deregister_worker:
      read(in, out.emplace<DeregisterWorker>());
      return true;
    case CommandKind::prune_dead_workers:
      read(in, out.emplace<PruneDeadWorkers>());
      return true;
    case CommandKind::enqueue:
      read(in, out.emplace<Enqueue>());
      return true;
    case CommandKind::assign_task:
      read(in, out.emplace<AssignTask>());
      return true;
    case CommandKind::assign_next:
      read(in, out.emplace<AssignNext>());
      return true;
    case CommandKind::assign_next_available:
      read(in, out.emplace<AssignNextAvailable>());
      return true;
    case CommandKind::start_task:
      read(in, out.emplace<StartTask>());
      return true;
    case CommandKind::complete_task:
      read(in, out.emplace<CompleteTask>());
      return true;
    case CommandKind::fail_task:
      read(in, out.emplace<FailTask>());
      return true;
    case CommandKind::cancel_task:
      read(in, out.emplace<CancelTask>());
      return true;
    case CommandKind::recover_expired_leases:
      read(in, out.emplace<RecoverExpiredLeases>());
      return true;
    case CommandKind::expire_old_tasks:
      read(in, out.emplace<ExpireOldTasks>());
      return true;
    case CommandKind::renew_lease:
      read(in, out.emplace<RenewLease>());
      return true;
    case CommandKind::retire_tasks:
      read(in, out.emplace<RetireTasks>());
      return true;
    case CommandKind::forget_worker:
      read(in, out.emplace<ForgetWorker>());
      return true;
    default:
      return false;
  }
}

/** Any command of results. */
using ResultCommand = std::variant<StoreResult, RemoveResults>;

[[nodiscard]] constexpr CommandKind kind_of(const StoreResult&) { return CommandKind::store_result; }
[[nodiscard]] constexpr CommandKind kind_of(const RemoveResults&) { return CommandKind::remove_results; }

/** False when results has no command of this kind. */
[[nodiscard]] inline bool read_command(ByteReader& in, std::uint8_t kind, ResultCommand& out) {
  switch (static_cast<CommandKind>(kind)) {
    case CommandKind::store_result:
      read(in, out.emplace<StoreResult>());
      return true;
    case CommandKind::remove_results:
      read(in, out.emplace<RemoveResults>());
      return true;
    default:
      return false;
  }
}

}  // namespace leasegate::journal
