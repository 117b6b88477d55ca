#include "journal/byte_writer.hpp"

#include "coordination/schema.gen.hpp"

namespace leasegate::journal {

bool ArraySink::take(std::span<const std::uint8_t> bytes) {
  if (!bytes_.try_reserve(bytes_.size() + bytes.size())) return false;
  bytes_.append(bytes);
  return true;
}

void ByteWriter::flush() {
  enough_ = enough_ && sink_.take({buffer_.data(), used_});
  used_ = 0;
}

bool ByteWriter::finish() {
  flush();
  return enough_;
}

void ByteWriter::byte(std::uint8_t value) {
  if (used_ == buffer_.size()) flush();
  buffer_[used_++] = value;
}

void ByteWriter::integer(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) byte(static_cast<std::uint8_t>(value | 0x80U));
  byte(static_cast<std::uint8_t>(value));
}

void ByteWriter::text(std::string_view value, std::uint64_t limit) {
  if (value.size() > limit) {
    fit_ = false;
    return;
  }
  integer(value.size());
  if (value.empty()) return;
  if (value.size() > buffer_.size() - used_) flush();
  if (value.size() > buffer_.size()) {
    enough_ = enough_ && sink_.take({reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
    return;
  }
  std::memcpy(buffer_.data() + used_, value.data(), value.size());
  used_ += value.size();
}

void ByteWriter::ids(std::span<const IdView> value, std::uint64_t limit) {
  if (value.size() > limit) {
    fit_ = false;
    return;
  }
  integer(value.size());
  for (const IdView& id : value) text(id, MAX_IDENTIFIER_BYTES);
}

}  // namespace leasegate::journal
