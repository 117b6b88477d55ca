#include "sim/ledger.hpp"

#include "coordination/owned_records.hpp"
#include "support/records.hpp"

namespace leasegate::sim {

TaskLease TaskLedger::test_lease(const TaskLeaseView& view) {
  TaskLease lease;
  assign(lease, view);
  return lease;
}

void TaskLedger::granted(const TaskLease& lease, LogicalTime now) {
  const auto found = grants_.find(lease.task_id);
  if (found != grants_.end()) {
    const Grant& last = found->second;
    require(!last.open || now >= last.lease.expires_at, "two_leases", [&] {
      return test::text_of(lease) + " was given while " + test::text_of(last.lease) + " is good";
    });
    require(lease.lease_id > last.lease.lease_id, "lease_id_reused", [&] { return test::text_of(lease); });
  }
  grants_[lease.task_id] = {lease, true};
}

void TaskLedger::renewed(const TaskLease& before, const TaskLease& after, LogicalTime now) {
  must_hold(test::view_of(before), now);
  require(after.expires_at > before.expires_at, "renewal_shortens", [&] { return test::text_of(after); });
  grants_[after.task_id] = {after, true};
}

void TaskLedger::must_hold(const TaskLeaseView& lease, LogicalTime now) const {
  const auto found = grants_.find(lease.task_id);
  const bool current =
      found != grants_.end() && found->second.open && test::view_of(found->second.lease) == lease;
  require(current, "foreign_lease",
          [&] { return "an act was accepted under " + test::text_of(test_lease(lease)); });
  require(now < lease.expires_at, "expired_lease", [&] {
    return "at " + test::text_of(now) + " an act was accepted under " + test::text_of(test_lease(lease));
  });
}

void TaskLedger::close(std::string_view task) {
  const auto found = grants_.find(task);
  if (found != grants_.end()) found->second.open = false;
}

void TaskLedger::close_of_offline_workers(const test::Model& model) {
  for (auto& [task, grant] : grants_) {
    const auto worker = model.workers.find(grant.lease.worker_id);
    if (worker != model.workers.end() && worker->second.status == WorkerStatus::offline) grant.open = false;
  }
}

void TaskLedger::others(const Enqueue&, const ScanTask& task, const test::Model&) {
  enqueued_.insert(task.task_id);
}

void TaskLedger::others(const StartTask& command, const StartOutcome&, const test::Model&) {
  must_hold(command.lease, command.now);
}

void TaskLedger::others(const CompleteTask& command, const CompletionOutcome& outcome, const test::Model&) {
  const std::string task(command.lease.task_id);
  require(!completed_.contains(task), "completed_twice", [&] { return test::text_of(outcome.receipt); });
  must_hold(command.lease, command.now);
  completed_[task] = command.lease.lease_id.value;
  close(task);
}

void TaskLedger::others(const FailTask& command, const FailureOutcome&, const test::Model&) {
  must_hold(command.lease, command.now);
  close(command.lease.task_id);
}

void TaskLedger::others(const CancelTask& command, const CancellationOutcome&, const test::Model&) {
  const auto* lease = std::get_if<TaskLeaseView>(&command.ownership);
  if (lease == nullptr) return;
  must_hold(*lease, command.now);
  close(lease->task_id);
}

void TaskLedger::others(const DeregisterWorker&, const RecoverySummary&, const test::Model& model) {
  close_of_offline_workers(model);
}

void TaskLedger::others(const PruneDeadWorkers&, const RecoverySummary&, const test::Model& model) {
  close_of_offline_workers(model);
}

}  // namespace leasegate::sim
