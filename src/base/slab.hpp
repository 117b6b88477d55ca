// Records addressed by index, in pages that never move: growing copies nothing and keeps every reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/array.hpp"

namespace leasegate {

/** "No record": the end of an intrusive list, a missing slot. */
inline constexpr std::uint32_t kNoSlot = 0xFFFF'FFFF;

template <class T>
class Slab {
  static constexpr std::uint32_t kPageBits = 7;
  static constexpr std::uint32_t kPageSize = 1U << kPageBits;

 public:
  Slab() = default;
  Slab(Slab&& other) noexcept : pages_(std::move(other.pages_)), size_(std::exchange(other.size_, 0)) {}
  Slab& operator=(Slab&& other) noexcept {
    pages_ = std::move(other.pages_);
    std::swap(size_, other.size_);
    return *this;
  }
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  ~Slab() {
    for (std::uint32_t i = 0; i < size_; ++i) (*this)[i].~T();
    for (T* page : pages_) release_bytes(page);
  }

  [[nodiscard]] std::uint32_t size() const { return size_; }
  T& operator[](std::uint32_t slot) { return pages_[slot >> kPageBits][slot & (kPageSize - 1)]; }
  const T& operator[](std::uint32_t slot) const { return pages_[slot >> kPageBits][slot & (kPageSize - 1)]; }

  /** Room for one more record. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_reserve_one() { return try_reserve(1); }

  /** Room for `count` more records. False, with no record changed, when there is no memory. */
  [[nodiscard]] bool try_reserve(std::uint32_t count) {
    if (count > kNoSlot - size_) return false;
    while (size_ + count > pages_.size() * kPageSize) {
      if (!pages_.try_reserve(pages_.size() + 1)) return false;
      auto* page = static_cast<T*>(try_allocate_bytes(sizeof(T) * kPageSize));
      if (page == nullptr) return false;
      pages_.push_back(page);
    }
    return true;
  }

  /** The slot of a new, default-made record; the room must have been reserved. */
  std::uint32_t append() {
    const std::uint32_t slot = size_++;
    ::new (static_cast<void*>(&(*this)[slot])) T();
    return slot;
  }

 private:
  Array<T*> pages_;
  std::uint32_t size_ = 0;
};

}  // namespace leasegate
