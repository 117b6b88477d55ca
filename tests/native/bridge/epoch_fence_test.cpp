#include "bridge/epoch_fence.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/records.hpp"

namespace leasegate::test {
namespace {

TEST_CASE("A fence starts above 0", "[bridge]") {
  CHECK(refusal(EpochFence::create({0})) == "invalid_epoch");
  CHECK(EpochFence::create({UINT64_MAX})->current() == Epoch{UINT64_MAX});
}

TEST_CASE("Only the current epoch passes, later ones no more than earlier ones", "[bridge]") {
  const EpochFence fence = *EpochFence::create({5});
  CHECK(refusal(fence.check({5})) == "accepted");
  CHECK(refusal(fence.check({4})) == "stale_epoch{got: 4, active: 5}");
  CHECK(refusal(fence.check({6})) == "stale_epoch{got: 6, active: 5}");
}

TEST_CASE("A fence only rises, up to the last epoch", "[bridge]") {
  EpochFence fence = *EpochFence::create({5});
  CHECK(refusal(fence.advance({5})) == "epoch_not_advanced{got: 5, current: 5}");
  CHECK(refusal(fence.advance({0})) == "epoch_not_advanced{got: 0, current: 5}");
  CHECK(fence.current() == Epoch{5});
  CHECK(refusal(fence.advance({UINT64_MAX})) == "accepted");
  CHECK(refusal(fence.advance({UINT64_MAX})) ==
        "epoch_not_advanced{got: 18446744073709551615, current: 18446744073709551615}");
}

}  // namespace
}  // namespace leasegate::test
