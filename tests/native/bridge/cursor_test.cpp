#include "bridge/cursor.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/records.hpp"

namespace leasegate::test {
namespace {

/** "previous>current" and what was said of it. */
std::string observed(Cursor& cursor, std::uint64_t sequence) {
  const auto seen = cursor.observe({sequence});
  if (!seen) return refusal(seen);
  return std::to_string(seen->previous.value) + '>' + std::to_string(seen->current.value) +
         (seen->advanced ? " advanced" : "") + (seen->duplicate ? " duplicate" : "") +
         (seen->gap ? " gap" : "");
}

TEST_CASE("A cursor says of each sequence whether it is new, known, old, or beyond a gap", "[bridge]") {
  Cursor cursor;
  CHECK(observed(cursor, 0) == "invalid_sequence");
  CHECK(observed(cursor, 7) == "0>7 advanced");  // The first observation has no gap.
  CHECK(observed(cursor, 8) == "7>8 advanced");
  CHECK(observed(cursor, 8) == "8>8 duplicate");
  CHECK(observed(cursor, 3) == "8>8");
  CHECK(observed(cursor, 10) == "8>10 advanced gap");
  CHECK(cursor.sequence() == Sequence{10});
}

TEST_CASE("The end of the range is no gap by overflow", "[bridge]") {
  Cursor cursor({UINT64_MAX - 1});
  CHECK(observed(cursor, UINT64_MAX) == "18446744073709551614>18446744073709551615 advanced");
  CHECK(observed(cursor, UINT64_MAX) == "18446744073709551615>18446744073709551615 duplicate");
  CHECK(observed(cursor, 1) == "18446744073709551615>18446744073709551615");
}

}  // namespace
}  // namespace leasegate::test
