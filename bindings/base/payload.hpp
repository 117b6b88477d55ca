// A buffer for bytes that are too many for the frame: results, lists of ids.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leasegate::bindings {

class Payload {
 public:
  /** Room for `size` bytes, whose content is undefined. Null when there is no memory. */
  std::uint8_t* try_reserve(std::size_t size);
  /** Gives large buffers back; a small one is kept for the next call. */
  void release();

  [[nodiscard]] const std::uint8_t* data() const { return bytes_; }

 private:
  std::uint8_t* bytes_ = nullptr;
  std::size_t capacity_ = 0;
};

extern constinit Payload the_payload;

}  // namespace leasegate::bindings
