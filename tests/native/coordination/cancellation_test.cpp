#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

struct Scene {
  Scene() {
    must(host.register_worker("w", 4));
    must(host.enqueue("t"));
  }
  Host host;
};

TEST_CASE("A queued task is cancelled by its fence") {
  Scene scene;
  const auto answer = scene.host.at(3).cancel(fence_of(scene.host.task("t")));
  REQUIRE(answer);
  CHECK(answer->value == CancellationOutcome{CancellationKind::cancelled, {2}});
  const ScanTask task = scene.host.task("t");
  CHECK(task.status == TaskStatus::cancelled);
  CHECK(task.completed_at == LogicalTime{3});
  CHECK(task.record_version.value == 2);
  CHECK(scene.host.snapshot().queued_tasks == 0);
  CHECK(scene.host.snapshot().terminal_tasks == 1);
  CHECK_REFUSED(scene.host, assign_next("w"), "no_queued_task");
}

TEST_CASE("A fence of another moment of the task is stale") {
  Scene scene;
  const QueuedTaskFence fence = fence_of(scene.host.task("t"));
  CHECK_REFUSED(scene.host, cancel(QueuedTaskFence{"t", {1}, fence.record_version}),
                "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, cancel(QueuedTaskFence{"t", {0}, {2}}), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, cancel(QueuedTaskFence{"t", {0}, {0}}), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, cancel(QueuedTaskFence{"u", {0}, {1}}), "task_not_found{task_id: u}");
  CHECK(refusal(scene.host.cancel(fence)) == "accepted");
}

TEST_CASE("A fence does not cancel a task that has been handed out since") {
  Scene scene;
  const QueuedTaskFence fence = fence_of(scene.host.task("t"));
  const TaskLease lease = must(scene.host.assign("t", "w"));
  CHECK_REFUSED(scene.host, cancel(fence), "stale_ownership{task_id: t}");
  // Not even one that names the record as it is now.
  CHECK_REFUSED(scene.host, cancel(fence_of(scene.host.task("t"))), "stale_ownership{task_id: t}");
  must(scene.host.start(lease));
  must(scene.host.fail(lease));
  CHECK_REFUSED(scene.host, cancel(fence), "stale_ownership{task_id: t}");
  CHECK(refusal(scene.host.cancel(fence_of(scene.host.task("t")))) == "accepted");
}

TEST_CASE("A leased task is cancelled by its lease and its worker released") {
  Scene scene;
  const TaskLease lease = must(scene.host.assign("t", "w"));
  CHECK(must(scene.host.at(4).cancel(lease)) == CancellationOutcome{CancellationKind::cancelled, {3}});
  CHECK(scene.host.worker("w").current_tasks == 0);
  CHECK(scene.host.worker("w").completed_tasks == 0);
  CHECK_FALSE(scene.host.task("t").lease);
  CHECK_FALSE(scene.host.task("t").started_at);
}

TEST_CASE("A running task is cancelled by its lease and keeps when it started") {
  Scene scene;
  const TaskLease lease = scene.host.running("t", "w");
  CHECK(must(scene.host.at(4).cancel(lease)) == CancellationOutcome{CancellationKind::cancelled, {4}});
  CHECK(scene.host.worker("w").current_tasks == 0);
  CHECK(scene.host.task("t").started_at == LogicalTime{1});
}

TEST_CASE("Cancellation by lease needs a live lease") {
  Scene scene;
  const TaskLease lease = must(scene.host.assign("t", "w", 10));
  CHECK_REFUSED(scene.host, at(11).cancel(lease), "lease_expired{task_id: t}");
  CHECK(refusal(scene.host.at(10).cancel(lease)) == "accepted");
}

TEST_CASE("A lease does not cancel a task that is queued again") {
  Scene scene;
  const TaskLease lease = must(scene.host.assign("t", "w", 10));
  must(scene.host.at(11).recover());
  CHECK_REFUSED(scene.host, cancel(lease), "stale_ownership{task_id: t}");
}

TEST_CASE("A cancelled task is not cancelled by another token") {
  Scene scene;
  must(scene.host.enqueue("u"));
  const QueuedTaskFence fence = fence_of(scene.host.task("t"));
  must(scene.host.cancel(fence));
  CHECK_REFUSED(scene.host, cancel(QueuedTaskFence{"t", {1}, {1}}), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, cancel(QueuedTaskFence{"t", {0}, {2}}), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, cancel(QueuedTaskFence{"t", {0}, {~std::uint64_t{0}}}),
                "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, cancel(TaskLease{"t", "w", {0}, {0}, 0, {0}, {0}, {0}}),
                "stale_ownership{task_id: t}");

  TaskLease lease = must(scene.host.assign("u", "w"));
  const ScanTask leased = scene.host.task("u");
  must(scene.host.cancel(lease));
  CHECK_REFUSED(scene.host, cancel(fence_of(leased)), "stale_ownership{task_id: u}");
  ++lease.expires_at.value;
  CHECK_REFUSED(scene.host, cancel(lease), "stale_ownership{task_id: u}");
}

}  // namespace
}  // namespace leasegate::test
