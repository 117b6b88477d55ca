#include "support/host.hpp"

namespace leasegate::test {

Host::Host(const DistributedLimits& limits) : machine_(std::make_unique<PoolMachine>(limits)) {}

Fenced Host::fenced() {
  const Revision revision = expected_.value_or(machine_->snapshot().revision);
  expected_.reset();
  return {revision, now_};
}

Result<Transition<WorkerNode>> Host::register_worker(const WorkerSpec& spec) {
  return machine_->apply(RegisterWorker{fenced(), view_of(spec)});
}

Result<Transition<WorkerNode>> Host::register_worker(std::string_view id, std::uint32_t capacity) {
  return machine_->apply(RegisterWorker{fenced(), {.worker_id = id, .capacity = capacity}});
}

Result<Transition<WorkerNode>> Host::reactivate(const WorkerSpec& spec, std::uint64_t generation) {
  return machine_->apply(ReactivateWorker{fenced(), {generation}, view_of(spec)});
}

Result<Transition<WorkerNode>> Host::reactivate(std::string_view id, std::uint64_t generation) {
  return machine_->apply(ReactivateWorker{fenced(), {generation}, {.worker_id = id, .capacity = 1}});
}

Result<Transition<WorkerNode>> Host::update(std::string_view id, std::uint64_t generation,
                                            const WorkerObservation& observation) {
  return machine_->apply(UpdateWorker{fenced(), id, {generation}, observation});
}

Result<Transition<RecoverySummary>> Host::deregister(std::string_view id, std::uint64_t generation) {
  return machine_->apply(DeregisterWorker{fenced(), id, {generation}});
}

Result<Transition<RecoverySummary>> Host::prune() { return machine_->apply(PruneDeadWorkers{fenced()}); }

Result<Transition<ScanTask>> Host::enqueue(const TaskSpec& spec) {
  return machine_->apply(Enqueue{fenced(), view_of(spec)});
}

Result<Transition<ScanTask>> Host::enqueue(std::string_view id, Priority priority) {
  return machine_->apply(
      Enqueue{fenced(), {.task_id = id, .scan_id = "scan", .target_ref = "target", .priority = priority}});
}

Result<Transition<TaskLease>> Host::assign(std::string_view task, std::string_view worker,
                                           std::uint64_t ttl) {
  return machine_->apply(AssignTask{fenced(), task, worker, {ttl}});
}

Result<Transition<TaskLease>> Host::assign_next(std::string_view worker, std::uint64_t ttl) {
  return machine_->apply(AssignNext{fenced(), worker, {ttl}});
}

Result<Transition<TaskLease>> Host::assign_next_available(std::uint64_t ttl) {
  return machine_->apply(AssignNextAvailable{fenced(), {ttl}});
}

Result<Transition<StartOutcome>> Host::start(const TaskLease& lease) {
  return machine_->apply(StartTask{fenced(), view_of(lease)});
}

Result<Transition<CompletionOutcome>> Host::complete(const TaskLease& lease) {
  return machine_->apply(CompleteTask{fenced(), view_of(lease)});
}

Result<Transition<FailureOutcome>> Host::fail(const TaskLease& lease,
                                              std::optional<std::uint64_t> retry_after) {
  FailTask command{fenced(), view_of(lease)};
  if (retry_after) command.retry_after_secs = Seconds{*retry_after};
  return machine_->apply(command);
}

Result<Transition<CancellationOutcome>> Host::cancel(const TaskOwnership& ownership) {
  return machine_->apply(CancelTask{fenced(), view_of(ownership)});
}

Result<Transition<RecoverySummary>> Host::recover() {
  return machine_->apply(RecoverExpiredLeases{fenced()});
}

Result<Transition<std::uint32_t>> Host::expire(std::uint64_t ttl) {
  return machine_->apply(ExpireOldTasks{fenced(), {ttl}});
}

Result<Transition<TaskLease>> Host::renew(const TaskLease& lease, std::uint64_t ttl) {
  return machine_->apply(RenewLease{fenced(), view_of(lease), {ttl}});
}

Result<Transition<std::uint32_t>> Host::retire(std::uint64_t before, std::uint64_t limit) {
  return machine_->apply(RetireTasks{fenced(), {before}, limit});
}

Result<Transition<std::uint32_t>> Host::forget(std::string_view worker, std::uint64_t generation) {
  return machine_->apply(ForgetWorker{fenced(), worker, {generation}});
}

TaskLease Host::running(std::string_view task, std::string_view worker, std::uint64_t ttl) {
  TaskLease lease = must(assign(task, worker, ttl));
  must(start(lease));
  return lease;
}

CompletionReceipt Host::finish_next(std::string_view worker) {
  const TaskLease lease = must(assign_next(worker));
  must(start(lease));
  return must(complete(lease)).receipt;
}

ScanTask Host::task(std::string_view id) const {
  auto found = machine_->get_task(id);
  REQUIRE(refusal(found) == "accepted");
  REQUIRE(found->has_value());
  return **found;
}

WorkerNode Host::worker(std::string_view id) const {
  auto found = machine_->get_worker(id);
  REQUIRE(refusal(found) == "accepted");
  REQUIRE(found->has_value());
  return **found;
}

std::string Host::best_worker(std::uint64_t now) const {
  const auto best = machine_->get_available_worker({now});
  REQUIRE(refusal(best) == "accepted");
  return *best ? (*best)->worker_id : "none";
}

std::string Host::hand_out_all(std::string_view worker) {
  std::string ids;
  while (snapshot().queued_tasks > 0) {
    if (!ids.empty()) ids += ' ';
    ids += must(assign_next(worker)).task_id;
  }
  return ids;
}

std::string Host::state() const {
  const StateSnapshot now = machine_->snapshot();
  std::string text = text_of(now) + '\n';
  const std::vector<ScanTask> tasks = machine_->tasks().value();
  for (const ScanTask& task : tasks) text += text_of(task) + '\n';
  const std::vector<WorkerNode> workers = machine_->get_workers().value();
  for (const WorkerNode& worker : workers) text += text_of(worker) + '\n';
  const auto next = machine_->peek_next().value();
  const auto best = machine_->get_available_worker(now.logical_time).value();
  text += "next " + (next ? next->task_id : "none") + ", best " + (best ? best->worker_id : "none") + '\n';
  return text + "invariants " + refusal(machine_->check_invariants());
}

}  // namespace leasegate::test
