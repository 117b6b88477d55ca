#include "base/id_index.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/failing_allocator.hpp"

namespace leasegate::test {
namespace {

struct Scene {
  [[nodiscard]] std::uint32_t find(std::string_view id) const {
    return index.find(id, [this](std::uint32_t slot) -> std::string_view { return ids[slot]; });
  }
  void add(std::string id) {
    REQUIRE(index.try_reserve_one());
    index.insert(id, static_cast<std::uint32_t>(ids.size()));
    ids.push_back(std::move(id));
  }
  IdIndex index;
  std::vector<std::string> ids;
};

TEST_CASE("An empty index finds nothing") { CHECK(Scene().find("a") == kNoSlot); }

TEST_CASE("An index finds each id and no other") {
  Scene scene;
  for (int i = 0; i < 5'000; ++i) scene.add("task-" + std::to_string(i));
  for (int i = 0; i < 5'000; ++i)
    REQUIRE(scene.find("task-" + std::to_string(i)) == static_cast<std::uint32_t>(i));
  CHECK(scene.index.size() == 5'000);
  CHECK(scene.find("task-5000") == kNoSlot);
  CHECK(scene.find("task-") == kNoSlot);
  CHECK(scene.find("") == kNoSlot);
}

TEST_CASE("Ids that differ in one byte, in their length or only far behind are told apart") {
  Scene scene;
  const std::string base(256, 'x');
  for (std::size_t i = 0; i < 256; ++i) {
    std::string id = base;
    id[i] = 'y';
    scene.add(id);
  }
  for (std::size_t size = 1; size <= 256; ++size) scene.add(base.substr(0, size));
  for (std::uint32_t slot = 0; slot < scene.ids.size(); ++slot) REQUIRE(scene.find(scene.ids[slot]) == slot);
}

TEST_CASE("Ids with one hash are told apart by their text") {
  Scene scene;
  REQUIRE(scene.index.try_reserve_one());
  // The index is asked for "b" while only "a" stands there, under the hash of "b".
  scene.index.insert("b", 0);
  scene.ids.emplace_back("a");
  CHECK(scene.find("b") == kNoSlot);
}

TEST_CASE("Similar ids have hashes that differ, in the low bits too") {
  std::set<std::uint32_t> hashes;
  std::vector<int> low(256, 0);
  for (int i = 0; i < 4'096; ++i) {
    const std::uint32_t hash = hash_of("t" + std::to_string(i));
    hashes.insert(hash);
    ++low[hash % 256];
  }
  CHECK(hashes.size() > 4'090);
  for (const int count : low) REQUIRE(count < 50);
}

TEST_CASE("An index that cannot grow stays as it was") {
  Scene scene;
  for (int i = 0; i < 200; ++i) {
    const std::string id = "id" + std::to_string(i);
    bool failed = false;
    bool reserved = false;
    {
      const FailingAllocation failing(1);
      reserved = scene.index.try_reserve_one();
      failed = failing.failed();
    }
    REQUIRE(reserved == !failed);
    for (std::uint32_t slot = 0; slot < scene.ids.size(); ++slot)
      REQUIRE(scene.find(scene.ids[slot]) == slot);
    scene.add(id);
  }
}

}  // namespace
}  // namespace leasegate::test
