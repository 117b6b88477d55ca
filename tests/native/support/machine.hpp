// The coordinator as tests drive it: through the public handles, or bare when a test reaches into its state.
#pragma once

#include "coordination/worker_pool.hpp"
#include "support/records.hpp"

namespace leasegate::test {

/** Every command and read; answers own their texts. */
class Machine {
 public:
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  virtual ~Machine() = default;

  virtual Result<Transition<WorkerNode>> apply(const RegisterWorker& command) = 0;
  virtual Result<Transition<WorkerNode>> apply(const ReactivateWorker& command) = 0;
  virtual Result<Transition<WorkerNode>> apply(const UpdateWorker& command) = 0;
  virtual Result<Transition<RecoverySummary>> apply(const DeregisterWorker& command) = 0;
  virtual Result<Transition<RecoverySummary>> apply(const PruneDeadWorkers& command) = 0;
  virtual Result<Transition<ScanTask>> apply(const Enqueue& command) = 0;
  virtual Result<Transition<TaskLease>> apply(const AssignTask& command) = 0;
  virtual Result<Transition<TaskLease>> apply(const AssignNext& command) = 0;
  virtual Result<Transition<TaskLease>> apply(const AssignNextAvailable& command) = 0;
  virtual Result<Transition<StartOutcome>> apply(const StartTask& command) = 0;
  virtual Result<Transition<CompletionOutcome>> apply(const CompleteTask& command) = 0;
  virtual Result<Transition<FailureOutcome>> apply(const FailTask& command) = 0;
  virtual Result<Transition<CancellationOutcome>> apply(const CancelTask& command) = 0;
  virtual Result<Transition<RecoverySummary>> apply(const RecoverExpiredLeases& command) = 0;
  virtual Result<Transition<std::uint32_t>> apply(const ExpireOldTasks& command) = 0;
  virtual Result<Transition<TaskLease>> apply(const RenewLease& command) = 0;
  virtual Result<Transition<std::uint32_t>> apply(const RetireTasks& command) = 0;
  virtual Result<Transition<std::uint32_t>> apply(const ForgetWorker& command) = 0;

  [[nodiscard]] virtual StateSnapshot snapshot() const = 0;
  [[nodiscard]] virtual Result<std::optional<ScanTask>> peek_next() const = 0;
  [[nodiscard]] virtual Result<std::optional<ScanTask>> get_task(std::string_view task_id) const = 0;
  [[nodiscard]] virtual Result<std::vector<ScanTask>> tasks() const = 0;
  [[nodiscard]] virtual Result<std::optional<WorkerNode>> get_worker(std::string_view worker_id) const = 0;
  [[nodiscard]] virtual Result<std::vector<WorkerNode>> get_workers() const = 0;
  [[nodiscard]] virtual Result<std::optional<WorkerNode>> get_available_worker(LogicalTime now) const = 0;
  [[nodiscard]] virtual Status check_invariants() const = 0;
};

/** Through WorkerPool and its TaskQueue: what C++ hosts use. */
class PoolMachine final : public Machine {
 public:
  explicit PoolMachine(const DistributedLimits& limits);

  Result<Transition<WorkerNode>> apply(const RegisterWorker& command) override;
  Result<Transition<WorkerNode>> apply(const ReactivateWorker& command) override;
  Result<Transition<WorkerNode>> apply(const UpdateWorker& command) override;
  Result<Transition<RecoverySummary>> apply(const DeregisterWorker& command) override;
  Result<Transition<RecoverySummary>> apply(const PruneDeadWorkers& command) override;
  Result<Transition<ScanTask>> apply(const Enqueue& command) override;
  Result<Transition<TaskLease>> apply(const AssignTask& command) override;
  Result<Transition<TaskLease>> apply(const AssignNext& command) override;
  Result<Transition<TaskLease>> apply(const AssignNextAvailable& command) override;
  Result<Transition<StartOutcome>> apply(const StartTask& command) override;
  Result<Transition<CompletionOutcome>> apply(const CompleteTask& command) override;
  Result<Transition<FailureOutcome>> apply(const FailTask& command) override;
  Result<Transition<CancellationOutcome>> apply(const CancelTask& command) override;
  Result<Transition<RecoverySummary>> apply(const RecoverExpiredLeases& command) override;
  Result<Transition<std::uint32_t>> apply(const ExpireOldTasks& command) override;
  Result<Transition<TaskLease>> apply(const RenewLease& command) override;
  Result<Transition<std::uint32_t>> apply(const RetireTasks& command) override;
  Result<Transition<std::uint32_t>> apply(const ForgetWorker& command) override;

