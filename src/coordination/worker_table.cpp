#include "coordination/worker_table.hpp"

namespace leasegate {

std::uint32_t WorkerTable::find(std::string_view id) const {
  const std::uint32_t name = names_.find(id);
  return name == kNoSlot ? kNoSlot : names_[name].worker;
}

bool WorkerTable::try_add(std::string_view id, std::uint32_t& slot) {
  std::uint32_t name = kNoSlot;
  // The name last: it is the only one of the two steps that changes something.
  if (!records_.try_reserve_one() || !names_.try_intern(id, name)) return false;
  slot = records_.take();
  records_[slot].name = name;
  names_.set_worker(name, slot);
  return true;
}

void WorkerTable::forget(std::uint32_t slot) {
  names_.clear_worker(records_[slot].name);
  records_.release(slot);
}

WorkerNodeView WorkerTable::view(std::uint32_t slot) const {
  const WorkerRecord& worker = records_[slot];
  return {
      .worker_id = id_of(slot),
      .generation = worker.generation,
      .status = worker.status,
      .capacity = worker.capacity,
      .current_tasks = worker.leases.count,
      .completed_tasks = worker.completed_tasks,
      .last_heartbeat = worker.last_heartbeat,
      .cpu_basis_points = worker.cpu_basis_points,
      .memory_basis_points = worker.memory_basis_points,
      .network_basis_points = worker.network_basis_points,
      .tags = worker.tags,
  };
}

}  // namespace leasegate
