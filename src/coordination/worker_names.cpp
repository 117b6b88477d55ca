#include "coordination/worker_names.hpp"

#include <array>

namespace leasegate {

bool WorkerNames::try_intern(std::string_view id, std::uint32_t& name) {
  if (const std::uint32_t known = find(id); known != kNoSlot) {
    name = known;
    return true;
  }
  const std::array<std::string_view, 1> parts = {id};
  TextBlock text;
  if (!text.try_assign(parts) || !names_.try_reserve_one() || !index_.try_reserve_one()) return false;
  name = names_.take();
  names_[name].text = std::move(text);
  names_[name].key = keys_.take();
  index_.insert(id, name);
  return true;
}

void WorkerNames::drop_unused(std::uint32_t name) {
  if (names_[name].worker != kNoSlot || names_[name].proofs > 0) return;
  index_.erase(names_[name].id(), name);
  names_.release(name);
}

}  // namespace leasegate
