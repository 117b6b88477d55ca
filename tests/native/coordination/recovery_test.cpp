// Leases taken back: because they ran out, because their worker left, because it was lost.

#include <catch2/catch_test_macros.hpp>

#include "support/host.hpp"

namespace leasegate::test {
namespace {

DistributedLimits limits(std::uint64_t retries, std::uint64_t queued = 16) {
  DistributedLimits limits;
  limits.max_retries = retries;
  limits.max_queued_tasks = queued;
  limits.max_active_tasks = 16;
  limits.heartbeat_timeout_secs = 20;
  return limits;
}

TEST_CASE("An expired lease is taken back and its task queued again, started or not") {
  Host host(limits(3));
  must(host.register_worker("w", 4));
  for (const char* id : {"leased", "running", "longer"}) must(host.enqueue(id));
  must(host.assign("leased", "w", 10));
  host.running("running", "w", 10);
  must(host.assign("longer", "w", 11));
  const auto answer = host.at(11).recover();
  REQUIRE(answer);
  CHECK(answer->value == RecoverySummary{1, 2, 0});
  for (const char* id : {"leased", "running"}) {
    const ScanTask task = host.task(id);
    CHECK(task.status == TaskStatus::queued);
    CHECK(task.retry_count == 1);
    CHECK(task.task_generation.value == 1);
    CHECK(task.attempt == 1);
    CHECK_FALSE(task.started_at);
    CHECK_FALSE(task.lease);
  }
  CHECK(host.task("leased").record_version.value == 3);
  CHECK(host.task("running").record_version.value == 4);
  CHECK(host.task("longer").status == TaskStatus::leased);
  CHECK(host.worker("w").current_tasks == 1);
  CHECK(host.worker("w").status == WorkerStatus::healthy);
}

TEST_CASE("A lease is not taken back before its deadline, and is at it") {
  Host host(limits(3));
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  must(host.assign("t", "w", 10));
  CHECK(must(host.at(10).recover()) == RecoverySummary{0, 0, 0});
  CHECK(host.task("t").status == TaskStatus::leased);
  CHECK(must(host.at(11).recover()) == RecoverySummary{1, 1, 0});
}

TEST_CASE("A task without retries left fails when its lease is taken back, and no proof is kept") {
  Host host(limits(0));
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  const TaskLease lease = host.running("t", "w", 10);
  CHECK(must(host.at(11).recover()) == RecoverySummary{1, 0, 1});
  const ScanTask task = host.task("t");
  CHECK(task.status == TaskStatus::failed);
  CHECK(task.completed_at == LogicalTime{11});
  CHECK(task.started_at == LogicalTime{1});
  CHECK(task.retry_count == 0);
  CHECK(task.record_version.value == 4);
  CHECK_REFUSED(host, fail(lease), "stale_ownership{task_id: t}");
  CHECK(host.worker("w").current_tasks == 0);
}

TEST_CASE("The summary counts each worker once") {
  Host host(limits(3));
  must(host.register_worker("v", 2));
  must(host.register_worker("w", 2));
  must(host.register_worker("idle", 2));
  for (const char* id : {"a", "b", "c"}) must(host.enqueue(id));
  must(host.assign("a", "w", 5));
  must(host.assign("b", "v", 5));
  must(host.assign("c", "w", 5));
  CHECK(must(host.at(6).recover()) == RecoverySummary{2, 3, 0});
  // And again in the next sweep.
  must(host.assign("a", "w", 5));
  CHECK(must(host.at(11).recover()) == RecoverySummary{1, 1, 0});
}

TEST_CASE("Leases are taken back in the order in which they were given, whatever their deadlines") {
  Host host(limits(3));
  must(host.register_worker("v", 4));
  must(host.register_worker("w", 4));
  for (const char* id : {"a", "b", "c", "d"}) must(host.enqueue(id));
  must(host.assign("d", "w", 9));
  must(host.assign("b", "v", 3));
  must(host.assign("c", "w", 6));
  must(host.assign("a", "v", 1));
  must(host.at(10).recover());
  CHECK(host.hand_out_all("w") == "d b c a");
}

TEST_CASE("Tasks that are to be queued again need room for all of them, or nothing happens") {
  Host host(limits(3, 2));
  must(host.register_worker("w", 4));
  for (const char* id : {"a", "b"}) {
    must(host.enqueue(id));
    must(host.assign(id, "w", 5));
  }
  must(host.enqueue("c"));
  CHECK_REFUSED(host, at(6).recover(), "queued_task_capacity_reached{limit: 2}");
  CHECK_REFUSED(host, deregister("w", 1), "queued_task_capacity_reached{limit: 2}");
  CHECK_REFUSED(host, at(30).prune(), "queued_task_capacity_reached{limit: 2}");
  must(host.at(6).cancel(fence_of(host.task("c"))));
  CHECK(must(host.recover()) == RecoverySummary{1, 2, 0});
}

TEST_CASE("Tasks that fail need no room in the queue") {
  Host host(limits(0, 1));
  must(host.register_worker("w", 4));
  for (const char* id : {"a", "b"}) {
    must(host.enqueue(id));
    must(host.assign(id, "w", 5));
  }
  must(host.enqueue("c"));
  CHECK(must(host.at(6).recover()) == RecoverySummary{1, 0, 2});
}

TEST_CASE("Deregistering recovers live and expired leases alike") {
  Host host(limits(3));
  must(host.register_worker("w", 4));
  for (const char* id : {"a", "b"}) must(host.enqueue(id));
  must(host.assign("b", "w", 2));
  const TaskLease live = host.running("a", "w", 100);
  CHECK(must(host.at(5).deregister("w", 1)) == RecoverySummary{1, 2, 0});
  CHECK(host.worker("w").current_tasks == 0);
  CHECK_REFUSED(host, complete(live), "stale_ownership{task_id: a}");
  must(host.reactivate("w", 2));
  must(host.update("w", 3));
  CHECK(must(host.assign_next("w")).task_id == "b");
}

TEST_CASE("Deregistering a worker without leases affects one worker and no task") {
  Host host(limits(3));
  must(host.register_worker("w"));
  CHECK(must(host.deregister("w", 1)) == RecoverySummary{1, 0, 0});
}

TEST_CASE(
    "Pruning takes the silent workers offline and recovers their leases, in lease order across workers") {
  Host host(limits(3));
  must(host.at(10).register_worker("x", 4));
  must(host.register_worker("y", 4));
  must(host.register_worker("idle", 4));
  for (const char* id : {"a", "b", "c", "d"}) must(host.enqueue(id));
  must(host.assign("d", "y", 100));
  must(host.assign("b", "x", 100));
  must(host.assign("c", "y", 100));
  must(host.assign("a", "x", 100));
  must(host.at(11).register_worker("alive", 4));
  CHECK(must(host.at(31).prune()) == RecoverySummary{3, 4, 0});
  for (const char* id : {"x", "y", "idle"}) {
    CHECK(host.worker(id).status == WorkerStatus::offline);
    CHECK(host.worker(id).generation.value == 2);
    CHECK(host.worker(id).current_tasks == 0);
    CHECK(host.worker(id).last_heartbeat.value == 10);
  }
  CHECK(host.worker("alive").status == WorkerStatus::healthy);
  CHECK(host.hand_out_all("alive") == "d b c a");
}

TEST_CASE("A worker is pruned one second after its timeout, not at it") {
  Host host(limits(3));
  must(host.at(10).register_worker("w"));
  CHECK(must(host.at(30).prune()) == RecoverySummary{0, 0, 0});
  CHECK(host.worker("w").status == WorkerStatus::healthy);
  CHECK(must(host.at(31).prune()) == RecoverySummary{1, 0, 0});
  // Offline already: nothing more to do.
  CHECK(must(host.at(99).prune()) == RecoverySummary{0, 0, 0});
  CHECK(host.worker("w").generation.value == 2);
}

TEST_CASE("A silent worker that is busy or degraded is pruned as well") {
  Host host(limits(3));
  must(host.register_worker("busy"));
  must(host.register_worker("degraded"));
  must(host.update("busy", 1, {.status = WorkerStatus::busy}));
  must(host.update("degraded", 1, {.status = WorkerStatus::degraded}));
  CHECK(must(host.at(22).prune()) == RecoverySummary{2, 0, 0});
}

TEST_CASE("Recovery takes back what a worker that is not healthy holds") {
  Host host(limits(3));
  must(host.register_worker("w"));
  must(host.enqueue("t"));
  must(host.assign("t", "w", 5));
  must(host.update("w", 1, {.status = WorkerStatus::busy}));
  CHECK(must(host.at(6).recover()) == RecoverySummary{1, 1, 0});
  CHECK(host.worker("w").current_tasks == 0);
}

TEST_CASE("Sweeps that find nothing are accepted and count as commands") {
  Host host(limits(3));
  CHECK(must(host.recover()) == RecoverySummary{0, 0, 0});
  CHECK(must(host.prune()) == RecoverySummary{0, 0, 0});
  CHECK(host.revision() == 2);
}

}  // namespace
}  // namespace leasegate::test
