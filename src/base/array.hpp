// A growable array of plain values whose growth answers instead of throwing.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "base/memory.hpp"

namespace leasegate {

template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  Array(Array&& other) noexcept
      : items_(std::exchange(other.items_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { release_bytes(items_); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  T& operator[](std::size_t index) { return items_[index]; }
  const T& operator[](std::size_t index) const { return items_[index]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }
  T& back() { return items_[size_ - 1]; }
  [[nodiscard]] std::span<const T> view() const { return {items_, size_}; }

  /** Room for `wanted` items in all, doubling. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_reserve(std::size_t wanted) {
    if (wanted <= capacity_) return true;
    std::size_t capacity = capacity_ < 8 ? 8 : capacity_ * 2;
    if (capacity < wanted) capacity = wanted;
    auto* grown = static_cast<T*>(try_allocate_bytes(capacity * sizeof(T)));
    if (grown == nullptr) return false;
    if (size_ > 0) std::memcpy(grown, items_, size_ * sizeof(T));
    release_bytes(items_);
    items_ = grown;
    capacity_ = capacity;
    return true;
  }

  /** The room must have been reserved. */
  void push_back(const T& item) {
    assert(size_ < capacity_);
    items_[size_++] = item;
  }
  /** The room for all must have been reserved. */
  void append(std::span<const T> items) {
    assert(items.size() <= capacity_ - size_);
    if (!items.empty()) std::memcpy(items_ + size_, items.data(), items.size() * sizeof(T));
    size_ += items.size();
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }

  /** `count` copies of `item`; the room must have been reserved. */
  void assign(std::size_t count, const T& item) {
    assert(count <= capacity_);
    for (std::size_t i = 0; i < count; ++i) items_[i] = item;
    size_ = count;
  }

 private:
  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace leasegate
