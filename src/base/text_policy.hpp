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

/** A borrowed id with the slot of its record, by which a binding may remember the text. */
struct IdView : std::string_view {
  IdView() = default;
  IdView(std::string_view text, std::uint32_t record_slot = kNoSlot)  // NOLINT(google-explicit-constructor)
      : std::string_view(text), slot(record_slot) {}
  IdView(const std::string& text) : std::string_view(text) {}  // NOLINT(google-explicit-constructor)
  IdView(const char* text) : std::string_view(text) {}         // NOLINT(google-explicit-constructor)

  /** A hint for what comes out. What goes in is looked up by its text, whatever this says. */
  std::uint32_t slot = kNoSlot;
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
