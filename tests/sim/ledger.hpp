// What happened to tasks and results along one line of accepted commands, kept apart from core and model: the
// promises that a reader of the contract would name first, each in a few lines.
#pragma once

#include <map>
#include <set>
#include <string>

#include "sim/violation.hpp"
#include "support/model.hpp"

namespace leasegate::sim {

/** No task is completed twice, no task has two leases at once, nothing is done under a lease that has run out
 * or is not the task's. */
class TaskLedger {
 public:
  /** After `command` was accepted and has changed something. */
  template <class Command, class Value>
  void observe(const Command& command, const Value& value, const test::Model& model) {
    if constexpr (requires { value.expires_at; }) {
      if constexpr (requires { command.lease; }) {
        renewed(test_lease(command.lease), value, command.now);
      } else {
        granted(value, command.now);
      }
    } else {
      others(command, value, model);
    }
  }

  /** After a completion was recognised as done before. */
  void observe_repeated(const CompleteTask& command) const {
    require(completed_under(std::string(command.lease.task_id)) == command.lease.lease_id.value,
            "foreign_receipt", [&] { return std::string(command.lease.task_id); });
  }

  [[nodiscard]] bool was_enqueued(const std::string& task) const { return enqueued_.contains(task); }
  /** The lease under which the task was completed; 0 when it was not. */
  [[nodiscard]] std::uint64_t completed_under(const std::string& task) const {
    const auto found = completed_.find(task);
    return found == completed_.end() ? 0 : found->second;
  }

 private:
  struct Grant {
    TaskLease lease;
    bool open = true;
  };

  static TaskLease test_lease(const TaskLeaseView& view);
  void granted(const TaskLease& lease, LogicalTime now);
  void renewed(const TaskLease& before, const TaskLease& after, LogicalTime now);
  void must_hold(const TaskLeaseView& lease, LogicalTime now) const;
  void close(std::string_view task);
  void close_of_offline_workers(const test::Model& model);

  template <class Command, class Value>
  void others(const Command&, const Value&, const test::Model&) {}
  void others(const Enqueue& command, const ScanTask& task, const test::Model& model);
  void others(const StartTask& command, const StartOutcome& outcome, const test::Model& model);
  void others(const CompleteTask& command, const CompletionOutcome& outcome, const test::Model& model);
  void others(const FailTask& command, const FailureOutcome& outcome, const test::Model& model);
  void others(const CancelTask& command, const CancellationOutcome& outcome, const test::Model& model);
  void others(const DeregisterWorker& command, const RecoverySummary& summary, const test::Model& model);
  void others(const PruneDeadWorkers& command, const RecoverySummary& summary, const test::Model& model);

  std::set<std::string> enqueued_;
  std::map<std::string, std::uint64_t> completed_;
  /** The last lease that each task was given. */
  std::map<std::string, Grant, std::less<>> grants_;
};

/** What has been stored, removed or not. */
class ResultLedger {
 public:
  void stored(const std::string& task) { ever_.insert(task); }
  [[nodiscard]] bool was_stored(const std::string& task) const { return ever_.contains(task); }

 private:
  std::set<std::string> ever_;
};

}  // namespace leasegate::sim
