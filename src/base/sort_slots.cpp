#include "base/sort_slots.hpp"

#include <algorithm>

namespace leasegate::detail {

void sort_slots(Array<std::uint32_t>& slots, SlotsInOrder in_order, const void* less) {
  std::sort(slots.begin(), slots.end(),
            [=](std::uint32_t a, std::uint32_t b) { return in_order(less, a, b); });
}

}  // namespace leasegate::detail
