// fail_task with retry_after_secs: the task counts as queued, but nobody is given it before its time.

#include <catch2/catch_test_macros.hpp>

#include "support/access.hpp"
#include "support/host.hpp"

namespace leasegate::test {
namespace {

struct Scene {
  Scene() : host(std::make_unique<CoreMachine>(DistributedLimits{})) {
    must(host.register_worker("w", 8));
    for (const char* id : {"a", "b", "c"}) must(host.enqueue(id));
  }
  /** Runs `id` and fails it now, to be retried after so many seconds. */
  FailureOutcome fail(const char* id, std::uint64_t after) {
    return must(host.fail(host.running(id, "w", 100), after));
  }
  Coordinator& core() { return static_cast<CoreMachine&>(host.machine()).coordinator; }

  Host host;
};

TEST_CASE("A task that waits is queued, has its fence, and says until when") {
  Scene scene;
  const FailureOutcome outcome = scene.fail("a", 10);
  CHECK(outcome.kind == FailureKind::requeued);
  const ScanTask task = scene.host.task("a");
  CHECK(task.status == TaskStatus::queued);
  CHECK(task.not_before == LogicalTime{11});
  CHECK(task.retry_count == 1);
  CHECK(scene.host.snapshot().queued_tasks == 3);
  CHECK(refusal(scene.host.machine().check_invariants()) == "accepted");
  must(scene.host.cancel(fence_of(task)));
  CHECK_FALSE(scene.host.task("a").not_before);
}

TEST_CASE("No delay and a delay of 0 are the same: the back of the queue at once") {
  Scene scene;
  scene.fail("a", 0);
  CHECK_FALSE(scene.host.task("a").not_before);
  must(scene.host.fail(scene.host.running("b", "w")));
  CHECK(scene.host.hand_out_all("w") == "c a b");
}

TEST_CASE("A waiting task is neither peeked at nor handed out, even when it is all there is") {
  Scene scene;
  for (const char* id : {"a", "b", "c"}) scene.fail(id, 10);
  CHECK_FALSE(scene.host.machine().peek_next().value());
  CHECK_REFUSED(scene.host, at(10).assign_next("w"), "no_queued_task");
  CHECK_REFUSED(scene.host, assign_next_available(), "no_queued_task");
  CHECK_REFUSED(scene.host, assign("a", "w"), "task_not_due{task_id: a, not_before: 11}");
  CHECK(must(scene.host.at(11).assign_next("w")).task_id == "a");
}

TEST_CASE("A command that is refused at a later time makes nothing due") {
  Scene scene;
  for (const char* id : {"a", "b", "c"}) scene.fail(id, 10);
  CHECK_REFUSED(scene.host, at(20).assign("nobody", "w"), "task_not_found{task_id: nobody}");
  CHECK_FALSE(scene.host.machine().peek_next().value());
  CHECK_REFUSED(scene.host, at(5).assign("a", "w"), "task_not_due{task_id: a, not_before: 11}");
}

TEST_CASE("An accepted command of any kind makes the due tasks join, before it has its own effect") {
  Scene scene;
  scene.fail("a", 10);
  must(scene.host.at(11).enqueue("d"));
  CHECK_FALSE(scene.host.task("a").not_before);
  CHECK(scene.host.hand_out_all("w") == "b c a d");
}

TEST_CASE("Due tasks join the back of their priority by time, then by the order in which they failed") {
  Scene scene;
  must(scene.host.enqueue("high", Priority::high));
  scene.fail("c", 9);
  scene.fail("high", 7);
  scene.fail("b", 9);
  scene.fail("a", 8);
  must(scene.host.enqueue("d"));
  must(scene.host.at(50).update("w", 1));
  CHECK(scene.host.machine().peek_next().value()->task_id == "high");
  CHECK(scene.host.hand_out_all("w") == "high d a c b");
}

TEST_CASE("What is handed out does not depend on whether due tasks have joined already") {
  for (const bool touched : {false, true}) {
    Scene scene;
    scene.fail("a", 5);
    scene.fail("b", 4);
    scene.fail("c", 3);
    scene.host.at(10);
    if (touched) must(scene.host.recover());
    CHECK(scene.host.hand_out_all("w") == "c b a");
  }
}

TEST_CASE("A waiting task can expire") {
  Scene scene;
  scene.fail("a", 500);
  CHECK(must(scene.host.at(100).expire(99)) == 3);
  CHECK(scene.host.task("a").status == TaskStatus::expired);
  CHECK_FALSE(scene.host.task("a").not_before);
  CHECK(refusal(scene.host.machine().check_invariants()) == "accepted");
}

TEST_CASE("A task out of retries fails for good, whatever delay is asked for") {
  DistributedLimits limits;
  limits.max_retries = 0;
  Host host(limits);
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  const TaskLease lease = host.running("t", "w");
  CHECK(must(host.fail(lease, 5)).kind == FailureKind::retry_exhausted);
  CHECK(must(host.fail(lease)).kind == FailureKind::retry_exhausted);
}

TEST_CASE("A delay has a limit, checked before the task is looked at") {
  Scene scene;
  TaskLease lease = scene.host.running("a", "w");
  TaskLease unknown = lease;
  unknown.task_id = "unknown";
  CHECK_REFUSED(scene.host, fail(unknown, 86'401),
                "invalid_limit_relationship{reason: retry_delay_exceeds_limit}");
  CHECK_REFUSED(scene.host, fail(unknown, 86'400), "task_not_found{task_id: unknown}");
  must(scene.host.fail(lease, 86'400));
}

TEST_CASE("Ordinals are kept for the tasks that wait") {
  Scene scene;
  const TaskLease a = scene.host.running("a", "w");
  CoordinatorTestAccess::last_ordinal(scene.core()) = {UINT64_MAX - 3};
  must(scene.host.fail(a, 5));
  const TaskLease b = scene.host.running("b", "w");
  CHECK_REFUSED(scene.host, fail(b, 5), "counter_exhausted{counter: enqueue_ordinal}");
  must(scene.host.fail(b));
  CHECK_REFUSED(scene.host, enqueue("d"), "counter_exhausted{counter: enqueue_ordinal}");
  must(scene.host.at(6).recover());
  CHECK(CoordinatorTestAccess::last_ordinal(scene.core()).value == UINT64_MAX);
  CHECK(scene.host.hand_out_all("w") == "c b a");
}

TEST_CASE("A time to retry that would pass the end of time") {
  Host host;
  host.at(UINT64_MAX - 20);
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  const TaskLease lease = host.running("t", "w");
  CHECK_REFUSED(host, fail(lease, 21), "counter_exhausted{counter: not_before}");
  must(host.fail(lease, 20));
}

}  // namespace
}  // namespace leasegate::test
