// Every record exists in two forms with the same fields: one that owns its texts (what callers keep) and a
// view that borrows them (what the core takes and gives while it runs). The policy picks the text types.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/slab.hpp"

namespace leasegate {

/** No text: one that a binding cannot remember. */
inline constexpr std::uint32_t kNoTextKey = 0xFFFF'FFFF;

/**
 * Gives each text that a table takes in a key of its own. No key is given twice, whatever is forgotten in
 * between; after four billion texts there are none left, and the texts that follow have no key.
 */
class TextKeys {
 public:
  [[nodiscard]] std::uint32_t take() { return next_ == kNoTextKey ? kNoTextKey : next_++; }

 private:
  std::uint32_t next_ = 0;
};

/** A borrowed id with the key by which a binding may remember its text. */
struct IdView : std::string_view {
  IdView() = default;
  IdView(std::string_view text, std::uint32_t text_key = kNoTextKey)  // NOLINT(google-explicit-constructor)
      : std::string_view(text), key(text_key) {}
  IdView(const std::string& text) : std::string_view(text) {}  // NOLINT(google-explicit-constructor)
  IdView(const char* text) : std::string_view(text) {}         // NOLINT(google-explicit-constructor)

  /** A hint for what comes out. What goes in is looked up by its text, whatever this says. */
  std::uint32_t key = kNoTextKey;
  /** Where a table keeps the record of this id, if whoever made this knew: a hint, to be checked by its user.
   */
  std::uint32_t place = kNoSlot;
};

struct Owned {
  using Id = std::string;
  using Text = std::string;
  using Bytes = std::vector<std::uint8_t>;
};

/** Valid as long as what it was made from; for what a command answers: until the next command. */
struct Borrowed {
  using Id = IdView;
  using Text = std::string_view;
  using Bytes = std::span<const std::uint8_t>;
};

}  // namespace leasegate
