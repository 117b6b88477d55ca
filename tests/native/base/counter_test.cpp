#include "base/counter.hpp"

#include <catch2/catch_test_macros.hpp>
#include <type_traits>

namespace leasegate::test {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

TEST_CASE("A counter is exhausted when a step would pass 2^64 - 1") {
  CHECK_FALSE(Revision{0}.exhausted());
  CHECK_FALSE(Revision{kMax - 1}.exhausted());
  CHECK(Revision{kMax}.exhausted());
  CHECK_FALSE(Revision{kMax}.exhausted(0));
  CHECK_FALSE(LogicalTime{kMax - 5}.exhausted(5));
  CHECK(LogicalTime{kMax - 5}.exhausted(6));
  CHECK(LogicalTime{1}.exhausted(kMax));
  CHECK(Revision{kMax - 1}.after() == Revision{kMax});
}

TEST_CASE("Elapsed time is never negative") {
  CHECK(elapsed({5}, {9}) == Seconds{4});
  CHECK(elapsed({9}, {9}) == Seconds{0});
  CHECK(elapsed({9}, {5}) == Seconds{0});
  CHECK(elapsed({0}, {kMax}) == Seconds{kMax});
}

TEST_CASE("Quantities of different kinds are different types") {
  STATIC_CHECK_FALSE(std::is_convertible_v<Revision, LogicalTime>);
  STATIC_CHECK_FALSE(std::is_convertible_v<WorkerGeneration, TaskGeneration>);
  STATIC_CHECK_FALSE(std::is_convertible_v<Revision, std::uint64_t>);
}

}  // namespace
}  // namespace leasegate::test
