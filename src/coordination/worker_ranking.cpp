#include "coordination/worker_ranking.hpp"

#include <bit>

namespace leasegate {
namespace {

/** Eight bytes from `offset`, as a number that orders as the bytes do; missing ones count as 0. */
std::uint64_t prefix_of(std::string_view id, std::size_t offset) {
  std::uint64_t prefix = 0;
  for (std::size_t i = offset; i < offset + 8; ++i) {
    prefix = (prefix << 8U) | (i < id.size() ? static_cast<std::uint8_t>(id[i]) : 0U);
  }
  return prefix;
}

constexpr std::size_t left_of(std::uint32_t node) { return std::size_t{node} * 2; }

}  // namespace

void WorkerRanking::rank(const WorkerTable& workers, std::uint32_t slot) {
  const WorkerRecord& worker = workers[slot];
  Rank& rank = ranks_[slot];
  rank.slots = worker.available_slots();
  rank.heartbeat = worker.last_heartbeat;
  rank.load = (std::uint64_t{worker.cpu_basis_points} << 40U) |
              (std::uint64_t{worker.memory_basis_points} << 20U) | worker.network_basis_points;
}

/** Most free slots, latest heartbeat, least cpu, memory and network, then the smaller id. */
inline bool WorkerRanking::beats(const WorkerTable& workers, const Rank& a, std::uint32_t a_slot,
                                 const Rank& b, std::uint32_t b_slot) const {
  if (a.slots != b.slots) return a.slots > b.slots;
  if (a.heartbeat != b.heartbeat) return a.heartbeat > b.heartbeat;
  if (a.load != b.load) return a.load < b.load;
  if (a.id_first != b.id_first) return a.id_first < b.id_first;
  if (a.id_second != b.id_second) return a.id_second < b.id_second;
  return workers.id_of(a_slot) < workers.id_of(b_slot);
}

/** kNoSlot is worst. */
inline std::uint32_t WorkerRanking::better(const WorkerTable& workers, std::uint32_t left,
                                           std::uint32_t right) const {
  if (left == kNoSlot) return right;
  if (right == kNoSlot) return left;
  return beats(workers, ranks_[left], left, ranks_[right], right) ? left : right;
}

bool WorkerRanking::try_reserve(WorkerTable& workers, std::uint32_t count) {
  if (count * 2 <= capacity_) return true;
  const std::uint32_t capacity = std::bit_ceil(count * 2 < 16 ? 16 : count * 2);
  Array<LogicalTime> heartbeats;
  Array<std::uint32_t> nodes;
  if (!heartbeats.try_reserve(capacity) || !nodes.try_reserve(std::size_t{capacity} * 2)) return false;
  // Half the positions: as many as there can be workers before this is called again.
  if (!ranks_.try_reserve(capacity / 2)) return false;
  while (ranks_.size() < capacity / 2) ranks_.push_back(Rank{});
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
    nodes_[capacity_ + used_] = candidate(slot);
    ++used_;
  }
  for (std::uint32_t node = capacity_ - 1; node >= 1; --node) {
    nodes_[node] = better(workers, nodes_[left_of(node)], nodes_[left_of(node) + 1]);
  }
}

void WorkerRanking::set_leaf(const WorkerTable& workers, std::uint32_t position, std::uint32_t slot) {
  std::uint32_t node = capacity_ + position;
  const std::uint32_t before = nodes_[node];
  nodes_[node] = slot;
  for (std::uint32_t best = slot; node > 1;) {
    best = better(workers, best, nodes_[node ^ 1U]);
    node /= 2;
    const std::uint32_t held = nodes_[node];
    nodes_[node] = best;
    // Above a node that neither held nor holds the changed leaf, nothing can differ.
    if (best == held && best != slot && best != before) return;
  }
}

