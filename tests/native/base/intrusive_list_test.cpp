#include "base/intrusive_list.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <vector>

namespace leasegate::test {
namespace {

struct Node {
  Links one;
  Links other;
};
using One = ListOf<&Node::one>;
using Other = ListOf<&Node::other>;

struct Scene {
  explicit Scene(std::uint32_t nodes) {
    for (std::uint32_t i = 0; i < nodes; ++i) {
      REQUIRE(slab.try_reserve_one());
      slab.append();
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> forwards(const IntrusiveList& list) const {
    std::vector<std::uint32_t> slots;
    for (std::uint32_t slot = list.first; slot != kNoSlot; slot = One::next(slab, slot))
      slots.push_back(slot);
    return slots;
  }
  [[nodiscard]] std::vector<std::uint32_t> backwards(const IntrusiveList& list) const {
    std::vector<std::uint32_t> slots;
    for (std::uint32_t slot = list.last; slot != kNoSlot; slot = slab[slot].one.previous)
      slots.push_back(slot);
    return {slots.rbegin(), slots.rend()};
  }
  Slab<Node> slab;
};

using Slots = std::vector<std::uint32_t>;

TEST_CASE("A list keeps the order in which records joined") {
  Scene scene(4);
  IntrusiveList list;
  CHECK(scene.forwards(list).empty());
  for (const std::uint32_t slot : {2U, 0U, 3U}) One::append(list, scene.slab, slot);
  CHECK(scene.forwards(list) == Slots{2, 0, 3});
  CHECK(scene.backwards(list) == Slots{2, 0, 3});
  CHECK(list.count == 3);
}

TEST_CASE("A record leaves from the front, the middle, the end, and as the only one") {
  Scene scene(4);
  IntrusiveList list;
  for (std::uint32_t slot = 0; slot < 4; ++slot) One::append(list, scene.slab, slot);
  One::remove(list, scene.slab, 1);
  CHECK(scene.forwards(list) == Slots{0, 2, 3});
  One::remove(list, scene.slab, 0);
  CHECK(scene.forwards(list) == Slots{2, 3});
  One::remove(list, scene.slab, 3);
  CHECK(scene.backwards(list) == Slots{2});
  One::remove(list, scene.slab, 2);
  CHECK(list.first == kNoSlot);
  CHECK(list.last == kNoSlot);
  CHECK(list.count == 0);
  One::append(list, scene.slab, 1);
  CHECK(scene.forwards(list) == Slots{1});
}

TEST_CASE("A record can be in one list a pair of links") {
  Scene scene(3);
  IntrusiveList one;
  IntrusiveList other;
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    One::append(one, scene.slab, slot);
    Other::append(other, scene.slab, 2 - slot);
  }
  One::remove(one, scene.slab, 1);
  CHECK(scene.forwards(one) == Slots{0, 2});
  CHECK(Other::next(scene.slab, 2) == 1);
  CHECK(other.count == 3);
}

TEST_CASE("Random joining and leaving agrees with a vector") {
  Scene scene(20);
  IntrusiveList list;
  Slots expected;
  std::mt19937 random(1);  // NOLINT: the same sequence every time is what is wanted
  for (int step = 0; step < 2'000; ++step) {
    const auto slot = static_cast<std::uint32_t>(random() % 20);
    const auto found = std::find(expected.begin(), expected.end(), slot);
    if (found == expected.end()) {
      One::append(list, scene.slab, slot);
      expected.push_back(slot);
    } else {
      One::remove(list, scene.slab, slot);
      expected.erase(found);
    }
    REQUIRE(scene.forwards(list) == expected);
    REQUIRE(scene.backwards(list) == expected);
    REQUIRE(list.count == expected.size());
  }
}

}  // namespace
}  // namespace leasegate::test
