// Reads what ByteWriter wrote, and nothing else: bytes that no writer writes are refused with their place.
// Texts are borrowed from the input; nothing is allocated but the list that `ids` fills.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "base/array.hpp"
#include "base/counter.hpp"
#include "base/result.hpp"
#include "base/text_policy.hpp"
#include "journal/schema.gen.hpp"

namespace leasegate::journal {

/**
 * Remembers its first fault, and reads zeros and empty texts from then on: a decoder asks once, at its end.
 * Loops over a count that was read must ask `failed`.
 */
class ByteReader {
 public:
  /** `offset` is where `bytes` begin in the whole that errors speak of. `ids` is the room for lists of ids.
   */
  ByteReader(std::span<const std::uint8_t> bytes, std::uint64_t offset, Array<IdView>* ids = nullptr)
      : bytes_(bytes), offset_(offset), ids_(ids) {}

  [[nodiscard]] bool failed() const { return failed_; }
  /** Where the next byte is. */
  [[nodiscard]] std::uint64_t offset() const { return offset_ + at_; }

  // Called for every field of every kind of record: a copy at each call would be most of the codec's size.
  [[gnu::noinline]] void byte(std::uint8_t& out);
  [[gnu::noinline]] void integer(std::uint64_t& out);
  [[gnu::noinline]] void integer(std::uint32_t& out);
  template <class Tag>
  void integer(Counter<Tag>& out) {
    integer(out.value);
  }
  void flag(bool& out);
  template <class Tag>
  void optional(std::optional<Counter<Tag>>& out) {
    bool given = false;
    flag(given);
    out.reset();
    if (given) integer(out.emplace());
  }
  /** A name is one of `count`. */
  template <class Enum>
  void name(Enum& out, std::size_t count) {
    out = static_cast<Enum>(number_below(count));
  }
  template <class Set>
  void set(Set& out, std::size_t names) {
    out.bits = static_cast<decltype(out.bits)>(number_below(std::size_t{1} << names));
  }
  [[gnu::noinline]] void text(std::string_view& out, std::uint64_t limit);
  void text(IdView& out, std::uint64_t limit) {
    std::string_view text_read;
    text(text_read, limit);
    out = IdView(text_read);
  }
  [[gnu::noinline]] void bytes(std::span<const std::uint8_t>& out, std::uint64_t limit);
  [[gnu::noinline]] void ids(std::span<const IdView>& out, std::uint64_t limit);

  /** Everything was read, and all of it was in order. Errors: journal_malformed, out_of_memory. */
  [[nodiscard, gnu::noinline]] Status finish();

 private:
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  /** Of more than one byte, or none at all. */
  [[gnu::noinline]] void long_integer(std::uint64_t& out);
  [[gnu::noinline]] std::uint8_t number_below(std::size_t count);
  void fail(JournalFault fault, std::size_t at);

  std::span<const std::uint8_t> bytes_;
  std::uint64_t offset_;
  std::size_t at_ = 0;
  Array<IdView>* ids_;
  bool failed_ = false;
  bool no_memory_ = false;
  JournalFault fault_ = JournalFault::ends_early;
  std::size_t fault_at_ = 0;
};

}  // namespace leasegate::journal
