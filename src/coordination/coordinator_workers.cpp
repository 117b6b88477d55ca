// Commands on workers.

#include "coordination/coordinator.hpp"
#include "coordination/errors.gen.hpp"
#include "coordination/recovery_plan.hpp"
#include "coordination/validation.hpp"

namespace leasegate {
namespace {

template <class Source>
void copy_utilization(WorkerRecord& worker, const Source& source) {
  worker.cpu_basis_points = source.cpu_basis_points;
  worker.memory_basis_points = source.memory_basis_points;
  worker.network_basis_points = source.network_basis_points;
}

void copy_spec(WorkerRecord& worker, const WorkerSpecView& spec) {
  worker.status = WorkerStatus::healthy;
  worker.capacity = spec.capacity;
  worker.tags = spec.tags;
  copy_utilization(worker, spec);
}

}  // namespace

/** A worker that is known, of this generation, and not offline. */
Status Coordinator::check_present(std::uint32_t worker_slot, IdView worker_id,
                                  WorkerGeneration generation) const {
  if (worker_slot == kNoSlot) return std::unexpected(errors::worker_not_found(worker_id));
  const WorkerRecord& worker = workers_[worker_slot];
  if (worker.generation != generation) {
    return std::unexpected(errors::worker_generation_conflict(generation.value, worker.generation.value));
  }
  if (worker.offline()) return std::unexpected(errors::worker_unavailable(worker_id));
  return {};
}

/** After status, capacity or utilization were set: the heartbeat is now, and the worker is ranked by it. */
void Coordinator::observe(std::uint32_t worker_slot, LogicalTime now) {
  WorkerRecord& worker = workers_[worker_slot];
  worker.effective_capacity = workers_.view(worker_slot).effective_capacity();
  worker.last_heartbeat = now;
  ranking_.place(workers_, worker_slot);
}

/** Its leases have been recovered or are about to be; none of that ranks it again. */
void Coordinator::go_offline(std::uint32_t worker_slot) {
  WorkerRecord& worker = workers_[worker_slot];
  ranking_.remove(workers_, worker_slot);
  workers_.leave_heartbeats(worker_slot);
  worker.status = WorkerStatus::offline;
  worker.effective_capacity = 0;
  worker.generation = worker.generation.after();
}

Result<Transition<WorkerNodeView>> Coordinator::apply(const RegisterWorker& command) {
  LEASEGATE_TRY(check_spec(command.spec));
  LEASEGATE_TRY(preflight(command));
  if (workers_.find(command.spec.worker_id) != kNoSlot) {
    return std::unexpected(errors::worker_already_exists(command.spec.worker_id));
  }
  if (workers_.size() >= limits_.max_workers) {
    return std::unexpected(errors::worker_capacity_reached(limits_.max_workers));
  }
  std::uint32_t slot = kNoSlot;
  if (!ranking_.try_reserve(workers_, workers_.size() + 1) ||
      !workers_.try_add(command.spec.worker_id, slot)) {
    return std::unexpected(errors::out_of_memory());
  }
  begin(command);
  workers_.join_heartbeats(slot);
  workers_[slot].generation = {1};
  copy_spec(workers_[slot], command.spec);
  observe(slot, command.now);
  const Revision revision = commit();
  return Transition<WorkerNodeView>{revision, workers_.view(slot)};
}

Result<Transition<WorkerNodeView>> Coordinator::apply(const ReactivateWorker& command) {
  LEASEGATE_TRY(check_spec(command.spec));
  LEASEGATE_TRY(preflight(command));
  const auto slot = known_worker(command.spec.worker_id);
  if (!slot) return std::unexpected(slot.error());
  WorkerRecord& worker = workers_[*slot];
  if (worker.generation != command.expected_generation) {
    return std::unexpected(
        errors::worker_generation_conflict(command.expected_generation.value, worker.generation.value));
  }
  // An offline worker never holds tasks: going offline recovers them in the same step.
  if (!worker.offline()) return std::unexpected(errors::worker_unavailable(command.spec.worker_id));
  if (worker.generation.exhausted()) {
    return std::unexpected(errors::counter_exhausted(CounterName::worker_generation));
  }
  begin(command);
  worker.generation = worker.generation.after();
  copy_spec(worker, command.spec);
  workers_.join_heartbeats(*slot);
  observe(*slot, command.now);
  const Revision revision = commit();
  return Transition<WorkerNodeView>{revision, workers_.view(*slot)};
}

Result<Transition<WorkerNodeView>> Coordinator::apply(const UpdateWorker& command) {
  const std::uint32_t slot = workers_.find(command.worker_id);
  LEASEGATE_TRY(check_worker_id_at(slot, command.worker_id));
  LEASEGATE_TRY(check_observation(command.observation));
  LEASEGATE_TRY(preflight(command));
  LEASEGATE_TRY(check_present(slot, command.worker_id, command.generation));
  WorkerRecord& worker = workers_[slot];
  begin(command);
  worker.status = command.observation.status;
  copy_utilization(worker, command.observation);
  workers_.leave_heartbeats(slot);
  workers_.join_heartbeats(slot);
  observe(slot, command.now);
  const Revision revision = commit();
  return Transition<WorkerNodeView>{revision, workers_.view(slot)};
}

Result<Transition<RecoverySummary>> Coordinator::apply(const DeregisterWorker& command) {
  const std::uint32_t slot = workers_.find(command.worker_id);
  LEASEGATE_TRY(check_worker_id_at(slot, command.worker_id));
  LEASEGATE_TRY(preflight(command));
  LEASEGATE_TRY(check_present(slot, command.worker_id, command.generation));
  const WorkerRecord& worker = workers_[slot];
  if (!swept_.try_reserve(worker.leases.count)) return std::unexpected(errors::out_of_memory());
  swept_.clear();
  for (std::uint32_t task = worker.leases.first; task != kNoSlot;
       task = TaskTable::Queue::next(tasks_.records(), task)) {
    swept_.push_back(task);
  }
  const auto plan = plan_recovery(swept_);
  if (!plan) return std::unexpected(plan.error());
  if (worker.generation.exhausted()) {
    return std::unexpected(errors::counter_exhausted(CounterName::worker_generation));
  }
  begin(command);
  go_offline(slot);
  RecoverySummary summary = recover(*plan, swept_, command);
  summary.workers_affected = 1;
  const Revision revision = commit();
  return Transition<RecoverySummary>{revision, summary};
}

Result<Transition<RecoverySummary>> Coordinator::apply(const PruneDeadWorkers& command) {
  LEASEGATE_TRY(preflight(command));
  const auto stale = [&](std::uint32_t slot) {
    return slot != kNoSlot &&
           elapsed(workers_[slot].last_heartbeat, command.now).value > limits_.heartbeat_timeout_secs;
  };
  const auto after = [&](std::uint32_t slot) {
    return WorkerTable::Heartbeats::next(workers_.records(), slot);
  };

  if (!swept_.try_reserve(deadlines_.size())) return std::unexpected(errors::out_of_memory());
  swept_.clear();
  bool generations_left = true;
  for (std::uint32_t slot = workers_.by_heartbeat().first; stale(slot); slot = after(slot)) {
    const WorkerRecord& worker = workers_[slot];
    generations_left = generations_left && !worker.generation.exhausted();
    for (std::uint32_t task = worker.leases.first; task != kNoSlot;
         task = TaskTable::Queue::next(tasks_.records(), task)) {
      swept_.push_back(task);
    }
  }
  const auto plan = plan_recovery(swept_);
  if (!plan) return std::unexpected(plan.error());
  if (!generations_left) return std::unexpected(errors::counter_exhausted(CounterName::worker_generation));

  begin(command);
  std::uint32_t pruned = 0;
  while (stale(workers_.by_heartbeat().first)) {
    go_offline(workers_.by_heartbeat().first);
    ++pruned;
  }
  RecoverySummary summary = recover(*plan, swept_, command);
  summary.workers_affected = pruned;
  const Revision revision = commit();
  return Transition<RecoverySummary>{revision, summary};
}

}  // namespace leasegate
