#include "coordination/task_table.hpp"

namespace leasegate {

std::span<const std::uint8_t> TaskRecord::phases() const {
  const std::string_view bytes =
      text.view(std::size_t{task_id_size} + scan_id_size + target_ref_size, phases_size);
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

bool TaskRecord::attempts_fit() const {
  if (attempt < retry_count) return false;
  const std::uint32_t open = attempt - retry_count;
  if (open > 1 || (started && open == 0)) return false;
  switch (status) {
    case TaskStatus::queued:
      return open == 0;
    case TaskStatus::cancelled:
      return open == (proof == Proof::cancelled_lease ? 1U : 0U);
    case TaskStatus::expired:
      return true;  // In the queue or under a lease.
    default:
      return open == 1;
  }
}

bool TaskRecord::times_fit() const {
  if (!leased() && !names_worker(proof)) return true;
  const auto within = [this](LogicalTime at) { return at >= acquired_at && at < expires_at; };
  return (!started || within(started_at)) && (!ended || within(completed_at));
}

std::uint32_t TaskTable::queued() const {
  std::uint32_t count = waiting_count_;
  for (const IntrusiveList& queue : queues_) count += queue.count;
  return count;
}

std::uint32_t TaskTable::next(LogicalTime now) const {
  for (std::size_t i = queues_.size(); i-- > 0;) {
    if (queues_[i].first != kNoSlot) return queues_[i].first;
    if (!waiting_[i].empty() && waiting_[i].key_at(0).not_before <= now) return waiting_[i].task_at(0);
  }
  return kNoSlot;
}

bool TaskTable::try_add(const TaskSpecView& spec, std::uint32_t hash, LogicalTime now, std::uint32_t& slot) {
  const std::string_view phases{reinterpret_cast<const char*>(spec.phases.data()), spec.phases.size()};
  const std::array<std::string_view, 4> parts = {spec.task_id, spec.scan_id, spec.target_ref, phases};
  TextBlock text;
  if (!text.try_assign(parts) || !records_.try_reserve_one() || !index_.try_reserve_one()) return false;

  slot = records_.take();
  TaskRecord& task = records_[slot];
  task.key = keys_.take();
  task.text = std::move(text);
  task.task_id_size = static_cast<std::uint16_t>(spec.task_id.size());
  task.scan_id_size = static_cast<std::uint16_t>(spec.scan_id.size());
  task.target_ref_size = static_cast<std::uint16_t>(spec.target_ref.size());
  task.phases_size = static_cast<std::uint16_t>(phases.size());
  task.priority = spec.priority;
  task.created_at = now;
  task.version = {1};
  index_.insert_hashed(hash, slot);
  Age::append(age_, records(), slot);
  return true;
}

void TaskTable::push_queue(std::uint32_t slot, EnqueueOrdinal ordinal) {
  TaskRecord& task = records_[slot];
  task.status = TaskStatus::queued;
  task.ordinal = ordinal;
  Queue::append(queue_of(slot), records(), slot);
}

void TaskTable::leave_queue(std::uint32_t slot) {
  TaskRecord& task = records_[slot];
  if (!task.waiting) {
    Queue::remove(queue_of(slot), records(), slot);
    return;
  }
  waiting_of(slot).remove(records(), slot);
  --waiting_count_;
  task.waiting = false;
}

void TaskTable::push_waiting(std::uint32_t slot, Due due) {
  TaskRecord& task = records_[slot];
  task.status = TaskStatus::queued;
  task.waiting = true;
  task.not_before = due.not_before;
  task.ordinal = due.ordinal;
  waiting_of(slot).add(records(), due, slot);
  ++waiting_count_;
}

void TaskTable::release_due(LogicalTime now, EnqueueOrdinal& last) {
  for (const Waiting& waiting : waiting_) {
    while (!waiting.empty() && waiting.key_at(0).not_before <= now) {
      const std::uint32_t slot = waiting.task_at(0);
      leave_queue(slot);
      last = last.after();
      push_queue(slot, last);
    }
  }
}

void TaskTable::retire(std::uint32_t slot) {
  Queue::remove(ended_, records(), slot);
  index_.erase(records_[slot].task_id(), slot);
  records_.release(slot);
}

}  // namespace leasegate
