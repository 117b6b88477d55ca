#include "journal/sink.hpp"

#include "coordination/errors.gen.hpp"
#include "journal/errors.gen.hpp"

namespace leasegate::journal {

Status JournalBuffer::reserve(std::size_t bytes) {
  if (blocked_at_) return std::unexpected(errors::journal_blocked(blocked_at_->value));
  if (bytes > max_bytes_ - bytes_.size()) return std::unexpected(errors::journal_full(max_bytes_));
  if (!bytes_.try_reserve(bytes_.size() + bytes)) return std::unexpected(errors::out_of_memory());
  return {};
}

void JournalBuffer::append(Revision made, std::span<const std::uint8_t> record) {
  bytes_.append(record);
  last_ = made;
}

void JournalBuffer::clear() {
  bytes_.clear();
  last_ = {};
  blocked_at_.reset();
}

}  // namespace leasegate::journal
