// Which leases have run out: a heap by deadline in which every task knows its place, so that a lease leaves
// from anywhere in logarithmic time.
#pragma once

#include <cstdint>

#include "base/array.hpp"
#include "coordination/task_table.hpp"

namespace leasegate {

class LeaseDeadlines {
 public:
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] std::uint32_t task_at(std::size_t position) const { return heap_[position].task; }
  [[nodiscard]] LogicalTime deadline_at(std::size_t position) const { return heap_[position].expires_at; }

  [[nodiscard]] bool try_reserve_one() { return heap_.try_reserve(heap_.size() + 1); }
  /** The task's `expires_at` is set and the room reserved. */
  void add(TaskTable& tasks, std::uint32_t task);
  void remove(TaskTable& tasks, std::uint32_t task);

  /**
   * Fills `found` with every task whose lease has run out at `now`, in no particular order.
   * Visits only those and their children. `found` has room for size() entries.
   */
  void collect_expired(LogicalTime now, Array<std::uint32_t>& found) const;

 private:
  struct Entry {
    LogicalTime expires_at;
    std::uint32_t task = kNoSlot;
  };

  void put(TaskTable& tasks, std::size_t position, Entry entry);
  void sift_up(TaskTable& tasks, std::size_t position, Entry entry);
  void sift_down(TaskTable& tasks, std::size_t position, Entry entry);

  Array<Entry> heap_;
};

}  // namespace leasegate
