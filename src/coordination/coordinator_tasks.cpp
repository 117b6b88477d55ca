// Commands on tasks: in, through a lease, out.

#include "coordination/coordinator.hpp"
#include "coordination/errors.gen.hpp"
#include "coordination/validation.hpp"

namespace leasegate {
namespace {

std::unexpected<Error> exhausted(CounterName counter) {
  return std::unexpected(errors::counter_exhausted(counter));
}

}  // namespace

Status Coordinator::check_room_to_enqueue() const {
  if (tasks_.size() >= limits_.max_task_records) {
    return std::unexpected(errors::task_record_capacity_reached(limits_.max_task_records));
  }
  if (tasks_.active() >= limits_.max_active_tasks) {
    return std::unexpected(errors::active_task_capacity_reached(limits_.max_active_tasks));
  }
  if (tasks_.queued() >= limits_.max_queued_tasks) {
    return std::unexpected(errors::queued_task_capacity_reached(limits_.max_queued_tasks));
  }
  // Every admitted task can become terminal one day: its place is reserved from the start.
  if (std::uint64_t{tasks_.terminal()} + tasks_.active() + 1 > limits_.max_terminal_tasks) {
    return std::unexpected(errors::terminal_capacity_reserved(limits_.max_terminal_tasks));
  }
  return {};
}

Result<Transition<ScanTaskView>> Coordinator::apply(const Enqueue& command) {
  LEASEGATE_TRY(check_spec(command.spec));
  LEASEGATE_TRY(preflight(command));
  const std::uint32_t hash = hash_of(command.spec.task_id);
  if (tasks_.find(command.spec.task_id, hash) != kNoSlot) {
    return std::unexpected(errors::task_already_exists(command.spec.task_id));
  }
  LEASEGATE_TRY(check_room_to_enqueue());
  if (ordinals_exhausted(1)) return exhausted(CounterName::enqueue_ordinal);
  std::uint32_t slot = kNoSlot;
  if (!tasks_.try_add(command.spec, hash, command.now, slot)) return std::unexpected(errors::out_of_memory());
  begin(command);
  last_ordinal_ = last_ordinal_.after();
  tasks_.push_queue(slot, last_ordinal_);
  const Revision revision = commit();
  return Transition<ScanTaskView>{revision, task_at(slot)};
}

/** Takes the lease of a task from its worker. */
void Coordinator::release_worker(std::uint32_t task_slot) {
  const std::uint32_t worker = tasks_[task_slot].worker;
  TaskTable::Queue::remove(workers_[worker].leases, tasks_.records(), task_slot);
  deadlines_.remove(tasks_, task_slot);
  ranking_.refresh(workers_, worker);
}

/** The one place where an active task becomes terminal. */
void Coordinator::end_task(std::uint32_t task_slot, TaskStatus status, Proof proof, LogicalTime now) {
  TaskRecord& task = tasks_[task_slot];
  if (task.status == TaskStatus::queued) {
    tasks_.leave_queue(task_slot);
  } else {
    release_worker(task_slot);
  }
  tasks_.leave_active(task_slot);
  tasks_.join_terminal(task_slot);
  if (names_worker(proof)) workers_.names().add_proof(task.worker_name);
  task.status = status;
  task.proof = proof;
  task.ended = true;
  task.completed_at = now;
  task.version = task.version.after();
}

/** The one place where a leased task goes back to the queue, at once or when its time has come. */
void Coordinator::requeue(std::uint32_t task_slot, std::optional<LogicalTime> not_before) {
  release_worker(task_slot);
  TaskRecord& task = tasks_[task_slot];
  ++task.retry_count;
  task.generation = task.generation.after();
  task.version = task.version.after();
  task.started = false;
  last_ordinal_ = last_ordinal_.after();
  if (not_before) {
    tasks_.push_waiting(task_slot, {*not_before, last_ordinal_});
  } else {
    tasks_.push_queue(task_slot, last_ordinal_);
  }
}

Result<Transition<StartOutcome>> Coordinator::apply(const StartTask& command) {
  const std::uint32_t slot = tasks_.find(command.lease.task_id);
  LEASEGATE_TRY(check_lease_ids_at(slot, command.lease));
  LEASEGATE_TRY(preflight(command));
  if (slot == kNoSlot) return std::unexpected(errors::task_not_found(command.lease.task_id));
  TaskRecord& task = tasks_[slot];
  LEASEGATE_TRY(check_current_lease(task, command.lease, command.now));
  if (task.status == TaskStatus::running) {
    return Transition<StartOutcome>{revision_, {StartKind::already_running, task.version}};
  }
  if (task.version.exhausted()) return exhausted(CounterName::record_version);
  begin(command);
  task.status = TaskStatus::running;
  task.started = true;
  task.started_at = command.now;
  task.version = task.version.after();
  return Transition<StartOutcome>{commit(), {StartKind::started, task.version}};
}

Result<Transition<CompletionOutcomeView>> Coordinator::apply(const CompleteTask& command) {
  const std::uint32_t slot = tasks_.find(command.lease.task_id);
  LEASEGATE_TRY(check_lease_ids_at(slot, command.lease));
  LEASEGATE_TRY(preflight(command));
  if (slot == kNoSlot) return std::unexpected(errors::task_not_found(command.lease.task_id));
  const TaskRecord& task = tasks_[slot];
  if (task.status == TaskStatus::completed) {
    if (!completed_under(task, command.lease)) {
      return std::unexpected(errors::stale_ownership(command.lease.task_id));
    }
    return Transition<CompletionOutcomeView>{revision_,
                                             {CompletionKind::already_completed, receipt_of(slot)}};
  }
  LEASEGATE_TRY(check_current_lease(task, command.lease, command.now));
  if (task.status != TaskStatus::running) {
    return std::unexpected(
        errors::invalid_task_transition(command.lease.task_id, task.status, Operation::complete));
  }
  WorkerRecord& worker = workers_[task.worker];
  if (task.version.exhausted()) return exhausted(CounterName::record_version);
  if (worker.completed_tasks == UINT64_MAX) return exhausted(CounterName::completed_tasks);
  begin(command);
  end_task(slot, TaskStatus::completed, Proof::completion, command.now);
  ++worker.completed_tasks;
  const Revision revision = commit();
  return Transition<CompletionOutcomeView>{revision, {CompletionKind::completed, receipt_of(slot)}};
}

Result<Transition<FailureOutcome>> Coordinator::apply(const FailTask& command) {
  const std::uint32_t slot = tasks_.find(command.lease.task_id);
  LEASEGATE_TRY(check_lease_ids_at(slot, command.lease));
  LEASEGATE_TRY(preflight(command));
  const Seconds delay = command.retry_after_secs.value_or(Seconds{});
  if (delay.value > limits_.max_task_ttl_secs) {
    return std::unexpected(errors::invalid_limit_relationship(LimitRelationship::retry_delay_exceeds_limit));
  }
  if (slot == kNoSlot) return std::unexpected(errors::task_not_found(command.lease.task_id));
  TaskRecord& task = tasks_[slot];
  const auto exhausted_outcome = [&task] {
    return FailureOutcome{FailureKind::retry_exhausted, {}, task.retry_count, task.version};
  };
  if (task.status == TaskStatus::failed) {
    if (task.proof != Proof::failure || !holds(task, command.lease)) {
      return std::unexpected(errors::stale_ownership(command.lease.task_id));
    }
    return Transition<FailureOutcome>{revision_, exhausted_outcome()};
  }
  LEASEGATE_TRY(check_current_lease(task, command.lease, command.now));
  if (task.status != TaskStatus::running) {
    return std::unexpected(
        errors::invalid_task_transition(command.lease.task_id, task.status, Operation::fail));
  }
  const bool again = task.retry_count < limits_.max_retries;
  if (again && tasks_.queued() >= limits_.max_queued_tasks) {
    return std::unexpected(errors::queued_task_capacity_reached(limits_.max_queued_tasks));
  }
  if (task.version.exhausted()) return exhausted(CounterName::record_version);
  if (!again) {
    begin(command);
    end_task(slot, TaskStatus::failed, Proof::failure, command.now);
    return Transition<FailureOutcome>{commit(), exhausted_outcome()};
  }
  if (task.generation.exhausted()) return exhausted(CounterName::task_generation);
  // One for now; a task that waits takes another when it joins its queue.
  if (ordinals_exhausted(delay.value > 0 ? 2 : 1)) return exhausted(CounterName::enqueue_ordinal);
  std::optional<LogicalTime> not_before;
  if (delay.value > 0) {
    if (command.now.exhausted(delay.value)) return exhausted(CounterName::not_before);
    if (!tasks_.try_reserve_waiting(task.priority)) return std::unexpected(errors::out_of_memory());
    not_before = command.now.after(delay.value);
  }
  begin(command);
  requeue(slot, not_before);
  return Transition<FailureOutcome>{commit(),
                                    {FailureKind::requeued, task.generation, task.retry_count, task.version}};
}

Result<Transition<CancellationOutcome>> Coordinator::apply(const CancelTask& command) {
  const auto* fence = std::get_if<QueuedTaskFenceView>(&command.ownership);
  const auto* lease = std::get_if<TaskLeaseView>(&command.ownership);
  const IdView task_id = std::visit([](const auto& token) { return token.task_id; }, command.ownership);
  const std::uint32_t slot = tasks_.find(task_id);
  LEASEGATE_TRY(fence != nullptr ? check_task_id_at(slot, task_id) : check_lease_ids_at(slot, *lease));
  LEASEGATE_TRY(preflight(command));
  if (slot == kNoSlot) return std::unexpected(errors::task_not_found(task_id));
  TaskRecord& task = tasks_[slot];
  if (task.status == TaskStatus::cancelled) {
    if (!cancelled_under(task, command.ownership)) return std::unexpected(errors::stale_ownership(task_id));
    return Transition<CancellationOutcome>{revision_, {CancellationKind::already_cancelled, task.version}};
  }
  if (lease != nullptr) {
    LEASEGATE_TRY(check_current_lease(task, *lease, command.now));
  } else if (task.status != TaskStatus::queued || fence->task_generation != task.generation ||
             fence->record_version != task.version) {
    return std::unexpected(errors::stale_ownership(task_id));
  }
  if (task.version.exhausted()) return exhausted(CounterName::record_version);
  begin(command);
  end_task(slot, TaskStatus::cancelled, fence != nullptr ? Proof::cancelled_fence : Proof::cancelled_lease,
           command.now);
  return Transition<CancellationOutcome>{commit(), {CancellationKind::cancelled, task.version}};
}

Result<Transition<std::uint32_t>> Coordinator::apply(const ExpireOldTasks& command) {
  if (command.task_ttl_secs.value == 0)
    return std::unexpected(errors::invalid_limit(LimitName::task_ttl_secs));
  LEASEGATE_TRY(preflight(command));
  if (command.task_ttl_secs.value > limits_.max_task_ttl_secs) {
    return std::unexpected(errors::invalid_limit_relationship(LimitRelationship::task_ttl_exceeds_limit));
  }
  const auto old = [&](std::uint32_t slot) {
    return slot != kNoSlot && elapsed(tasks_[slot].created_at, command.now) >= command.task_ttl_secs;
  };
  for (std::uint32_t slot = tasks_.by_age().first; old(slot);
       slot = TaskTable::Age::next(tasks_.records(), slot)) {
    if (tasks_[slot].version.exhausted()) return exhausted(CounterName::record_version);
  }
  begin(command);
  std::uint32_t count = 0;
  for (; old(tasks_.by_age().first); ++count) {
    end_task(tasks_.by_age().first, TaskStatus::expired, Proof::none, command.now);
  }
  return Transition<std::uint32_t>{commit(), count};
}

}  // namespace leasegate