  [[nodiscard]] StateSnapshot snapshot() const override;
  [[nodiscard]] Result<std::optional<ScanTask>> peek_next() const override;
  [[nodiscard]] Result<std::optional<ScanTask>> get_task(std::string_view task_id) const override;
  [[nodiscard]] Result<std::vector<ScanTask>> tasks() const override;
  [[nodiscard]] Result<std::optional<WorkerNode>> get_worker(std::string_view worker_id) const override;
  [[nodiscard]] Result<std::vector<WorkerNode>> get_workers() const override;
  [[nodiscard]] Result<std::optional<WorkerNode>> get_available_worker(LogicalTime now) const override;
  [[nodiscard]] Status check_invariants() const override;

  WorkerPool pool;
  TaskQueue queue;
};

/** The state machine itself. */
class CoreMachine final : public Machine {
 public:
  explicit CoreMachine(const DistributedLimits& limits);

  Result<Transition<WorkerNode>> apply(const RegisterWorker& command) override;
  Result<Transition<WorkerNode>> apply(const ReactivateWorker& command) override;
  Result<Transition<WorkerNode>> apply(const UpdateWorker& command) override;
  Result<Transition<RecoverySummary>> apply(const DeregisterWorker& command) override;
  Result<Transition<RecoverySummary>> apply(const PruneDeadWorkers& command) override;
  Result<Transition<ScanTask>> apply(const Enqueue& command) override;
  Result<Transition<TaskLease>> apply(const AssignTask& command) override;
  Result<Transition<TaskLease>> apply(const AssignNext& command) override;
  Result<Transition<TaskLease>> apply(const AssignNextAvailable& command) override;
  Result<Transition<StartOutcome>> apply(const StartTask& command) override;
  Result<Transition<CompletionOutcome>> apply(const CompleteTask& command) override;
  Result<Transition<FailureOutcome>> apply(const FailTask& command) override;
  Result<Transition<CancellationOutcome>> apply(const CancelTask& command) override;
  Result<Transition<RecoverySummary>> apply(const RecoverExpiredLeases& command) override;
  Result<Transition<std::uint32_t>> apply(const ExpireOldTasks& command) override;
  Result<Transition<TaskLease>> apply(const RenewLease& command) override;
  Result<Transition<std::uint32_t>> apply(const RetireTasks& command) override;
  Result<Transition<std::uint32_t>> apply(const ForgetWorker& command) override;

  [[nodiscard]] StateSnapshot snapshot() const override;
  [[nodiscard]] Result<std::optional<ScanTask>> peek_next() const override;
  [[nodiscard]] Result<std::optional<ScanTask>> get_task(std::string_view task_id) const override;
  [[nodiscard]] Result<std::vector<ScanTask>> tasks() const override;
  [[nodiscard]] Result<std::optional<WorkerNode>> get_worker(std::string_view worker_id) const override;
  [[nodiscard]] Result<std::vector<WorkerNode>> get_workers() const override;
  [[nodiscard]] Result<std::optional<WorkerNode>> get_available_worker(LogicalTime now) const override;
  [[nodiscard]] Status check_invariants() const override;

  Coordinator coordinator;
};

}  // namespace leasegate::test
