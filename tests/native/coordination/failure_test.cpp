#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

DistributedLimits retries(std::uint64_t max_retries) {
  DistributedLimits limits;
  limits.max_retries = max_retries;
  return limits;
}

struct Running {
  explicit Running(const DistributedLimits& limits = retries(2)) : host(limits) {
    must(host.register_worker("w", 4));
    must(host.enqueue("t"));
    lease = host.running("t", "w", 10);
  }
  Host host;
  TaskLease lease;
};

TEST_CASE("A failed run goes back to the queue while retries are left") {
  Running scene;
  const auto answer = scene.host.at(5).fail(scene.lease);
  REQUIRE(answer);
  CHECK(answer->value == FailureOutcome{FailureKind::requeued, {1}, 1, {4}});
  const ScanTask task = scene.host.task("t");
  CHECK(task.status == TaskStatus::queued);
  CHECK(task.retry_count == 1);
  CHECK(task.attempt == 1);
  CHECK(task.task_generation.value == 1);
  CHECK(task.record_version.value == 4);
  CHECK_FALSE(task.started_at);
  CHECK_FALSE(task.completed_at);
  CHECK_FALSE(task.lease);
  CHECK_FALSE(task.assigned_to);
  CHECK(task.ownership_kind() == OwnershipKind::fence);
  const WorkerNode worker = scene.host.worker("w");
  CHECK(worker.current_tasks == 0);
  CHECK(worker.completed_tasks == 0);
  CHECK(scene.host.snapshot().queued_tasks == 1);
}

TEST_CASE("The last failure is for good") {
  Running scene(retries(0));
  const auto answer = scene.host.at(5).fail(scene.lease);
  REQUIRE(answer);
  CHECK(answer->value == FailureOutcome{FailureKind::retry_exhausted, {}, 0, {4}});
  const ScanTask task = scene.host.task("t");
  CHECK(task.status == TaskStatus::failed);
  CHECK(task.completed_at == LogicalTime{5});
  CHECK(task.started_at == LogicalTime{1});
  CHECK_FALSE(task.lease);
  CHECK(scene.host.worker("w").current_tasks == 0);
  CHECK(scene.host.snapshot().terminal_tasks == 1);
}

TEST_CASE("A task that was not started does not fail") {
  Running scene;
  must(scene.host.enqueue("u"));
  const TaskLease lease = must(scene.host.assign("u", "w"));
  CHECK_REFUSED(scene.host, fail(lease), "invalid_transition{task_id: u, status: leased, operation: fail}");
}

TEST_CASE("An unknown task does not fail") {
  Running scene;
  scene.lease.task_id = "other";
  CHECK_REFUSED(scene.host, fail(scene.lease), "task_not_found{task_id: other}");
}

TEST_CASE("Failure needs a live lease") {
  Running scene;
  CHECK_REFUSED(scene.host, at(11).fail(scene.lease), "lease_expired{task_id: t}");
  CHECK(refusal(scene.host.at(10).fail(scene.lease)) == "accepted");
}

TEST_CASE("A run does not fail into a full queue, the last run needs no place there") {
  DistributedLimits limits = retries(1);
  limits.max_queued_tasks = 1;
  Running scene(limits);
  must(scene.host.enqueue("next"));
  CHECK_REFUSED(scene.host, fail(scene.lease), "queued_task_capacity_reached{limit: 1}");
  must(scene.host.assign("next", "w"));
  must(scene.host.fail(scene.lease));
  const TaskLease last = scene.host.running("t", "w");
  must(scene.host.enqueue("again"));
  CHECK(must(scene.host.fail(last)).kind == FailureKind::retry_exhausted);
}

TEST_CASE("A task that has failed for good fails under no other lease, the times included") {
  Running scene(retries(0));
  must(scene.host.fail(scene.lease));
  const std::vector<void (*)(TaskLease&)> changes = {
      [](TaskLease& l) { l.worker_id = "v"; },         [](TaskLease& l) { ++l.worker_generation.value; },
      [](TaskLease& l) { ++l.task_generation.value; }, [](TaskLease& l) { ++l.attempt; },
      [](TaskLease& l) { ++l.lease_id.value; },        [](TaskLease& l) { ++l.acquired_at.value; },
      [](TaskLease& l) { ++l.expires_at.value; }};
  for (const auto change : changes) {
    TaskLease other = scene.lease;
    change(other);
    CHECK_REFUSED(scene.host, fail(other), "stale_ownership{task_id: t}");
  }
  CHECK(refusal(scene.host.fail(scene.lease)) == "accepted");
}

TEST_CASE("After a requeue the old lease is stale for everything") {
  Running scene;
  must(scene.host.fail(scene.lease));
  CHECK_REFUSED(scene.host, fail(scene.lease), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, complete(scene.lease), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, start(scene.lease), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, cancel(scene.lease), "stale_ownership{task_id: t}");
}

}  // namespace
}  // namespace leasegate::test
