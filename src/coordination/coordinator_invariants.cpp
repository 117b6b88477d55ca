// Recomputes from the records everything that is kept beside them. Walks all: for tests and for the curious.

#include <array>

#include "coordination/coordinator.hpp"
#include "coordination/errors.gen.hpp"
#include "coordination/invariant_check.hpp"

namespace leasegate {

namespace {

std::unexpected<Error> broken(Invariant reason) { return std::unexpected(errors::state_invariant(reason)); }

}  // namespace

/** Each id finds its own record, and nothing else is in the index. */
Status Coordinator::InvariantCheck::indexes() const {
  if (c.tasks_.index().size() != c.tasks_.size()) return broken(Invariant::task_index);
  std::uint32_t known = 0;
  for (std::uint32_t slot = 0; slot < c.tasks_.records().size(); ++slot) {
    if (!c.tasks_[slot].known()) continue;
    ++known;
    if (c.tasks_.find(c.tasks_[slot].task_id()) != slot) return broken(Invariant::task_index);
  }
  if (known != c.tasks_.size()) return broken(Invariant::task_index);
  known = 0;
  for (std::uint32_t slot = 0; slot < c.workers_.records().size(); ++slot) {
    if (!c.workers_[slot].known()) continue;
    ++known;
    if (c.workers_.find(c.workers_.id_of(slot)) != slot) return broken(Invariant::worker_index);
  }
  return known == c.workers_.size() ? Status{} : broken(Invariant::worker_index);
}

/** The fields of each task fit its status. */
Status Coordinator::InvariantCheck::task_lifecycles() const {
  for (std::uint32_t slot = 0; slot < c.tasks_.records().size(); ++slot) {
    const TaskRecord& task = c.tasks_[slot];
    if (!task.known()) continue;
    if (task.ended == task.active()) return broken(Invariant::task_lifecycle);
    if (task.status == TaskStatus::running && !task.started) return broken(Invariant::task_lifecycle);
    if ((task.status == TaskStatus::queued || task.status == TaskStatus::leased) && task.started) {
      return broken(Invariant::task_lifecycle);
    }
    if (task.retry_count > c.limits_.max_retries || task.retry_count != task.generation.value ||
        !task.attempts_fit() || !task.times_fit() || task.version.value == 0) {
      return broken(Invariant::task_lifecycle);
    }
    if (task.created_at > c.logical_time_ || (task.ended && task.completed_at < task.created_at)) {
      return broken(Invariant::task_lifecycle);
    }
  }
  return {};
}

/** The active list holds the active tasks, oldest first. */
Status Coordinator::InvariantCheck::age_order() const {
  std::uint32_t listed = 0;
  LogicalTime oldest;
  for (std::uint32_t slot = c.tasks_.by_age().first; slot != kNoSlot;
       slot = TaskTable::Age::next(c.tasks_.records(), slot)) {
    if (!c.tasks_[slot].active() || c.tasks_[slot].created_at < oldest) return broken(Invariant::age_order);
    oldest = c.tasks_[slot].created_at;
    if (++listed > c.tasks_.size()) return broken(Invariant::age_order);
  }
  std::uint32_t active = 0;
  for (std::uint32_t slot = 0; slot < c.tasks_.records().size(); ++slot) {
    active += c.tasks_[slot].known() && c.tasks_[slot].active() ? 1 : 0;
  }
  if (listed != active || active != c.tasks_.active()) return broken(Invariant::task_counts);
  return {};
}

/** The terminal list holds the terminal tasks, those that ended first in front. */
Status Coordinator::InvariantCheck::terminal_order() const {
  std::uint32_t listed = 0;
  LogicalTime earliest;
  for (std::uint32_t slot = c.tasks_.by_end().first; slot != kNoSlot;
       slot = TaskTable::Queue::next(c.tasks_.records(), slot)) {
    const TaskRecord& task = c.tasks_[slot];
    if (!task.ended || task.completed_at < earliest || task.completed_at > c.logical_time_ ||
        ++listed > c.tasks_.size()) {
      return broken(Invariant::terminal_order);
    }
    earliest = task.completed_at;
  }
  if (listed != c.tasks_.by_end().count || listed + c.tasks_.active() != c.tasks_.size()) {
    return broken(Invariant::task_counts);
  }
  return {};
}

/** Each queue holds the queued tasks of its priority that do not wait, in the order of their ordinals. */
Status Coordinator::InvariantCheck::queue_order() const {
  std::uint32_t listed = 0;
  for (std::size_t priority = 0; priority < kPriorityNames.size(); ++priority) {
    EnqueueOrdinal last;
    std::uint32_t here = 0;
    const IntrusiveList& queue = c.tasks_.queue(static_cast<Priority>(priority));
    for (std::uint32_t slot = queue.first; slot != kNoSlot;
         slot = TaskTable::Queue::next(c.tasks_.records(), slot)) {
      const TaskRecord& task = c.tasks_[slot];
      if (task.status != TaskStatus::queued || task.waiting ||
          static_cast<std::size_t>(task.priority) != priority || task.ordinal <= last ||
          task.ordinal > c.last_ordinal_ || ++here > c.tasks_.size()) {
        return broken(Invariant::queue_order);
      }
      last = task.ordinal;
    }
    if (here != queue.count) return broken(Invariant::task_counts);
    listed += here;
  }
  std::uint32_t queued = 0;
  for (std::uint32_t slot = 0; slot < c.tasks_.records().size(); ++slot) {
    const TaskRecord& task = c.tasks_[slot];
    queued += task.known() && task.status == TaskStatus::queued && !task.waiting ? 1 : 0;
  }
  return listed == queued ? Status{} : broken(Invariant::task_counts);
}

/** Each queued task whose time has not come stands among the waiting of its priority, and nothing else does.
 */
Status Coordinator::InvariantCheck::waiting_order() const {
  std::uint32_t waiting = 0;
  for (std::uint32_t slot = 0; slot < c.tasks_.records().size(); ++slot) {
    const TaskRecord& task = c.tasks_[slot];
    if (!task.known() || !task.waiting) continue;
    ++waiting;
    const TaskTable::Waiting& heap = c.tasks_.waiting(task.priority);
    if (task.status != TaskStatus::queued || task.not_before <= c.logical_time_ ||
        task.ordinal > c.last_ordinal_ || task.deadline_position >= heap.size() ||
        heap.task_at(task.deadline_position) != slot ||
        heap.key_at(task.deadline_position) != Due{task.not_before, task.ordinal}) {
      return broken(Invariant::waiting_order);
    }
  }
  std::size_t held = 0;
  for (std::size_t priority = 0; priority < kPriorityNames.size(); ++priority) {
    const TaskTable::Waiting& heap = c.tasks_.waiting(static_cast<Priority>(priority));
    held += heap.size();
    for (std::size_t i = 1; i < heap.size(); ++i) {
      if (heap.key_at(i) < heap.key_at((i - 1) / 2)) return broken(Invariant::waiting_order);
    }
  }
  if (held != waiting || waiting != c.tasks_.waiting()) return broken(Invariant::waiting_order);
  // Each of them will need an ordinal when it joins its queue.
  return c.last_ordinal_.exhausted(waiting) ? broken(Invariant::waiting_order) : Status{};
}

/** Each leased task is held by a worker of the lease's generation and stands in the deadlines. */
Status Coordinator::InvariantCheck::leases() const {
  std::uint32_t leased = 0;
  for (std::uint32_t slot = 0; slot < c.tasks_.records().size(); ++slot) {
    const TaskRecord& task = c.tasks_[slot];
    if (!task.known() || !task.leased()) continue;
    ++leased;
    if (task.worker >= c.workers_.records().size() || !c.workers_[task.worker].known() ||
        task.worker_name != c.workers_[task.worker].name ||
        task.worker_generation != c.workers_[task.worker].generation || task.lease_id > c.last_lease_id_ ||
        task.lease_id.value == 0 || task.acquired_at > c.logical_time_ ||
        task.expires_at <= task.acquired_at) {
      return broken(Invariant::lease_token);
    }
    if (task.deadline_position >= c.deadlines_.size() ||
        c.deadlines_.task_at(task.deadline_position) != slot ||
        c.deadlines_.deadline_at(task.deadline_position) != task.expires_at) {
      return broken(Invariant::lease_deadlines);
    }
  }
  if (leased != c.deadlines_.size()) return broken(Invariant::lease_deadlines);
  for (std::size_t i = 1; i < c.deadlines_.size(); ++i) {
    if (c.deadlines_.deadline_at(i) < c.deadlines_.deadline_at((i - 1) / 2))
      return broken(Invariant::lease_deadlines);
  }
  return {};
}

/** Each worker's leases are its own, in lease order, and none is held by an offline worker. */
Status Coordinator::InvariantCheck::worker_leases() const {
  std::uint32_t held = 0;
  for (std::uint32_t worker = 0; worker < c.workers_.records().size(); ++worker) {
    if (!c.workers_[worker].known()) continue;
    LeaseId last;
    std::uint32_t here = 0;
    const IntrusiveList& leases = c.workers_[worker].leases;
    for (std::uint32_t slot = leases.first; slot != kNoSlot;
         slot = TaskTable::Queue::next(c.tasks_.records(), slot)) {
      const TaskRecord& task = c.tasks_[slot];
      if (!task.leased() || task.worker != worker || task.lease_id <= last || ++here > c.tasks_.size()) {
        return broken(Invariant::worker_tasks);
      }
      last = task.lease_id;
    }
    if (here != leases.count || (c.workers_[worker].offline() && here != 0))
      return broken(Invariant::worker_tasks);
    held += here;
  }
  return held == c.deadlines_.size() ? Status{} : broken(Invariant::worker_tasks);
}

/** The heartbeat order holds the workers that are not offline, and the ranking agrees with the records. */
Status Coordinator::InvariantCheck::worker_order() const {
  std::uint32_t listed = 0;
  LogicalTime oldest;
  for (std::uint32_t slot = c.workers_.by_heartbeat().first; slot != kNoSlot;
       slot = WorkerTable::Heartbeats::next(c.workers_.records(), slot)) {
    const WorkerRecord& worker = c.workers_[slot];
    if (worker.offline() || worker.last_heartbeat < oldest || worker.last_heartbeat > c.logical_time_ ||
        ++listed > c.workers_.size()) {
      return broken(Invariant::heartbeat_order);
    }
    oldest = worker.last_heartbeat;
  }
  std::uint32_t present = 0;
  for (std::uint32_t slot = 0; slot < c.workers_.records().size(); ++slot) {
    const WorkerRecord& worker = c.workers_[slot];
    if (!worker.known()) continue;
    present += worker.offline() ? 0 : 1;
    if (worker.effective_capacity != c.workers_.view(slot).effective_capacity())
      return broken(Invariant::worker_ranking);
  }
  if (listed != present) return broken(Invariant::heartbeat_order);
  return c.ranking_.consistent(c.workers_) ? Status{} : broken(Invariant::worker_ranking);
}

/** Each name is had by a worker or named by a proof, and every proof names one. */
Status Coordinator::InvariantCheck::worker_names() const {
  const WorkerNames& names = c.workers_.names();
  if (names.index().size() != names.size()) return broken(Invariant::worker_names);
  std::uint64_t proofs = 0;
  for (std::uint32_t slot = 0; slot < c.tasks_.records().size(); ++slot) {
    const TaskRecord& task = c.tasks_[slot];
    if (!task.known() || !names_worker(task.proof)) continue;
    ++proofs;
    if (task.worker_name >= names.slots() || names[task.worker_name].proofs == 0)
      return broken(Invariant::worker_names);
  }
  std::uint64_t counted = 0;
  std::uint32_t owned = 0;
  std::uint32_t used = 0;
  for (std::uint32_t name = 0; name < names.slots(); ++name) {
    const bool has_worker = names[name].worker != kNoSlot;
    counted += names[name].proofs;
    owned += has_worker ? 1 : 0;
    used += has_worker || names[name].proofs > 0 ? 1 : 0;
    if (has_worker && c.workers_[names[name].worker].name != name) return broken(Invariant::worker_names);
  }
  const bool fits = counted == proofs && owned == c.workers_.size() && used == names.size();
  return fits ? Status{} : broken(Invariant::worker_names);
}

Status Coordinator::InvariantCheck::bounds() const {
  const DistributedLimits& limits = c.limits_;
  if (c.tasks_.size() > limits.max_task_records || c.tasks_.active() > limits.max_active_tasks ||
      c.tasks_.queued() > limits.max_queued_tasks || c.tasks_.size() > limits.max_terminal_tasks ||
      c.workers_.size() > limits.max_workers) {
    return broken(Invariant::bounds);
  }
  return {};
}

Status Coordinator::check_invariants() const {
  const InvariantCheck check{*this};
  LEASEGATE_TRY(check.indexes());
  LEASEGATE_TRY(check.task_lifecycles());
  LEASEGATE_TRY(check.age_order());
  LEASEGATE_TRY(check.terminal_order());
  LEASEGATE_TRY(check.queue_order());
  LEASEGATE_TRY(check.waiting_order());
  LEASEGATE_TRY(check.leases());
  LEASEGATE_TRY(check.worker_leases());
  LEASEGATE_TRY(check.worker_order());
  LEASEGATE_TRY(check.worker_names());
  return check.bounds();
}

}  // namespace leasegate
