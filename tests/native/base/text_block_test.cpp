#include "base/text_block.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "support/failing_allocator.hpp"

namespace leasegate::test {
namespace {

TEST_CASE("A block holds its texts one after the other, empty ones and NULs too") {
  TextBlock block;
  const std::string with_nul("c\0d", 3);
  const std::array<std::string_view, 4> parts = {"ab", "", with_nul, {}};
  REQUIRE(block.try_assign(parts));
  CHECK(block.size() == 5);
  CHECK(block.view(0, 2) == "ab");
  CHECK(block.view(2, 0).empty());
  CHECK(block.view(2, 3) == with_nul);
}

TEST_CASE("A block of nothing is a block") {
  TextBlock block;
  const std::array<std::string_view, 1> nothing = {};
  REQUIRE(block.try_assign(nothing));
  CHECK(block.size() == 0);
  CHECK(block.view(0, 0).empty());
}

TEST_CASE("A block that gets no memory keeps what it had") {
  TextBlock block;
  const std::array<std::string_view, 1> first = {"first"};
  const std::array<std::string_view, 1> second = {"second"};
  REQUIRE(block.try_assign(first));
  bool assigned = true;
  {
    const FailingAllocation failing(1);
    assigned = block.try_assign(second);
  }
  CHECK_FALSE(assigned);
  CHECK(block.view(0, 5) == "first");
  REQUIRE(block.try_assign(second));
  CHECK(block.view(0, 6) == "second");
}

TEST_CASE("A moved block takes its text along") {
  TextBlock block;
  const std::array<std::string_view, 1> parts = {"text"};
  REQUIRE(block.try_assign(parts));
  TextBlock moved = std::move(block);
  CHECK(moved.view(0, 4) == "text");
  CHECK(block.size() == 0);  // NOLINT(bugprone-use-after-move): that is what is tested
}

}  // namespace
}  // namespace leasegate::test
