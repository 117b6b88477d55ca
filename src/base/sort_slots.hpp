// Putting slots in order. One routine serves every order: std::sort with each of them inlined would be 5 kB
// of code apiece in the Wasm module.
#pragma once

#include <cstdint>

#include "base/array.hpp"

namespace leasegate {

namespace detail {
using SlotsInOrder = bool (*)(const void* less, std::uint32_t a, std::uint32_t b);
void sort_slots(Array<std::uint32_t>& slots, SlotsInOrder in_order, const void* less);
}  // namespace detail

/** `less(a, b)`: whether a comes before b. Equal ones come in any order. */
template <class Less>
void sort_slots(Array<std::uint32_t>& slots, const Less& less) {
  detail::sort_slots(
      slots,
      [](const void* given, std::uint32_t a, std::uint32_t b) {
        return (*static_cast<const Less*>(given))(a, b);
      },
      &less);
}

}  // namespace leasegate
