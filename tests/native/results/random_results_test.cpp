// Random commands on the result store: after every step it agrees with the plain model.

#include <catch2/catch_test_macros.hpp>

#include "results/result_aggregator.hpp"
#include "support/model.hpp"
#include "support/random_commands.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

std::string random_id(Random& random) {
  static const std::vector<std::string> kInvalid = {"", "a b", std::string(257, 'a')};
  return random.chance(4) ? random.pick(kInvalid) : "t" + std::to_string(random.below(25));
}

void run(std::uint64_t seed, const ResultLimits& limits) {
  Random random(seed);
  ResultAggregator results = ResultAggregator::create(limits).value();
  ResultModel model(limits);
  for (int step = 0; step < 400; ++step) {
    INFO("seed " << seed << ", step " << step);
    CompletionReceipt receipt = {random_id(random), {0}, 1, {7}, random.chance(2) ? "" : "w", {1}, {4}};
    if (random.chance(15)) receipt.attempt = 2;
    const std::vector<std::uint8_t> bytes(random.below(8), static_cast<std::uint8_t>(random.below(2)));
    const Revision revision{random.chance(90) ? model.revision : random.below(30)};
    const StoreResult command = {revision, view_of(receipt), bytes};
    const auto actual = results.store_result(command);
    const auto expected = model.apply(command);
    REQUIRE(refusal(actual) == (expected ? "accepted" : expected.error()));
    if (actual) {
      REQUIRE(actual->revision == expected->revision);
      REQUIRE(actual->value == expected->value);
    }
    REQUIRE(results.revision().value == model.revision);
    REQUIRE(results.result_count() == model.results.size());
    REQUIRE(results.total_bytes() == model.total_bytes());

    std::vector<std::string> ids;
    for (std::uint64_t i = random.below(5); i > 0; --i) ids.push_back(random_id(random));
    const std::vector<IdView> views(ids.begin(), ids.end());
    const auto aggregate = results.aggregate_results(views);
    const auto expected_aggregate = model.aggregate(ids);
    REQUIRE(refusal(aggregate) == (expected_aggregate ? "accepted" : expected_aggregate.error()));
    if (aggregate) REQUIRE(*aggregate == *expected_aggregate);

    const std::string id = random_id(random);
    const auto got = results.get_result(id);
    const auto expected_got = model.get_result(id);
    REQUIRE(refusal(got) == (expected_got ? "accepted" : expected_got.error()));
    if (got) REQUIRE(*got == *expected_got);
  }
}

TEST_CASE("Random commands on the results agree with the model", "[random]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    run(seed, {20, 6, 60, 4, 9});
    run(seed, {3, 6, 60, 3, 100});
    run(seed, {20, 6, 12, 4, 3});
  }
}

}  // namespace
}  // namespace leasegate::test
