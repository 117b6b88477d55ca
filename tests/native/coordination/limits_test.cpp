#include "coordination/limits.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <vector>

#include "coordination/worker_pool.hpp"
#include "support/model.hpp"
#include "support/random_commands.hpp"
#include "support/records.hpp"

namespace leasegate::test {
namespace {

struct Limit {
  const char* name;
  std::uint64_t DistributedLimits::* field;
  std::uint64_t default_value;
  std::uint64_t ceiling;
};

const std::vector<Limit> kCounts = {
    {"max_task_records", &DistributedLimits::max_task_records, 4'096, 65'536},
    {"max_active_tasks", &DistributedLimits::max_active_tasks, 1'024, 16'384},
    {"max_queued_tasks", &DistributedLimits::max_queued_tasks, 1'024, 16'384},
    {"max_terminal_tasks", &DistributedLimits::max_terminal_tasks, 4'096, 65'536},
    {"max_workers", &DistributedLimits::max_workers, 256, 4'096},
};
const std::vector<Limit> kTimes = {
    {"max_lease_ttl_secs", &DistributedLimits::max_lease_ttl_secs, 3'600, 86'400},
    {"max_task_ttl_secs", &DistributedLimits::max_task_ttl_secs, 86'400, 2'678'400},
    {"heartbeat_timeout_secs", &DistributedLimits::heartbeat_timeout_secs, 60, 86'400},
};

DistributedLimits at_their_ceilings() {
  DistributedLimits limits;
  for (const Limit& limit : kCounts) limits.*limit.field = limit.ceiling;
  for (const Limit& limit : kTimes) limits.*limit.field = limit.ceiling;
  limits.max_retries = 32;
  return limits;
}

std::string over(const char* code, const char* name, std::uint64_t actual, std::uint64_t maximum) {
  return std::string(code) + "{name: " + name + ", actual: " + std::to_string(actual) +
         ", maximum: " + std::to_string(maximum) + "}";
}
std::string zero(const char* name) { return std::string("invalid_limit{name: ") + name + "}"; }
std::string contradiction(const char* reason) {
  return std::string("invalid_limit_relationship{reason: ") + reason + "}";
}

TEST_CASE("The defaults are the contract's and are accepted") {
  const DistributedLimits limits;
  for (const Limit& limit : kCounts) CHECK(limits.*limit.field == limit.default_value);
  for (const Limit& limit : kTimes) CHECK(limits.*limit.field == limit.default_value);
  CHECK(limits.max_retries == 3);
  CHECK(refusal(validate(limits)) == "accepted");
}

TEST_CASE("Every limit may be at its ceiling, and not one above") {
  CHECK(refusal(validate(at_their_ceilings())) == "accepted");
  for (const Limit& limit : kCounts) {
    DistributedLimits limits = at_their_ceilings();
    limits.*limit.field = limit.ceiling + 1;
    CHECK(refusal(validate(limits)) ==
          over("count_limit_exceeds_maximum", limit.name, limit.ceiling + 1, limit.ceiling));
  }
  for (const Limit& limit : kTimes) {
    DistributedLimits limits = at_their_ceilings();
    limits.*limit.field = limit.ceiling + 1;
    CHECK(refusal(validate(limits)) ==
          over("time_limit_exceeds_maximum", limit.name, limit.ceiling + 1, limit.ceiling));
  }
  DistributedLimits limits = at_their_ceilings();
  limits.max_retries = 33;
  CHECK(refusal(validate(limits)) == "retry_limit_exceeds_maximum{actual: 33, maximum: 32}");
}

TEST_CASE("Every limit may be 1 and none but the retries may be 0") {
  const DistributedLimits ones = {1, 1, 1, 1, 1, 0, 1, 1, 1};
  CHECK(refusal(validate(ones)) == "accepted");
  for (const Limit& limit : kCounts) {
    DistributedLimits limits = ones;
    limits.*limit.field = 0;
    CHECK(refusal(validate(limits)) == zero(limit.name));
  }
  for (const Limit& limit : kTimes) {
    DistributedLimits limits = ones;
    limits.*limit.field = 0;
    CHECK(refusal(validate(limits)) == zero(limit.name));
  }
}

TEST_CASE("A limit of 2^64 - 1 is told as it is") {
  DistributedLimits limits;
  limits.max_task_records = std::numeric_limits<std::uint64_t>::max();
  CHECK(refusal(validate(limits)) ==
        "count_limit_exceeds_maximum{name: max_task_records, actual: 18446744073709551615, maximum: 65536}");
}

TEST_CASE("Limits that contradict one another are refused, equal ones are not") {
  DistributedLimits limits = {10, 10, 10, 10, 1, 0, 1, 1, 1};
  CHECK(refusal(validate(limits)) == "accepted");
  SECTION("active above records") {
    limits.max_active_tasks = 11;
    CHECK(refusal(validate(limits)) == contradiction("active_tasks_exceed_task_records"));
  }
  SECTION("queued above active") {
    limits.max_queued_tasks = 11;
    CHECK(refusal(validate(limits)) == contradiction("queued_tasks_exceed_active_tasks"));
  }
  SECTION("terminal above records") {
    limits.max_terminal_tasks = 11;
    CHECK(refusal(validate(limits)) == contradiction("terminal_tasks_exceed_task_records"));
  }
  SECTION("terminal below active") {
    limits.max_terminal_tasks = 9;
    CHECK(refusal(validate(limits)) == contradiction("terminal_tasks_below_active_tasks"));
  }
}

TEST_CASE("The first broken rule decides, in the contract's order") {
  // Everything is wrong at first; each row mends what the one before it complained of.
  DistributedLimits limits = {0, 0, 0, 0, 0, 33, 86'401, 2'678'401, 86'401};
  const auto expect = [&limits](const std::string& expected) {
    CHECK(refusal(validate(limits)) == expected);
  };
  for (const Limit& limit : kCounts) {
    expect(zero(limit.name));
    limits.*limit.field = limit.ceiling + 1;
  }
  for (const Limit& limit : kCounts) {
    expect(over("count_limit_exceeds_maximum", limit.name, limit.ceiling + 1, limit.ceiling));
    limits.*limit.field = limit.ceiling;
  }
  limits.max_task_records = 1;
  limits.max_active_tasks = 10;
  limits.max_queued_tasks = 11;
  limits.max_terminal_tasks = 9;
  for (const Limit& limit : kTimes) {
    expect(over("time_limit_exceeds_maximum", limit.name, limit.ceiling + 1, limit.ceiling));
    limits.*limit.field = 0;
  }
  expect("retry_limit_exceeds_maximum{actual: 33, maximum: 32}");
  limits.max_retries = 32;
  for (const Limit& limit : kTimes) {
    expect(zero(limit.name));
    limits.*limit.field = 1;
  }
  expect(contradiction("active_tasks_exceed_task_records"));
  limits.max_task_records = 10;
  limits.max_terminal_tasks = 11;
  expect(contradiction("queued_tasks_exceed_active_tasks"));
  limits.max_queued_tasks = 10;
  expect(contradiction("terminal_tasks_exceed_task_records"));
  limits.max_terminal_tasks = 9;
  expect(contradiction("terminal_tasks_below_active_tasks"));
  limits.max_terminal_tasks = 10;
  expect("accepted");
}

TEST_CASE("A pool and a queue are not made with refused limits") {
  DistributedLimits limits;
  limits.max_workers = 0;
  CHECK(refusal(WorkerPool::create(limits)) == zero("max_workers"));
  CHECK(refusal(TaskQueue::create(limits)) == zero("max_workers"));
  CHECK(refusal(Coordinator::create(limits)) == zero("max_workers"));
}

TEST_CASE("Random limits are judged as the model judges them", "[random]") {
  Random random(11);
  const auto some = [&random](std::uint64_t ceiling) -> std::uint64_t {
    if (random.chance(4)) return 0;
    if (random.chance(4)) return ceiling + 1;
    return random.chance(50) ? 1 + random.below(4) : 1 + random.below(ceiling);
  };
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    DistributedLimits limits;
    for (const Limit& limit : kCounts) limits.*limit.field = some(limit.ceiling);
    for (const Limit& limit : kTimes) limits.*limit.field = some(limit.ceiling);
    limits.max_retries = some(32);
    const std::string expected = judge(limits);
    const std::string actual = refusal(validate(limits));
    if (actual != expected) REQUIRE(actual == expected);
    accepted += actual == "accepted" ? 1 : 0;
  }
  CHECK(accepted > 100);
}

}  // namespace
}  // namespace leasegate::test
