// The latest records of a sequence, at most as many as the window is long; each newer one replaces the
// oldest.
#pragma once

#include <algorithm>

#include "base/slab.hpp"

namespace leasegate {

template <class T>
class Window {
 public:
  /** `capacity` must not be 0. */
  explicit Window(std::uint64_t capacity) : capacity_(capacity) {}

  [[nodiscard]] std::uint32_t size() const { return records_.size(); }
  [[nodiscard]] bool full() const { return records_.size() >= capacity_; }

  /** The slot of the record that is the `index`-th from the oldest. */
  [[nodiscard]] std::uint32_t slot_of(std::uint32_t index) const {
    const std::uint64_t slot = std::uint64_t{oldest_} + index;
    return static_cast<std::uint32_t>(slot < records_.size() ? slot : slot - records_.size());
  }
  T& operator[](std::uint32_t slot) { return records_[slot]; }
  const T& operator[](std::uint32_t slot) const { return records_[slot]; }

  /** Room for `count` more records. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_reserve(std::uint32_t count) {
    return records_.try_reserve(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(count, capacity_ - records_.size())));
  }

  /** The slot of a new record, that of the oldest when the window is full; the room must have been reserved.
   */
  std::uint32_t push(T&& record) {
    if (!full()) {
      const std::uint32_t slot = records_.append();
      records_[slot] = std::move(record);
      return slot;
    }
    const std::uint32_t slot = oldest_;
    records_[slot] = std::move(record);
    oldest_ = slot + 1 == records_.size() ? 0 : slot + 1;
    return slot;
  }

 private:
  std::uint64_t capacity_;
  std::uint32_t oldest_ = 0;
  Slab<T> records_;
};

}  // namespace leasegate
