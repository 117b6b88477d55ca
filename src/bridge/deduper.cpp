#include "bridge/deduper.hpp"

#include "bridge/errors.gen.hpp"
#include "coordination/errors.gen.hpp"

namespace leasegate {

Result<Deduper> Deduper::create(std::uint64_t capacity) {
  if (capacity == 0) return std::unexpected(errors::invalid_capacity());
  return Deduper(capacity);
}

Result<bool> Deduper::seen_or_add(MessageId id) {
  LEASEGATE_TRY(check(id));
  const std::uint32_t hash = hash_of(id.text);
  const auto is_it = [&](std::uint32_t slot) { return window_[slot].view() == id.text; };
  if (index_.find_hashed(hash, is_it) != kNoSlot) return true;

  TextBlock text;
  if (!window_.try_reserve(1) || !index_.try_reserve_one() || !text.try_assign({&id.text, 1})) {
    return std::unexpected(errors::out_of_memory());
  }
  if (window_.full()) {
    const std::uint32_t oldest = window_.slot_of(0);
    index_.erase(window_[oldest].view(), oldest);
  }
  index_.insert_hashed(hash, window_.push(std::move(text)));
  return false;
}

}  // namespace leasegate
