#include "journal/crc32c.hpp"

#include <array>

namespace leasegate::journal {
namespace {

/** What each byte does to the checksum; the polynomial is 0x1EDC6F41, bits reversed. */
constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? 0x82F6'3B78U : 0U);
    table[byte] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = make_table();

}  // namespace

std::uint32_t crc32c(std::span<const std::uint8_t> bytes) {
  std::uint32_t value = 0xFFFF'FFFF;
  for (const std::uint8_t byte : bytes) value = (value >> 8U) ^ kTable[(value ^ byte) & 0xFFU];
  return ~value;
}

}  // namespace leasegate::journal
