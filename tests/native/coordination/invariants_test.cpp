// check_invariants finds each contradiction that these tests put into the state, and names it.

#include <catch2/catch_test_macros.hpp>

#include "support/access.hpp"
#include "support/host.hpp"

namespace leasegate::test {
namespace {

using Access = CoordinatorTestAccess;

/** Tasks in every status, workers present and gone; consistent until a test breaks it. */
struct Scene {
  Scene()
      : host(std::make_unique<CoreMachine>(limits())),
        core(static_cast<CoreMachine&>(host.machine()).coordinator) {
    must(host.at(5).register_worker("w", 8));
    must(host.register_worker("v", 8));
    must(host.register_worker("gone"));
    must(host.deregister("gone", 1));
    for (const char* id : {"queued", "queued2", "leased", "leased2", "running", "completed", "failed"}) {
      must(host.enqueue(id));
    }
    must(host.assign("leased", "w", 10));
    must(host.assign("leased2", "w", 20));
    host.running("running", "w", 30);
    must(host.complete(host.running("completed", "w", 10)));
    must(host.fail(host.running("failed", "w", 10)));
    must(host.at(6).update("w", 1));
    REQUIRE(refusal(core.check_invariants()) == "accepted");
  }

  static DistributedLimits limits() {
    DistributedLimits limits;
    limits.max_retries = 0;
    return limits;
  }

  TaskRecord& task(const char* id) { return Access::task(core, id); }
  WorkerRecord& worker(const char* id) { return Access::worker(core, id); }
  std::uint32_t slot(const char* id) { return Access::tasks(core).find(id); }

