#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "results/result_aggregator.hpp"
#include "support/model.hpp"
#include "support/random_commands.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

struct Limit {
  const char* name;
  std::uint64_t ResultLimits::* field;
  std::uint64_t default_value;
  std::uint64_t ceiling;
};

const std::vector<Limit> kLimits = {
    {"max_results", &ResultLimits::max_results, 1'024, 65'536},
    {"max_result_bytes", &ResultLimits::max_result_bytes, 1'048'576, 16'777'216},
    {"max_total_bytes", &ResultLimits::max_total_bytes, 16'777'216, 268'435'456},
    {"max_aggregate_items", &ResultLimits::max_aggregate_items, 1'024, 65'536},
    {"max_aggregate_bytes", &ResultLimits::max_aggregate_bytes, 16'777'216, 268'435'456},
};

std::string above(const Limit& limit) {
  return std::string("count_limit_exceeds_maximum{name: ") + limit.name +
         ", actual: " + std::to_string(limit.ceiling + 1) + ", maximum: " + std::to_string(limit.ceiling) +
         "}";
}
std::string zero(const Limit& limit) { return std::string("invalid_limit{name: ") + limit.name + "}"; }

TEST_CASE("The defaults of the result limits are the contract's and are accepted") {
  const ResultLimits limits;
  for (const Limit& limit : kLimits) CHECK(limits.*limit.field == limit.default_value);
  CHECK(refusal(validate(limits)) == "accepted");
}

TEST_CASE("Every result limit may be at its ceiling, not above it, and not 0") {
  ResultLimits highest;
  for (const Limit& limit : kLimits) highest.*limit.field = limit.ceiling;
  CHECK(refusal(validate(highest)) == "accepted");
  const ResultLimits ones = {1, 1, 1, 1, 1};
  CHECK(refusal(validate(ones)) == "accepted");
  for (const Limit& limit : kLimits) {
    ResultLimits limits = highest;
    limits.*limit.field += 1;
    CHECK(refusal(validate(limits)) == above(limit));
    limits = ones;
    limits.*limit.field = 0;
    CHECK(refusal(validate(limits)) == zero(limit));
  }
}

TEST_CASE("The first broken rule of the result limits decides, in the contract's order") {
  ResultLimits limits = {0, 0, 0, 0, 0};
  const auto expect = [&limits](const std::string& expected) {
    CHECK(refusal(validate(limits)) == expected);
  };
  for (const Limit& limit : kLimits) {
    expect(zero(limit));
    limits.*limit.field = limit.ceiling + 1;
  }
  for (const Limit& limit : kLimits) {
    expect(above(limit));
    limits.*limit.field = limit.ceiling;
    if (limit.field == &ResultLimits::max_total_bytes) limits.*limit.field = 1;
  }
  expect("invalid_limit_relationship{reason: result_bytes_exceed_total_bytes}");
  limits.max_result_bytes = 1;
  expect("accepted");
}

TEST_CASE("An aggregate may be smaller or larger than all results together") {
  CHECK(refusal(validate(ResultLimits{10, 10, 100, 10, 1})) == "accepted");
  CHECK(refusal(validate(ResultLimits{10, 10, 100, 10, 1'000})) == "accepted");
}

TEST_CASE("An aggregator is not made with refused limits") {
  const ResultLimits limits = {0, 1, 1, 1, 1};
  CHECK(refusal(ResultAggregator::create(limits)) == "invalid_limit{name: max_results}");
  CHECK(refusal(ResultStore::create(limits)) == "invalid_limit{name: max_results}");
}

TEST_CASE("Random result limits are judged as the model judges them", "[random]") {
  Random random(12);
  const auto some = [&random](std::uint64_t ceiling) -> std::uint64_t {
    if (random.chance(5)) return 0;
    if (random.chance(5)) return ceiling + 1;
    return 1 + random.below(ceiling);
  };
  for (int i = 0; i < 5'000; ++i) {
    ResultLimits limits;
    for (const Limit& limit : kLimits) limits.*limit.field = some(limit.ceiling);
    const std::string expected = judge(limits);
    const std::string actual = refusal(validate(limits));
    if (actual != expected) REQUIRE(actual == expected);
  }
}

}  // namespace
}  // namespace leasegate::test
