#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

struct Running {
  Running() {
    must(host.register_worker("w", 2));
    must(host.enqueue("t"));
    lease = must(host.assign("t", "w", 10));
    must(host.at(2).start(lease));
  }
  Host host;
  TaskLease lease;
};

TEST_CASE("A running task completes with a receipt") {
  Running scene;
  const auto answer = scene.host.at(5).complete(scene.lease);
  REQUIRE(answer);
  CHECK(answer->revision.value == 5);
  const CompletionReceipt receipt = {"t", {0}, 1, {1}, "w", {1}, {4}};
  CHECK(answer->value == CompletionOutcome{CompletionKind::completed, receipt});
  const ScanTask task = scene.host.task("t");
  CHECK(task.status == TaskStatus::completed);
  CHECK(task.completed_at == LogicalTime{5});
  CHECK(task.started_at == LogicalTime{2});
  CHECK(task.record_version.value == 4);
  CHECK_FALSE(task.lease);
  CHECK_FALSE(task.assigned_to);
  CHECK(task.ownership_kind() == OwnershipKind::none);
  const WorkerNode worker = scene.host.worker("w");
  CHECK(worker.current_tasks == 0);
  CHECK(worker.completed_tasks == 1);
  CHECK(scene.host.snapshot().terminal_tasks == 1);
  CHECK(scene.host.snapshot().active_tasks == 0);
}

TEST_CASE("A task that was not started does not complete") {
  Running scene;
  must(scene.host.enqueue("u"));
  const TaskLease lease = must(scene.host.assign("u", "w"));
  CHECK_REFUSED(scene.host, complete(lease),
                "invalid_transition{task_id: u, status: leased, operation: complete}");
  must(scene.host.start(lease));
  CHECK(refusal(scene.host.complete(lease)) == "accepted");
}

TEST_CASE("An unknown task does not complete") {
  Running scene;
  scene.lease.task_id = "other";
  CHECK_REFUSED(scene.host, complete(scene.lease), "task_not_found{task_id: other}");
}

TEST_CASE("Completion needs a live lease") {
  Running scene;
  CHECK_REFUSED(scene.host, at(11).complete(scene.lease), "lease_expired{task_id: t}");
  CHECK(refusal(scene.host.at(10).complete(scene.lease)) == "accepted");
}

TEST_CASE("An expired lease is told before a state that does not fit") {
  Running scene;
  must(scene.host.enqueue("u"));
  const TaskLease lease = must(scene.host.assign("u", "w"));
  CHECK_REFUSED(scene.host, at(20).complete(lease), "lease_expired{task_id: u}");
  CHECK_REFUSED(scene.host, at(20).fail(lease), "lease_expired{task_id: u}");
}

TEST_CASE("A completed task is completed under no other lease") {
  Running scene;
  must(scene.host.complete(scene.lease));
  const std::vector<void (*)(TaskLease&)> changes = {
      [](TaskLease& l) { l.worker_id = "v"; }, [](TaskLease& l) { ++l.worker_generation.value; },
      [](TaskLease& l) { ++l.task_generation.value; }, [](TaskLease& l) { ++l.attempt; },
      [](TaskLease& l) { ++l.lease_id.value; }};
  for (const auto change : changes) {
    TaskLease other = scene.lease;
    change(other);
    CHECK_REFUSED(scene.host, complete(other), "stale_ownership{task_id: t}");
  }
}

TEST_CASE("A task that ended otherwise does not complete") {
  Running scene;
  must(scene.host.cancel(scene.lease));
  CHECK_REFUSED(scene.host, complete(scene.lease), "stale_ownership{task_id: t}");
}

TEST_CASE("A completed task does not fail, start or get cancelled, whatever the time") {
  Running scene;
  must(scene.host.complete(scene.lease));
  CHECK_REFUSED(scene.host, fail(scene.lease), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, at(99).fail(scene.lease), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, cancel(scene.lease), "stale_ownership{task_id: t}");
  CHECK_REFUSED(scene.host, start(scene.lease), "stale_ownership{task_id: t}");
}

}  // namespace
}  // namespace leasegate::test
