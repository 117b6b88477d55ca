// A text as 8-byte words, for work that looks at every byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace leasegate {

namespace detail {

[[nodiscard]] inline std::uint64_t load_word(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

[[nodiscard]] inline std::uint64_t load_half(const char* bytes) {
  std::uint32_t half = 0;
  std::memcpy(&half, bytes, sizeof half);
  return half;
}

/** One to seven bytes, some of them more than once: nothing in the word is not of the text. */
[[nodiscard]] inline std::uint64_t short_word(std::string_view text) {
  if (text.size() >= 4) return load_half(text.data()) | load_half(text.data() + text.size() - 4) << 32U;
  const auto byte = [&](std::size_t at) { return std::uint64_t{static_cast<std::uint8_t>(text[at])}; };
  const std::size_t last = text.size() - 1;
  const std::uint64_t half = byte(0) | byte(text.size() / 2) << 8U | byte(last) << 16U | byte(last) << 24U;
  return half | half << 32U;
}

}  // namespace detail

/**
 * Hands every byte to `each`, eight at a time and some of them twice: the last word ends where the text ends.
 * Texts of one length that differ differ in a word. The same on every little-endian platform.
 */
template <class Each>
void for_each_word(std::string_view text, Each&& each) {
  if (text.empty()) return;
  if (text.size() < sizeof(std::uint64_t)) {
    each(detail::short_word(text));
    return;
  }
  const std::size_t last = text.size() - sizeof(std::uint64_t);
  for (std::size_t at = 0; at < last; at += sizeof(std::uint64_t)) each(detail::load_word(text.data() + at));
  each(detail::load_word(text.data() + last));
}

}  // namespace leasegate
