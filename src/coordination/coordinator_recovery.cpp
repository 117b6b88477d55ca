// Taking leases back: the sweep over expired leases, and what losing a worker shares with it.

#include "base/sort_slots.hpp"
#include "coordination/coordinator.hpp"
#include "coordination/errors.gen.hpp"
#include "coordination/recovery_plan.hpp"

namespace leasegate {

/** Puts `tasks` into lease order and finds whether all of them can be taken back at once. */
Result<Coordinator::RecoveryPlan> Coordinator::plan_recovery(Array<std::uint32_t>& tasks) const {
  sort_slots(tasks,
             [this](std::uint32_t a, std::uint32_t b) { return tasks_[a].lease_id < tasks_[b].lease_id; });
  RecoveryPlan plan;
  bool versions_left = true;
  bool generations_left = true;
  for (const std::uint32_t slot : tasks) {
    const TaskRecord& task = tasks_[slot];
    const bool again = task.retry_count < limits_.max_retries;
    ++(again ? plan.requeues : plan.failures);
    versions_left = versions_left && !task.version.exhausted();
    generations_left = generations_left && (!again || !task.generation.exhausted());
  }
  if (tasks_.queued() + plan.requeues > limits_.max_queued_tasks) {
    return std::unexpected(errors::queued_task_capacity_reached(limits_.max_queued_tasks));
  }
  if (!versions_left) return std::unexpected(errors::counter_exhausted(CounterName::record_version));
  if (!generations_left) return std::unexpected(errors::counter_exhausted(CounterName::task_generation));
  if (ordinals_exhausted(plan.requeues)) {
    return std::unexpected(errors::counter_exhausted(CounterName::enqueue_ordinal));
  }
  return plan;
}

/** Requeues or fails each task, in lease order. Counts the distinct workers that held them. */
RecoverySummary Coordinator::recover(const RecoveryPlan& plan, const Array<std::uint32_t>& tasks,
                                     const Fenced& command) {
  RecoverySummary summary{
      .workers_affected = 0, .tasks_requeued = plan.requeues, .tasks_failed = plan.failures};
  const Revision sweep = revision_.after();
  for (const std::uint32_t slot : tasks) {
    WorkerRecord& worker = workers_[tasks_[slot].worker];
    if (worker.counted_by != sweep) {
      worker.counted_by = sweep;
      ++summary.workers_affected;
    }
    if (tasks_[slot].retry_count < limits_.max_retries) {
      requeue(slot);
    } else {
      end_task(slot, TaskStatus::failed, Proof::none, command.now);
    }
  }
  return summary;
}

Result<Transition<RecoverySummary>> Coordinator::apply(const RecoverExpiredLeases& command) {
  LEASEGATE_TRY(preflight(command));
  if (!swept_.try_reserve(deadlines_.size())) return std::unexpected(errors::out_of_memory());
  deadlines_.collect_expired(command.now, swept_);
  const auto plan = plan_recovery(swept_);
  if (!plan) return std::unexpected(plan.error());
  begin(command);
  const RecoverySummary summary = recover(*plan, swept_, command);
  const Revision revision = commit();
  return Transition<RecoverySummary>{revision, summary};
}

}  // namespace leasegate
