// One error type for every contract: a stable code with typed fields, all of it without allocation,
// so that refusing a command can never itself fail.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error_codes.gen.hpp"

namespace leasegate {

/** Text of at most `Capacity` bytes, held in place. Longer text is cut: callers pass validated ids. */
template <std::size_t Capacity>
class FixedText {
 public:
  void assign(std::string_view text) {
    size_ = 0;
    append(text);
  }
  void append(std::string_view text) {
    const std::size_t size = std::min(text.size(), Capacity - size_);
    std::copy_n(text.data(), size, bytes_.data() + size_);
    size_ = static_cast<std::uint16_t>(size_ + size);
  }
  [[nodiscard]] std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::uint16_t size_ = 0;
  std::array<char, Capacity> bytes_;
};

/** Where a field of an error code is kept. */
struct ErrorField {
  enum class Kind : std::uint8_t { number, word, subject };
  std::string_view name;
  Kind kind = Kind::number;
  std::uint8_t index = 0;
};

/** Spelling, message template and fields of one error code. */
struct ErrorShape {
  std::string_view code;
  std::string_view message;
  std::size_t field_count;
  std::array<ErrorField, 4> fields;
};

/** Made by the functions of namespace `errors`, one a code. */
struct Error {
  explicit Error(ErrorCode error_code) : code(error_code) {}

  ErrorCode code;
  std::array<std::uint64_t, 2> numbers{};
  /** Names from fixed lists (limits, reasons, states): static storage. */
  std::array<std::string_view, 3> words{};
  /** A task or worker id that passed validation; never anything else. */
  FixedText<256> subject;
};

[[nodiscard]] const ErrorShape& shape_of(ErrorCode code);

/** The code as JavaScript users and logs see it, for example "revision_conflict". */
[[nodiscard]] inline std::string_view name_of(ErrorCode code) { return shape_of(code).code; }

using ErrorMessage = FixedText<1024>;

/** A sentence for a person. Holds nothing but the error's own fields. */
[[nodiscard]] ErrorMessage message_of(const Error& error);

}  // namespace leasegate