void WorkerRanking::place(WorkerTable& workers, std::uint32_t slot) {
  WorkerRecord& worker = workers[slot];
  if (slot == pending_) pending_ = kNoSlot;
  ranks_[slot].id_first = prefix_of(workers.id_of(slot), 0);
  ranks_[slot].id_second = prefix_of(workers.id_of(slot), 8);
  rank(workers, slot);
  const bool is_last = worker.rank_position != kNoSlot && worker.rank_position + 1 == used_;
  if (!is_last) {
    if (worker.rank_position != kNoSlot) set_leaf(workers, worker.rank_position, kNoSlot);
    if (used_ == capacity_) {
      compact(
          workers);  // The worker stands last in the heartbeat order already, so it gets its position here.
      return;
    }
    worker.rank_position = used_++;
  }
  heartbeats_[worker.rank_position] = worker.last_heartbeat;
  set_leaf(workers, worker.rank_position, candidate(slot));
}

void WorkerRanking::remove(WorkerTable& workers, std::uint32_t slot) {
  if (slot == pending_) pending_ = kNoSlot;
  set_leaf(workers, workers[slot].rank_position, kNoSlot);
  workers[slot].rank_position = kNoSlot;
}

void WorkerRanking::refresh(const WorkerTable& workers, std::uint32_t slot) {
  if (slot == pending_ || workers[slot].rank_position == kNoSlot) return;
  settle(workers);
  pending_ = slot;
}

void WorkerRanking::settle(const WorkerTable& workers) {
  if (!settled(workers)) {
    rank(workers, pending_);
    set_leaf(workers, workers[pending_].rank_position, candidate(pending_));
  }
  pending_ = kNoSlot;
}

std::uint32_t WorkerRanking::first_fresh(LogicalTime now, Seconds heartbeat_timeout) const {
  if (elapsed(heartbeats_[0], now) <= heartbeat_timeout) return 0;  // as a rule
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

std::uint32_t WorkerRanking::best(const WorkerTable& workers, LogicalTime now,
                                  Seconds heartbeat_timeout) const {
  if (used_ == 0) return kNoSlot;
  const std::uint32_t fresh = first_fresh(now, heartbeat_timeout);
  if (!settled(workers)) return best_with_pending(workers, fresh);
  return fresh == 0 ? nodes_[1] : best_of(workers, fresh, used_);
}

std::uint32_t WorkerRanking::best_of(const WorkerTable& workers, std::uint32_t first,
                                     std::uint32_t end) const {
  std::uint32_t best = kNoSlot;
  std::uint32_t left = capacity_ + first;
  std::uint32_t right = capacity_ + end;
  for (; left < right; left /= 2, right /= 2) {
    if (left % 2 == 1) best = better(workers, best, nodes_[left++]);
    if (right % 2 == 1) best = better(workers, best, nodes_[--right]);
  }
  return best;
}

std::uint32_t WorkerRanking::best_with_pending(const WorkerTable& workers, std::uint32_t first) const {
  const std::uint32_t position = workers[pending_].rank_position;
  if (position < first) return best_of(workers, first, used_);
  const std::uint32_t best =
      better(workers, best_of(workers, first, position), best_of(workers, position + 1, used_));
  Rank now = ranks_[pending_];
  now.slots = workers[pending_].available_slots();
  if (now.slots == 0) return best;
  return best == kNoSlot || beats(workers, now, pending_, ranks_[best], best) ? pending_ : best;
}

bool WorkerRanking::consistent(const WorkerTable& workers) const {
  for (std::uint32_t node = 1; node < capacity_; ++node) {
    if (nodes_[node] != better(workers, nodes_[left_of(node)], nodes_[left_of(node) + 1])) return false;
  }
  for (std::uint32_t slot = 0; slot < workers.records().size(); ++slot) {
    if (!workers[slot].known()) continue;
    const std::uint32_t position = workers[slot].rank_position;
    if (workers[slot].offline() != (position == kNoSlot)) return false;
    if (position == kNoSlot) continue;
    if (position >= used_ || heartbeats_[position] != workers[slot].last_heartbeat) return false;
    if (nodes_[capacity_ + position] != candidate(slot)) return false;
    if (slot != pending_ && ranks_[slot].slots != workers[slot].available_slots()) return false;
  }
  return true;
}

}  // namespace leasegate