  Host host;
  Coordinator& core;
};

void check_broken(const Scene& scene, const char* reason) {
  CHECK(refusal(scene.core.check_invariants()) == std::string("state_invariant{reason: ") + reason + "}");
}

TEST_CASE("A task that its id does not find") {
  Scene scene;
  scene.task("queued").task_id_size -= 1;
  check_broken(scene, "task_index");
}

TEST_CASE("Counts that do not fit the records") {
  Scene scene;
  SECTION("active tasks") { Access::by_age(scene.core).count += 1; }
  SECTION("queued tasks") { Access::queue(scene.core, Priority::normal).count += 1; }
  SECTION("an active task that no list holds") {
    Access::tasks(scene.core).leave_active(scene.slot("queued2"));
  }
  SECTION("a queued task that no queue holds") {
    Access::tasks(scene.core).leave_queue(scene.slot("queued2"));
  }
  check_broken(scene, "task_counts");
}

TEST_CASE("A task whose fields do not fit its status") {
  Scene scene;
  SECTION("ended, yet active") { scene.task("queued").ended = true; }
  SECTION("terminal, yet not ended") { scene.task("completed").ended = false; }
  SECTION("running, yet not started") { scene.task("running").started = false; }
  SECTION("leased, yet started") { scene.task("leased").started = true; }
  SECTION("more retries than allowed") {
    scene.task("queued").retry_count = 1;
    scene.task("queued").generation = {1};
    scene.task("queued").attempt = 1;
  }
  SECTION("queued, yet handed out once more than it came back") { scene.task("queued").attempt = 1; }
  SECTION("leased, yet as often back as it was handed out") { scene.task("leased").attempt = 0; }
  SECTION("completed without a hand-out") { scene.task("completed").attempt = 0; }
  SECTION("started before its lease") { scene.task("running").started_at = {0}; }
  SECTION("completed when its lease was over") {
    scene.task("completed").expires_at = scene.task("completed").completed_at;
  }
  SECTION("a generation that is not the number of retries") { scene.task("queued").generation = {1}; }
  SECTION("no version") { scene.task("queued").version = {0}; }
  SECTION("made in the future") { scene.task("queued").created_at = {7}; }
  SECTION("ended before it was made") { scene.task("completed").completed_at = {4}; }
  check_broken(scene, "task_lifecycle");
}

TEST_CASE("A queue out of order") {
  Scene scene;
  SECTION("ordinals that fall") { scene.task("queued").ordinal = scene.task("queued2").ordinal.after(); }
  SECTION("an ordinal that was never given") {
    scene.task("queued2").ordinal = Access::last_ordinal(scene.core).after();
  }
  SECTION("a task of another priority") { scene.task("queued").priority = Priority::high; }
  SECTION("a queue that runs in a circle") { scene.task("queued2").place.next = scene.slot("queued"); }
  check_broken(scene, "queue_order");
}

TEST_CASE("The order of age out of order") {
  Scene scene;
  SECTION("a younger task before an older one") { scene.task("queued").created_at = {6}; }
  SECTION("a circle") { scene.task("running").age.next = scene.slot("queued"); }
  check_broken(scene, "age_order");
}

TEST_CASE("A lease that nobody can have been given") {
  Scene scene;
  SECTION("of a worker that does not exist") { scene.task("leased").worker = 99; }
  SECTION("of another generation of its worker") { scene.task("leased").worker_generation = {2}; }
  SECTION("with an id that was never given") {
    scene.task("leased").lease_id = Access::last_lease_id(scene.core).after();
  }
  SECTION("with the id 0") { scene.task("leased").lease_id = {0}; }
  SECTION("from the future") { scene.task("leased").acquired_at = {7}; }
  SECTION("without any time") { scene.task("leased").acquired_at = scene.task("leased").expires_at; }
  check_broken(scene, "lease_token");
}

TEST_CASE("Deadlines that do not fit the leases") {
  Scene scene;
  SECTION("another deadline") { scene.task("leased").expires_at = {16}; }
  SECTION("no place") { scene.task("leased").deadline_position = kNoSlot; }
  SECTION("another's place") {
    scene.task("leased").deadline_position = scene.task("leased2").deadline_position;
  }
  check_broken(scene, "lease_deadlines");
}

TEST_CASE("A worker that its id does not find") {
  Scene scene;
  Access::names(scene.core).set_worker(scene.worker("v").name, kNoSlot);
  Access::names(scene.core).set_worker(scene.worker("w").name, 99);
  check_broken(scene, "worker_index");
}

TEST_CASE("A worker that does not hold its leases") {
  Scene scene;
  SECTION("a count that is wrong") { scene.worker("w").leases.count += 1; }
  SECTION("another's lease") { std::swap(scene.worker("w").leases, scene.worker("v").leases); }
  SECTION("leases out of order") { std::swap(scene.task("leased").lease_id, scene.task("leased2").lease_id); }
  check_broken(scene, "worker_tasks");
}

TEST_CASE("Heartbeats out of order") {
  Scene scene;
  SECTION("from the future") { scene.worker("w").last_heartbeat = {7}; }
  SECTION("a later one before an earlier one") {
    scene.worker("v").last_heartbeat = {6};
    scene.worker("w").last_heartbeat = {5};
  }
  SECTION("an offline worker among them") { scene.worker("v").status = WorkerStatus::offline; }
  SECTION("a worker that is missing") {
    IntrusiveList& list = Access::by_heartbeat(scene.core);
    list.first = scene.worker("v").heartbeat.next;
    list.count -= 1;
  }
  check_broken(scene, "heartbeat_order");
}

TEST_CASE("A ranking that does not fit the workers") {
  Scene scene;
  SECTION("another capacity") { scene.worker("v").effective_capacity = 7; }
  SECTION("no place") { scene.worker("v").rank_position = kNoSlot; }
  SECTION("another's place") { scene.worker("v").rank_position = scene.worker("w").rank_position; }
  check_broken(scene, "worker_ranking");
}

TEST_CASE("Waiting tasks out of order") {
  Host host(std::make_unique<CoreMachine>(DistributedLimits{}));
  Coordinator& core = static_cast<CoreMachine&>(host.machine()).coordinator;
  must(host.register_worker("w", 4));
  for (const char* id : {"a", "b"}) {
    must(host.enqueue(id));
    must(host.fail(host.running(id, "w"), 10));
  }
  REQUIRE(refusal(core.check_invariants()) == "accepted");
  TaskRecord& a = Access::task(core, "a");
  SECTION("due already") { a.not_before = {1}; }
  SECTION("another time") { a.not_before = {12}; }
  SECTION("an ordinal that was never given") { a.ordinal = Access::last_ordinal(core).after(); }
  SECTION("no place") { a.deadline_position = kNoSlot; }
  SECTION("another's place") { a.deadline_position = Access::task(core, "b").deadline_position; }
  SECTION("no ordinals left for them") { Access::last_ordinal(core) = {UINT64_MAX - 1}; }
  CHECK(refusal(core.check_invariants()) == "state_invariant{reason: waiting_order}");
}

TEST_CASE("The order of ending out of order") {
  Scene scene;
  SECTION("a later end before an earlier one") { scene.task("completed").completed_at = {6}; }
  SECTION("a circle") { scene.task("failed").place.next = scene.slot("completed"); }
  check_broken(scene, "terminal_order");
}

TEST_CASE("Names that no proof and no worker needs, and proofs without a name") {
  Scene scene;
  SECTION("a proof too many") { Access::names(scene.core).add_proof(scene.worker("w").name); }
  SECTION("a proof that names another") { scene.task("completed").worker_name = scene.worker("v").name; }
  SECTION("a proof that names nobody") { scene.task("completed").worker_name = kNoSlot; }
  check_broken(scene, "worker_names");
}

TEST_CASE("More than the limits allow") {
  Scene scene;
  DistributedLimits& limits = Access::limits(scene.core);
  SECTION("task records") { limits.max_task_records = 6; }
  SECTION("active tasks") { limits.max_active_tasks = 4; }
  SECTION("queued tasks") { limits.max_queued_tasks = 1; }
  SECTION("terminal tasks, reserved ones included") { limits.max_terminal_tasks = 6; }
  SECTION("workers") { limits.max_workers = 2; }
  check_broken(scene, "bounds");
}

}  // namespace
}  // namespace leasegate::test
