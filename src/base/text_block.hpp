// Several short texts in one allocation, owned by a record.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "base/memory.hpp"

namespace leasegate {

class TextBlock {
 public:
  TextBlock() = default;
  TextBlock(TextBlock&& other) noexcept
      : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  TextBlock& operator=(TextBlock&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }
  TextBlock(const TextBlock&) = delete;
  TextBlock& operator=(const TextBlock&) = delete;
  ~TextBlock() { release_bytes(bytes_); }

  /** Holds a copy of `parts`, one after the other. False, with nothing changed, when there is no memory. */
  [[nodiscard]] bool try_assign(std::span<const std::string_view> parts) {
    std::size_t size = 0;
    for (const std::string_view part : parts) size += part.size();
    auto* bytes = static_cast<char*>(try_allocate_bytes(size > 0 ? size : 1));
    if (bytes == nullptr) return false;
    char* end = bytes;
    for (const std::string_view part : parts) {
      if (!part.empty()) std::memcpy(end, part.data(), part.size());
      end += part.size();
    }
    release_bytes(bytes_);
    bytes_ = bytes;
    size_ = size;
    return true;
  }

  [[nodiscard]] std::string_view view() const { return {bytes_, size_}; }
  [[nodiscard]] std::string_view view(std::size_t offset, std::size_t size) const {
    return {bytes_ + offset, size};
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace leasegate
