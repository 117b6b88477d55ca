#include "coordination/worker_ranking.hpp"

#include <bit>

namespace leasegate {
namespace {

/** Most free slots, latest heartbeat, least cpu, memory and network, then the smaller id. kNoSlot is worst. */
std::uint32_t better(const WorkerTable& workers, std::uint32_t left, std::uint32_t right) {
  if (left == kNoSlot) return right;
  if (right == kNoSlot) return left;
  const WorkerRecord& a = workers[left];
  const WorkerRecord& b = workers[right];
  if (a.available_slots() != b.available_slots()) return a.available_slots() > b.available_slots() ? left : right;
  if (a.last_heartbeat != b.last_heartbeat) return a.last_heartbeat > b.last_heartbeat ? left : right;
  if (a.cpu_basis_points != b.cpu_basis_points) return a.cpu_basis_points < b.cpu_basis_points ? left : right;
  if (a.memory_basis_points != b.memory_basis_points) {
    return a.memory_basis_points < b.memory_basis_points ? left : right;
  }
  if (a.network_basis_points != b.network_basis_points) {
    return a.network_basis_points < b.network_basis_points ? left : right;
  }
  return a.id() < b.id() ? left : right;
}

std::uint32_t candidate(const WorkerTable& workers, std::uint32_t slot) {
  return slot != kNoSlot && workers[slot].available_slots() > 0 ? slot : kNoSlot;
}

}  // namespace

bool WorkerRanking::try_reserve(WorkerTable& workers, std::uint32_t count) {
  if (count * 2 <= capacity_) return true;
  const std::uint32_t capacity = std::bit_ceil(count * 2 < 16 ? 16 : count * 2);
  Array<LogicalTime> heartbeats;
  Array<std::uint32_t> nodes;
  if (!heartbeats.try_reserve(capacity) || !nodes.try_reserve(std::size_t{capacity} * 2)) return false;
  std::swap(heartbeats_, heartbeats);
  std::swap(nodes_, nodes);
  capacity_ = capacity;
  compact(workers);
  return true;
}

void WorkerRanking::compact(WorkerTable& workers) {
  heartbeats_.assign(capacity_, LogicalTime{});
  nodes_.assign(std::size_t{capacity_} * 2, kNoSlot);
  used_ = 0;
  for (std::uint32_t slot = workers.by_heartbeat().first; slot != kNoSlot;
       slot = WorkerTable::Heartbeats::next(workers.records(), slot)) {
    workers[slot].rank_position = used_;
    heartbeats_[used_] = workers[slot].last_heartbeat;
    nodes_[capacity_ + used_] = candidate(workers, slot);
    ++used_;
  }
  for (std::uint32_t node = capacity_ - 1; node >= 1; --node) {
    nodes_[node] = better(workers, nodes_[2 * node], nodes_[2 * node + 1]);
  }
}

void WorkerRanking::set_leaf(const WorkerTable& workers, std::uint32_t position, std::uint32_t slot) {
  std::uint32_t node = capacity_ + position;
  const std::uint32_t before = nodes_[node];
  nodes_[node] = slot;
  for (node /= 2; node >= 1; node /= 2) {
    const std::uint32_t held = nodes_[node];
    const std::uint32_t best = better(workers, nodes_[2 * node], nodes_[2 * node + 1]);
    nodes_[node] = best;
    // Above a node that neither held nor holds the changed leaf, nothing can differ.
    if (best == held && best != slot && best != before) return;
  }
}

void WorkerRanking::place(WorkerTable& workers, std::uint32_t slot) {
  WorkerRecord& worker = workers[slot];
  const bool is_last = worker.rank_position != kNoSlot && worker.rank_position + 1 == used_;
  if (!is_last) {
    if (worker.rank_position != kNoSlot) set_leaf(workers, worker.rank_position, kNoSlot);
    if (used_ == capacity_) {
      compact(workers);  // The worker stands last in the heartbeat order already, so it gets its position here.
      return;
    }
    worker.rank_position = used_++;
  }
  heartbeats_[worker.rank_position] = worker.last_heartbeat;
  refresh(workers, slot);
}

void WorkerRanking::remove(WorkerTable& workers, std::uint32_t slot) {
  set_leaf(workers, workers[slot].rank_position, kNoSlot);
  workers[slot].rank_position = kNoSlot;
}

void WorkerRanking::refresh(const WorkerTable& workers, std::uint32_t slot) {
  const std::uint32_t position = workers[slot].rank_position;
  if (position != kNoSlot) set_leaf(workers, position, candidate(workers, slot));
}

std::uint32_t WorkerRanking::first_fresh(LogicalTime now, Seconds heartbeat_timeout) const {
  std::uint32_t low = 0;
  std::uint32_t high = used_;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (elapsed(heartbeats_[middle], now) <= heartbeat_timeout) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

std::uint32_t WorkerRanking::best(const WorkerTable& workers, LogicalTime now, Seconds heartbeat_timeout) const {
  if (used_ == 0) return kNoSlot;
  const std::uint32_t fresh = first_fresh(now, heartbeat_timeout);
  if (fresh == 0) return nodes_[1];
  std::uint32_t best = kNoSlot;
  std::uint32_t left = capacity_ + fresh;
  std::uint32_t right = capacity_ + used_;
  for (; left < right; left /= 2, right /= 2) {
    if (left % 2 == 1) best = better(workers, best, nodes_[left++]);
    if (right % 2 == 1) best = better(workers, best, nodes_[--right]);
  }
  return best;
}

bool WorkerRanking::consistent(const WorkerTable& workers) const {
  for (std::uint32_t node = 1; node < capacity_; ++node) {
    if (nodes_[node] != better(workers, nodes_[2 * node], nodes_[2 * node + 1])) return false;
  }
  for (std::uint32_t slot = 0; slot < workers.size(); ++slot) {
    const std::uint32_t position = workers[slot].rank_position;
    if (workers[slot].offline() != (position == kNoSlot)) return false;
    if (position == kNoSlot) continue;
    if (position >= used_ || heartbeats_[position] != workers[slot].last_heartbeat) return false;
    if (nodes_[capacity_ + position] != candidate(workers, slot)) return false;
  }
  return true;
}

}  // namespace leasegate
