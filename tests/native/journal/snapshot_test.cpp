// Snapshots whose bytes are in order but whose state cannot be.

#include "journal/journals.hpp"
#include "support/access.hpp"

namespace leasegate::test {
namespace {

using Access = CoordinatorTestAccess;

/** What importing the snapshot of a broken machine is refused with. */
std::string refused(const Coordinator& broken) {
  const auto imported = journal::import_coordinator(snapshot_of(broken));
  if (imported) return "accepted";
  REQUIRE(imported.error().code == ErrorCode::journal_snapshot_invalid);
  return std::string(imported.error().words[0]);
}

TEST_CASE("Each rule that a snapshot breaks has its name") {
  Coordinator c = std::move(every_command().machine);
  REQUIRE(refused(c) == "accepted");
  DistributedLimits& limits = Access::limits(c);
  SECTION("limits") {
    limits.max_workers = 0;
    CHECK(refused(c) == "limits");
  }
  SECTION("more workers than the limit") {
    limits.max_workers = 1;
    CHECK(refused(c) == "bounds");
  }
  SECTION("more tasks than the limit") {
    limits.max_task_records = limits.max_active_tasks = limits.max_queued_tasks = limits.max_terminal_tasks =
        2;
    CHECK(refused(c) == "bounds");
  }
  SECTION("more queued tasks than the limit") {
    limits.max_queued_tasks = 1;
    CHECK(refused(c) == "invariant");
  }
  SECTION("a worker without capacity") {
    Access::worker(c, "w").capacity = 0;
    CHECK(refused(c) == "worker");
  }
  SECTION("a worker without generation") {
    Access::worker(c, "left").generation = {0};
    CHECK(refused(c) == "worker");
  }
  SECTION("a heartbeat from the future") {
    Access::worker(c, "w").last_heartbeat = Access::logical_time(c).after();
    CHECK(refused(c) == "worker");
  }
  SECTION("a task from the future") {
    Access::task(c, "old").created_at = Access::logical_time(c).after();
    CHECK(refused(c) == "task");
  }
  SECTION("more retries than allowed") {
    limits.max_retries = 0;
    CHECK(refused(c) == "task");
  }
  SECTION("an end before the beginning") {
    Access::task(c, "old").completed_at = {1};
    CHECK(refused(c) == "task");
  }
  SECTION("a proof that is not of its status") {
    Access::task(c, "failed").proof = Proof::completion;
    CHECK(refused(c) == "task");
  }
  SECTION("a lease that was never given") {
    Access::last_lease_id(c) = {1};
    CHECK(refused(c) == "lease");
  }
  SECTION("two tasks with one lease") {
    Access::task(c, "leased").lease_id = Access::task(c, "failed").lease_id;
    CHECK(refused(c) == "lease");
  }
  SECTION("two tasks with one place in the queue") {
    TaskRecord& delayed = Access::task(c, "delayed");
    if (delayed.status != TaskStatus::queued) SKIP("nothing waits");
    Access::last_ordinal(c) = {0};
    CHECK(refused(c) == "invariant");
  }
  SECTION("an order of age that is none") {
    const auto& order = Access::by_age(c);
    Access::tasks(c)[order.first].created_at = Access::logical_time(c);
    CHECK(refused(c) != "accepted");
  }
}

TEST_CASE("A result store's snapshot is held to its limits, too") {
  ResultStore store = std::move(every_result_command().machine);
  Bytes snapshot = snapshot_of(store);
  CHECK(refusal(journal::import_results(snapshot)) == "accepted");
  CHECK(refusal(journal::import_coordinator(snapshot)) ==
        "journal_wrong_contract{expected: coordination, actual: results}");
  ResultStoreTestAccess::revision(store) = {1};
  const auto few = journal::import_results(snapshot_of(store));
  REQUIRE_FALSE(few);
  CHECK(few.error().words[0] == "counters");
}

}  // namespace
}  // namespace leasegate::test
