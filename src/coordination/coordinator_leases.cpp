// Handing out leases, and recognising them.

#include "coordination/coordinator.hpp"
#include "coordination/errors.gen.hpp"
#include "coordination/validation.hpp"

namespace leasegate {

TaskLeaseView Coordinator::lease_of(std::uint32_t slot) const {
  const TaskRecord& task = tasks_[slot];
  return {
      .task_id = tasks_.id_of(slot),
      .worker_id = workers_.names()[task.worker_name].id(),
      .worker_generation = task.worker_generation,
      .task_generation = task.generation,
      .attempt = task.attempt,
      .lease_id = task.lease_id,
      .acquired_at = task.acquired_at,
      .expires_at = task.expires_at,
  };
}

/** Lease ids are never given twice, and a renewal moves the end: with the place, these two say all there is.
 */
bool Coordinator::recall(TaskLeaseView& lease) const {
  const std::uint32_t slot = lease.task_id.place;
  if (slot >= tasks_.records().size()) return false;
  const TaskRecord& task = tasks_[slot];
  if (!task.leased() || task.lease_id != lease.lease_id || task.expires_at != lease.expires_at) return false;
  lease = lease_of(slot);
  return true;
}

CompletionReceiptView Coordinator::receipt_of(std::uint32_t slot) const {
  const TaskRecord& task = tasks_[slot];
  return {
      .task_id = task.task_id(),
      .task_generation = task.generation,
      .attempt = task.attempt,
      .lease_id = task.lease_id,
      .worker_id = workers_.names()[task.worker_name].id(),
      .worker_generation = task.worker_generation,
      .record_version = task.version,
  };
}

/** Whether the task's lease, current or last, has the identity of `lease`, the times aside. */
bool Coordinator::completed_under(const TaskRecord& task, const TaskLeaseView& lease) const {
  return lease.task_generation == task.generation && lease.attempt == task.attempt &&
         lease.lease_id == task.lease_id && lease.worker_generation == task.worker_generation &&
         lease.worker_id == workers_.names()[task.worker_name].id();
}

/** The same, with the times. */
bool Coordinator::holds(const TaskRecord& task, const TaskLeaseView& lease) const {
  return completed_under(task, lease) && lease.acquired_at == task.acquired_at &&
         lease.expires_at == task.expires_at;
}

bool Coordinator::cancelled_under(const TaskRecord& task, const TaskOwnershipView& ownership) const {
  if (const auto* lease = std::get_if<TaskLeaseView>(&ownership)) {
    return task.proof == Proof::cancelled_lease && holds(task, *lease);
  }
  // Cancelling added one to the version that the fence named.
  const auto& fence = std::get<QueuedTaskFenceView>(ownership);
  return task.proof == Proof::cancelled_fence && fence.task_generation == task.generation &&
         fence.record_version.after() == task.version;
}

Status Coordinator::check_current_lease(const TaskRecord& task, const TaskLeaseView& lease,
                                        LogicalTime now) const {
  if (!task.leased() || !holds(task, lease)) return std::unexpected(errors::stale_ownership(lease.task_id));
  if (now >= task.expires_at) return std::unexpected(errors::lease_expired(lease.task_id));
  return {};
}

Status Coordinator::check_assignable(const TaskRecord& task, const WorkerRecord& worker,
                                     const Fenced& command, Seconds ttl) const {
  if (worker.status != WorkerStatus::healthy ||
      elapsed(worker.last_heartbeat, command.now).value > limits_.heartbeat_timeout_secs) {
    return std::unexpected(errors::worker_unavailable(workers_.names()[worker.name].id()));
  }
  if (worker.available_slots() == 0) {
    return std::unexpected(errors::worker_at_capacity(workers_.names()[worker.name].id()));
  }
  const auto exhausted = [](CounterName counter) {
    return std::unexpected(errors::counter_exhausted(counter));
  };
  if (last_lease_id_.exhausted()) return exhausted(CounterName::lease_id);
  if (task.attempt == UINT32_MAX) return exhausted(CounterName::attempt);
  if (task.version.exhausted()) return exhausted(CounterName::record_version);
  if (command.now.exhausted(ttl.value)) return exhausted(CounterName::lease_deadline);
  return {};
}

Status Coordinator::check_ttl(Seconds ttl) const {
  if (ttl.value == 0) return std::unexpected(errors::invalid_limit(LimitName::lease_ttl_secs));
  if (ttl.value > limits_.max_lease_ttl_secs) {
    return std::unexpected(errors::invalid_limit_relationship(LimitRelationship::lease_ttl_exceeds_limit));
  }
  return {};
}

/** The checks from the ttl on, then the lease. */
Result<Transition<TaskLeaseView>> Coordinator::assign(const Fenced& command, Seconds ttl,
                                                      Candidate chosen_task, Candidate chosen_worker) {
  LEASEGATE_TRY(check_ttl(ttl));
  if (chosen_task.slot == kNoSlot) return std::unexpected(errors::task_not_found(chosen_task.id));
  TaskRecord& task = tasks_[chosen_task.slot];
  if (task.status != TaskStatus::queued)
    return std::unexpected(errors::task_not_queued(chosen_task.id, task.status));
  if (task.waiting && command.now < task.not_before) {
    return std::unexpected(errors::task_not_due(chosen_task.id, task.not_before.value));
  }
  if (chosen_worker.slot == kNoSlot) return std::unexpected(errors::worker_not_found(chosen_worker.id));
  LEASEGATE_TRY(check_assignable(task, workers_[chosen_worker.slot], command, ttl));
  if (!deadlines_.try_reserve_one()) return std::unexpected(errors::out_of_memory());

  begin(command);
  WorkerRecord& worker = workers_[chosen_worker.slot];
  tasks_.leave_queue(chosen_task.slot);
  last_lease_id_ = last_lease_id_.after();
  task.status = TaskStatus::leased;
  task.version = task.version.after();
  ++task.attempt;
  task.worker = chosen_worker.slot;
  task.worker_name = worker.name;
  task.worker_generation = worker.generation;
  task.lease_id = last_lease_id_;
  task.acquired_at = command.now;
  task.expires_at = command.now.after(ttl.value);
  TaskTable::Queue::append(worker.leases, tasks_.records(), chosen_task.slot);
  deadlines_.add(tasks_, chosen_task.slot);
  ranking_.refresh(workers_, chosen_worker.slot);
  const Revision revision = commit();
  return Transition<TaskLeaseView>{revision, lease_of(chosen_task.slot)};
}

Result<Transition<TaskLeaseView>> Coordinator::apply(const AssignTask& command) {
  const std::uint32_t task = tasks_.find(command.task_id);
  LEASEGATE_TRY(check_task_id_at(task, command.task_id));
  const std::uint32_t worker = workers_.find(command.worker_id);
  LEASEGATE_TRY(check_worker_id_at(worker, command.worker_id));
  LEASEGATE_TRY(preflight(command));
  return assign(command, command.lease_ttl_secs, {task, command.task_id}, {worker, command.worker_id});
}

Result<Transition<TaskLeaseView>> Coordinator::apply(const AssignNext& command) {
  const std::uint32_t worker = workers_.find(command.worker_id);
  LEASEGATE_TRY(check_worker_id_at(worker, command.worker_id));
  LEASEGATE_TRY(preflight(command));
  const std::uint32_t task = tasks_.next(command.now);
  if (task == kNoSlot) return std::unexpected(errors::no_queued_task());
  return assign(command, command.lease_ttl_secs, {task, tasks_[task].task_id()}, {worker, command.worker_id});
}

Result<Transition<TaskLeaseView>> Coordinator::apply(const AssignNextAvailable& command) {
  LEASEGATE_TRY(preflight(command));
  const std::uint32_t task = tasks_.next(command.now);
  if (task == kNoSlot) return std::unexpected(errors::no_queued_task());
  ranking_.settle(workers_);
  const std::uint32_t worker = ranking_.best(workers_, command.now, {limits_.heartbeat_timeout_secs});
  if (worker == kNoSlot) return std::unexpected(errors::no_available_worker());
  return assign(command, command.lease_ttl_secs, {task, tasks_[task].task_id()},
                {worker, workers_.id_of(worker)});
}

Result<Transition<TaskLeaseView>> Coordinator::apply(const RenewLease& command) {
  const std::uint32_t slot = tasks_.find(command.lease.task_id);
  LEASEGATE_TRY(check_lease_ids_at(slot, command.lease));
  LEASEGATE_TRY(preflight(command));
  LEASEGATE_TRY(check_ttl(command.lease_ttl_secs));
  if (slot == kNoSlot) return std::unexpected(errors::task_not_found(command.lease.task_id));
  TaskRecord& task = tasks_[slot];
  LEASEGATE_TRY(check_current_lease(task, command.lease, command.now));
  if (command.lease_ttl_secs <= elapsed(command.now, task.expires_at)) {
    return std::unexpected(errors::invalid_limit_relationship(LimitRelationship::renewal_not_later));
  }
  const auto exhausted = [](CounterName counter) {
    return std::unexpected(errors::counter_exhausted(counter));
  };
  if (task.version.exhausted()) return exhausted(CounterName::record_version);
  if (command.now.exhausted(command.lease_ttl_secs.value)) return exhausted(CounterName::lease_deadline);

  begin(command);
  task.version = task.version.after();
  task.expires_at = command.now.after(command.lease_ttl_secs.value);
  deadlines_.postpone(tasks_, slot);
  const Revision revision = commit();
  return Transition<TaskLeaseView>{revision, lease_of(slot)};
}

}  // namespace leasegate
