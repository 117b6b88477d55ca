// Containers of src/base that forget: an index with erasure, a pool, a window, a table by serial number.

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/counter.hpp"
#include "base/id_index.hpp"
#include "base/pool.hpp"
#include "base/serial_table.hpp"
#include "base/text_block.hpp"
#include "base/window.hpp"

namespace leasegate::test {
namespace {

TEST_CASE("An index finds what it holds after any insertions and erasures", "[base]") {
  std::mt19937 random(11);
  // Few distinct hashes: long runs of probing, across the end of the table too.
  for (const std::uint32_t spread : {1U, 3U, 40U, 0xFFFF'FFFFU}) {
    IdIndex index;
    std::map<std::uint32_t, std::uint32_t> hashes;  // slot -> hash
    for (std::uint32_t slot = 0; slot < 4000; ++slot) {
      const std::uint32_t hash = static_cast<std::uint32_t>(random()) % spread + 0xFFFF'FFF0;
      REQUIRE(index.try_reserve_one());
      index.insert_hashed(hash, slot);
      hashes[slot] = hash;
      while (hashes.size() > 24 || (!hashes.empty() && random() % 3 == 0)) {
        auto victim = hashes.begin();
        std::advance(victim, random() % hashes.size());
        index.erase_hashed(victim->second, victim->first);
        hashes.erase(victim);
      }
      REQUIRE(index.size() == hashes.size());
      for (const auto& [held, its_hash] : hashes) {
        REQUIRE(index.find_hashed(its_hash, [held = held](std::uint32_t at) { return at == held; }) == held);
      }
      if (!hashes.contains(slot)) {
        REQUIRE(index.find_hashed(hash, [slot](std::uint32_t at) { return at == slot; }) == kNoSlot);
      }
    }
  }
}

TEST_CASE("An index erases by id", "[base]") {
  IdIndex index;
  const std::vector<std::string> ids = {"a", "b", "c"};
  const auto id_at = [&](std::uint32_t slot) { return std::string_view(ids[slot]); };
  for (std::uint32_t slot = 0; slot < ids.size(); ++slot) {
    REQUIRE(index.try_reserve_one());
    index.insert(ids[slot], slot);
  }
  index.erase("b", 1);
  CHECK(index.find("a", id_at) == 0);
  CHECK(index.find("b", id_at) == kNoSlot);
  CHECK(index.find("c", id_at) == 2);
  CHECK(index.size() == 2);
}

TEST_CASE("A pool uses released slots again, and frees what they owned", "[base]") {
  Pool<TextBlock> pool;
  REQUIRE(pool.try_reserve(2));
  const std::uint32_t first = pool.take();
  const std::uint32_t second = pool.take();
  const std::string_view text = "text";
  REQUIRE(pool[first].try_assign({&text, 1}));
  CHECK(pool.size() == 2);
  pool.release(first);
  CHECK(pool.size() == 1);
  REQUIRE(pool.try_reserve(1));
  CHECK(pool.take() == first);
  CHECK(pool[first].size() == 0);
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(pool.try_reserve_one());
    const std::uint32_t slot = pool.take();
    CHECK(slot == 2);
    pool.release(slot);
  }
  CHECK(pool.size() == 2);
  CHECK(second == 1);
}

TEST_CASE("A window keeps the latest", "[base]") {
  Window<int> window(3);
  for (int i = 0; i < 10; ++i) {
    REQUIRE(window.try_reserve(1));
    window.push(int{i});
    REQUIRE(window.size() == static_cast<std::uint32_t>(i < 3 ? i + 1 : 3));
    for (std::uint32_t at = 0; at < window.size(); ++at) {
      REQUIRE(window[window.slot_of(at)] == i - static_cast<int>(window.size()) + 1 + static_cast<int>(at));
    }
  }
}

TEST_CASE("A table finds records by their serial numbers", "[base]") {
  struct Record {
    Counter<struct TestTag> serial;
    int value = 0;
  };
  SerialTable<Record> table;
  for (std::uint64_t serial = 1; serial < 1000; ++serial) {
    REQUIRE(table.try_reserve(1));
    const std::uint32_t slot = table.add({serial});
    table[slot].value = static_cast<int>(serial);
    if (serial % 3 != 0) table.remove(slot);
  }
  CHECK(table.size() == 333);
  for (std::uint64_t serial = 1; serial < 1000; ++serial) {
    const std::uint32_t slot = table.find({serial});
    REQUIRE((slot != kNoSlot) == (serial % 3 == 0));
    if (slot != kNoSlot) REQUIRE(table[slot].value == static_cast<int>(serial));
  }
}

}  // namespace
}  // namespace leasegate::test
