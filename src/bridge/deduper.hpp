// Recognises the latest messages by their ids. First in, first out, and never more than the capacity: an id
// that is absent may have been seen long ago.
#pragma once

#include "base/id_index.hpp"
#include "base/text_block.hpp"
#include "base/window.hpp"
#include "bridge/identity.hpp"

namespace leasegate {

class Deduper {
 public:
  /** Errors: invalid_capacity. */
  [[nodiscard]] static Result<Deduper> create(std::uint64_t capacity);

  /**
   * True when the id is in the window, which does not make it younger. Otherwise it is added, in the place of
   * the oldest when the window is full. Errors: invalid_identifier, out_of_memory.
   */
  Result<bool> seen_or_add(MessageId id);

  [[nodiscard]] std::uint32_t size() const { return window_.size(); }

 private:
  explicit Deduper(std::uint64_t capacity) : window_(capacity) {}

  Window<TextBlock> window_;
  IdIndex index_;
};

}  // namespace leasegate
