// retire_tasks: the oldest terminal records leave, and with them all that was remembered of their tasks.

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "support/access.hpp"
#include "support/failing_allocator.hpp"
#include "support/host.hpp"

namespace leasegate::test {
namespace {

std::string ids_of(const Host& host) {
  std::string ids;
  const std::vector<ScanTask> tasks = host.machine().tasks().value();
  for (const ScanTask& task : tasks) ids += (ids.empty() ? "" : " ") + task.task_id;
  return ids;
}

/** Tasks c1, c2, c3 completed at 10, 20 and 30; "active" is queued. */
struct Scene {
  Scene() {
    must(host.register_worker("w", 4));
    must(host.enqueue("active", Priority::low));
    for (const std::uint64_t at : {10, 20, 30}) {
      must(host.at(at).update("w", 1));
      must(host.enqueue("c" + std::to_string(at / 10)));
      receipts.push_back(host.finish_next("w"));
    }
  }
  Host host;
  std::vector<CompletionReceipt> receipts;
};

TEST_CASE("Terminal tasks leave in the order in which they ended, those before the given second only") {
  Scene scene;
  CHECK(must(scene.host.retire(20)) == 1);
  CHECK(ids_of(scene.host) == "active c2 c3");
  CHECK(must(scene.host.retire(20)) == 0);
  CHECK(must(scene.host.retire(UINT64_MAX)) == 2);
  CHECK(ids_of(scene.host) == "active");
  CHECK(scene.host.snapshot().terminal_tasks == 0);
  CHECK(scene.host.snapshot().task_records == 1);
  CHECK(refusal(scene.host.machine().check_invariants()) == "accepted");
}

TEST_CASE("At most as many leave as the limit says") {
  Scene scene;
  CHECK(must(scene.host.retire(100, 2)) == 2);
  CHECK(ids_of(scene.host) == "active c3");
}

TEST_CASE("The order of ending is not that of enqueueing, and every way of ending counts") {
  Host host;
  must(host.register_worker("w", 4));
  for (const char* id : {"a", "b", "c", "d"}) must(host.enqueue(id));
  const TaskLease a = host.running("a", "w");
  must(host.cancel(fence_of(host.task("d"))));
  must(host.cancel(must(host.assign("c", "w"))));
  must(host.complete(a));
  CHECK(must(host.at(50).expire(1)) == 1);
  CHECK(must(host.retire(100, 1)) == 1);
  CHECK(ids_of(host) == "a b c");
  CHECK(must(host.retire(100, 1)) == 1);
  CHECK(ids_of(host) == "a b");
}

TEST_CASE("A sweep that finds nothing commits, as the other sweeps do") {
  Host host;
  CHECK(must(host.at(7).retire(100)) == 0);
  CHECK(host.revision() == 1);
  CHECK(host.snapshot().logical_time.value == 7);
}

TEST_CASE("What was retired is forgotten") {
  Scene scene;
  TaskLease lease = must(scene.host.assign("active", "w"));
  must(scene.host.start(lease));
  must(scene.host.complete(lease));
  must(scene.host.retire(31));
  CHECK_REFUSED(scene.host, complete(lease), "task_not_found{task_id: active}");
  // The id is that of a new task.
  const ScanTask again = must(scene.host.enqueue("active"));
  CHECK(again.attempt == 0);
  CHECK(again.record_version.value == 1);
  CHECK_REFUSED(scene.host, complete(lease), "stale_ownership{task_id: active}");
}

TEST_CASE("Retirement frees record and terminal room") {
  DistributedLimits limits;
  limits.max_task_records = limits.max_terminal_tasks = 2;
  limits.max_active_tasks = limits.max_queued_tasks = 1;
  Host host(limits);
  must(host.register_worker("w"));
  must(host.enqueue("a"));
  host.finish_next("w");
  must(host.enqueue("b"));
  host.finish_next("w");
  CHECK_REFUSED(host, enqueue("c"), "task_record_capacity_reached{limit: 2}");
  CHECK(must(host.at(2).retire(2, 1)) == 1);
  must(host.enqueue("c"));
}

TEST_CASE("A retirement checks its limit, then revision and time") {
  Scene scene;
  CHECK_REFUSED(scene.host, expecting(0).retire(100, 0), "invalid_limit{name: retire_limit}");
  CHECK_REFUSED(scene.host, expecting(0).retire(100), "revision_conflict{expected: 0, actual: 17}");
  CHECK_REFUSED(scene.host, at(29).retire(100), "logical_time_regression{current: 30, proposed: 29}");
}

TEST_CASE("Texts have keys that are never given twice") {
  Host host(std::make_unique<CoreMachine>(DistributedLimits{}));
  const Coordinator& core = static_cast<CoreMachine&>(host.machine()).coordinator;
  must(host.register_worker("w", 4));
  must(host.enqueue("a"));
  host.finish_next("w");
  const std::uint32_t key = core.get_task("a")->value().task_id.key;
  CHECK(key == 0);
  must(host.at(2).retire(2));
  must(host.enqueue("b"));
  CHECK(core.get_task("b")->value().task_id.key == 1);
}

/** Tasks in and out, with their results' worth of time, until `total` have come and gone. */
TEST_CASE("A pool that retires runs in flat memory") {
  const char* wanted = std::getenv("LEASEGATE_RETIREMENT_TASKS");
  const std::uint64_t total = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 20'000;
  DistributedLimits limits;
  limits.max_task_records = limits.max_terminal_tasks = 256;
  limits.max_active_tasks = limits.max_queued_tasks = 64;
  Coordinator core = Coordinator::create(limits).value();
  Revision revision;
  const auto apply = [&](const auto& command) {
    auto applied = core.apply(command);
    if (!applied) FAIL(text_of(applied.error()));
    revision = applied->revision;
    return applied->value;
  };
  apply(RegisterWorker{{revision, {0}}, {.worker_id = "w", .capacity = 64}});
  unsigned long warm = 0;
  for (std::uint64_t i = 0; i < total; ++i) {
    const LogicalTime now{i / 100};
    const std::string id = "task-" + std::to_string(i);
    if (i % 100 == 0) apply(UpdateWorker{{revision, now}, "w", {1}, {}});
    apply(Enqueue{{revision, now}, {.task_id = id, .scan_id = "s", .target_ref = "r"}});
    const TaskLeaseView lease = apply(AssignNext{{revision, now}, "w", {60}});
    apply(StartTask{{revision, now}, lease});
    apply(CompleteTask{{revision, now}, lease});
    if (i % 128 == 127) apply(RetireTasks{{revision, now}, {UINT64_MAX}, 1000});
    if (i == 1'023) warm = allocations_alive();
    if (i > 1'023 && i % 128 == 127) REQUIRE(allocations_alive() == warm);
  }
  CHECK(CoordinatorTestAccess::tasks(core).records().size() <= 256);
  CHECK(refusal(core.check_invariants()) == "accepted");
}

}  // namespace
}  // namespace leasegate::test
