#include "bindings/base/payload.hpp"

#include "base/memory.hpp"

namespace leasegate::bindings {
namespace {

constexpr std::size_t kKeptBytes = 64 * 1024;

}  // namespace

constinit Payload the_payload;

std::uint8_t* Payload::try_reserve(std::size_t size) {
  if (size <= capacity_ && bytes_ != nullptr) return bytes_;
  release_bytes(bytes_);
  capacity_ = size < kKeptBytes ? kKeptBytes : size;
  bytes_ = static_cast<std::uint8_t*>(try_allocate_bytes(capacity_));
  if (bytes_ == nullptr) capacity_ = 0;
  return bytes_;
}

void Payload::release() {
  if (capacity_ <= kKeptBytes) return;
  release_bytes(bytes_);
  bytes_ = nullptr;
  capacity_ = 0;
}

}  // namespace leasegate::bindings
