// forget_worker: an offline worker's record leaves; what it did is still recognised.

#include <catch2/catch_test_macros.hpp>

#include "support/access.hpp"
#include "support/host.hpp"

namespace leasegate::test {
namespace {

struct Scene {
  Scene() : Scene(DistributedLimits{}) {}
  explicit Scene(const DistributedLimits& limits) : host(std::make_unique<CoreMachine>(limits)) {
    must(host.register_worker("w", 4));
    for (const char* id : {"completed", "failed", "cancelled", "queued"}) must(host.enqueue(id));
    completed = host.running("completed", "w");
    must(host.complete(completed));
    failed = host.running("failed", "w");
    must(host.fail(failed));
    cancelled = must(host.assign("cancelled", "w"));
    must(host.cancel(cancelled));
    must(host.deregister("w", 1));
  }
  static DistributedLimits no_retries() {
    DistributedLimits limits;
    limits.max_retries = 0;
    return limits;
  }
  Coordinator& core() { return static_cast<CoreMachine&>(host.machine()).coordinator; }

  Host host;
  TaskLease completed;
  TaskLease failed;
  TaskLease cancelled;
};

TEST_CASE("A forgotten worker is gone, and its room with it") {
  DistributedLimits limits;
  limits.max_workers = 1;
  Scene scene(limits);
  CHECK_REFUSED(scene.host, register_worker("v"), "worker_capacity_reached{limit: 1}");
  CHECK(must(scene.host.forget("w", 2)) == 2);
  CHECK(scene.host.snapshot().workers == 0);
  CHECK_FALSE(scene.host.machine().get_worker("w").value());
  must(scene.host.register_worker("v"));
  CHECK(refusal(scene.host.machine().check_invariants()) == "accepted");
}

TEST_CASE("Proofs that name a forgotten worker are recognised, and only they") {
  Scene scene(Scene::no_retries());
  CHECK(must(scene.host.forget("w", 2)) == 3);
  CHECK(must(scene.host.complete(scene.completed)).receipt.worker_id == "w");
  CHECK(must(scene.host.fail(scene.failed)).kind == FailureKind::retry_exhausted);
  CHECK(must(scene.host.cancel(scene.cancelled)).kind == CancellationKind::already_cancelled);
  TaskLease other = scene.completed;
  other.worker_id = "v";
  CHECK_REFUSED(scene.host, complete(other), "stale_ownership{task_id: completed}");
  CHECK(refusal(scene.host.machine().check_invariants()) == "accepted");
}

TEST_CASE("A worker that comes back under a forgotten name is a new one") {
  Scene scene(Scene::no_retries());
  must(scene.host.forget("w", 2));
  CHECK(must(scene.host.register_worker("w", 2)).generation.value == 1);
  // The name is one and the same; the generation tells the leases apart no longer, their ids do.
  CHECK(must(scene.host.complete(scene.completed)).kind == CompletionKind::already_completed);
  const TaskLease lease = must(scene.host.assign("queued", "w"));
  CHECK(lease.lease_id > scene.cancelled.lease_id);
  CHECK(CoordinatorTestAccess::names(scene.core()).size() == 1);
  CHECK(refusal(scene.host.machine().check_invariants()) == "accepted");
}

TEST_CASE("A name goes with the last proof that needs it") {
  Scene scene(Scene::no_retries());
  must(scene.host.forget("w", 2));
  CHECK(CoordinatorTestAccess::names(scene.core()).size() == 1);
  must(scene.host.at(2).retire(2, 2));
  CHECK(CoordinatorTestAccess::names(scene.core()).size() == 1);
  must(scene.host.retire(2));
  CHECK(CoordinatorTestAccess::names(scene.core()).size() == 0);
  CHECK(refusal(scene.host.machine().check_invariants()) == "accepted");
}

TEST_CASE("Only an offline worker of that generation can be forgotten") {
  Scene scene;
  CHECK_REFUSED(scene.host, forget("w", 1), "worker_generation_conflict{expected: 1, actual: 2}");
  CHECK_REFUSED(scene.host, forget("nobody", 1), "worker_not_found{worker_id: nobody}");
  CHECK_REFUSED(scene.host, forget("a b", 1), "invalid_worker{reason: worker_command_id_invalid}");
  CHECK_REFUSED(scene.host, expecting(0).forget("nobody", 1), "revision_conflict{expected: 0, actual: 14}");
  must(scene.host.reactivate("w", 2));
  CHECK_REFUSED(scene.host, forget("w", 3), "worker_unavailable{worker_id: w}");
}

}  // namespace
}  // namespace leasegate::test
