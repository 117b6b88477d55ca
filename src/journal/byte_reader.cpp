#include "journal/byte_reader.hpp"

#include <algorithm>

#include "coordination/errors.gen.hpp"
#include "journal/errors.gen.hpp"

namespace leasegate::journal {

void ByteReader::fail(JournalFault fault, std::size_t at) {
  if (failed_) return;
  failed_ = true;
  fault_ = fault;
  fault_at_ = at;
}

Status ByteReader::finish() {
  if (no_memory_) return std::unexpected(errors::out_of_memory());
  if (!failed_ && left() > 0) fail(JournalFault::trailing_bytes, at_);
  if (failed_) return std::unexpected(errors::journal_malformed(fault_, offset_ + fault_at_));
  return {};
}

void ByteReader::byte(std::uint8_t& out) {
  out = 0;
  if (failed_) return;
  if (left() == 0) return fail(JournalFault::ends_early, at_);
  out = bytes_[at_++];
}

void ByteReader::integer(std::uint64_t& out) {
  if (failed_ || at_ == bytes_.size() || bytes_[at_] >= 0x80) return long_integer(out);
  out = bytes_[at_++];  // as most are
}

void ByteReader::long_integer(std::uint64_t& out) {
  out = 0;
  if (failed_) return;
  const std::size_t start = at_;
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (left() == 0) return fail(JournalFault::ends_early, at_);
    const std::uint8_t next = bytes_[at_++];
    // The tenth byte has one bit left to say.
    if (shift == 63 && next > 1) return fail(JournalFault::integer_out_of_range, start);
    value |= std::uint64_t{next & 0x7FU} << shift;
    if ((next & 0x80U) != 0) continue;
    if (next == 0 && shift > 0) return fail(JournalFault::integer_not_canonical, start);
    break;
  }
  out = value;
}

void ByteReader::integer(std::uint32_t& out) {
  const std::size_t start = at_;
  std::uint64_t value = 0;
  integer(value);
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    value = 0;
    fail(JournalFault::integer_out_of_range, start);
  }
  out = static_cast<std::uint32_t>(value);
}

std::uint8_t ByteReader::number_below(std::size_t count) {
  const std::size_t start = at_;
  std::uint8_t value = 0;
  byte(value);
  if (value < count) return value;
  fail(JournalFault::unknown_name, start);
  return 0;
}

void ByteReader::flag(bool& out) { out = number_below(2) == 1; }

void ByteReader::text(std::string_view& out, std::uint64_t limit) {
  out = {};
  const std::size_t start = at_;
  std::uint64_t size = 0;
  integer(size);
  if (failed_) return;
  if (size > limit) return fail(JournalFault::text_too_long, start);
  if (size > left()) return fail(JournalFault::ends_early, bytes_.size());
  out = {reinterpret_cast<const char*>(bytes_.data()) + at_, static_cast<std::size_t>(size)};
  at_ += static_cast<std::size_t>(size);
}

void ByteReader::bytes(std::span<const std::uint8_t>& out, std::uint64_t limit) {
  std::string_view text_read;
  text(text_read, limit);
  out = {reinterpret_cast<const std::uint8_t*>(text_read.data()), text_read.size()};
}

void ByteReader::ids(std::span<const IdView>& out, std::uint64_t limit) {
  out = {};
  const std::size_t start = at_;
  std::uint64_t count = 0;
  integer(count);
  if (failed_) return;
  if (count > limit) return fail(JournalFault::list_too_long, start);
  // Every id takes a byte at least: the list is never longer than the input.
  if (count > left()) return fail(JournalFault::ends_early, bytes_.size());
  if (ids_ == nullptr || !ids_->try_reserve(static_cast<std::size_t>(count))) {
    no_memory_ = true;
    return fail(JournalFault::ends_early, at_);
  }
  ids_->clear();
  for (std::uint64_t i = 0; i < count && !failed_; ++i) {
    IdView id;
    text(id, MAX_IDENTIFIER_BYTES);
    ids_->push_back(id);
  }
  if (!failed_) out = ids_->view();
}

}  // namespace leasegate::journal
