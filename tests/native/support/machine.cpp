#include "support/machine.hpp"

#include "coordination/owned_records.hpp"

namespace leasegate::test {
namespace {

template <class Answer, class View>
Result<Transition<Answer>> owned(const Result<Transition<View>>& applied) {
  if (!applied) return std::unexpected(applied.error());
  Transition<Answer> answer{};
  answer.revision = applied->revision;
  assign(answer.value, applied->value);
  return answer;
}

template <class Answer, class View>
std::optional<Answer> owned(const std::optional<View>& view) {
  std::optional<Answer> answer;
  if (view) assign(answer.emplace(), *view);
  return answer;
}

template <class Answer, class View>
Result<std::optional<Answer>> owned(const Result<std::optional<View>>& view) {
  if (!view) return std::unexpected(view.error());
  return owned<Answer>(*view);
}

}  // namespace

PoolMachine::PoolMachine(const DistributedLimits& limits)
    : pool(WorkerPool::create(limits).value()), queue(pool.task_queue()) {}

Result<Transition<WorkerNode>> PoolMachine::apply(const RegisterWorker& c) { return pool.register_worker(c); }
Result<Transition<WorkerNode>> PoolMachine::apply(const ReactivateWorker& c) {
  return pool.reactivate_worker(c);
}
Result<Transition<WorkerNode>> PoolMachine::apply(const UpdateWorker& c) { return pool.update_worker(c); }
Result<Transition<RecoverySummary>> PoolMachine::apply(const DeregisterWorker& c) {
  return pool.deregister_worker(c);
}
Result<Transition<RecoverySummary>> PoolMachine::apply(const PruneDeadWorkers& c) {
  return pool.prune_dead_workers(c);
}
Result<Transition<ScanTask>> PoolMachine::apply(const Enqueue& c) { return queue.enqueue(c); }
Result<Transition<TaskLease>> PoolMachine::apply(const AssignTask& c) { return pool.assign_task(c); }
Result<Transition<TaskLease>> PoolMachine::apply(const AssignNext& c) { return pool.assign_next(c); }
Result<Transition<TaskLease>> PoolMachine::apply(const AssignNextAvailable& c) {
  return pool.assign_next_available(c);
}
Result<Transition<StartOutcome>> PoolMachine::apply(const StartTask& c) { return pool.start_task(c); }
Result<Transition<CompletionOutcome>> PoolMachine::apply(const CompleteTask& c) {
  return pool.complete_task(c);
}
Result<Transition<FailureOutcome>> PoolMachine::apply(const FailTask& c) { return pool.fail_task(c); }
Result<Transition<CancellationOutcome>> PoolMachine::apply(const CancelTask& c) {
  return pool.cancel_task(c);
}
Result<Transition<RecoverySummary>> PoolMachine::apply(const RecoverExpiredLeases& c) {
  return pool.recover_expired_leases(c);
}
Result<Transition<std::uint32_t>> PoolMachine::apply(const ExpireOldTasks& c) {
  return pool.expire_old_tasks(c);
}
Result<Transition<TaskLease>> PoolMachine::apply(const RenewLease& c) { return pool.renew_lease(c); }
Result<Transition<std::uint32_t>> PoolMachine::apply(const RetireTasks& c) { return pool.retire_tasks(c); }
Result<Transition<std::uint32_t>> PoolMachine::apply(const ForgetWorker& c) { return pool.forget_worker(c); }

StateSnapshot PoolMachine::snapshot() const { return pool.snapshot(); }
Result<std::optional<ScanTask>> PoolMachine::peek_next() const { return queue.peek_next(); }
Result<std::optional<ScanTask>> PoolMachine::get_task(std::string_view task_id) const {
  return queue.get_task(task_id);
}
Result<std::vector<ScanTask>> PoolMachine::tasks() const { return queue.tasks(); }
Result<std::optional<WorkerNode>> PoolMachine::get_worker(std::string_view worker_id) const {
  return pool.get_worker(worker_id);
}
Result<std::vector<WorkerNode>> PoolMachine::get_workers() const { return pool.get_workers(); }
Result<std::optional<WorkerNode>> PoolMachine::get_available_worker(LogicalTime now) const {
  return pool.get_available_worker(now);
}
Status PoolMachine::check_invariants() const { return pool.check_invariants(); }

CoreMachine::CoreMachine(const DistributedLimits& limits)
    : coordinator(Coordinator::create(limits).value()) {}

Result<Transition<WorkerNode>> CoreMachine::apply(const RegisterWorker& c) {
  return owned<WorkerNode>(coordinator.apply(c));
}
Result<Transition<WorkerNode>> CoreMachine::apply(const ReactivateWorker& c) {
  return owned<WorkerNode>(coordinator.apply(c));
}
Result<Transition<WorkerNode>> CoreMachine::apply(const UpdateWorker& c) {
  return owned<WorkerNode>(coordinator.apply(c));
}
Result<Transition<RecoverySummary>> CoreMachine::apply(const DeregisterWorker& c) {
  return coordinator.apply(c);
}
Result<Transition<RecoverySummary>> CoreMachine::apply(const PruneDeadWorkers& c) {
  return coordinator.apply(c);
}
Result<Transition<ScanTask>> CoreMachine::apply(const Enqueue& c) {
  return owned<ScanTask>(coordinator.apply(c));
}
Result<Transition<TaskLease>> CoreMachine::apply(const AssignTask& c) {
  return owned<TaskLease>(coordinator.apply(c));
}
Result<Transition<TaskLease>> CoreMachine::apply(const AssignNext& c) {
  return owned<TaskLease>(coordinator.apply(c));
}
Result<Transition<TaskLease>> CoreMachine::apply(const AssignNextAvailable& c) {
  return owned<TaskLease>(coordinator.apply(c));
}
Result<Transition<StartOutcome>> CoreMachine::apply(const StartTask& c) { return coordinator.apply(c); }
Result<Transition<CompletionOutcome>> CoreMachine::apply(const CompleteTask& c) {
  return owned<CompletionOutcome>(coordinator.apply(c));
}
Result<Transition<FailureOutcome>> CoreMachine::apply(const FailTask& c) { return coordinator.apply(c); }
Result<Transition<CancellationOutcome>> CoreMachine::apply(const CancelTask& c) {
  return coordinator.apply(c);
}
Result<Transition<RecoverySummary>> CoreMachine::apply(const RecoverExpiredLeases& c) {
  return coordinator.apply(c);
}
Result<Transition<std::uint32_t>> CoreMachine::apply(const ExpireOldTasks& c) { return coordinator.apply(c); }
Result<Transition<TaskLease>> CoreMachine::apply(const RenewLease& c) {
  return owned<TaskLease>(coordinator.apply(c));
}
Result<Transition<std::uint32_t>> CoreMachine::apply(const RetireTasks& c) { return coordinator.apply(c); }
Result<Transition<std::uint32_t>> CoreMachine::apply(const ForgetWorker& c) { return coordinator.apply(c); }

StateSnapshot CoreMachine::snapshot() const { return coordinator.snapshot(); }
Result<std::optional<ScanTask>> CoreMachine::peek_next() const {
  return owned<ScanTask>(coordinator.peek_next());
}
Result<std::optional<ScanTask>> CoreMachine::get_task(std::string_view task_id) const {
  return owned<ScanTask>(coordinator.get_task(task_id));
}
Result<std::vector<ScanTask>> CoreMachine::tasks() const {
  Array<std::uint32_t> slots;
  LEASEGATE_TRY(coordinator.list_tasks(slots));
  std::vector<ScanTask> answers;
  for (const std::uint32_t slot : slots) assign(answers.emplace_back(), coordinator.task_at(slot));
  return answers;
}
Result<std::optional<WorkerNode>> CoreMachine::get_worker(std::string_view worker_id) const {
  return owned<WorkerNode>(coordinator.get_worker(worker_id));
}
Result<std::vector<WorkerNode>> CoreMachine::get_workers() const {
  Array<std::uint32_t> slots;
  LEASEGATE_TRY(coordinator.list_workers(slots));
  std::vector<WorkerNode> answers;
  for (const std::uint32_t slot : slots) assign(answers.emplace_back(), coordinator.worker_at(slot));
  return answers;
}
Result<std::optional<WorkerNode>> CoreMachine::get_available_worker(LogicalTime now) const {
  return owned<WorkerNode>(coordinator.get_available_worker(now));
}
Status CoreMachine::check_invariants() const { return coordinator.check_invariants(); }

}  // namespace leasegate::test
