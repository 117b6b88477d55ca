// Records that come and go: a slab whose released slots are used again, the latest first.
#pragma once

#include "base/array.hpp"
#include "base/slab.hpp"

namespace leasegate {

template <class T>
class Pool {
 public:
  /** Records in use. */
  [[nodiscard]] std::uint32_t size() const {
    return records_.size() - static_cast<std::uint32_t>(free_.size());
  }
  T& operator[](std::uint32_t slot) { return records_[slot]; }
  const T& operator[](std::uint32_t slot) const { return records_[slot]; }

  /** For lists that thread through the records. */
  Slab<T>& slab() { return records_; }
  [[nodiscard]] const Slab<T>& slab() const { return records_; }

  /** Room for one more record. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_reserve_one() { return try_reserve(1); }

  /** Room for `count` more records. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_reserve(std::uint32_t count) {
    if (count <= free_.size()) return true;
    const std::uint32_t missing = count - static_cast<std::uint32_t>(free_.size());
    // The room to remember a slot as free comes with the slot: releasing never fails.
    return free_.try_reserve(std::size_t{records_.size()} + missing) && records_.try_reserve(missing);
  }

  /** The slot of a new, default-made record; the room must have been reserved. */
  std::uint32_t take() {
    if (free_.empty()) return records_.append();
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  /** Ends the record in `slot`, and frees what it owns. */
  void release(std::uint32_t slot) {
    records_[slot] = T();
    free_.push_back(slot);
  }

 private:
  Slab<T> records_;
  Array<std::uint32_t> free_;
};

}  // namespace leasegate
