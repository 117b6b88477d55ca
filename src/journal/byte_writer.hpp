// Canonical bytes: every value has exactly one spelling. Integers are LEB128 in as few bytes as they need; a
// text is its size and its bytes; a name is its number.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "base/array.hpp"
#include "base/counter.hpp"
#include "base/text_policy.hpp"

namespace leasegate::journal {

/** Where bytes go: into memory, or into a digest. */
class ByteSink {
 public:
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual ~ByteSink() = default;

  /** False when there is no memory for them. */
  [[nodiscard]] virtual bool take(std::span<const std::uint8_t> bytes) = 0;
};

/** Appends to an array. */
class ArraySink final : public ByteSink {
 public:
  explicit ArraySink(Array<std::uint8_t>& bytes) : bytes_(bytes) {}

  [[nodiscard]] bool take(std::span<const std::uint8_t> bytes) override;

 private:
  Array<std::uint8_t>& bytes_;
};

/** Never fails on the way: `finish` says how it went. */
class ByteWriter {
 public:
  explicit ByteWriter(ByteSink& sink) : sink_(sink) {}

  // Called for every field of every kind of record: a copy at each call would be most of the codec's size.
  [[gnu::noinline]] void byte(std::uint8_t value);
  [[gnu::noinline]] void integer(std::uint64_t value);
  template <class Tag>
  void integer(Counter<Tag> value) {
    integer(value.value);
  }
  void flag(bool value) { byte(value ? 1 : 0); }
  template <class Tag>
  void optional(const std::optional<Counter<Tag>>& value) {
    flag(value.has_value());
    if (value) integer(*value);
  }
  template <class Enum>
  void name(Enum value) {
    byte(static_cast<std::uint8_t>(value));
  }
  /** A text longer than `limit` is not looked at, since its bytes may not be there: it makes the whole unfit.
   */
  [[gnu::noinline]] void text(std::string_view value, std::uint64_t limit);
  void bytes(std::span<const std::uint8_t> value, std::uint64_t limit) {
    text({reinterpret_cast<const char*>(value.data()), value.size()}, limit);
  }
  [[gnu::noinline]] void ids(std::span<const IdView> value, std::uint64_t limit);

  /** Hands the rest to the sink. False when the sink had no memory. */
  [[nodiscard, gnu::noinline]] bool finish();
  /** False when something was longer than its limit: no machine accepts a command that holds it. */
  [[nodiscard]] bool fit() const { return fit_; }

 private:
  void flush();

  ByteSink& sink_;
  std::array<std::uint8_t, 256> buffer_;
  std::size_t used_ = 0;
  bool enough_ = true;
  bool fit_ = true;
};

}  // namespace leasegate::journal
