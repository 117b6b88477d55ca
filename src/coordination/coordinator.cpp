// What all commands share, and the reads.

#include "coordination/coordinator.hpp"

#include "base/sort_slots.hpp"
#include "coordination/errors.gen.hpp"
#include "coordination/validation.hpp"

namespace leasegate {

Result<Coordinator> Coordinator::create(const DistributedLimits& limits) {
  LEASEGATE_TRY(validate(limits));
  return Coordinator(limits);
}

Status Coordinator::preflight(const Fenced& command) const {
  if (command.expected_revision != revision_) {
    return std::unexpected(errors::revision_conflict(command.expected_revision.value, revision_.value));
  }
  if (command.now < logical_time_) {
    return std::unexpected(errors::logical_time_regression(logical_time_.value, command.now.value));
  }
  if (revision_.exhausted()) return std::unexpected(errors::counter_exhausted(CounterName::revision));
  return {};
}

void Coordinator::begin(const Fenced& command) {
  logical_time_ = command.now;
  if (tasks_.waiting() > 0) tasks_.release_due(command.now, last_ordinal_);
}

Revision Coordinator::commit() { return revision_ = revision_.after(); }

Status Coordinator::check_task_id_at(std::uint32_t slot, IdView task_id) const {
  return slot == kNoSlot ? check_task_id(task_id) : Status();
}

Status Coordinator::check_worker_id_at(std::uint32_t slot, IdView worker_id) const {
  return slot == kNoSlot ? check_worker_id(worker_id) : Status();
}

Status Coordinator::check_lease_ids_at(std::uint32_t task_slot, const TaskLeaseView& lease) const {
  if (task_slot == kNoSlot) return check_token_ids(lease);
  const std::uint32_t name = tasks_[task_slot].worker_name;
  // The name may have been dropped since, and is then empty.
  const bool named =
      name != kNoSlot && !lease.worker_id.empty() && workers_.names()[name].id() == lease.worker_id;
  return named ? Status() : check_worker_id(lease.worker_id);
}

Result<std::uint32_t> Coordinator::known_worker(IdView worker_id) const {
  const std::uint32_t slot = workers_.find(worker_id);
  if (slot == kNoSlot) return std::unexpected(errors::worker_not_found(worker_id));
  return slot;
}

StateSnapshot Coordinator::snapshot() const {
  return {
      .revision = revision_,
      .logical_time = logical_time_,
      .task_records = tasks_.size(),
      .active_tasks = tasks_.active(),
      .queued_tasks = tasks_.queued(),
      .terminal_tasks = tasks_.terminal(),
      .workers = workers_.size(),
  };
}

ScanTaskView Coordinator::task_at(std::uint32_t slot) const {
  const TaskRecord& task = tasks_[slot];
  ScanTaskView view{
      .task_id = task.task_id(),
      .scan_id = task.scan_id(),
      .target_ref = task.target_ref(),
      .phases = task.phases(),
      .status = task.status,
      .priority = task.priority,
      .created_at = task.created_at,
      .started_at = {},
      .completed_at = {},
      .retry_count = task.retry_count,
      .attempt = task.attempt,
      .task_generation = task.generation,
      .record_version = task.version,
      .assigned_to = {},
      .lease = {},
      .not_before = {},
  };
  if (task.started) view.started_at = task.started_at;
  if (task.ended) view.completed_at = task.completed_at;
  if (task.leased()) {
    view.lease = lease_of(slot);
    view.assigned_to = view.lease->worker_id;
  }
  if (task.waiting) view.not_before = task.not_before;
  return view;
}

std::optional<ScanTaskView> Coordinator::peek_next() const {
  const std::uint32_t slot = tasks_.next(logical_time_);
  if (slot == kNoSlot) return std::nullopt;
  return task_at(slot);
}

Result<std::optional<ScanTaskView>> Coordinator::get_task(IdView task_id) const {
  LEASEGATE_TRY(check_task_id(task_id));
  const std::uint32_t slot = tasks_.find(task_id);
  if (slot == kNoSlot) return std::nullopt;
  return task_at(slot);
}

Result<std::optional<WorkerNodeView>> Coordinator::get_worker(IdView worker_id) const {
  LEASEGATE_TRY(check_worker_id(worker_id));
  const std::uint32_t slot = workers_.find(worker_id);
  if (slot == kNoSlot) return std::nullopt;
  return workers_.view(slot);
}

Result<std::optional<WorkerNodeView>> Coordinator::get_available_worker(LogicalTime now) const {
  if (now < logical_time_) {
    return std::unexpected(errors::logical_time_regression(logical_time_.value, now.value));
  }
  const std::uint32_t slot = ranking_.best(workers_, now, {limits_.heartbeat_timeout_secs});
  if (slot == kNoSlot) return std::nullopt;
  return workers_.view(slot);
}

namespace {

template <class Table, class IdAt>
Status list_by_id(const Table& table, Array<std::uint32_t>& slots, IdAt&& id_at) {
  if (!slots.try_reserve(table.size())) return std::unexpected(errors::out_of_memory());
  slots.clear();
  for (std::uint32_t slot = 0; slot < table.records().size(); ++slot) {
    if (table[slot].known()) slots.push_back(slot);
  }
  sort_slots(slots, [&](std::uint32_t a, std::uint32_t b) { return id_at(a) < id_at(b); });
  return {};
}

}  // namespace

Status Coordinator::list_tasks(Array<std::uint32_t>& slots) const {
  return list_by_id(tasks_, slots, [this](std::uint32_t slot) { return tasks_[slot].task_id(); });
}

Status Coordinator::list_workers(Array<std::uint32_t>& slots) const {
  return list_by_id(workers_, slots, [this](std::uint32_t slot) { return workers_.id_of(slot); });
}

}  // namespace leasegate
