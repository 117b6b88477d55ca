// That the simulator finds mistakes: each of these is planted into an otherwise right system, has to be found
// within some seeds, and is shrunk to a run that a person can read.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "sim/run.hpp"

namespace leasegate::sim {
namespace {

struct Found {
  Outcome outcome;
  Shrunk shrunk;
};

/** The first of the seeds that fails, shrunk. */
Found find(Plant plant, std::uint64_t seeds) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const RunOptions options{.seed = seed, .plant = plant};
    Outcome outcome = run(options);
    if (!outcome.violation) continue;
    Shrunk shrunk = shrink(options, outcome, 1'200);
    INFO(report(options, outcome, shrunk));
    REQUIRE(shrunk.outcome.violation.has_value());
    CHECK(shrunk.outcome.violation->rule == outcome.violation->rule);
    CHECK(shrunk.steps.size() <= shrunk.prefix);
    // The planted mistake and nothing else: without it the same seed is fine.
    CHECK_FALSE(run({.seed = seed}).violation.has_value());
    return {std::move(outcome), std::move(shrunk)};
  }
  FAIL("not found in " << seeds << " seeds");
  return {};
}

void check_found(Plant plant, std::uint64_t seeds, const std::set<std::string>& rules) {
  const Found found = find(plant, seeds);
  CHECK(rules.contains(found.outcome.violation->rule));
  CHECK(found.shrunk.steps.size() <= std::max<std::uint64_t>(60, found.shrunk.prefix / 5));
}

TEST_CASE("A disk that lies about its syncs is found", "[sim]") {
  check_found(Plant::lying_sync, 20, {"acknowledged_lost"});
}
TEST_CASE("A host that answers before its records are safe is found", "[sim]") {
  check_found(Plant::early_answer, 40, {"acknowledged_lost"});
}
TEST_CASE("A host that repeats a failed sync is found", "[sim]") {
  check_found(Plant::retried_sync, 200, {"acknowledged_lost", "damage_taken_for_cut"});
}
TEST_CASE("A storage without a fence is found", "[sim]") {
  check_found(Plant::no_fence, 80, {"acknowledged_lost", "acknowledged_overwritten", "gap_in_journal"});
}
TEST_CASE("A host that mends a stale lease is found", "[sim]") {
  check_found(Plant::mended_lease, 150, {"foreign_receipt"});
}
TEST_CASE("A host that stops its clock for a late worker is found", "[sim]") {
  check_found(Plant::stopped_clock, 150, {"late_act"});
}
TEST_CASE("A journal that misses a record is found", "[sim]") {
  check_found(Plant::missing_record, 100, {"acknowledged_unwritten", "gap_in_journal", "replica_refuses"});
}
TEST_CASE("A host that retires tasks too early is found", "[sim]") {
  check_found(Plant::early_retirement, 1'500, {"completed_twice", "acknowledged_lost"});
}
TEST_CASE("A host that recovers no leases is found", "[sim]") {
  check_found(Plant::no_recovery, 20, {"not_live"});
}

TEST_CASE("A seed is the same run every time, and a prefix of it the same beginning", "[sim]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RunOptions options{.seed = seed, .calm = false, .trace = true};
    const Outcome whole = run(options);
    CHECK(run(options).trace == whole.trace);
    RunOptions part = options;
    part.steps.emplace();
    for (std::uint64_t step = 0; step < whole.steps / 2; ++step) part.steps->push_back(step);
    const Outcome half = run(part);
    REQUIRE(half.trace.size() <= whole.trace.size());
    CHECK(std::equal(half.trace.begin(), half.trace.end(), whole.trace.begin()));
  }
}

TEST_CASE("Seeds pass, and among them everything happens that the simulator is for", "[sim]") {
  std::map<std::string, std::uint64_t, std::less<>> counts;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const RunOptions options{.seed = seed};
    const Outcome outcome = run(options);
    INFO("seed " << seed << ": "
                 << (outcome.violation ? outcome.violation->rule + " " + outcome.violation->detail
                                       : "passed"));
    REQUIRE_FALSE(outcome.violation.has_value());
    for (const auto& [what, times] : outcome.counts) counts[what] += times;
  }
  for (const char* what : {"take-overs",
                           "checkpoints",
                           "fenced writes",
                           "fenced syncs",
                           "failed syncs",
                           "full disks",
                           "torn journals",
                           "damaged journals",
                           "bad snapshots",
                           "a message is lost",
                           "a message is repeated",
                           "a link is cut",
                           "a worker crashes",
                           "a worker stops for a while",
                           "a worker's clock jumps",
                           "the storage loses its power",
                           "register_worker",
                           "reactivate_worker",
                           "update_worker",
                           "deregister_worker",
                           "prune_dead_workers",
                           "enqueue",
                           "assign_task",
                           "assign_next",
                           "assign_next_available",
                           "start_task",
                           "complete_task",
                           "fail_task",
                           "cancel_task",
                           "recover_expired_leases",
                           "expire_old_tasks",
                           "renew_lease",
                           "retire_tasks",
                           "forget_worker",
                           "store_result",
                           "remove_results",
                           "stale_ownership",
                           "lease_expired",
                           "revision_conflict",
                           "journal_full",
                           "queued_task_capacity_reached"}) {
    INFO(what);
    CHECK(counts[what] > 0);
  }
}

}  // namespace
}  // namespace leasegate::sim
