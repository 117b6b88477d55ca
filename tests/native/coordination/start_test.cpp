#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

struct Leased {
  Leased() {
    must(host.register_worker("w", 2));
    must(host.enqueue("t"));
    lease = must(host.assign("t", "w", 10));
  }
  Host host;
  TaskLease lease;
};

TEST_CASE("A leased task starts") {
  Leased scene;
  const auto answer = scene.host.at(4).start(scene.lease);
  REQUIRE(answer);
  CHECK(answer->revision.value == 4);
  CHECK(answer->value == StartOutcome{StartKind::started, {3}});
  const ScanTask task = scene.host.task("t");
  CHECK(task.status == TaskStatus::running);
  CHECK(task.started_at == LogicalTime{4});
  CHECK(task.record_version.value == 3);
  CHECK(task.lease == scene.lease);
  CHECK(scene.host.worker("w").current_tasks == 1);
}

TEST_CASE("Starting an unknown task is refused") {
  Leased scene;
  scene.lease.task_id = "other";
  CHECK_REFUSED(scene.host, start(scene.lease), "task_not_found{task_id: other}");
}

TEST_CASE("Only the task's current lease, equal in every field, starts it") {
  Leased scene;
  const std::vector<void (*)(TaskLease&)> changes = {
      [](TaskLease& l) { l.worker_id = "v"; },         [](TaskLease& l) { ++l.worker_generation.value; },
      [](TaskLease& l) { ++l.task_generation.value; }, [](TaskLease& l) { ++l.attempt; },
      [](TaskLease& l) { ++l.lease_id.value; },        [](TaskLease& l) { --l.acquired_at.value; },
      [](TaskLease& l) { ++l.expires_at.value; }};
  for (const auto change : changes) {
    TaskLease other = scene.lease;
    change(other);
    CHECK_REFUSED(scene.host, start(other), "stale_ownership{task_id: t}");
    CHECK_REFUSED(scene.host, complete(other), "stale_ownership{task_id: t}");
    CHECK_REFUSED(scene.host, fail(other), "stale_ownership{task_id: t}");
    CHECK_REFUSED(scene.host, cancel(other), "stale_ownership{task_id: t}");
  }
  CHECK(refusal(scene.host.start(scene.lease)) == "accepted");
}

TEST_CASE("A lease is good until the second before it expires") {
  Leased scene;
  CHECK_REFUSED(scene.host, at(11).start(scene.lease), "lease_expired{task_id: t}");
  CHECK(refusal(scene.host.at(10).start(scene.lease)) == "accepted");
  // Running already: the lease has to be live all the same.
  CHECK(refusal(scene.host.at(10).start(scene.lease)) == "accepted");
  CHECK_REFUSED(scene.host, at(11).start(scene.lease), "lease_expired{task_id: t}");
}

TEST_CASE("A lease that is both another's and expired is stale first") {
  Leased scene;
  ++scene.lease.attempt;
  CHECK_REFUSED(scene.host, at(50).start(scene.lease), "stale_ownership{task_id: t}");
}

TEST_CASE("A task that is queued or has ended is not started") {
  Leased scene;
  must(scene.host.start(scene.lease));
  must(scene.host.fail(scene.lease));
  CHECK_REFUSED(scene.host, start(scene.lease), "stale_ownership{task_id: t}");
  const TaskLease second = scene.host.running("t", "w");
  must(scene.host.complete(second));
  CHECK_REFUSED(scene.host, start(second), "stale_ownership{task_id: t}");
}

}  // namespace
}  // namespace leasegate::test
