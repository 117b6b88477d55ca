#include "base/utf8.hpp"

#include <cstdint>
#include <cstring>

#include "base/text_words.hpp"

namespace leasegate {
namespace {

constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;

std::uint8_t byte_at(std::string_view text, std::size_t at) { return static_cast<std::uint8_t>(text[at]); }

bool is_continuation(std::uint8_t byte) { return (byte & 0xC0U) == 0x80; }

/** The bytes that the character at `at` takes, 0 when it is none. */
std::size_t character_size(std::string_view text, std::size_t at) {
  const std::uint8_t lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  // 80..BF only continue; C0 and C1 would be longer forms of ASCII; F5 and up lie beyond U+10FFFF.
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - at < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_continuation(byte_at(text, at + i))) return 0;
  }
  const std::uint8_t second = byte_at(text, at + 1);
  if (lead == 0xE0 && second < 0xA0) return 0;  // a longer form
  if (lead == 0xED && second > 0x9F) return 0;  // a surrogate
  if (lead == 0xF0 && second < 0x90) return 0;  // a longer form
  if (lead == 0xF4 && second > 0x8F) return 0;  // beyond U+10FFFF
  return size;
}

}  // namespace

bool is_printable_ascii(std::string_view text) {
  constexpr std::uint64_t kEach = 0x0101'0101'0101'0101;
  bool printable = true;
  for_each_word(text, [&printable](std::uint64_t word) {
    const bool ascii = (word & kHighBits) == 0;
    // Sums that reach the high bit of their byte, and never the byte after it.
    const bool all_from_space = ((word + (0x80 - 0x20) * kEach) & kHighBits) == kHighBits;
    const bool any_delete = ((word + kEach) & kHighBits) != 0;
    printable = printable && ascii && all_from_space && !any_delete;
  });
  return printable;
}

bool is_utf8(std::string_view text) {
  constexpr std::size_t kShort = 256;
  if (text.size() <= kShort && is_printable_ascii(text)) return true;  // as a rule
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t word = 0;
    if (text.size() - at >= sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & kHighBits) == 0) {
        at += sizeof word;
        continue;
      }
    }
    const std::size_t size = character_size(text, at);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

bool has_control_character(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::uint8_t byte = byte_at(text, at);
    if (byte < 0x20 || byte == 0x7F) return true;
    // U+0080..009F are C2 80..9F; C2 is never a continuation.
    if (byte == 0xC2 && byte_at(text, at + 1) < 0xA0) return true;
  }
  return false;
}

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t size = max_bytes;
  while (size > 0 && is_continuation(byte_at(text, size))) --size;
  return text.substr(0, size);
}

}  // namespace leasegate
