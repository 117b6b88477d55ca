#include "coordination/lease_deadlines.hpp"

namespace leasegate {

void LeaseDeadlines::collect_expired(LogicalTime now, Array<std::uint32_t>& found) const {
  found.clear();
  const auto visit = [&](std::size_t position) {
    if (position < heap_.size() && heap_.key_at(position) <= now) {
      found.push_back(static_cast<std::uint32_t>(position));
    }
  };
  visit(0);
  for (std::size_t i = 0; i < found.size(); ++i) {  // NOLINT(modernize-loop-convert): it grows meanwhile
    visit(2 * std::size_t{found[i]} + 1);
    visit(2 * std::size_t{found[i]} + 2);
  }
  for (std::uint32_t& entry : found) entry = heap_.task_at(entry);
}

}  // namespace leasegate
