#include "base/array.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>

#include "support/failing_allocator.hpp"

namespace leasegate::test {
namespace {

TEST_CASE("An array grows by doubling and keeps its items") {
  Array<int> array;
  CHECK(array.empty());
  CHECK(array.capacity() == 0);
  for (int i = 0; i < 100; ++i) {
    REQUIRE(array.try_reserve(array.size() + 1));
    array.push_back(i);
  }
  CHECK(array.size() == 100);
  CHECK(array.capacity() == 128);
  CHECK(array.back() == 99);
  for (int i = 0; i < 100; ++i) REQUIRE(array[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("Room that is there already is not asked for again") {
  Array<int> array;
  REQUIRE(array.try_reserve(50));
  const FailingAllocation failing(1);
  const bool again = array.try_reserve(50);
  CHECK_FALSE(failing.failed());
  CHECK(again);
}

TEST_CASE("An array that cannot grow stays as it was") {
  Array<int> array;
  REQUIRE(array.try_reserve(8));
  for (int i = 0; i < 8; ++i) array.push_back(i);
  bool grown = true;
  {
    const FailingAllocation failing(1);
    grown = array.try_reserve(9);
  }
  CHECK_FALSE(grown);
  CHECK(array.size() == 8);
  CHECK(array.capacity() == 8);
  CHECK(array[7] == 7);
  CHECK(array.try_reserve(9));
}

TEST_CASE("Moving an array leaves nothing behind") {
  Array<int> array;
  REQUIRE(array.try_reserve(1));
  array.push_back(7);
  Array<int> moved = std::move(array);
  CHECK(moved.size() == 1);
  CHECK(array.size() == 0);  // NOLINT(bugprone-use-after-move): that is what is tested
  array = std::move(moved);
  CHECK(array[0] == 7);
}

TEST_CASE("assign fills, pop_back and clear shrink, and the room stays") {
  Array<std::uint8_t> array;
  REQUIRE(array.try_reserve(10));
  array.assign(10, 3);
  CHECK(array.size() == 10);
  CHECK(array.view().back() == 3);
  array.pop_back();
  CHECK(array.size() == 9);
  array.clear();
  CHECK(array.empty());
  CHECK(array.capacity() == 10);
}

}  // namespace
}  // namespace leasegate::test
