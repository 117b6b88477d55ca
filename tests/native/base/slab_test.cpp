#include "base/slab.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/failing_allocator.hpp"

namespace leasegate::test {
namespace {

/** Counts how many of it live. */
struct Counted {
  Counted() { ++living; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --living; }
  int value = 5;
  static inline int living = 0;
};

TEST_CASE("Records keep their place while a slab grows") {
  Slab<Counted> slab;
  REQUIRE(slab.try_reserve_one());
  const std::uint32_t first = slab.append();
  CHECK(first == 0);
  Counted* const address = &slab[first];
  address->value = 42;
  for (std::uint32_t i = 1; i < 1'000; ++i) {
    REQUIRE(slab.try_reserve_one());
    REQUIRE(slab.append() == i);
  }
  CHECK(slab.size() == 1'000);
  CHECK(&slab[first] == address);
  CHECK(slab[first].value == 42);
  CHECK(slab[999].value == 5);
}

TEST_CASE("A slab destroys each of its records once, moved or not") {
  REQUIRE(Counted::living == 0);
  {
    Slab<Counted> slab;
    for (int i = 0; i < 200; ++i) {
      REQUIRE(slab.try_reserve_one());
      slab.append();
    }
    CHECK(Counted::living == 200);
    Slab<Counted> moved = std::move(slab);
    CHECK(moved.size() == 200);
    CHECK(slab.size() == 0);  // NOLINT(bugprone-use-after-move): that is what is tested
    Slab<Counted> other;
    REQUIRE(other.try_reserve_one());
    other.append();
    other = std::move(moved);
    CHECK(other.size() == 200);
  }
  CHECK(Counted::living == 0);
}

TEST_CASE("A slab that cannot grow stays as it was, whichever allocation fails") {
  Slab<Counted> slab;
  for (std::uint32_t i = 0; i < 300; ++i) {
    for (int nth = 1;; ++nth) {
      bool reserved = false;
      bool failed = false;
      {
        const FailingAllocation failing(nth);
        reserved = slab.try_reserve_one();
        failed = failing.failed();
      }
      REQUIRE(reserved == !failed);
      REQUIRE(slab.size() == i);
      if (reserved) break;
    }
    slab.append();
  }
}

}  // namespace
}  // namespace leasegate::test
