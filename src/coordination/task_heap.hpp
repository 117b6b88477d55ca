// Tasks by a key, the smallest on top: a binary heap in which every task knows its place, so that a task
// leaves from anywhere in logarithmic time. A task is in one heap at most.
#pragma once

#include <cstdint>

#include "base/array.hpp"
#include "base/slab.hpp"

namespace leasegate {

/** `Task::deadline_position` is where a task stands; kNoSlot while it is in no heap. */
template <class Key, class Task>
class TaskHeap {
 public:
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::uint32_t task_at(std::size_t position) const { return heap_[position].task; }
  [[nodiscard]] Key key_at(std::size_t position) const { return heap_[position].key; }

  [[nodiscard]] bool try_reserve_one() { return heap_.try_reserve(heap_.size() + 1); }

  /** The room must have been reserved. */
  void add(Slab<Task>& tasks, Key key, std::uint32_t task) {
    const Entry entry{key, task};
    heap_.push_back(entry);
    sift_up(tasks, heap_.size() - 1, entry);
  }

  void remove(Slab<Task>& tasks, std::uint32_t task) {
    const std::size_t position = tasks[task].deadline_position;
    tasks[task].deadline_position = kNoSlot;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (last.task == task) return;
    if (position > 0 && last.key < heap_[(position - 1) / 2].key) {
      sift_up(tasks, position, last);
    } else {
      sift_down(tasks, position, last);
    }
  }

  /** The key of `task` has grown. */
  void postpone(Slab<Task>& tasks, Key key, std::uint32_t task) {
    sift_down(tasks, tasks[task].deadline_position, {key, task});
  }

 private:
  struct Entry {
    Key key;
    std::uint32_t task = kNoSlot;
  };

  void put(Slab<Task>& tasks, std::size_t position, Entry entry) {
    heap_[position] = entry;
    tasks[entry.task].deadline_position = static_cast<std::uint32_t>(position);
  }

  void sift_up(Slab<Task>& tasks, std::size_t position, Entry entry) {
    while (position > 0) {
      const std::size_t parent = (position - 1) / 2;
      if (heap_[parent].key <= entry.key) break;
      put(tasks, position, heap_[parent]);
      position = parent;
    }
    put(tasks, position, entry);
  }

  void sift_down(Slab<Task>& tasks, std::size_t position, Entry entry) {
    for (;;) {
      std::size_t child = 2 * position + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && heap_[child + 1].key < heap_[child].key) ++child;
      if (entry.key <= heap_[child].key) break;
      put(tasks, position, heap_[child]);
      position = child;
    }
    put(tasks, position, entry);
  }

  Array<Entry> heap_;
};

}  // namespace leasegate
