#include "coordination/worker_table.hpp"

#include <array>

namespace leasegate {

std::uint32_t WorkerTable::find(std::string_view id) const {
  return index_.find(id, [this](std::uint32_t slot) { return records_[slot].id(); });
}

bool WorkerTable::try_add(std::string_view id, std::uint32_t& slot) {
  const std::array<std::string_view, 1> parts = {id};
  TextBlock text;
  if (!text.try_assign(parts) || !records_.try_reserve_one() || !index_.try_reserve_one()) return false;
  slot = records_.append();
  records_[slot].text = std::move(text);
  index_.insert(id, slot);
  join_heartbeats(slot);
  return true;
}

WorkerNodeView WorkerTable::view(std::uint32_t slot) const {
  const WorkerRecord& worker = records_[slot];
  return {
      .worker_id = {worker.id(), slot},
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
