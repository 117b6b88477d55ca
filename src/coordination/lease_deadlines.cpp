#include "coordination/lease_deadlines.hpp"

namespace leasegate {

void LeaseDeadlines::put(TaskTable& tasks, std::size_t position, Entry entry) {
  heap_[position] = entry;
  tasks[entry.task].deadline_position = static_cast<std::uint32_t>(position);
}

void LeaseDeadlines::sift_up(TaskTable& tasks, std::size_t position, Entry entry) {
  while (position > 0) {
    const std::size_t parent = (position - 1) / 2;
    if (heap_[parent].expires_at <= entry.expires_at) break;
    put(tasks, position, heap_[parent]);
    position = parent;
  }
  put(tasks, position, entry);
}

void LeaseDeadlines::sift_down(TaskTable& tasks, std::size_t position, Entry entry) {
  for (;;) {
    std::size_t child = 2 * position + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1].expires_at < heap_[child].expires_at) ++child;
    if (entry.expires_at <= heap_[child].expires_at) break;
    put(tasks, position, heap_[child]);
    position = child;
  }
  put(tasks, position, entry);
}

void LeaseDeadlines::add(TaskTable& tasks, std::uint32_t task) {
  const Entry entry{tasks[task].expires_at, task};
  heap_.push_back(entry);
  sift_up(tasks, heap_.size() - 1, entry);
}

void LeaseDeadlines::remove(TaskTable& tasks, std::uint32_t task) {
  const std::size_t position = tasks[task].deadline_position;
  tasks[task].deadline_position = kNoSlot;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (last.task == task) return;
  if (position > 0 && last.expires_at < heap_[(position - 1) / 2].expires_at) {
    sift_up(tasks, position, last);
  } else {
    sift_down(tasks, position, last);
  }
}

void LeaseDeadlines::collect_expired(LogicalTime now, Array<std::uint32_t>& found) const {
  found.clear();
  const auto visit = [&](std::size_t position) {
    if (position < heap_.size() && heap_[position].expires_at <= now) {
      found.push_back(static_cast<std::uint32_t>(position));
    }
  };
  visit(0);
  for (std::size_t i = 0; i < found.size(); ++i) {  // NOLINT(modernize-loop-convert): it grows meanwhile
    visit(2 * std::size_t{found[i]} + 1);
    visit(2 * std::size_t{found[i]} + 2);
  }
  for (std::uint32_t& entry : found) entry = heap_[entry].task;
}

}  // namespace leasegate
