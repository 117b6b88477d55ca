// The thread-safe handles that C++ hosts hold. One mutex guards the state; copies of a handle, and a pool's
// task queue, share it.
//
// Every function is one command or read of Coordinator (coordinator.hpp names the errors); its answer owns
// its texts. Memory for an answer is set aside before the command is applied: out_of_memory means nothing
// changed.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "coordination/coordinator.hpp"
#include "journal/replay.hpp"
#include "journal/sink.hpp"
#include "journal/snapshot.hpp"

namespace leasegate {

class TaskQueue;

namespace detail {
struct SharedCoordinator;
}

class WorkerPool {
 public:
  /** Errors: those of validate(DistributedLimits), out_of_memory. */
  [[nodiscard]] static Result<WorkerPool> create(const DistributedLimits& limits = {});
  /** A pool with the state of a snapshot. Errors: those of journal::import_coordinator. */
  [[nodiscard]] static Result<WorkerPool> from_snapshot(std::span<const std::uint8_t> snapshot);
  /** A pool with the state that a journal leads to, and how far it was read. Errors: as
   * journal::replay_coordinator. */
  [[nodiscard]] static Result<std::pair<WorkerPool, journal::BatchReport>> replay(
      std::span<const std::uint8_t> bytes, const journal::ReplayOptions& options = {},
      std::span<const std::uint8_t> snapshot = {});

  /** The tasks' side of this pool: same state. */
  [[nodiscard]] TaskQueue task_queue() const;

  Result<Transition<WorkerNode>> register_worker(const RegisterWorker& command);
  Result<Transition<WorkerNode>> reactivate_worker(const ReactivateWorker& command);
  Result<Transition<WorkerNode>> update_worker(const UpdateWorker& command);
  Result<Transition<RecoverySummary>> deregister_worker(const DeregisterWorker& command);
  Result<Transition<RecoverySummary>> prune_dead_workers(const PruneDeadWorkers& command);
  Result<Transition<TaskLease>> assign_task(const AssignTask& command);
  Result<Transition<TaskLease>> assign_next(const AssignNext& command);
  Result<Transition<TaskLease>> assign_next_available(const AssignNextAvailable& command);
  Result<Transition<StartOutcome>> start_task(const StartTask& command);
  Result<Transition<CompletionOutcome>> complete_task(const CompleteTask& command);
  Result<Transition<FailureOutcome>> fail_task(const FailTask& command);
  Result<Transition<CancellationOutcome>> cancel_task(const CancelTask& command);
  Result<Transition<RecoverySummary>> recover_expired_leases(const RecoverExpiredLeases& command);
  Result<Transition<std::uint32_t>> expire_old_tasks(const ExpireOldTasks& command);
  Result<Transition<TaskLease>> renew_lease(const RenewLease& command);
  Result<Transition<std::uint32_t>> retire_tasks(const RetireTasks& command);
  Result<Transition<std::uint32_t>> forget_worker(const ForgetWorker& command);

  [[nodiscard]] Result<std::optional<WorkerNode>> get_available_worker(LogicalTime now) const;
  [[nodiscard]] Result<std::optional<WorkerNode>> get_worker(std::string_view worker_id) const;
  /** By id, bytewise. */
  [[nodiscard]] Result<std::vector<WorkerNode>> get_workers() const;
  [[nodiscard]] StateSnapshot snapshot() const;
  [[nodiscard]] Revision revision() const;
  [[nodiscard]] Status check_invariants() const;

  /**
   * From here on `sink` gets the record of every accepted command, called under the pool's mutex; null ends
   * it. A command whose record the sink has no room for is refused with the sink's error.
   */
  void attach_journal(std::shared_ptr<journal::JournalSink> sink);
  /** What the header of a journal that begins now says. Errors: out_of_memory. */
  Status journal_header(Array<std::uint8_t>& out) const;
  /** Applies many records in one go, as journal::apply_records does; the journal gets them too. */
  [[nodiscard]] journal::BatchReport apply_batch(std::span<const std::uint8_t> records);
  /** Errors: out_of_memory. */
  [[nodiscard]] Result<journal::Digest> state_digest() const;
  /** Appends a snapshot to `out`. Errors: out_of_memory, with `out` as before. */
  Status export_snapshot(Array<std::uint8_t>& out) const;

 private:
  explicit WorkerPool(std::shared_ptr<detail::SharedCoordinator> shared) : shared_(std::move(shared)) {}

  std::shared_ptr<detail::SharedCoordinator> shared_;
};

class TaskQueue {
 public:
  /** A queue of its own, without workers. Errors: as WorkerPool::create. */
  [[nodiscard]] static Result<TaskQueue> create(const DistributedLimits& limits = {});

  Result<Transition<ScanTask>> enqueue(const Enqueue& command);

  [[nodiscard]] Result<std::optional<ScanTask>> peek_next() const;
  [[nodiscard]] Result<std::optional<ScanTask>> get_task(std::string_view task_id) const;
  /** By id, bytewise. */
  [[nodiscard]] Result<std::vector<ScanTask>> tasks() const;
  [[nodiscard]] StateSnapshot snapshot() const;

 private:
  friend class WorkerPool;
  explicit TaskQueue(std::shared_ptr<detail::SharedCoordinator> shared) : shared_(std::move(shared)) {}

  std::shared_ptr<detail::SharedCoordinator> shared_;
};

}  // namespace leasegate
