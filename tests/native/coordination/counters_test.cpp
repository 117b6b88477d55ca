// Every counter stops at its end, before anything changes. Commands cannot count to 2^64 - 1 in a test's
// time: the tests set the counter and let one command run.

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "support/access.hpp"
#include "support/host.hpp"

namespace leasegate::test {
namespace {

using Access = CoordinatorTestAccess;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

std::string exhausted(const char* counter) {
  return std::string("counter_exhausted{counter: ") + counter + "}";
}

/** A worker, a queued task and a running one, on the bare state machine. */
struct Scene {
  explicit Scene(std::uint64_t retries = 3)
      : host([&] {
          DistributedLimits limits;
          limits.max_retries = retries;
          return std::make_unique<CoreMachine>(limits);
        }()),
        core(static_cast<CoreMachine&>(host.machine()).coordinator) {
    must(host.register_worker("w", 4));
    must(host.register_worker("gone"));
    must(host.deregister("gone", 1));
    must(host.enqueue("queued"));
    must(host.enqueue("running"));
    lease = host.running("running", "w", 10);
  }

  Host host;
  Coordinator& core;
  TaskLease lease;
};

TEST_CASE("The last revision can be reached, and nothing comes after it") {
  Scene scene;
  Access::revision(scene.core) = {kMax - 1};
  must(scene.host.update("w", 1));
  CHECK(scene.host.revision() == kMax);
  CHECK_REFUSED(scene.host, update("w", 1), exhausted("revision"));
  CHECK_REFUSED(scene.host, enqueue("new"), exhausted("revision"));
  CHECK_REFUSED(scene.host, recover(), exhausted("revision"));
  CHECK_REFUSED(scene.host, expire(1), exhausted("revision"));
  CHECK_REFUSED(scene.host, prune(), exhausted("revision"));
  CHECK_REFUSED(scene.host, complete(scene.lease), exhausted("revision"));
}

TEST_CASE("The revision is checked after the time") {
  Scene scene;
  Access::revision(scene.core) = {kMax};
  CHECK_REFUSED(scene.host, at(0).prune(), "logical_time_regression{current: 1, proposed: 0}");
}

TEST_CASE("Lease ids end") {
  Scene scene;
  Access::last_lease_id(scene.core) = {kMax};
  CHECK_REFUSED(scene.host, assign("queued", "w"), exhausted("lease_id"));
  CHECK_REFUSED(scene.host, assign_next_available(), exhausted("lease_id"));
  Access::last_lease_id(scene.core) = {kMax - 1};
  CHECK(must(scene.host.assign("queued", "w")).lease_id.value == kMax);
}

TEST_CASE("Attempts end, at 32 bits") {
  Scene scene;
  Access::task(scene.core, "queued").attempt = std::numeric_limits<std::uint32_t>::max();
  CHECK_REFUSED(scene.host, assign("queued", "w"), exhausted("attempt"));
  Access::task(scene.core, "queued").attempt -= 1;
  CHECK(must(scene.host.assign("queued", "w")).attempt == std::numeric_limits<std::uint32_t>::max());
}

TEST_CASE("Record versions end, for every command that would make a new one") {
  for (const std::uint64_t retries : {0, 3}) {
    Scene scene(retries);
    const TaskLease leased = must(scene.host.assign("queued", "w"));
    must(scene.host.enqueue("next"));
    for (const char* id : {"queued", "running", "next"}) Access::task(scene.core, id).version = {kMax};
    CHECK_REFUSED(scene.host, assign("next", "w"), exhausted("record_version"));
    CHECK_REFUSED(scene.host, start(leased), exhausted("record_version"));
    CHECK_REFUSED(scene.host, complete(scene.lease), exhausted("record_version"));
    CHECK_REFUSED(scene.host, fail(scene.lease), exhausted("record_version"));
    CHECK_REFUSED(scene.host, cancel(scene.lease), exhausted("record_version"));
    CHECK_REFUSED(scene.host, cancel(fence_of(scene.host.task("next"))), exhausted("record_version"));
    CHECK_REFUSED(scene.host, deregister("w", 1), exhausted("record_version"));
    CHECK_REFUSED(scene.host, at(11).recover(), exhausted("record_version"));
    CHECK_REFUSED(scene.host, at(99).prune(), exhausted("record_version"));
    CHECK_REFUSED(scene.host, at(99).expire(9), exhausted("record_version"));
    Access::task(scene.core, "running").version = {kMax - 1};
    CHECK(must(scene.host.at(1).complete(scene.lease)).receipt.record_version.value == kMax);
  }
}

TEST_CASE("Task generations end, for every way back into the queue") {
  Scene scene;
  Access::task(scene.core, "running").generation = {kMax};
  scene.lease.task_generation = {kMax};
  CHECK_REFUSED(scene.host, fail(scene.lease), exhausted("task_generation"));
  CHECK_REFUSED(scene.host, deregister("w", 1), exhausted("task_generation"));
  CHECK_REFUSED(scene.host, at(11).recover(), exhausted("task_generation"));
  CHECK_REFUSED(scene.host, at(99).prune(), exhausted("task_generation"));
  Access::task(scene.core, "running").generation = {kMax - 1};
  scene.lease.task_generation = {kMax - 1};
  CHECK(must(scene.host.at(1).fail(scene.lease)).task_generation.value == kMax);
}

TEST_CASE("A task that fails for good needs no further generation") {
  Scene scene(0);
  Access::task(scene.core, "running").generation = {kMax};
  scene.lease.task_generation = {kMax};
  CHECK(must(scene.host.fail(scene.lease)).kind == FailureKind::retry_exhausted);
}

TEST_CASE("Worker generations end, on the way out and on the way in") {
  Scene scene;
  Access::worker(scene.core, "w").generation = {kMax};
  Access::worker(scene.core, "gone").generation = {kMax};
  CHECK_REFUSED(scene.host, deregister("w", kMax), exhausted("worker_generation"));
  CHECK_REFUSED(scene.host, at(99).prune(), exhausted("worker_generation"));
  CHECK_REFUSED(scene.host, at(1).reactivate("gone", kMax), exhausted("worker_generation"));
  Access::worker(scene.core, "gone").generation = {kMax - 1};
  CHECK(must(scene.host.reactivate("gone", kMax - 1)).generation.value == kMax);
  Access::worker(scene.core, "w").generation = {kMax - 1};
  must(scene.host.deregister("w", kMax - 1));
  CHECK(scene.host.worker("w").generation.value == kMax);
}

TEST_CASE("Completed tasks of a worker end") {
  Scene scene;
  Access::worker(scene.core, "w").completed_tasks = kMax;
  CHECK_REFUSED(scene.host, complete(scene.lease), exhausted("completed_tasks"));
  Access::worker(scene.core, "w").completed_tasks = kMax - 1;
  must(scene.host.complete(scene.lease));
  CHECK(scene.host.worker("w").completed_tasks == kMax);
}

TEST_CASE("Of two counters at their end the record's version is told") {
  Scene scene;
  TaskRecord& task = Access::task(scene.core, "running");
  task.version = {kMax};
  task.generation = {kMax};
  scene.lease.task_generation = {kMax};
  Access::worker(scene.core, "w").completed_tasks = kMax;
  CHECK_REFUSED(scene.host, complete(scene.lease), exhausted("record_version"));
  CHECK_REFUSED(scene.host, fail(scene.lease), exhausted("record_version"));
  CHECK_REFUSED(scene.host, deregister("w", 1), exhausted("record_version"));
  CHECK_REFUSED(scene.host, at(11).recover(), exhausted("record_version"));
}

TEST_CASE("Enqueue ordinals end, for new tasks and for requeues") {
  Scene scene;
  Access::last_ordinal(scene.core) = {kMax};
  CHECK_REFUSED(scene.host, enqueue("new"), exhausted("enqueue_ordinal"));
  CHECK_REFUSED(scene.host, fail(scene.lease), exhausted("enqueue_ordinal"));
  CHECK_REFUSED(scene.host, deregister("w", 1), exhausted("enqueue_ordinal"));
  CHECK_REFUSED(scene.host, at(11).recover(), exhausted("enqueue_ordinal"));
  CHECK_REFUSED(scene.host, at(99).prune(), exhausted("enqueue_ordinal"));
  Access::last_ordinal(scene.core) = {kMax - 1};
  CHECK(refusal(scene.host.at(1).fail(scene.lease)) == "accepted");
}

TEST_CASE("A sweep needs an ordinal for each task that it queues again, or does nothing") {
  Scene scene;
  must(scene.host.assign("queued", "w", 10));
  Access::last_ordinal(scene.core) = {kMax - 1};
  CHECK_REFUSED(scene.host, at(11).recover(), exhausted("enqueue_ordinal"));
  Access::last_ordinal(scene.core) = {kMax - 2};
  CHECK(must(scene.host.recover()) == RecoverySummary{1, 2, 0});
}

TEST_CASE("Deadlines end") {
  Scene scene;
  must(scene.host.at(kMax - 3).update("w", 1));
  CHECK_REFUSED(scene.host, assign("queued", "w", 4), exhausted("lease_deadline"));
  CHECK(must(scene.host.assign("queued", "w", 3)).expires_at.value == kMax);
}

TEST_CASE("A worker without a free slot is told before a counter at its end") {
  Scene scene;
  Access::last_lease_id(scene.core) = {kMax};
  must(scene.host.update("w", 1, {.cpu_basis_points = 10'000}));
  CHECK_REFUSED(scene.host, assign("queued", "w"), "worker_at_capacity{worker_id: w}");
}

}  // namespace
}  // namespace leasegate::test
