// Which leases have run out.
#pragma once

#include <cstdint>

#include "coordination/task_table.hpp"

namespace leasegate {

class LeaseDeadlines {
 public:
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] std::uint32_t task_at(std::size_t position) const { return heap_.task_at(position); }
  [[nodiscard]] LogicalTime deadline_at(std::size_t position) const { return heap_.key_at(position); }

  [[nodiscard]] bool try_reserve_one() { return heap_.try_reserve_one(); }
  /** The task's `expires_at` is set and the room reserved. */
  void add(TaskTable& tasks, std::uint32_t task) { heap_.add(tasks.records(), tasks[task].expires_at, task); }
  void remove(TaskTable& tasks, std::uint32_t task) { heap_.remove(tasks.records(), task); }
  /** The task's `expires_at` is later than before. */
  void postpone(TaskTable& tasks, std::uint32_t task) {
    heap_.postpone(tasks.records(), tasks[task].expires_at, task);
  }

  /**
   * Fills `found` with every task whose lease has run out at `now`, in no particular order.
   * Visits only those and their children. `found` has room for size() entries.
   */
  void collect_expired(LogicalTime now, Array<std::uint32_t>& found) const;

 private:
  TaskHeap<LogicalTime, TaskRecord> heap_;
};

}  // namespace leasegate
