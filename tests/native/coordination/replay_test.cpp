// A command that is sent again after it was done: recognised, answered the same, and nothing changes.

#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

DistributedLimits no_retries() {
  DistributedLimits limits;
  limits.max_retries = 0;
  return limits;
}

struct Scene {
  Scene() : host(no_retries()) {
    must(host.register_worker("w", 4));
    must(host.enqueue("t"));
    lease = must(host.assign("t", "w", 10));
  }
  Host host;
  TaskLease lease;
};

TEST_CASE("A start that is sent again finds the task running") {
  Scene scene;
  must(scene.host.start(scene.lease));
  const std::string before = scene.host.state();
  const auto again = scene.host.at(9).start(scene.lease);
  REQUIRE(again);
  CHECK(again->revision.value == 4);
  CHECK(again->value == StartOutcome{StartKind::already_running, {3}});
  CHECK(scene.host.state() == before);
  CHECK(scene.host.snapshot().logical_time.value == 1);
}

TEST_CASE("A completion that is sent again gets its receipt again, for as long as the task is kept") {
  Scene scene;
  must(scene.host.start(scene.lease));
  const CompletionReceipt receipt = must(scene.host.complete(scene.lease)).receipt;
  must(scene.host.at(500).enqueue("later"));
  const std::string before = scene.host.state();
  const auto again = scene.host.at(900).complete(scene.lease);
  REQUIRE(again);
  CHECK(again->revision.value == 6);
  CHECK(again->value == CompletionOutcome{CompletionKind::already_completed, receipt});
  CHECK(scene.host.state() == before);
}

TEST_CASE("For a completion that is sent again the times of the lease do not matter") {
  Scene scene;
  must(scene.host.start(scene.lease));
  must(scene.host.complete(scene.lease));
  scene.lease.acquired_at = {77};
  scene.lease.expires_at = {0};
  CHECK(must(scene.host.complete(scene.lease)).kind == CompletionKind::already_completed);
}

TEST_CASE("A completion is recognised after its worker has left and come back") {
  Scene scene;
  must(scene.host.start(scene.lease));
  must(scene.host.complete(scene.lease));
  must(scene.host.deregister("w", 1));
  must(scene.host.reactivate("w", 2));
  CHECK(must(scene.host.complete(scene.lease)).kind == CompletionKind::already_completed);
}

TEST_CASE("A final failure that is sent again has the same outcome") {
  Scene scene;
  must(scene.host.start(scene.lease));
  const FailureOutcome first = must(scene.host.fail(scene.lease));
  const std::string before = scene.host.state();
  const auto again = scene.host.at(99).fail(scene.lease);
  REQUIRE(again);
  CHECK(again->revision.value == 5);
  CHECK(again->value == first);
  CHECK(scene.host.state() == before);
}

TEST_CASE("A failure that led to a requeue is not recognised again") {
  Host host;
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  const TaskLease lease = host.running("t", "w");
  must(host.fail(lease));
  CHECK_REFUSED(host, fail(lease), "stale_ownership{task_id: t}");
}

TEST_CASE("A cancellation that is sent again is recognised by its own token") {
  Scene scene;
  must(scene.host.enqueue("queued"));
  const QueuedTaskFence fence = fence_of(scene.host.task("queued"));
  must(scene.host.cancel(fence));
  must(scene.host.cancel(scene.lease));
  const std::string before = scene.host.state();
  CHECK(must(scene.host.at(99).cancel(fence)) ==
        CancellationOutcome{CancellationKind::already_cancelled, {2}});
  CHECK(must(scene.host.cancel(scene.lease)) ==
        CancellationOutcome{CancellationKind::already_cancelled, {3}});
  CHECK(scene.host.state() == before);
}

TEST_CASE("A replay names the current revision and no earlier time, as every command does") {
  Scene scene;
  must(scene.host.at(5).start(scene.lease));
  must(scene.host.complete(scene.lease));
  CHECK_REFUSED(scene.host, expecting(4).complete(scene.lease), "revision_conflict{expected: 4, actual: 5}");
  CHECK_REFUSED(scene.host, at(4).complete(scene.lease), "logical_time_regression{current: 5, proposed: 4}");
  CHECK(refusal(scene.host.at(5).complete(scene.lease)) == "accepted");
}

TEST_CASE("Tokens are structural: an equal lease made by hand is the same lease") {
  Scene scene;
  const TaskLease by_hand = {"t", "w", {1}, {0}, 1, {1}, {1}, {11}};
  REQUIRE(by_hand == scene.lease);
  CHECK(refusal(scene.host.start(by_hand)) == "accepted");
}

}  // namespace
}  // namespace leasegate::test
