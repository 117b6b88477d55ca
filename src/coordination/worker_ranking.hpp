// The best worker to give a task to, in logarithmic time.
//
// Whether a worker is eligible depends on `now`, so an order by rank alone would keep stale workers on top.
// But accepted times never fall: heartbeats arrive in order. Each heartbeat takes the next position, the
// fresh workers are therefore a suffix of the positions, and a segment tree over the positions answers the
// best of any suffix. Positions that were left behind are reclaimed when all are used, once in at least as
// many heartbeats as there are workers.
//
// A worker that is given a task and ends it is back where it was. So the last change of free slots waits for
// the next one that is another worker's, or for the next question, and often there is nothing left to be
// done.
#pragma once

#include <cstdint>

#include "base/array.hpp"
#include "coordination/worker_table.hpp"

namespace leasegate {

class WorkerRanking {
 public:
  /** Room for `workers` workers. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_reserve(WorkerTable& workers, std::uint32_t count);

  /** The worker's `last_heartbeat` is new and it stands last in the heartbeat order. */
  void place(WorkerTable& workers, std::uint32_t slot);
  /** The worker went offline. */
  void remove(WorkerTable& workers, std::uint32_t slot);
  /** The worker's free slots changed. Nothing happens for one that is offline. */
  void refresh(const WorkerTable& workers, std::uint32_t slot);
  /** Does what waits: `best` is quicker then. */
  void settle(const WorkerTable& workers);

  /** The best healthy, fresh worker with a free slot; kNoSlot when there is none. */
  [[nodiscard]] std::uint32_t best(const WorkerTable& workers, LogicalTime now,
                                   Seconds heartbeat_timeout) const;

  /** True when every node holds the better of its children and every leaf its worker. For check_invariants.
   */
  [[nodiscard]] bool consistent(const WorkerTable& workers) const;

 private:
  /** What a worker is ranked by, in order of weight, packed to be compared fast. By slot. */
  struct Rank {
    std::uint32_t slots = 0;
    LogicalTime heartbeat;
    /** cpu, memory and network. */
    std::uint64_t load = 0;
    /** The first 16 bytes of the id. */
    std::uint64_t id_first = 0;
    std::uint64_t id_second = 0;
  };

  void rank(const WorkerTable& workers, std::uint32_t slot);
  [[nodiscard]] bool beats(const WorkerTable& workers, const Rank& a, std::uint32_t a_slot, const Rank& b,
                           std::uint32_t b_slot) const;
  [[nodiscard]] std::uint32_t better(const WorkerTable& workers, std::uint32_t left,
                                     std::uint32_t right) const;
  [[nodiscard]] std::uint32_t candidate(std::uint32_t slot) const {
    return ranks_[slot].slots > 0 ? slot : kNoSlot;
  }
  void compact(WorkerTable& workers);
  void set_leaf(const WorkerTable& workers, std::uint32_t position, std::uint32_t slot);
  [[nodiscard]] std::uint32_t first_fresh(LogicalTime now, Seconds heartbeat_timeout) const;
  /** Among the positions from `first` up to but not including `end`. */
  [[nodiscard]] std::uint32_t best_of(const WorkerTable& workers, std::uint32_t first,
                                      std::uint32_t end) const;
  /** The same with the slots that the pending worker has now. */
  [[nodiscard]] std::uint32_t best_with_pending(const WorkerTable& workers, std::uint32_t first) const;
  /** Whether the pending worker's slots are as the tree has them, or none is pending. */
  [[nodiscard]] bool settled(const WorkerTable& workers) const {
    return pending_ == kNoSlot || ranks_[pending_].slots == workers[pending_].available_slots();
  }

  /** Positions there are: a power of two, at least twice the workers. */
  std::uint32_t capacity_ = 0;
  /** Positions used so far. */
  std::uint32_t used_ = 0;
  /** The worker whose free slots may be others than its rank says. */
  std::uint32_t pending_ = kNoSlot;
  Array<LogicalTime> heartbeats_;
  Array<Rank> ranks_;
  /** Node i has the children 2i and 2i + 1; position p is the leaf capacity_ + p. */
  Array<std::uint32_t> nodes_;
};

}  // namespace leasegate
