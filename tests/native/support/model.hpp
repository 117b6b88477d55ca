// The contract once more, as plainly as it can be written: maps, vectors and scans over everything. Written
// from the contract's text, so that it shares no idea with the code it judges. Slow on purpose.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordination/commands.hpp"
#include "coordination/records.hpp"
#include "results/commands.hpp"

namespace leasegate::test {

/** A value, or a refusal written as `code{field: value}`. */
template <class T>
using Answer = std::expected<T, std::string>;

class Model {
 public:
  struct Task {
    ScanTask record;
    std::uint64_t ordinal = 0;
    /** The first ordinal: the order of age. */
    std::uint64_t made = 0;
    /** The how-manieth end this was. */
    std::uint64_t ended = 0;
    /** What ended it, when that can be sent again. */
    std::optional<CompletionReceipt> receipt;
    std::optional<TaskLease> failure;
    std::optional<TaskOwnership> cancellation;
  };

  explicit Model(const DistributedLimits& chosen) : limits(chosen) {}

  Answer<Transition<WorkerNode>> apply(const RegisterWorker& c);
  Answer<Transition<WorkerNode>> apply(const ReactivateWorker& c);
  Answer<Transition<WorkerNode>> apply(const UpdateWorker& c);
  Answer<Transition<RecoverySummary>> apply(const DeregisterWorker& c);
  Answer<Transition<RecoverySummary>> apply(const PruneDeadWorkers& c);
  Answer<Transition<ScanTask>> apply(const Enqueue& c);
  Answer<Transition<TaskLease>> apply(const AssignTask& c);
  Answer<Transition<TaskLease>> apply(const AssignNext& c);
  Answer<Transition<TaskLease>> apply(const AssignNextAvailable& c);
  Answer<Transition<StartOutcome>> apply(const StartTask& c);
  Answer<Transition<CompletionOutcome>> apply(const CompleteTask& c);
  Answer<Transition<FailureOutcome>> apply(const FailTask& c);
  Answer<Transition<CancellationOutcome>> apply(const CancelTask& c);
  Answer<Transition<RecoverySummary>> apply(const RecoverExpiredLeases& c);
  Answer<Transition<std::uint32_t>> apply(const ExpireOldTasks& c);
  Answer<Transition<TaskLease>> apply(const RenewLease& c);
  Answer<Transition<std::uint32_t>> apply(const RetireTasks& c);
  Answer<Transition<std::uint32_t>> apply(const ForgetWorker& c);

  [[nodiscard]] StateSnapshot snapshot() const;
  [[nodiscard]] std::optional<ScanTask> peek_next() const;
  [[nodiscard]] Answer<std::optional<ScanTask>> get_task(std::string_view id) const;
  [[nodiscard]] Answer<std::optional<WorkerNode>> get_worker(std::string_view id) const;
  [[nodiscard]] Answer<std::optional<WorkerNode>> get_available_worker(LogicalTime now) const;

  DistributedLimits limits;
  std::uint64_t revision = 0;
  std::uint64_t time = 0;
  std::uint64_t last_lease_id = 0;
  std::uint64_t last_ordinal = 0;
  std::uint64_t ends = 0;
  // Sorted by bytes, as tasks() and get_workers() are.
  std::map<std::string, Task> tasks;
  std::map<std::string, WorkerNode> workers;

 private:
  std::optional<std::string> preflight(const Fenced& c) const;
  void begin(const Fenced& c);
  Revision commit(const Fenced& c);
  [[nodiscard]] bool ordinals_left(std::uint64_t wanted) const;
  std::uint32_t count(bool (*wanted)(TaskStatus)) const;
  Task* next_task(std::uint64_t now);
  [[nodiscard]] const WorkerNode* best_worker(std::uint64_t now) const;
  [[nodiscard]] bool fresh(const WorkerNode& worker, std::uint64_t now) const;

  Answer<Transition<TaskLease>> assign(const Fenced& c, std::uint64_t ttl, const std::string& task_id,
                                       const std::string& worker_id);
  std::optional<std::string> current_lease(const Task& task, const TaskLease& lease, std::uint64_t now) const;
  void end(Task& task, TaskStatus status, std::uint64_t now);
  void requeue(Task& task, std::optional<std::uint64_t> not_before = {});
  [[nodiscard]] std::optional<std::string> cannot_recover(const std::vector<Task*>& in_lease_order) const;
  RecoverySummary recover(const std::vector<Task*>& in_lease_order, std::uint64_t now);
  std::vector<Task*> leases_of(const std::vector<std::string>& worker_ids);
};

/** The results' side of the contract. */
class ResultModel {
 public:
  explicit ResultModel(const ResultLimits& chosen) : limits(chosen) {}

  Answer<Transition<StoreOutcome>> apply(const StoreResult& c);
  [[nodiscard]] Answer<std::vector<TaskResult>> aggregate(const std::vector<std::string>& ids) const;
  [[nodiscard]] Answer<std::optional<std::vector<std::uint8_t>>> get_result(std::string_view id) const;
  [[nodiscard]] std::uint64_t total_bytes() const;

  struct Stored {
    CompletionReceipt receipt;
    std::vector<std::uint8_t> bytes;
  };
  ResultLimits limits;
  std::uint64_t revision = 0;
  std::map<std::string, Stored> results;
};

/** The first rule that the limits break, or "accepted". */
std::string judge(const DistributedLimits& limits);
std::string judge(const ResultLimits& limits);

/** From the contract's formula, in wider integers than the code's. */
std::uint32_t effective_capacity(const WorkerNode& worker);

}  // namespace leasegate::test
