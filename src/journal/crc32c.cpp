#include "journal/crc32c.hpp"

#include <array>

#include "base/text_words.hpp"

namespace leasegate::journal {
namespace {

/** What a byte does to the checksum when 0 to 7 bytes follow it in the same word. */
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/** The polynomial is 0x1EDC6F41, bits reversed. */
Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? 0x82F6'3B78U : 0U);
    tables[0][byte] = value;
  }
  for (std::size_t after = 1; after < tables.size(); ++after) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t value = tables[after - 1][byte];
      tables[after][byte] = (value >> 8U) ^ tables[0][value & 0xFFU];
    }
  }
  return tables;
}

}  // namespace

std::uint32_t crc32c(std::span<const std::uint8_t> bytes) {
  // Made when they are first needed: in the Wasm module they would be eight kilobytes that nothing
  // compresses.
  static const Tables tables = make_tables();
  std::uint32_t value = 0xFFFF'FFFF;
  std::size_t at = 0;
  // Eight bytes at a time do not wait for one another.
  for (; bytes.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = detail::load_word(reinterpret_cast<const char*>(bytes.data()) + at) ^ value;
    value = 0;
    for (unsigned i = 0; i < 8; ++i) value ^= tables[7 - i][(word >> (8 * i)) & 0xFFU];
  }
  if (bytes.size() - at >= sizeof(std::uint32_t)) {
    const std::uint64_t half = detail::load_half(reinterpret_cast<const char*>(bytes.data()) + at) ^ value;
    value = 0;
    for (unsigned i = 0; i < 4; ++i) value ^= tables[3 - i][(half >> (8 * i)) & 0xFFU];
    at += sizeof(std::uint32_t);
  }
  for (; at < bytes.size(); ++at) value = (value >> 8U) ^ tables[0][(value ^ bytes[at]) & 0xFFU];
  return ~value;
}

}  // namespace leasegate::journal
